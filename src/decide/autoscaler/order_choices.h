/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What no rule decides is a choice, and the choices of a run are a path in a tree, which is walked
 * from left to right:
 *
 *     struct order_choices choices = {.arena = arena};
 *     do {
 *         ... a loop of an autoscaler with these choices ...
 *     } while (order_choices_advance(&choices));
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_ORDER_CHOICES_H
#define FATHOM_DECIDE_AUTOSCALER_ORDER_CHOICES_H

#include "base/vec.h"

#include <stdbool.h>

struct order_choices {
    struct arena *arena;  /* outlives the runs */
    VEC(uint32_t) taken;  /* what was chosen */
    VEC(uint32_t) bounds; /* and among how many */
    uint32_t next;        /* so many choices of the run are made */
};

/* The next choice of the run, a number below the count. */
uint32_t order_choices_next(struct order_choices *choices, uint32_t count);

/* The next path; false: there is none. */
bool order_choices_advance(struct order_choices *choices);

#endif
