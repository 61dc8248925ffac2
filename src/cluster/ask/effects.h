/* SPDX-License-Identifier: Apache-2.0 */
/* What applied manifests make of the workloads of a state: for the user who applies
 * them, and for controllers that do so again. */
#ifndef FATHOM_CLUSTER_ASK_EFFECTS_H
#define FATHOM_CLUSTER_ASK_EFFECTS_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

struct apply_effect;

/* Gives the workloads what the event's manifests say, and gives the last of them back;
 * UINT32_MAX: there is none. `first`: the event had not come before `next`. */
uint32_t effects_apply(struct worker *worker, const struct population_event *event,
                       struct state *next, bool first);
/* Does the workload still have the template and rules that the event gave it? */
bool effect_holds(const struct state *state, const struct apply_effect *effect);
/* Does some workload differ from what the event's manifests say? */
bool effects_differ(const struct population_event *event, const struct state *state, bool first);

#endif
