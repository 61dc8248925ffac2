/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles that are fair to each of several things that are alike; cycle.h says how. */
#include "explore/orbits.h"

#include "explore/worker.h"

#include <string.h>

struct orbits {
    struct cycle_search *cycle;
    struct region numbers; /* uint32_t by id: the orbit */
    struct region left;    /* bitmap by id */
    struct region
        unsupported; /* bitmap by orbit: a state of this orbit is in no violating component */
    uint32_t orbit_count;
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

static void number_orbit(struct orbits *orbits, struct store_cursor *cursor, uint32_t id)
{
    const struct search *search = orbits->cycle->search;
    const struct model *model = search->model;
    uint32_t length;
    const uint32_t *words = store_load(cursor, id, &length);
    const uint32_t orbit = model->orbit(model, search->workers[0].scratch, words, length);
    ((uint32_t *)orbits->numbers.base)[id] = orbit;
    set_bit(&orbits->left, id, true);
    if (orbit >= orbits->orbit_count)
        orbits->orbit_count = orbit + 1;
}

/* Computes the orbit of every state, also of states on no cycle: they may have the
 * orbit of a state on one. */
static bool number_orbits(struct orbits *orbits)
{
    struct cycle_search *cycle = orbits->cycle;
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
            number_orbit(orbits, &cursor, id);
            going = !memory_is_over(search->memory) &&
                    (!limit_tick(&cycle->watch) || !limits_expired(&search->limits, &cycle->watch));
        }
    }
    store_cursor_release(&cursor);
    return going;
}

/* Removes the states whose orbit has a state in no violating component. True if one
 * of them was in a violating component. */
static bool take_out(const struct orbits *orbits)
{
    const struct cycle_search *cycle = orbits->cycle;
    const uint32_t *numbers = orbits->numbers.base;
    bool changed = false;
    for (uint32_t id = 0; id < cycle->id_count; id++)
        if (bit(&orbits->left, id) && !cycle_accepts(cycle, id))
            set_bit(&orbits->unsupported, numbers[id], true);
    for (uint32_t id = 0; id < cycle->id_count; id++) {
        if (!bit(&orbits->left, id))
            continue;
        const bool stays = !bit(&orbits->unsupported, numbers[id]);
        set_bit(&orbits->left, id, stays);
        changed |= !stays && cycle_accepts(cycle, id);
    }
    return changed;
}

static bool refine(struct orbits *orbits, bool (*again)(struct cycle_search *cycle))
{
    struct cycle_search *cycle = orbits->cycle;
    if (!region_grow(&orbits->numbers, (cycle->id_count + 1) * sizeof(uint32_t)) ||
        !region_grow(&orbits->left, cycle->id_count / 8 + 1) || !number_orbits(orbits) ||
        !region_grow(&orbits->unsupported, orbits->orbit_count / 8 + 1))
        return false;
    while (cycle->found && take_out(orbits)) {
        cycle->left = orbits->left.base;
        cycle->found = false;
        cycle->components = 0;
        memset(cycle->component, 0, cycle->id_count * sizeof(*cycle->component));
        memset(cycle->accepting, 0, cycle->id_count / 8 + 1);
        if (!again(cycle))
            return false;
    }
    return true;
}

bool orbits_refine(struct cycle_search *cycle, bool (*again)(struct cycle_search *cycle))
{
    struct orbits orbits = {.cycle = cycle};
    region_init(&orbits.numbers, cycle->search->memory);
    region_init(&orbits.left, cycle->search->memory);
    region_init(&orbits.unsupported, cycle->search->memory);
    const bool done = refine(&orbits, again);
    region_release(&orbits.numbers);
    region_release(&orbits.left);
    region_release(&orbits.unsupported);
    cycle->left = NULL;
    return done;
}
