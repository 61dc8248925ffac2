/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/search_path.h"

#include <string.h>

bool taken_is(const struct taken *state, const uint32_t *words, uint32_t length)
{
    return state->length == length && memcmp(state->words, words, length * sizeof(*words)) == 0;
}

struct path_step taken_step(const struct step *step, uint32_t index)
{
    return (struct path_step){index, step->action, step->argument, step->fairness, step->marks};
}

void taken_add_idle(struct arena *arena, struct taken_steps *idle, const struct taken *state,
                    const struct step *step, uint32_t index)
{
    struct taken taken = *state;
    for (uint32_t i = 0; i < idle->count; i++)
        if (idle->items[i].step.fairness == step->fairness)
            return;
    taken.step = taken_step(step, index);
    VEC_PUSH(arena, idle, taken);
}

uint64_t taken_atoms(struct worker *worker, const struct taken *state)
{
    const struct model *model = population_worker_model(worker);
    return model->atoms(model, worker, state->words, state->length);
}

struct run_path taken_path(struct arena *arena, const struct taken *steps, uint32_t count,
                           const struct taken *more, uint32_t more_count)
{
    const uint32_t states = count + more_count;
    struct run_path path = {
        .step_count = states - 1,
        .steps = ARENA_ARRAY(arena, struct path_step, states),
        .offsets = ARENA_ARRAY(arena, size_t, (size_t)states + 1),
        .initial_index = steps[0].step.index,
    };
    for (uint32_t i = 0; i < states; i++) {
        const struct taken *taken = i < count ? &steps[i] : &more[i - count];
        path.offsets[i + 1] = path.offsets[i] + taken->length;
        if (i > 0)
            path.steps[i - 1] = taken->step;
    }
    path.words = ARENA_ARRAY(arena, uint32_t, path.offsets[states] + 1);
    for (uint32_t i = 0; i < states; i++) {
        const struct taken *taken = i < count ? &steps[i] : &more[i - count];
        memcpy(path.words + path.offsets[i], taken->words, taken->length * sizeof(uint32_t));
    }
    return path;
}

/* Collects the attempts that fail in a state. */
struct attempts {
    struct step_sink sink;
    struct arena *arena;
    const struct taken *state;
    bool *served; /* by fairness class: true if it has had its turn */
    struct taken_steps *steps;
    uint32_t seen;
};

static bool collect_attempt(struct step_sink *sink, const struct step *step)
{
    struct attempts *attempts = (struct attempts *)sink;
    const uint32_t index = attempts->seen++;
    if (step->fairness >= FAIRNESS_OPTIONAL || attempts->served[step->fairness] ||
        !taken_is(attempts->state, step->words, step->length))
        return true;
    struct taken attempt = *attempts->state;
    attempt.step = taken_step(step, index);
    attempts->served[step->fairness] = true;
    VEC_PUSH(attempts->arena, attempts->steps, attempt);
    return true;
}

struct run_path loop_path(struct arena *arena, struct worker *worker,
                          const struct taken_steps *steps, uint32_t from)
{
    const struct model *model = population_worker_model(worker);
    struct taken_steps all = {0};
    struct attempts attempts = {
        .sink = {.emit = collect_attempt},
        .arena = arena,
        .served = ARENA_ARRAY(arena, bool, model->fairness_class_count + 1),
        .steps = &all,
    };
    for (uint32_t i = from + 1; i < steps->count; i++)
        if (steps->items[i].step.fairness < FAIRNESS_OPTIONAL)
            attempts.served[steps->items[i].step.fairness] = true;
    for (uint32_t i = 0; i < steps->count; i++) {
        VEC_PUSH(arena, &all, steps->items[i]);
        if (i < from || i + 1 == steps->count)
            continue;
        attempts.state = &steps->items[i];
        attempts.seen = 0;
        model->expand(model, worker, attempts.state->words, attempts.state->length, &attempts.sink);
    }
    struct run_path path = taken_path(arena, all.items, all.count, NULL, 0);
    path.loops = true;
    path.loop_from = from;
    return path;
}

uint64_t atoms_asked(const struct model *model, uint64_t open)
{
    uint64_t atoms = 0;
    for (uint32_t i = 0; i < model->property_count; i++)
        if (open >> i & 1 && model->properties[i].kind == PROPERTY_INVARIANT)
            atoms |= model->properties[i].p.all | model->properties[i].p.none;
    return atoms;
}

bool step_violates(const struct property *property, uint64_t marks)
{
    return property->kind == PROPERTY_STEP_INVARIANT && (property->marks & marks) != 0;
}

bool state_violates(const struct property *property, uint64_t atoms)
{
    return property->kind == PROPERTY_INVARIANT && !literals_hold(&property->p, atoms);
}

bool judges_loops(const struct property *property)
{
    return property->kind == PROPERTY_NO_CYCLE || property->kind == PROPERTY_EVENTUALLY_ALWAYS ||
           property->kind == PROPERTY_ALWAYS_EVENTUALLY;
}

bool loop_violates(struct worker *worker, const struct property *property,
                   const struct run_path *path)
{
    uint64_t marks = 0;
    bool always = true;
    bool never = true;
    for (uint32_t i = path->loop_from; i < path->step_count; i++)
        marks |= path->steps[i].marks;
    for (uint32_t i = path->loop_from; i <= path->step_count; i++) {
        const struct taken state = {
            .words = path->words + path->offsets[i],
            .length = (uint32_t)(path->offsets[i + 1] - path->offsets[i]),
        };
        const bool holds = literals_hold(&property->p, taken_atoms(worker, &state));
        always &= holds;
        never &= !holds;
    }
    switch (property->kind) {
    case PROPERTY_NO_CYCLE:
        return (property->marks & ~marks) == 0 && (property->avoids & marks) == 0 && always &&
               property->visits == 0;
    case PROPERTY_EVENTUALLY_ALWAYS: return !always;
    case PROPERTY_ALWAYS_EVENTUALLY: return never;
    default: return false;
    }
}

bool path_goes_round(const struct run_path *path)
{
    for (uint32_t i = path->loop_from; path->loops && i < path->step_count; i++) {
        const struct taken to = {
            .words = path->words + path->offsets[i + 1],
            .length = (uint32_t)(path->offsets[i + 2] - path->offsets[i + 1]),
        };
        if (!taken_is(&to, path->words + path->offsets[i],
                      (uint32_t)(path->offsets[i + 1] - path->offsets[i])))
            return true;
    }
    return false;
}
