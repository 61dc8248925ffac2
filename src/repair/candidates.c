/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/candidates.h"

#include <stdlib.h>
#include <string.h>

uint32_t candidates_weigh(unsigned losses)
{
    uint32_t weight = 0;
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++)
        weight += losses >> i & 1 ? PROTECTION_COUNT - i : 0;
    return weight;
}

static int compare_numbers(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int compare_edits(const struct repair_candidate *left, const struct repair_candidate *right)
{
    int order = compare_numbers(candidates_weigh(left->losses), candidates_weigh(right->losses));
    if (!order)
        order = compare_numbers(!left->edit->at_cause, !right->edit->at_cause);
    if (!order)
        order = compare_numbers(!left->edit->near, !right->edit->near);
    if (!order)
        order = compare_numbers(left->edit->change_count, right->edit->change_count);
    if (!order)
        order = compare_numbers(left->edit->distance, right->edit->distance);
    if (!order)
        order = compare_numbers((uintptr_t)left->edit->row, (uintptr_t)right->edit->row);
    return order ? order : compare_numbers((uintptr_t)left->edit, (uintptr_t)right->edit);
}

static int by_rank(const void *left, const void *right)
{
    return compare_edits(left, right);
}

static int by_stage(const void *left, const void *right)
{
    const struct repair_candidate *one = left;
    const struct repair_candidate *other = right;
    const int order = compare_numbers(other->stage, one->stage);
    return order ? order : compare_edits(one, other);
}

void candidates_rank(struct repair_candidates *candidates)
{
    if (candidates->count > 0)
        qsort(candidates->items, candidates->count, sizeof(*candidates->items), by_rank);
}

void candidates_rank_for_sets(struct arena *arena, const struct repair_candidates *singles,
                              struct repair_candidates *sets)
{
    enum { DISTANCE_MOST = 1 };
    for (uint32_t i = 0; i < singles->count; i++)
        if (singles->items[i].stage != STAGE_INVALID &&
            singles->items[i].edit->distance <= DISTANCE_MOST)
            VEC_PUSH(arena, sets, singles->items[i]);
    if (sets->count > 0)
        qsort(sets->items, sets->count, sizeof(*sets->items), by_stage);
}

bool candidates_clash(const struct edit *left, const struct edit *right)
{
    return strcmp(left->object, right->object) == 0 && strcmp(left->path, right->path) == 0;
}
