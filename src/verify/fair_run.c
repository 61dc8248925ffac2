/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/fair_run.h"

#include <string.h>

/* What the whole model can do in one state of a path. */
struct state_look {
    struct step_sink sink;
    const uint32_t *from;
    uint32_t from_length;
    const uint32_t *to; /* what the path's step leads to; NULL: the path ends here */
    uint32_t to_length;
    uint32_t action;
    uint32_t argument; /* attempts that fail differ in nothing else */
    bool exact;        /* true if that of the step that was found is the same */
    bool alone;        /* true if nothing but the path's step is looked for */
    uint32_t seen;
    uint32_t found;   /* the number of the path's step; UINT32_MAX: there is none */
    uint8_t *enabled; /* by fairness class: 1 if it has a step here */
    uint8_t *idles;   /* by fairness class: 1 if it has one that changes nothing */
    uint8_t *acts;    /* by fairness class: 1 if it may have one that changes something */
    uint32_t open;    /* the gates that are open here, as bits */
    bool moves;       /* true if a step that must not wait for ever changes something */
};

static bool is_same(const uint32_t *left, uint32_t left_length, const uint32_t *right,
                    uint32_t right_length)
{
    return left_length == right_length && memcmp(left, right, left_length * sizeof(*left)) == 0;
}

static bool look_emit(struct step_sink *sink, const struct step *step)
{
    struct state_look *look = (struct state_look *)sink;
    const bool idle = is_same(step->words, step->length, look->from, look->from_length);
    const bool exact = step->argument == look->argument;
    if (look->to && (look->found == UINT32_MAX || (exact && !look->exact)) &&
        step->action == look->action &&
        is_same(step->words, step->length, look->to, look->to_length)) {
        look->found = look->seen;
        look->exact = exact;
    }
    look->seen++;
    look->moves |= !idle && step->fairness != FAIRNESS_OPTIONAL;
    if (step->fairness < FAIRNESS_OPTIONAL) {
        look->enabled[step->fairness] = 1;
        look->idles[step->fairness] |= idle;
        look->acts[step->fairness] |= !idle;
    }
    return !(look->alone && look->exact);
}

static void look_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct state_look *look = (struct state_look *)sink;
    look->enabled[fairness_class] = 1;
    look->acts[fairness_class] = 1;
}

static void look_open(struct step_sink *sink, uint32_t gate)
{
    ((struct state_look *)sink)->open |= 1U << gate;
}

/* Classes that can act in every state of a loop, and never do. Of a class that is behind a gate
 * only the states count in which the gate is open. */
struct starved {
    uint32_t count;
    uint32_t opened; /* the gates that were open in some state so far, as bits */
    uint8_t *always; /* by class: 1 if it could act in every state so far */
    uint8_t *busy;   /* by class: 1 if it had something to do in every state so far */
    uint8_t *served; /* by class: 1 if it acted, or had nothing to do when its turn came */
};

/* Who can act is asked of the states from `count_from` on. */
static void look_at(const struct model *model, struct worker *worker, const struct run_path *path,
                    uint32_t state, uint32_t count_from, struct state_look *look)
{
    const size_t from = path->offsets[state];
    const bool ends = state == path->step_count;
    look->sink = (struct step_sink){look_emit, look_enable, look_open};
    look->from = path->words + from;
    look->from_length = (uint32_t)(path->offsets[state + 1] - from);
    look->to = ends ? NULL : path->words + path->offsets[state + 1];
    look->to_length = ends ? 0 : (uint32_t)(path->offsets[state + 2] - path->offsets[state + 1]);
    look->action = ends ? 0 : path->steps[state].action;
    look->argument = ends ? 0 : path->steps[state].argument;
    look->exact = false;
    look->seen = 0;
    look->found = UINT32_MAX;
    look->open = 0;
    look->moves = false;
    look->alone = !ends && state < count_from;
    if (look->alone) {
        population_expand_until(worker, look->from, look->from_length, &look->sink);
        return;
    }
    memset(look->enabled, 0, model->fairness_class_count);
    memset(look->idles, 0, model->fairness_class_count);
    memset(look->acts, 0, model->fairness_class_count);
    model->expand(model, worker, look->from, look->from_length, &look->sink);
}

static bool is_open(const struct model *model, uint32_t gates, uint32_t class)
{
    const uint32_t gate = model_gate(model, class);
    return gate == GATE_NONE || (gates >> gate & 1) != 0;
}

/* One more state of the loop. */
static void count_state(const struct model *model, struct starved *starved,
                        const struct state_look *look)
{
    starved->opened |= look->open;
    for (uint32_t c = 0; c < starved->count; c++) {
        if (!is_open(model, look->open, c))
            continue;
        starved->always[c] &= look->enabled[c];
        starved->busy[c] &= look->acts[c];
        starved->served[c] |= look->idles[c];
    }
}

/* Nodes that are alike share a class, and who serves one of them may forget another. All of them
 * are served if there is a moment in which none has anything to do. */
static bool starves(const struct model *model, const struct starved *starved, uint32_t class)
{
    return model->class_is_shared && model->class_is_shared(model, class)
               ? starved->busy[class]
               : starved->always[class] && !starved->served[class];
}

static bool someone_starves(const struct model *model, const struct starved *starved)
{
    for (uint32_t c = 0; c < starved->count; c++)
        if (is_open(model, starved->opened, c) && starves(model, starved, c))
            return true;
    return false;
}

bool is_fair_run(struct arena *arena, struct worker *worker, struct run_path *path)
{
    const struct model *model = population_worker_model(worker);
    const uint32_t classes = model->fairness_class_count;
    struct starved starved = {.count = classes,
                              .always = ARENA_ARRAY(arena, uint8_t, classes + 1),
                              .busy = ARENA_ARRAY(arena, uint8_t, classes + 1),
                              .served = ARENA_ARRAY(arena, uint8_t, classes + 1)};
    struct state_look look = {.enabled = ARENA_ARRAY(arena, uint8_t, classes + 1),
                              .idles = ARENA_ARRAY(arena, uint8_t, classes + 1),
                              .acts = ARENA_ARRAY(arena, uint8_t, classes + 1)};
    const bool goes_round = path->loops && !path->loop_rests;
    population_worker_lead(worker, NULL, false);
    memset(starved.always, 1, classes);
    memset(starved.busy, 1, classes);
    for (uint32_t i = 0; i < path->step_count; i++) {
        look_at(model, worker, path, i, goes_round ? path->loop_from : path->step_count, &look);
        if (look.found == UINT32_MAX)
            return false;
        path->steps[i].index = look.found;
        if (goes_round && i >= path->loop_from)
            count_state(model, &starved, &look);
        if (goes_round && i >= path->loop_from && path->steps[i].fairness < FAIRNESS_OPTIONAL)
            starved.served[path->steps[i].fairness] = 1;
    }
    if (goes_round)
        return !someone_starves(model, &starved);
    look_at(model, worker, path, path->step_count, path->step_count, &look);
    return !path->loops || !look.moves;
}
