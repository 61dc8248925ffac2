/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placing pods one after the other in a simulation. Where a pod was put the last time is tried
 * first; a hint that is not renewed for two generations is forgotten.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_HINTS_H
#define FATHOM_DECIDE_AUTOSCALER_HINTS_H

#include "decide/autoscaler/autoscaler_result.h"
#include "decide/autoscaler/simulated_cluster.h"

struct placing_hints {
    struct arena *arena;
    struct map entries; /* key of a pod -> struct placing_hint */
    uint32_t generation;
};

void hints_init(struct placing_hints *hints, struct arena *arena);

/* Begins a generation: hints of the one before the last are forgotten. */
void hints_drop_old(struct placing_hints *hints);

/*
 * Puts the pods on acceptable nodes, in order. `placed` gets those that were put somewhere. With
 * `stops` the first one that finds no place is the last that is tried. Nothing is taken back.
 */
void hints_place(struct placing_hints *hints, struct simulated_cluster *simulation,
                 const struct autoscaler_pod *const *pods, uint32_t count,
                 const struct acceptable *acceptable, bool stops, placed_list *placed);

#endif
