/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles that are fair to each of several things that are alike; cycle.h says how. */
#include "explore/fold.h"

#include "explore/worker.h"

#include <string.h>

struct folding {
    struct cycle_search *cycle;
    struct region numbers; /* uint32_t by id: the fold */
    struct region left;    /* bitmap by id */
    struct region
        unsupported; /* bitmap by fold: a state of this fold is in no violating component */
    uint32_t fold_count;
};

static bool bit(const struct region *bitmap, uint32_t at)
{
    return (((const uint8_t *)bitmap->base)[at / 8] >> at % 8 & 1) != 0;
}

static void set_bit(const struct region *bitmap, uint32_t at, bool value)
{
    uint8_t *byte = (uint8_t *)bitmap->base + at / 8;
    *byte = (uint8_t)((*byte & ~(1U << at % 8)) | (unsigned)value << at % 8);
}

static void number_fold(struct folding *folding, struct store_cursor *cursor, uint32_t id)
{
    const struct search *search = folding->cycle->search;
    const struct model *model = search->model;
    uint32_t length;
    const uint32_t *words = store_load(cursor, id, &length);
    const uint32_t fold = model->fold(model, search->workers[0].scratch, words, length);
    ((uint32_t *)folding->numbers.base)[id] = fold;
    set_bit(&folding->left, id, true);
    if (fold >= folding->fold_count)
        folding->fold_count = fold + 1;
}

/* The model stores each fold, and may exceed the memory limit in doing so (base/memory.h). */
static bool is_overdrawn(const struct memory *memory)
{
    return atomic_load(&memory->used_bytes) > memory->limit_bytes;
}

/* Computes the fold of every state, also of states on no cycle: they may have the
 * fold of a state on one. */
static bool number_folds(struct folding *folding)
{
    struct cycle_search *cycle = folding->cycle;
    struct search *search = cycle->search;
    struct store_cursor cursor;
    bool going = store_cursor_init(&cursor, &search->store);
    if (!going)
        return false;
    for (uint32_t i = 0; i < search->range_count; i++) {
        const struct level_range *range = search_range(search, i);
        if (range->begin >= cycle->id_count)
            break; /* not expanded */
        for (uint32_t id = range->begin; id < range->end && going; id++) {
            number_fold(folding, &cursor, id);
            going = !is_overdrawn(search->memory) &&
                    (!limit_tick(&cycle->watch) || !limits_expired(&search->limits, &cycle->watch));
        }
    }
    store_cursor_release(&cursor);
    return going;
}

/* Removes the states whose fold has a state in no violating component. True if one
 * of them was in a violating component. */
static bool take_out(const struct folding *folding)
{
    const struct cycle_search *cycle = folding->cycle;
    const uint32_t *numbers = folding->numbers.base;
    bool changed = false;
    for (uint32_t id = 0; id < cycle->id_count; id++)
        if (bit(&folding->left, id) && !cycle_accepts(cycle, id))
            set_bit(&folding->unsupported, numbers[id], true);
    for (uint32_t id = 0; id < cycle->id_count; id++) {
        if (!bit(&folding->left, id))
            continue;
        const bool stays = !bit(&folding->unsupported, numbers[id]);
        set_bit(&folding->left, id, stays);
        changed |= !stays && cycle_accepts(cycle, id);
    }
    return changed;
}

static bool refine(struct folding *folding, bool (*again)(struct cycle_search *cycle))
{
    struct cycle_search *cycle = folding->cycle;
    if (!region_grow(&folding->numbers, (cycle->id_count + 1) * sizeof(uint32_t)) ||
        !region_grow(&folding->left, cycle->id_count / 8 + 1) || !number_folds(folding) ||
        !region_grow(&folding->unsupported, folding->fold_count / 8 + 1))
        return false;
    while (cycle->found && take_out(folding)) {
        cycle->left = folding->left.base;
        cycle->found = false;
        cycle->components = 0;
        memset(cycle->component, 0, cycle->id_count * sizeof(*cycle->component));
        memset(cycle->accepting, 0, cycle->id_count / 8 + 1);
        if (!again(cycle))
            return false;
    }
    return true;
}

bool fold_refine(struct cycle_search *cycle, bool (*again)(struct cycle_search *cycle))
{
    struct folding folding = {.cycle = cycle};
    region_init(&folding.numbers, cycle->search->memory);
    region_init(&folding.left, cycle->search->memory);
    region_init(&folding.unsupported, cycle->search->memory);
    const bool done = refine(&folding, again);
    region_release(&folding.numbers);
    region_release(&folding.left);
    region_release(&folding.unsupported);
    cycle->left = NULL;
    return done;
}
