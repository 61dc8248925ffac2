/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/search_trail.h"

#include "base/hash.h"
#include "verify/fair_run.h"

struct search_trail trail_of(struct arena *arena, struct worker *worker, uint64_t open,
                             uint64_t steps_most, struct search_findings *findings)
{
    struct search_trail trail = {
        .arena = arena,
        .worker = worker,
        .model = population_worker_model(worker),
        .findings = findings,
        .open = open,
        .slot_count = 64,
    };
    while (trail.slot_count < 2 * steps_most + 4)
        trail.slot_count *= 2;
    trail.hashes = ARENA_ARRAY(arena, uint64_t, trail.slot_count);
    trail.places = ARENA_ARRAY(arena, uint32_t, trail.slot_count);
    return trail;
}

const struct taken *trail_end(const struct search_trail *trail)
{
    return &trail->taken.items[trail->taken.count - 1];
}

/* ---- the states so far ---- */

/* The slot of the state, or the free one where it would be. */
static uint32_t slot_of(const struct search_trail *trail, const uint32_t *words, uint32_t length,
                        uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & (trail->slot_count - 1);
    while (trail->places[slot] > 0 &&
           (trail->hashes[slot] != hash ||
            !taken_is(&trail->taken.items[trail->places[slot] - 1], words, length)))
        slot = (slot + 1) & (trail->slot_count - 1);
    return slot;
}

uint32_t trail_place(const struct search_trail *trail, const uint32_t *words, uint32_t length)
{
    const uint64_t hash = hash_bytes(words, length * sizeof(*words));
    return trail->places[slot_of(trail, words, length, hash)] - 1;
}

static void remember(struct search_trail *trail)
{
    const struct taken *state = trail_end(trail);
    const uint64_t hash = hash_bytes(state->words, state->length * sizeof(*state->words));
    const uint32_t slot = slot_of(trail, state->words, state->length, hash);
    trail->hashes[slot] = hash;
    trail->places[slot] = trail->taken.count;
}

/* ---- what is found ---- */

static void find(struct search_trail *trail, uint32_t property, const struct run_path *path)
{
    const uint64_t bit = UINT64_C(1) << property;
    trail->findings->paths[property] = *path;
    trail->findings->violated |= bit;
    if (path_goes_round(path))
        trail->findings->goes_round |= bit;
    trail->open &= ~bit;
}

static bool is_open(const struct search_trail *trail, uint32_t property)
{
    return (trail->open >> property & 1) != 0;
}

static void judge_state(struct search_trail *trail)
{
    const uint64_t atoms = taken_atoms(trail->worker, trail_end(trail));
    for (uint32_t i = 0; i < trail->model->property_count; i++) {
        const struct property *property = &trail->model->properties[i];
        if (is_open(trail, i) && state_violates(property, atoms)) {
            const struct run_path path =
                taken_path(trail->arena, trail->taken.items, trail->taken.count, NULL, 0);
            find(trail, i, &path);
        }
    }
}

void trail_judge_step(struct search_trail *trail, const struct step *step, uint32_t index)
{
    for (uint32_t i = 0; i < trail->model->property_count; i++) {
        if (!is_open(trail, i) || !step_violates(&trail->model->properties[i], step->marks))
            continue;
        const struct taken taken = {
            .words = arena_copy(trail->arena, step->words, step->length * sizeof(*step->words)),
            .length = step->length,
            .step = taken_step(step, index),
        };
        const struct run_path path =
            taken_path(trail->arena, trail->taken.items, trail->taken.count, &taken, 1);
        find(trail, i, &path);
    }
}

/* Judges what must happen in the end, for a run that goes on for ever like the path. */
static void judge_loop(struct search_trail *trail, struct run_path *path)
{
    bool known = false;
    bool fair = false;
    for (uint32_t i = 0; i < trail->model->property_count; i++) {
        const struct property *property = &trail->model->properties[i];
        if (!is_open(trail, i) || !judges_loops(property) ||
            !loop_violates(trail->worker, property, path))
            continue;
        fair = known ? fair : is_fair_run(trail->arena, trail->worker, path);
        known = true;
        if (!fair)
            return;
        find(trail, i, path);
    }
}

static bool asks_for_loops(const struct search_trail *trail)
{
    for (uint32_t i = 0; i < trail->model->property_count; i++)
        if (is_open(trail, i) && judges_loops(&trail->model->properties[i]))
            return true;
    return false;
}

void trail_judge_rest(struct search_trail *trail, const struct taken_steps *idle)
{
    if (!asks_for_loops(trail))
        return;
    struct run_path path =
        taken_path(trail->arena, trail->taken.items, trail->taken.count, idle->items, idle->count);
    path.loops = true;
    path.loop_rests = idle->count == 0;
    path.loop_from = trail->taken.count - 1;
    judge_loop(trail, &path);
}

/* The run is in a state in which it has been before. */
static void judge_return(struct search_trail *trail, uint32_t place)
{
    if (!asks_for_loops(trail))
        return;
    struct run_path path = loop_path(trail->arena, trail->worker, &trail->taken, place);
    judge_loop(trail, &path);
}

void trail_add(struct search_trail *trail, const struct taken *step)
{
    struct taken taken = *step;
    const uint32_t place = trail_place(trail, taken.words, taken.length);
    taken.words = arena_copy(trail->arena, taken.words, taken.length * sizeof(*taken.words));
    VEC_PUSH(trail->arena, &trail->taken, taken);
    trail->findings->steps++;
    judge_state(trail);
    if (place != UINT32_MAX)
        judge_return(trail, place);
    remember(trail);
}
