/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting as Go's sort.Slice does, swap for swap.
 *
 * The descheduler sorts with it, and with two comparisons that are no orders at
 * all (they call an item less than its equal). What comes out is then decided
 * by the algorithm itself: insertion up to 12 items, above that a quicksort
 * that defeats patterns (Orson Peters' pdqsort). Its choices are deterministic,
 * so they can be repeated.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_GO_SORT_H
#define FATHOM_DECIDE_DESCHEDULER_GO_SORT_H

#include <stdbool.h>
#include <stdint.h>

typedef bool go_sort_less(const void *context, uint32_t left, uint32_t right);

void go_sort(uint32_t *items, uint32_t count, go_sort_less *less, const void *context);

#endif
