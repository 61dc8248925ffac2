/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/search_run.h"

#include "base/clock.h"
#include "base/hash.h"
#include "verify/fair_run.h"
#include "verify/search_path.h"

#include <string.h>

enum { BLIND_OF = 256 };

/* Which of two steps is taken: the one that is greater in the first of these that differs. */
struct rank {
    bool is_new;
    int32_t timely; /* whether it is time for an event, or for none */
    int64_t nearness;
    bool spares;     /* an event that may be of more use later */
    uint64_t waited; /* since the last step of its class; only of steps that are not new */
    uint64_t chance;
};

struct search_run {
    struct step_sink sink;
    struct arena *arena;
    struct worker *worker;
    const struct model *model;
    const struct search_guide *guide;
    struct search_findings *findings;
    uint64_t open;
    uint64_t random;
    struct taken_steps taken;
    struct taken_steps idle; /* tried in vain in the present state */
    uint32_t *turns; /* by fairness class: how many steps there were when it was last taken */

    /* The states so far: open addressing, by hash. */
    uint64_t *hashes;
    uint32_t *places; /* in `taken`, plus one; 0: free */
    uint32_t slot_count;

    /* The steps out of the present state. */
    uint32_t seen;
    bool blind; /* true if it makes no difference where they lead */
    bool moves; /* true if somebody who must not wait for ever changes something */
    bool any;
    struct rank best;
    struct taken next;
    uint32_t room; /* words that `next` has room for */
};

static uint64_t next_random(uint64_t *random)
{
    return hash_word(*random += UINT64_C(0x9e3779b97f4a7c15));
}

static struct taken *present(const struct search_run *run)
{
    return &run->taken.items[run->taken.count - 1];
}

/* ---- the states so far ---- */

/* The slot of the state, or the free one where it would be. */
static uint32_t slot_of(const struct search_run *run, const uint32_t *words, uint32_t length,
                        uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & (run->slot_count - 1);
    while (run->places[slot] > 0 &&
           (run->hashes[slot] != hash ||
            !taken_is(&run->taken.items[run->places[slot] - 1], words, length)))
        slot = (slot + 1) & (run->slot_count - 1);
    return slot;
}

/* Where the run has been in the state, the last time; UINT32_MAX: never. */
static uint32_t place_of(const struct search_run *run, const uint32_t *words, uint32_t length)
{
    const uint64_t hash = hash_bytes(words, length * sizeof(*words));
    return run->places[slot_of(run, words, length, hash)] - 1;
}

static void remember(struct search_run *run)
{
    const struct taken *state = present(run);
    const uint64_t hash = hash_bytes(state->words, state->length * sizeof(*state->words));
    const uint32_t slot = slot_of(run, state->words, state->length, hash);
    run->hashes[slot] = hash;
    run->places[slot] = run->taken.count;
}

/* ---- what is found ---- */

static void find(struct search_run *run, uint32_t property, const struct run_path *path)
{
    const uint64_t bit = UINT64_C(1) << property;
    run->findings->paths[property] = *path;
    run->findings->violated |= bit;
    if (path_goes_round(path))
        run->findings->goes_round |= bit;
    run->open &= ~bit;
}

static bool is_open(const struct search_run *run, uint32_t property)
{
    return (run->open >> property & 1) != 0;
}

static void judge_state(struct search_run *run)
{
    const uint64_t atoms = taken_atoms(run->worker, present(run));
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        const struct property *property = &run->model->properties[i];
        if (is_open(run, i) && state_violates(property, atoms)) {
            const struct run_path path =
                taken_path(run->arena, run->taken.items, run->taken.count, NULL, 0);
            find(run, i, &path);
        }
    }
}

/* Judges what must happen in the end, for a run that goes on for ever like the path. */
static void judge_loop(struct search_run *run, struct run_path *path)
{
    bool known = false;
    bool fair = false;
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        const struct property *property = &run->model->properties[i];
        if (!is_open(run, i) || !judges_loops(property) ||
            !loop_violates(run->worker, property, path))
            continue;
        fair = known ? fair : is_fair_run(run->arena, run->worker, path);
        known = true;
        if (!fair)
            return;
        find(run, i, path);
    }
}

static bool asks_for_loops(const struct search_run *run)
{
    for (uint32_t i = 0; i < run->model->property_count; i++)
        if (is_open(run, i) && judges_loops(&run->model->properties[i]))
            return true;
    return false;
}

/* Nobody changes anything. What is tried in vain is tried for ever. */
static void judge_rest(struct search_run *run)
{
    if (!asks_for_loops(run))
        return;
    struct run_path path = taken_path(run->arena, run->taken.items, run->taken.count,
                                      run->idle.items, run->idle.count);
    path.loops = true;
    path.loop_rests = run->idle.count == 0;
    path.loop_from = run->taken.count - 1;
    judge_loop(run, &path);
}

/* The run is in a state in which it has been before. */
static void judge_return(struct search_run *run, uint32_t place)
{
    if (!asks_for_loops(run))
        return;
    struct run_path path = loop_path(run->arena, run->worker, &run->taken, place);
    judge_loop(run, &path);
}

/* ---- the steps out of a state ---- */

static bool is_better(const struct rank *rank, const struct rank *than)
{
    if (rank->is_new != than->is_new)
        return rank->is_new;
    if (rank->timely != than->timely)
        return rank->timely > than->timely;
    if (rank->is_new && rank->nearness != than->nearness)
        return rank->nearness > than->nearness;
    if (rank->spares != than->spares)
        return rank->spares;
    if (rank->waited != than->waited)
        return rank->waited > than->waited;
    return rank->chance > than->chance;
}

static struct rank rank_of(struct search_run *run, const struct step *step)
{
    const bool is_event = step->fairness == FAIRNESS_OPTIONAL;
    const enum search_events events = run->guide->events;
    struct rank rank = {
        .is_new = place_of(run, step->words, step->length) == UINT32_MAX,
        .timely = events == EVENTS_FIRST     ? is_event
                  : events == EVENTS_AT_REST ? -(int32_t)is_event
                                             : 0,
        .spares = !is_event && !run->blind,
        .chance = next_random(&run->random),
    };
    if (!rank.is_new)
        rank.waited =
            step->fairness < FAIRNESS_OPTIONAL ? run->taken.count - run->turns[step->fairness] : 0;
    if (rank.is_new && !run->blind)
        rank.nearness =
            population_nearness(run->worker, run->guide->intent, step->words, step->length);
    return rank;
}

static void copy_step(struct search_run *run, const struct step *step, struct taken *taken,
                      uint32_t *room)
{
    if (*room < step->length) {
        *room = step->length * 2;
        taken->words = ARENA_ARRAY(run->arena, uint32_t, *room);
    }
    memcpy(taken->words, step->words, step->length * sizeof(*step->words));
    taken->length = step->length;
    taken->step =
        (struct path_step){run->seen, step->action, step->argument, step->fairness, step->marks};
}

static void judge_step(struct search_run *run, const struct step *step)
{
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        struct taken taken = {0};
        uint32_t room = 0;
        if (!is_open(run, i) || !step_violates(&run->model->properties[i], step->marks))
            continue;
        copy_step(run, step, &taken, &room);
        const struct run_path path =
            taken_path(run->arena, run->taken.items, run->taken.count, &taken, 1);
        find(run, i, &path);
    }
}

static bool look_at(struct step_sink *sink, const struct step *step)
{
    struct search_run *run = (struct search_run *)sink;
    const bool idle = taken_is(present(run), step->words, step->length);
    const bool pressing = step->fairness != FAIRNESS_OPTIONAL;
    judge_step(run, step);
    run->moves |= !idle && pressing;
    if (idle && pressing)
        taken_add_idle(run->arena, &run->idle, present(run), step, run->seen);
    if (!idle) {
        const struct rank rank = rank_of(run, step);
        if (!run->any || is_better(&rank, &run->best)) {
            run->any = true;
            run->best = rank;
            copy_step(run, step, &run->next, &run->room);
        }
    }
    run->seen++;
    return true;
}

/* A step that is possible and not known: the state is not one of rest. */
static void enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)fairness_class;
    ((struct search_run *)sink)->moves = true;
}

static void look_around(struct search_run *run)
{
    run->seen = 0;
    run->moves = false;
    run->any = false;
    run->idle.count = 0;
    run->blind = run->guide->intent == GUIDE_NONE ||
                 next_random(&run->random) % BLIND_OF < run->guide->blind;
    const struct taken state = *present(run);
    run->model->expand(run->model, run->worker, state.words, state.length, &run->sink);
    run->findings->effort += run->seen;
}

static void take(struct search_run *run)
{
    struct taken taken = run->next;
    const uint32_t place = place_of(run, taken.words, taken.length);
    taken.words = arena_copy(run->arena, taken.words, taken.length * sizeof(*taken.words));
    VEC_PUSH(run->arena, &run->taken, taken);
    if (taken.step.fairness < FAIRNESS_OPTIONAL)
        run->turns[taken.step.fairness] = run->taken.count;
    run->findings->steps++;
    judge_state(run);
    if (place != UINT32_MAX)
        judge_return(run, place);
    remember(run);
}

/* ---- the run ---- */

static bool begin_at(struct step_sink *sink, const struct step *step)
{
    struct search_run *run = (struct search_run *)sink;
    /* Each of the initial states is as likely as any other. */
    if (next_random(&run->random) % ++run->seen == 0) {
        run->seen--;
        copy_step(run, step, &run->next, &run->room);
        run->seen++;
    }
    return true;
}

static bool begin(struct search_run *run)
{
    struct step_sink sink = run->sink;
    run->sink = (struct step_sink){.emit = begin_at};
    run->seen = 0;
    run->model->initial(run->model, run->worker, &run->sink);
    run->sink = sink;
    if (run->seen == 0)
        return false;
    struct taken first = run->next;
    first.words = arena_copy(run->arena, first.words, first.length * sizeof(*first.words));
    VEC_PUSH(run->arena, &run->taken, first);
    run->findings->steps++;
    remember(run);
    judge_state(run);
    return true;
}

static bool is_over(const struct search_run *run)
{
    const struct search_guide *guide = run->guide;
    return !run->open || run->taken.count > guide->steps_most ||
           run->findings->effort >= guide->effort_most ||
           (guide->stop && atomic_load_explicit(guide->stop, memory_order_relaxed)) ||
           (guide->deadline_ns > 0 && clock_now_ns() >= guide->deadline_ns);
}

void search_run(struct arena *arena, struct worker *worker, const struct search_guide *guide,
                uint64_t open, struct search_findings *findings)
{
    const struct model *model = population_worker_model(worker);
    struct search_run run = {
        .sink = {look_at, enable, NULL},
        .arena = arena,
        .worker = worker,
        .model = model,
        .guide = guide,
        .findings = findings,
        .open = open,
        .random = guide->seed,
        .slot_count = 64,
    };
    while (run.slot_count < 2 * guide->steps_most + 4)
        run.slot_count *= 2;
    run.hashes = ARENA_ARRAY(arena, uint64_t, run.slot_count);
    run.places = ARENA_ARRAY(arena, uint32_t, run.slot_count);
    run.turns = ARENA_ARRAY(arena, uint32_t, model->fairness_class_count + 1);
    findings->runs++;
    bool goes_on = begin(&run);
    while (goes_on && !is_over(&run)) {
        look_around(&run);
        if (!run.moves)
            judge_rest(&run);
        goes_on = run.any;
        if (goes_on && run.open)
            take(&run);
    }
}
