/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The orders that no rule decides: of lists from a cache, of Go's maps, and of equal items in a
 * sort. By default everything goes by name. With a seed they are drawn at random, so that a loop
 * comes out in one of the other ways that it can. With choices they are taken one after the other
 * (order_choices.h), so that it comes out in every way.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_HIDDEN_ORDERS_H
#define FATHOM_DECIDE_AUTOSCALER_HIDDEN_ORDERS_H

#include "decide/autoscaler/autoscaler.h"

/* The lists of the loop that begins. */
void orders_begin_loop(struct cluster_autoscaler *autoscaler);

/* Any order of the items, if orders are drawn; otherwise they stay as they are. */
void orders_mix(struct cluster_autoscaler *autoscaler, void *items, uint32_t count,
                size_t item_bytes);

/* The same for items of which those with equal keys are interchangeable: with choices, orders that
 * differ in nothing else are tried once. */
void orders_mix_kinds(struct cluster_autoscaler *autoscaler, void *items, uint32_t count,
                      size_t item_bytes,
                      uint64_t (*key)(const struct cluster_autoscaler *autoscaler,
                                      const void *item));

/* Any number below the count, if orders are drawn; otherwise 0. */
uint32_t orders_pick(struct cluster_autoscaler *autoscaler, uint32_t count);

#endif
