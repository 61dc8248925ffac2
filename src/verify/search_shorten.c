/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/search_shorten.h"

#include "cluster/state/actions.h"
#include "verify/fair_run.h"
#include "verify/search_path.h"

#include <string.h>

/* So many steps are looked at, of all runs that are tried. To look for one step alone costs as much
 * as so many. */
enum { EFFORT_MOST = 50000, EFFORT_OF_ONE = 4 };

/* A run that was taken again. Another one may begin like it. */
struct tried {
    struct taken_steps taken;
    uint32_t steps;    /* so many of `from` were looked for */
    bool *left_out;    /* by unit */
    uint32_t *counts;  /* by step: how many states there were before it */
    uint64_t *efforts; /* and what they had cost */
};

struct shortening {
    struct step_sink sink;
    struct arena *arena;
    struct worker *worker;
    const struct model *model;
    const struct property *property;
    const struct run_path *from; /* the run whose steps are taken again */
    uint32_t *units;             /* by step of it: what is left out together */
    bool *left_out;              /* by unit */
    struct taken_steps taken;
    struct taken_steps idle;
    const struct budget *budget;
    uint64_t effort;
    struct tried *tried;   /* the run that is taken now */
    struct tried *shorter; /* the last one that was shorter; no steps: there was none */
    uint64_t atoms;        /* that violate the property */
    uint32_t violating;    /* the action whose steps violate; POPULATION_ACTION_COUNT: states do */

    /* The steps out of a state. */
    const struct path_step *wanted; /* NULL: any that moves the cluster on */
    uint32_t seen;
    uint32_t likeness; /* of the best one so far; 0: there is none */
    struct taken next;
    uint32_t room;
    bool moves;
    bool violates; /* true if `next` does */
    bool breaks;   /* true if the state that it leads to may violate the property */
};

/* ---- taking one step again ---- */

/* How much the step is like the one that is wanted; 0: it is another. */
static uint32_t likeness_of(const struct shortening *shortening, const struct step *step, bool idle)
{
    const struct path_step *wanted = shortening->wanted;
    if (idle)
        return 0;
    if (!wanted)
        return step->fairness != FAIRNESS_OPTIONAL;
    if (step->action != wanted->action || step->fairness != wanted->fairness ||
        !population_same_subject(step->argument, wanted->argument))
        return 0;
    return step->argument == wanted->argument ? 2 : 1;
}

static void keep(struct shortening *shortening, const struct step *step)
{
    struct taken *next = &shortening->next;
    if (shortening->room < step->length) {
        shortening->room = 2 * step->length;
        next->words = ARENA_ARRAY(shortening->arena, uint32_t, shortening->room);
    }
    memcpy(next->words, step->words, step->length * sizeof(*step->words));
    next->length = step->length;
    next->step = taken_step(step, shortening->seen);
    shortening->breaks = state_violates(
        shortening->property, population_step_atoms(shortening->worker, step, shortening->atoms));
}

static struct taken *present(const struct shortening *shortening)
{
    return &shortening->taken.items[shortening->taken.count - 1];
}

static bool look_at(struct step_sink *sink, const struct step *step)
{
    struct shortening *shortening = (struct shortening *)sink;
    const bool idle = taken_is(present(shortening), step->words, step->length);
    const bool pressing = step->fairness != FAIRNESS_OPTIONAL;
    const uint32_t likeness = likeness_of(shortening, step, idle);
    const bool violates = step_violates(shortening->property, step->marks);
    shortening->moves |= !idle && pressing;
    if (idle && pressing)
        taken_add_idle(shortening->arena, &shortening->idle, present(shortening), step,
                       shortening->seen);
    if (!shortening->violates && (violates || likeness > shortening->likeness)) {
        keep(shortening, step);
        shortening->likeness = violates ? 1 : likeness;
        shortening->violates = violates;
    }
    shortening->seen++;
    return true;
}

static void enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)fairness_class;
    ((struct shortening *)sink)->moves = true;
}

/* Takes the step, if there is one like it, or one that violates the property. */
static void take(struct shortening *shortening, const struct path_step *wanted)
{
    const struct taken state = *present(shortening);
    shortening->wanted = wanted;
    shortening->seen = 0;
    shortening->likeness = 0;
    shortening->moves = false;
    shortening->idle.count = 0;
    if (wanted)
        population_expand_again(shortening->worker, state.words, state.length, wanted->action,
                                wanted->argument, shortening->violating, &shortening->sink);
    else
        shortening->model->expand(shortening->model, shortening->worker, state.words, state.length,
                                  &shortening->sink);
    shortening->effort += shortening->seen + (wanted ? EFFORT_OF_ONE : 0);
    if (shortening->likeness == 0)
        return;
    struct taken taken = shortening->next;
    taken.words = arena_copy(shortening->arena, taken.words, taken.length * sizeof(*taken.words));
    VEC_PUSH(shortening->arena, &shortening->taken, taken);
    shortening->violates |=
        shortening->breaks &&
        state_violates(shortening->property, taken_atoms(shortening->worker, &taken));
}

/* ---- taking a run again ---- */

static void begin(struct shortening *shortening)
{
    const struct run_path *from = shortening->from;
    shortening->taken.count = 0;
    shortening->violates = false;
    VEC_PUSH(shortening->arena, &shortening->taken,
             ((struct taken){.words = from->words,
                             .length = (uint32_t)from->offsets[1],
                             .step.index = from->initial_index}));
}

/* The shorter run begins with the steps before this one, of those that were looked for. */
static uint32_t first_that_differs(const struct shortening *shortening)
{
    const struct tried *shorter = shortening->shorter;
    for (uint32_t step = 0; step < shorter->steps; step++) {
        const uint32_t unit = shortening->units[step];
        if (shorter->left_out[unit] != shortening->left_out[unit])
            return step;
    }
    return shorter->steps > 0 ? shorter->steps - 1 : 0;
}

/* Goes on behind as many steps of `from` as the shorter run begins with. */
static void resume(struct shortening *shortening, uint32_t steps)
{
    const struct tried *shorter = shortening->shorter;
    const uint32_t count = shorter->counts[steps];
    for (uint32_t i = 1; i < count; i++)
        VEC_PUSH(shortening->arena, &shortening->taken, shorter->taken.items[i]);
    memcpy(shortening->tried->counts, shorter->counts, steps * sizeof(*shorter->counts));
    memcpy(shortening->tried->efforts, shorter->efforts, steps * sizeof(*shorter->efforts));
    shortening->effort += shorter->efforts[steps];
}

/* Goes on until nobody changes anything, with fewer steps than the run that it came from. */
static bool come_to_rest(struct shortening *shortening, struct run_path *path)
{
    const uint32_t most = shortening->from->step_count;
    do {
        take(shortening, NULL);
    } while (shortening->likeness > 0 && shortening->taken.count <= most &&
             !budget_is_over(shortening->budget));
    if (shortening->moves || budget_is_over(shortening->budget))
        return false;
    *path = taken_path(shortening->arena, shortening->taken.items, shortening->taken.count,
                       shortening->idle.items, shortening->idle.count);
    path->loops = true;
    path->loop_rests = shortening->idle.count == 0;
    path->loop_from = shortening->taken.count - 1;
    return loop_violates(shortening->worker, shortening->property, path) &&
           is_fair_run(shortening->arena, shortening->worker, path);
}

/* Looks for those steps of `from` that are not left out, from `first` on. */
static void take_steps(struct shortening *shortening, uint32_t first, uint64_t effort_before)
{
    const struct run_path *from = shortening->from;
    const uint32_t steps = from->loops ? from->loop_from : from->step_count;
    struct tried *tried = shortening->tried;
    uint32_t i = first;
    for (; i < steps && !shortening->violates && !budget_is_over(shortening->budget); i++) {
        tried->counts[i] = shortening->taken.count;
        tried->efforts[i] = shortening->effort - effort_before;
        if (!shortening->left_out[shortening->units[i]])
            take(shortening, &from->steps[i]);
    }
    tried->steps = i;
    tried->taken = shortening->taken;
}

/* Takes the run again without what is left out; true if it still violates the property. */
static bool try_without(struct shortening *shortening, struct run_path *path)
{
    const uint64_t effort = shortening->effort;
    const uint32_t first = first_that_differs(shortening);
    begin(shortening);
    if (first > 0)
        resume(shortening, first);
    take_steps(shortening, first, effort);
    if (shortening->from->loops)
        return come_to_rest(shortening, path);
    *path =
        taken_path(shortening->arena, shortening->taken.items, shortening->taken.count, NULL, 0);
    return shortening->violates;
}

/* The run that was taken is the shortest so far. */
static void keep_shorter(struct shortening *shortening, uint32_t unit_count)
{
    struct tried *shorter = shortening->tried;
    memcpy(shorter->left_out, shortening->left_out, unit_count * sizeof(*shorter->left_out));
    shortening->tried = shortening->shorter;
    shortening->shorter = shorter;
    shortening->taken = (struct taken_steps){0}; /* it keeps these */
}

/* ---- what to leave out ---- */

/* Tries to leave out `size` units at a time, then fewer. */
static void leave_out(struct shortening *shortening, uint32_t unit_count, struct run_path *best)
{
    struct run_path path;
    shortening->shorter->steps = 0;
    for (uint32_t size = (unit_count + 1) / 2; size > 0; size /= 2)
        for (uint32_t first = 0; first < unit_count; first += size) {
            const uint32_t end = first + size < unit_count ? first + size : unit_count;
            if (shortening->effort >= EFFORT_MOST || budget_is_over(shortening->budget))
                return;
            memset(shortening->left_out + first, true, end - first);
            if (try_without(shortening, &path) && path.step_count < best->step_count) {
                *best = path;
                keep_shorter(shortening, unit_count);
            } else {
                memset(shortening->left_out + first, false, end - first);
            }
        }
}

/* Steps of pods of one revision are left out together, and others of one fairness class. */
static uint32_t number_by_subject(struct shortening *shortening)
{
    const struct run_path *from = shortening->from;
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->step_count; i++) {
        uint32_t same = 0;
        while (same < i &&
               !population_same_subject(from->steps[same].argument, from->steps[i].argument))
            same++;
        shortening->units[i] = same < i ? shortening->units[same] : count++;
    }
    return count;
}

static uint32_t number_by_step(struct shortening *shortening)
{
    for (uint32_t i = 0; i < shortening->from->step_count; i++)
        shortening->units[i] = i;
    return shortening->from->step_count;
}

/* Of steps that violate the property, the last one of the run is one. */
static uint32_t violating_action(const struct property *property, const struct run_path *path)
{
    return property->kind == PROPERTY_STEP_INVARIANT && path->step_count > 0
               ? path->steps[path->step_count - 1].action
               : POPULATION_ACTION_COUNT;
}

static struct tried *make_tried(struct arena *arena, uint32_t steps)
{
    struct tried *tried = ARENA_NEW(arena, struct tried);
    tried->left_out = ARENA_ARRAY(arena, bool, steps + 1);
    tried->counts = ARENA_ARRAY(arena, uint32_t, steps + 1);
    tried->efforts = ARENA_ARRAY(arena, uint64_t, steps + 1);
    return tried;
}

struct run_path search_shorten(struct arena *arena, struct worker *worker, uint32_t number,
                               const struct run_path *path, const struct budget *budget)
{
    const struct model *model = population_worker_model(worker);
    struct run_path best = *path;
    struct run_path from = *path;
    struct shortening shortening = {
        .sink = {look_at, enable, NULL},
        .arena = arena,
        .worker = worker,
        .model = model,
        .property = &model->properties[number],
        .from = &from,
        .budget = budget,
        .units = ARENA_ARRAY(arena, uint32_t, path->step_count + 1),
        .left_out = ARENA_ARRAY(arena, bool, path->step_count + 1),
        .tried = make_tried(arena, path->step_count),
        .shorter = make_tried(arena, path->step_count),
        .atoms = atoms_asked(model, UINT64_C(1) << number),
    };
    if (path_goes_round(path))
        return best;
    shortening.violating = violating_action(shortening.property, path);
    leave_out(&shortening, number_by_subject(&shortening), &best);
    from = best;
    memset(shortening.left_out, false, path->step_count);
    leave_out(&shortening, number_by_step(&shortening), &best);
    /* Steps that were taken alone do not know their numbers. */
    return is_fair_run(arena, worker, &best) ? best : *path;
}
