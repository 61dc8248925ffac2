/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of actors, a pace at a time. */
#ifndef FATHOM_CLUSTER_PACE_H
#define FATHOM_CLUSTER_PACE_H

#include "cluster/actor_type.h"

/* Hands over the steps of all actors of one pace. Paces are handled in order, like actors:
 * `next` is the number of the first actor that has not acted yet; gives that number afterwards. */
uint32_t expansion_act(struct expansion *expansion, enum actor_pace pace, uint32_t next);

/* The steps of all fast actors, which come first. */
uint32_t expansion_act_fast(struct expansion *expansion);

#endif
