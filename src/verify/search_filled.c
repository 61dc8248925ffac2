/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/search_filled.h"

#include "base/clock.h"
#include "base/hash.h"
#include "cluster/state/actions.h"
#include "verify/fair_run.h"
#include "verify/search_path.h"

#include <string.h>

enum phase { PHASE_SETTLE, PHASE_CHANGE, PHASE_FILL, PHASE_MAKE_ROOM, PHASE_LEAD };

/* A state that was reached while the workload leads. */
struct reached {
    struct taken taken;
    uint32_t from; /* the state before it; its own number: it is the first */
};

struct filling {
    struct step_sink sink;
    struct arena *arena;
    struct worker *worker;
    const struct model *model;
    const struct search_guide *guide;
    struct search_findings *findings;
    uint64_t open;
    uint64_t atoms; /* that what is open asks about */
    uint32_t leader;
    enum phase phase;
    struct taken_steps taken; /* of the first three phases */
    struct {
        struct reached *items;
        uint32_t count;
        uint32_t capacity;
    } reached;
    uint32_t *slots; /* open addressing: the number of a state that was reached, plus one */
    uint32_t slot_count;

    /* The steps out of the present state. */
    const struct taken *present;
    uint32_t number; /* of the present state, where it was reached */
    uint32_t seen;
    bool any;
    bool full;   /* true if a pod finds no node */
    int64_t use; /* of the next one (use_of) */
    struct taken next;
    uint32_t room;
};

/* ---- what is found ---- */

/* The path to the present state, and one step more. */
static struct run_path path_with(const struct filling *filling, const struct taken *last)
{
    struct taken_steps steps = {0};
    uint32_t number = filling->number;
    if (filling->phase != PHASE_LEAD)
        return taken_path(filling->arena, filling->taken.items, filling->taken.count, last, 1);
    VEC_PUSH(filling->arena, &steps, *last);
    for (; filling->reached.items[number].from != number;
         number = filling->reached.items[number].from)
        VEC_PUSH(filling->arena, &steps, filling->reached.items[number].taken);
    for (uint32_t i = 0; i < steps.count / 2; i++) {
        const struct taken swapped = steps.items[i];
        steps.items[i] = steps.items[steps.count - 1 - i];
        steps.items[steps.count - 1 - i] = swapped;
    }
    return taken_path(filling->arena, filling->taken.items, filling->taken.count, steps.items,
                      steps.count);
}

static struct taken taken_from(const struct filling *filling, const struct step *step)
{
    return (struct taken){
        arena_copy(filling->arena, step->words, step->length * sizeof(*step->words)), step->length,
        taken_step(step, filling->seen)};
}

/* Judges the step, and the state that it leads to if that is new. What is found is held against the
 * whole model when the search is over: a worker makes one step at a time. */
static void judge(struct filling *filling, const struct step *step, bool is_new)
{
    const struct taken last = {(uint32_t *)step->words, step->length, {0}};
    const uint64_t atoms =
        is_new ? population_step_atoms(filling->worker, step, filling->atoms) : 0;
    for (uint32_t i = 0; i < filling->model->property_count; i++) {
        const struct property *property = &filling->model->properties[i];
        if (!(filling->open >> i & 1) || judges_loops(property))
            continue;
        bool violates = step_violates(property, step->marks);
        if (!violates && is_new && state_violates(property, atoms))
            violates = state_violates(property, taken_atoms(filling->worker, &last));
        if (!violates)
            continue;
        const struct taken copy = taken_from(filling, step);
        filling->findings->paths[i] = path_with(filling, &copy);
        filling->findings->violated |= UINT64_C(1) << i;
        filling->open &= ~(UINT64_C(1) << i);
        filling->atoms = atoms_asked(filling->model, filling->open);
    }
}

/* ---- the first three phases ---- */

/* Is the step one that the phase takes? */
static bool is_wanted(struct filling *filling, const struct step *step)
{
    const bool outside = step->fairness == FAIRNESS_OPTIONAL;
    switch (filling->phase) {
    case PHASE_SETTLE:
        return !outside && !(step->action == ACT_START &&
                             population_step_workload(filling->worker, step) == filling->leader);
    case PHASE_CHANGE: return outside && !population_step_is_at_node(step);
    case PHASE_FILL: return !outside && step->action != ACT_TERMINATED;
    case PHASE_MAKE_ROOM: return step->action == ACT_TERMINATED;
    case PHASE_LEAD: break;
    }
    return false;
}

/* How much better a step is than others of the phase. While pods start slowly, autoscalers act in
 * the middle of rollouts, and make more pods. */
static int64_t use_of(const struct filling *filling, const struct step *step)
{
    switch (filling->phase) {
    case PHASE_FILL:
        return action_has(step->action, MAKES_PODS) ? 3
               : step->action == ACT_BIND           ? 2
                                                    : step->action != ACT_START;
    case PHASE_MAKE_ROOM: return population_gap(filling->worker, step->words, step->length);
    default: return 0;
    }
}

static void choose(struct filling *filling, const struct step *step)
{
    const int64_t use = use_of(filling, step);
    if (filling->any && use <= filling->use)
        return;
    filling->any = true;
    filling->use = use;
    if (filling->room < step->length) {
        filling->room = 2 * step->length;
        filling->next.words = ARENA_ARRAY(filling->arena, uint32_t, filling->room);
    }
    memcpy(filling->next.words, step->words, step->length * sizeof(*step->words));
    filling->next.length = step->length;
    filling->next.step = taken_step(step, filling->seen);
}

static bool look_at(struct step_sink *sink, const struct step *step)
{
    struct filling *filling = (struct filling *)sink;
    judge(filling, step, true);
    filling->full |= step->action == ACT_UNSCHEDULABLE;
    if (!taken_is(filling->present, step->words, step->length) && is_wanted(filling, step))
        choose(filling, step);
    filling->seen++;
    return true;
}

static bool is_over(const struct filling *filling)
{
    const struct search_guide *guide = filling->guide;
    return !filling->open || filling->findings->effort >= guide->effort_most ||
           (guide->stop && atomic_load_explicit(guide->stop, memory_order_relaxed)) ||
           (guide->deadline_ns > 0 && clock_now_ns() >= guide->deadline_ns);
}

static void expand(struct filling *filling, const struct taken *state)
{
    filling->present = state;
    filling->seen = 0;
    filling->any = false;
    filling->full = false;
    filling->model->expand(filling->model, filling->worker, state->words, state->length,
                           &filling->sink);
    filling->findings->effort += filling->seen;
    filling->findings->steps++;
}

static struct taken last_of(const struct filling *filling)
{
    return filling->taken.items[filling->taken.count - 1];
}

/* Takes steps of the phase while there are any, and as many as a run may have. */
static void run_phase(struct filling *filling, enum phase phase)
{
    filling->phase = phase;
    int64_t use = INT64_MIN;
    for (uint64_t steps = 0; steps < filling->guide->steps_most && !is_over(filling); steps++) {
        const struct taken state = last_of(filling);
        expand(filling, &state);
        if (!filling->any || (phase == PHASE_FILL && filling->full) ||
            (phase == PHASE_MAKE_ROOM && filling->use <= use))
            return;
        use = filling->use;
        struct taken taken = filling->next;
        taken.words = arena_copy(filling->arena, taken.words, taken.length * sizeof(*taken.words));
        VEC_PUSH(filling->arena, &filling->taken, taken);
    }
}

/* ---- the last phase ---- */

static uint32_t *slot_of(const struct filling *filling, const uint32_t *words, uint32_t length)
{
    uint32_t slot =
        (uint32_t)hash_bytes(words, length * sizeof(*words)) & (filling->slot_count - 1);
    while (filling->slots[slot] > 0 &&
           !taken_is(&filling->reached.items[filling->slots[slot] - 1].taken, words, length))
        slot = (slot + 1) & (filling->slot_count - 1);
    return &filling->slots[slot];
}

static void reach(struct filling *filling, struct taken taken, uint32_t from)
{
    const struct reached reached = {taken, from};
    uint32_t *slot = slot_of(filling, taken.words, taken.length);
    VEC_PUSH(filling->arena, &filling->reached, reached);
    *slot = filling->reached.count;
}

static bool look_further(struct step_sink *sink, const struct step *step)
{
    struct filling *filling = (struct filling *)sink;
    const bool full = filling->reached.count >= filling->guide->steps_most;
    const bool is_new = *slot_of(filling, step->words, step->length) == 0;
    const bool hits = step->fairness != FAIRNESS_OPTIONAL ||
                      population_step_hits(filling->worker, filling->present->words,
                                           filling->present->length, step, filling->leader);
    if (hits)
        judge(filling, step, is_new);
    if (hits && is_new && !full)
        reach(filling, taken_from(filling, step), filling->number);
    filling->seen++;
    return true;
}

static void lead(struct filling *filling)
{
    filling->phase = PHASE_LEAD;
    filling->sink.emit = look_further;
    filling->slot_count = 64;
    while (filling->slot_count < 2 * filling->guide->steps_most)
        filling->slot_count *= 2;
    filling->slots = ARENA_ARRAY(filling->arena, uint32_t, filling->slot_count);
    reach(filling, last_of(filling), 0);
    for (filling->number = 0; filling->number < filling->reached.count && !is_over(filling);
         filling->number++) {
        const struct taken state = filling->reached.items[filling->number].taken;
        expand(filling, &state);
    }
}

/* ---- all of it ---- */

static bool begin_at(struct step_sink *sink, const struct step *step)
{
    struct filling *filling = (struct filling *)sink;
    if (filling->taken.count == 0) {
        const struct taken first = taken_from(filling, step);
        VEC_PUSH(filling->arena, &filling->taken, first);
    }
    return true;
}

/* Is what was found a run of the model in which all act? What is not is as open as before. */
static void confirm(struct filling *filling, uint64_t before)
{
    for (uint32_t i = 0; i < filling->model->property_count; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        if (filling->findings->violated & ~before & bit &&
            !is_fair_run(filling->arena, filling->worker, &filling->findings->paths[i]))
            filling->findings->violated &= ~bit;
    }
}

void search_filled(struct arena *arena, struct worker *worker, uint32_t leader,
                   uint32_t workload_count, const struct search_guide *guide, uint64_t open,
                   struct search_findings *findings)
{
    bool *leads = ARENA_ARRAY(arena, bool, workload_count + 1);
    const uint64_t before = findings->violated;
    struct filling filling = {
        .sink = {.emit = begin_at},
        .arena = arena,
        .worker = worker,
        .model = population_worker_model(worker),
        .guide = guide,
        .findings = findings,
        .open = open,
        .atoms = atoms_asked(population_worker_model(worker), open),
        .leader = leader,
    };
    findings->runs++;
    filling.model->initial(filling.model, worker, &filling.sink);
    filling.sink.emit = look_at;
    if (filling.taken.count == 0)
        return;
    run_phase(&filling, PHASE_SETTLE);
    run_phase(&filling, PHASE_CHANGE);
    if (leader == NOBODY_LEADS) {
        run_phase(&filling, PHASE_FILL);
        return;
    }
    for (uint32_t w = 0; w < workload_count; w++)
        leads[w] = w != leader;
    population_worker_lead(worker, leads, true);
    run_phase(&filling, PHASE_FILL);
    run_phase(&filling, PHASE_MAKE_ROOM);
    for (uint32_t w = 0; w < workload_count; w++)
        leads[w] = w == leader;
    lead(&filling);
    population_worker_lead(worker, NULL, false);
    confirm(&filling, before);
}
