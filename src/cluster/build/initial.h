/* SPDX-License-Identifier: Apache-2.0 */
/* The state in which runs begin, and those that differ from it only in their clocks or in which
 * node is distinguished. */
#ifndef FATHOM_CLUSTER_BUILD_INITIAL_H
#define FATHOM_CLUSTER_BUILD_INITIAL_H

#include "cluster/forward.h"

/* The state that runs begin with; adds the nodes that are in it. */
struct state *initial_state(struct population *population);
/* Sets the parts of the state that depend on the sizes of the setup. */
void initial_state_resize(struct population *population);
/* The same and its variants, as the model gives them. */
void population_initial(const struct model *model, void *own, struct step_sink *sink);

#endif
