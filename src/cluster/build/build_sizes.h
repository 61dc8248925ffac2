/* SPDX-License-Identifier: Apache-2.0 */
/* Notes, while a model is built, of which other numbers of nodes it is true (options.every_size).
 */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_SIZES_H
#define FATHOM_CLUSTER_BUILD_BUILD_SIZES_H

#include "cluster/forward.h"

/* Begins to note reads of numbers of nodes. */
void sizes_begin(struct population *population);
/* The first state is known: says which nodes are pristine, and what is not followed at all. */
void sizes_begin_states(struct population *population);

#endif
