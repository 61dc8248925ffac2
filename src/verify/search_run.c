/* SPDX-License-Identifier: Apache-2.0 */
/* Which steps a run takes. Where it has been, and what it finds there, is search_trail.c. */
#include "verify/search_run.h"

#include "base/clock.h"
#include "base/hash.h"
#include "verify/search_trail.h"

#include <string.h>

enum { BLIND_OF = 256 };

/* Which of two steps is taken: the one that is greater in the first of these that differs. */
struct rank {
    bool is_new;
    int32_t timely;          /* whether it is time for an event, or for none */
    enum domain_step domain; /* what it means for a domain that is to be filled */
    int64_t nearness;
    bool spares;     /* an event that may be of more use later */
    uint64_t waited; /* since the last step of its class; only of steps that are not new */
    uint64_t chance;
};

struct search_run {
    struct step_sink sink;
    struct search_trail trail;
    const struct search_guide *guide;
    uint64_t random;
    uint32_t *turns; /* by fairness class: how many steps there were when it was last taken */

    /* The steps out of the present state. */
    struct taken_steps idle; /* tried in vain */
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

/* ---- the steps out of a state ---- */

static bool is_better(const struct rank *rank, const struct rank *than)
{
    if (rank->is_new != than->is_new)
        return rank->is_new;
    if (rank->timely != than->timely)
        return rank->timely > than->timely;
    if (rank->domain != than->domain)
        return rank->domain > than->domain;
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
    struct worker *worker = run->trail.worker;
    const bool is_event = step->fairness == FAIRNESS_OPTIONAL;
    const enum search_events events = run->guide->events;
    struct rank rank = {
        .is_new = trail_place(&run->trail, step->words, step->length) == UINT32_MAX,
        .timely = events == EVENTS_FIRST     ? is_event
                  : events == EVENTS_AT_REST ? -(int32_t)is_event
                                             : 0,
        .spares = !is_event && !run->blind,
        .chance = next_random(&run->random),
    };
    if (!rank.is_new && step->fairness < FAIRNESS_OPTIONAL)
        rank.waited = run->trail.taken.count - run->turns[step->fairness];
    if (run->guide->domain) {
        const struct taken *present = trail_end(&run->trail);
        rank.domain = domain_step(worker, run->guide->domain, present->words, present->length, step,
                                  &rank.nearness);
    } else if (rank.is_new && !run->blind) {
        rank.nearness = population_step_nearness(worker, run->guide->intent, step);
    }
    return rank;
}

/* Keeps the step as the one that is taken next, unless another comes. */
static void keep_step(struct search_run *run, const struct step *step)
{
    if (!run->next.words || run->room < step->length) {
        run->room = step->length * 2;
        run->next.words = ARENA_ARRAY(run->trail.arena, uint32_t, run->room);
    }
    memcpy(run->next.words, step->words, step->length * sizeof(*step->words));
    run->next.length = step->length;
    run->next.step = taken_step(step, run->seen);
}

static bool look_at(struct step_sink *sink, const struct step *step)
{
    struct search_run *run = (struct search_run *)sink;
    const bool idle = taken_is(trail_end(&run->trail), step->words, step->length);
    const bool pressing = step->fairness != FAIRNESS_OPTIONAL;
    trail_judge_step(&run->trail, step, run->seen);
    run->moves |= !idle && pressing;
    if (idle && pressing)
        taken_add_idle(run->trail.arena, &run->idle, trail_end(&run->trail), step, run->seen);
    if (!idle) {
        const struct rank rank = rank_of(run, step);
        if (!run->any || is_better(&rank, &run->best)) {
            run->any = true;
            run->best = rank;
            keep_step(run, step);
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
    const struct search_trail *trail = &run->trail;
    const struct taken state = *trail_end(trail);
    trail->model->expand(trail->model, trail->worker, state.words, state.length, &run->sink);
    trail->findings->effort += run->seen;
}

static void take(struct search_run *run)
{
    const uint32_t fairness = run->next.step.fairness;
    trail_add(&run->trail, &run->next);
    if (fairness < FAIRNESS_OPTIONAL)
        run->turns[fairness] = run->trail.taken.count;
}

/* ---- the run ---- */

static bool begin_at(struct step_sink *sink, const struct step *step)
{
    struct search_run *run = (struct search_run *)sink;
    /* Each of the initial states is as likely as any other. */
    if (next_random(&run->random) % (run->seen + 1) == 0)
        keep_step(run, step);
    run->seen++;
    return true;
}

static bool begin(struct search_run *run)
{
    const struct model *model = run->trail.model;
    struct step_sink sink = run->sink;
    run->sink = (struct step_sink){.emit = begin_at};
    run->seen = 0;
    model->initial(model, run->trail.worker, &run->sink);
    run->sink = sink;
    if (run->seen == 0)
        return false;
    trail_add(&run->trail, &run->next);
    return true;
}

static bool is_over(const struct search_run *run)
{
    const struct search_guide *guide = run->guide;
    return !run->trail.open || run->trail.taken.count > guide->steps_most ||
           run->trail.findings->effort >= guide->effort_most ||
           (guide->stop && atomic_load_explicit(guide->stop, memory_order_relaxed)) ||
           (guide->deadline_ns > 0 && clock_now_ns() >= guide->deadline_ns);
}

void search_run(struct arena *arena, struct worker *worker, const struct search_guide *guide,
                uint64_t open, struct search_findings *findings)
{
    struct search_run run = {
        .sink = {look_at, enable, NULL},
        .trail = trail_of(arena, worker, open, guide->steps_most, findings),
        .guide = guide,
        .random = guide->seed,
    };
    run.turns = ARENA_ARRAY(arena, uint32_t, run.trail.model->fairness_class_count + 1);
    findings->runs++;
    bool goes_on = begin(&run);
    while (goes_on && !is_over(&run)) {
        look_around(&run);
        if (!run.moves)
            trail_judge_rest(&run.trail, &run.idle);
        goes_on = run.any;
        if (goes_on && run.trail.open)
            take(&run);
    }
}
