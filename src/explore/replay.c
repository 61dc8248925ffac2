/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Re-executes a trail on the model and checks that it shows what it should.
 *
 * This is the last thing between the search and the user, so it shares as little
 * as possible with it: it calls `initial` and `expand` of the model afresh,
 * follows step by step, and evaluates the property on what it sees. Of the search
 * it takes only the trail.
 *
 * Anything that does not fit is our mistake and ends in bug(): a report that is
 * wrong is worse than none.
 */
#include "explore/replay.h"

#include "base/error.h"
#include "explore/property.h"
#include "explore/worker.h"

#include <assert.h>
#include <string.h>

struct replay {
    struct search *search;
    const struct property *property;
    struct memory *memory;
    void *scratch;                       /* a worker of the model's, of its own */
    struct region steps, words, offsets; /* of the path that is being made */
    uint32_t step_count;
    uint32_t initial_index;
    uint32_t loop_from;
};

static const struct model *model_of(const struct replay *replay)
{
    return replay->search->model;
}

static size_t state_bytes(const struct replay *replay)
{
    return sizeof(uint32_t) * ((size_t)model_of(replay)->length_most + 1);
}

static bool replay_init(struct replay *replay)
{
    const struct model *model = model_of(replay);
    if (!model->worker_create)
        return true;
    replay->scratch = model->worker_create(model, replay->memory);
    return replay->scratch != NULL;
}

static void replay_release(struct replay *replay)
{
    const struct model *model = model_of(replay);
    if (replay->scratch && model->worker_free)
        model->worker_free(model, replay->memory, replay->scratch);
}

/* Picks one step by its index. */
struct pick {
    struct step_sink sink;
    uint32_t index;
    uint32_t *words; /* receives the state */
    uint32_t seen;
    bool found;
    struct step step;
};

static bool pick_emit(struct step_sink *sink, const struct step *step)
{
    struct pick *pick = (struct pick *)sink;
    if (pick->seen++ != pick->index)
        return true;
    pick->found = true;
    pick->step = *step;
    memcpy(pick->words, step->words, sizeof(uint32_t) * step->length);
    pick->step.words = pick->words;
    return true;
}

static void pick_enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static struct pick pick_for(uint32_t index, uint32_t *words)
{
    return (struct pick){.sink = {pick_emit, pick_enable}, .index = index, .words = words};
}

static const uint32_t *state_at(const struct replay *replay, uint32_t at, uint32_t *length)
{
    const size_t *offsets = replay->offsets.base;
    *length = (uint32_t)(offsets[at + 1] - offsets[at]);
    return (const uint32_t *)replay->words.base + offsets[at];
}

static const struct path_step *step_at(const struct replay *replay, uint32_t at)
{
    return (const struct path_step *)replay->steps.base + at;
}

static bool append_state(struct replay *replay, uint32_t at, const struct step *step)
{
    if (!region_reserve_next(&replay->offsets, (size_t)at + 1, sizeof(size_t)))
        return false;
    size_t *offsets = replay->offsets.base;
    const size_t begin = at == 0 ? 0 : offsets[at];
    if (!region_reserve_next(&replay->words, begin + step->length, sizeof(uint32_t)))
        return false;
    offsets[at] = begin;
    offsets[at + 1] = begin + step->length;
    memcpy((uint32_t *)replay->words.base + begin, step->words, sizeof(uint32_t) * step->length);
    return true;
}

static bool append_step(struct replay *replay, const struct pick *pick)
{
    const struct step *step = &pick->step;
    if (!region_reserve_next(&replay->steps, replay->step_count, sizeof(struct path_step)) ||
        !append_state(replay, replay->step_count + 1, step))
        return false;
    ((struct path_step *)replay->steps.base)[replay->step_count++] =
        (struct path_step){pick->index, step->action, step->argument, step->fairness, step->marks};
    return true;
}

/* Compares the state that was stored with the one that the model emits now. A
 * state that was not stored has no id. */
static void compare_with_store(struct replay *replay, const struct pick *pick, uint32_t id)
{
    if (id == PAIR_SET_NONE)
        return;
    uint32_t length;
    const uint32_t *words = store_load(&replay->search->workers[0].cursor, id, &length);
    if (pick->step.length != length || memcmp(pick->words, words, sizeof(uint32_t) * length) != 0)
        bug("replay: step %u leads to another state than was explored", pick->index);
}

static bool replay_initial(struct replay *replay, const struct trail *trail, uint32_t *words)
{
    const struct model *model = model_of(replay);
    struct pick pick = pick_for(trail->initial_index, words);
    model->initial(model, replay->scratch, &pick.sink);
    if (!pick.found)
        bug("replay: initial state %u is not there", trail->initial_index);
    compare_with_store(replay, &pick, trail->ids[0]);
    replay->initial_index = pick.index;
    return append_state(replay, 0, &pick.step);
}

/* One step of the trail; `words` is scratch. */
static bool replay_step(struct replay *replay, const struct trail *trail, uint32_t at,
                        uint32_t *words)
{
    const struct model *model = model_of(replay);
    struct pick pick = pick_for(trail->steps[at], words);
    uint32_t length;
    const uint32_t *from = state_at(replay, replay->step_count, &length);
    model->expand(model, replay->scratch, from, length, &pick.sink);
    if (!pick.found)
        bug("replay: step %u is not there", trail->steps[at]);
    compare_with_store(replay, &pick, trail->ids[at + 1]);
    return append_step(replay, &pick);
}

static bool same_states(const struct replay *replay, uint32_t a, uint32_t b)
{
    uint32_t a_length, b_length;
    const uint32_t *a_words = state_at(replay, a, &a_length);
    const uint32_t *b_words = state_at(replay, b, &b_length);
    return a_length == b_length && memcmp(a_words, b_words, sizeof(uint32_t) * a_length) == 0;
}

static bool replay_steps(struct replay *replay, const struct trail *trail)
{
    uint32_t *words = memory_try_allocate(replay->memory, state_bytes(replay));
    bool done = words && replay_initial(replay, trail, words);
    for (uint32_t at = 0; at < trail->count && done; at++)
        done = replay_step(replay, trail, at, words);
    replay->loop_from = trail->loop_from;
    if (done && trail->loops && !trail->rests &&
        !same_states(replay, trail->loop_from, replay->step_count))
        bug("replay: the loop does not close");
    memory_release(replay->memory, words, state_bytes(replay));
    return done;
}

static bool copy_block(struct memory *memory, const struct region *from, size_t bytes, void **block)
{
    if (bytes == 0)
        return true;
    *block = memory_try_allocate(memory, bytes);
    if (!*block)
        return false;
    memcpy(*block, from->base, bytes);
    return true;
}

static size_t steps_bytes(const struct run_path *path)
{
    return sizeof(struct path_step) * path->step_count;
}

static size_t offsets_bytes(const struct run_path *path)
{
    return sizeof(size_t) * ((size_t)path->step_count + 2);
}

void path_release(struct run_path *path, struct memory *memory)
{
    const size_t words = path->offsets ? path->offsets[path->step_count + 1] : 0;
    memory_release(memory, path->words, sizeof(uint32_t) * words);
    memory_release(memory, path->steps, steps_bytes(path));
    memory_release(memory, path->offsets, offsets_bytes(path));
    *path = (struct run_path){0};
}

static bool make_path(const struct replay *replay, const struct trail *trail, struct run_path *path)
{
    const size_t *offsets = replay->offsets.base;
    *path = (struct run_path){.step_count = replay->step_count,
                              .initial_index = replay->initial_index,
                              .loops = trail->loops,
                              .loop_rests = trail->rests,
                              .loop_from = replay->loop_from};
    void *copies[3] = {NULL, NULL, NULL};
    const size_t word_bytes = sizeof(uint32_t) * offsets[replay->step_count + 1];
    const bool done =
        copy_block(replay->memory, &replay->offsets, offsets_bytes(path), &copies[0]) &&
        copy_block(replay->memory, &replay->steps, steps_bytes(path), &copies[1]) &&
        copy_block(replay->memory, &replay->words, word_bytes, &copies[2]);
    if (!done) {
        memory_release(replay->memory, copies[2], word_bytes);
        memory_release(replay->memory, copies[1], steps_bytes(path));
        memory_release(replay->memory, copies[0], offsets_bytes(path));
        *path = (struct run_path){0};
        return false;
    }
    path->offsets = copies[0];
    path->steps = copies[1];
    path->words = copies[2];
    return true;
}

/* The property itself, on the path. */

static uint64_t atoms_at(const struct replay *replay, uint32_t at)
{
    const struct model *model = model_of(replay);
    uint32_t length;
    const uint32_t *words = state_at(replay, at, &length);
    return model->atoms ? model->atoms(model, replay->scratch, words, length) : 0;
}

/* Which classes a state enables, and whether it has a step that is not optional. */
struct survey {
    struct step_sink sink;
    bool *enabled; /* by class; may be NULL */
    uint32_t steps, pressing;
    uint32_t open; /* gates, as bits */
};

static bool survey_emit(struct step_sink *sink, const struct step *step)
{
    struct survey *survey = (struct survey *)sink;
    survey->steps++;
    survey->pressing += step->fairness != FAIRNESS_OPTIONAL;
    if (survey->enabled && step->fairness < FAIRNESS_OPTIONAL)
        survey->enabled[step->fairness] = true;
    return true;
}

static void survey_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct survey *survey = (struct survey *)sink;
    survey->pressing++;
    if (survey->enabled)
        survey->enabled[fairness_class] = true;
}

static void survey_open(struct step_sink *sink, uint32_t gate)
{
    ((struct survey *)sink)->open |= 1U << gate;
}

static struct survey survey_state(const struct replay *replay, uint32_t at, bool *enabled)
{
    const struct model *model = model_of(replay);
    struct survey survey = {.sink = {survey_emit, survey_enable, survey_open}, .enabled = enabled};
    uint32_t length;
    const uint32_t *words = state_at(replay, at, &length);
    model->expand(model, replay->scratch, words, length, &survey.sink);
    return survey;
}

/* Every class is, somewhere in the loop, taken or not enabled. If it is behind a gate, only states
 * count in which that is open, if there are any. */
static bool check_fairness(struct replay *replay)
{
    const struct model *model = model_of(replay);
    const uint32_t classes = model->fairness_class_count;
    uint32_t opened = 0;
    if (classes == 0 || replay->property->without_fairness ||
        replay->property->kind == PROPERTY_ALWAYS_POSSIBLE)
        return true;
    bool *flags = memory_try_allocate_zeroed(replay->memory, 2 * (size_t)classes);
    if (!flags)
        return false;
    bool *enabled = flags, *satisfied = flags + classes;
    for (uint32_t at = replay->loop_from; at <= replay->step_count; at++) {
        memset(enabled, 0, classes);
        const uint32_t open = survey_state(replay, at, enabled).open;
        opened |= open;
        for (uint32_t class = 0; class < classes; class ++) {
            const uint32_t gate = model_gate(model, class);
            satisfied[class] = satisfied[class] ||
                               (!enabled[class] && (gate == GATE_NONE || (open >> gate & 1) != 0));
        }
        if (at < replay->step_count && step_at(replay, at)->fairness < FAIRNESS_OPTIONAL)
            satisfied[step_at(replay, at)->fairness] = true;
    }
    for (uint32_t class = 0; class < classes; class ++) {
        const uint32_t gate = model_gate(model, class);
        if (!satisfied[class] && (gate == GATE_NONE || (opened >> gate & 1) != 0))
            bug("replay: the loop is not fair to class %u", class);
    }
    memory_release(replay->memory, flags, 2 * (size_t)classes);
    return true;
}

static void check_rest(const struct replay *replay)
{
    if (survey_state(replay, replay->step_count, NULL).pressing > 0)
        bug("replay: the run cannot rest in its last state");
}

/* Whether `condition` holds (or not) in all states from `from` on. */
static bool throughout(const struct replay *replay, uint32_t from, const struct literals *condition,
                       bool holds)
{
    for (uint32_t at = from; at <= replay->step_count; at++) {
        if (literals_hold(condition, atoms_at(replay, at)) != holds)
            return false;
    }
    return true;
}

static bool shows_leads_to(const struct replay *replay)
{
    const struct property *property = replay->property;
    uint32_t from = replay->step_count + 1; /* q is false from here to the end */
    while (from > 0 && !literals_hold(&property->q, atoms_at(replay, from - 1)))
        from--;
    if (from > replay->loop_from)
        return false;
    for (uint32_t at = from; at <= replay->step_count; at++) {
        if (literals_hold(&property->p, atoms_at(replay, at)))
            return true;
    }
    return false;
}

static bool shows_cycle(const struct replay *replay)
{
    const struct property *property = replay->property;
    uint64_t marks = 0, atoms = 0;
    for (uint32_t at = replay->loop_from; at < replay->step_count; at++)
        marks |= step_at(replay, at)->marks;
    for (uint32_t at = replay->loop_from; at <= replay->step_count; at++)
        atoms |= atoms_at(replay, at);
    return (marks & property->avoids) == 0 && (property->marks & ~marks) == 0 &&
           (property->visits & ~atoms) == 0 &&
           throughout(replay, replay->loop_from, &property->p, true);
}

static bool shows_violation(const struct replay *replay)
{
    const struct property *property = replay->property;
    const uint32_t last = replay->step_count, loop = replay->loop_from;
    switch (property->kind) {
    case PROPERTY_INVARIANT: return !literals_hold(&property->p, atoms_at(replay, last));
    case PROPERTY_REACHABLE: return literals_hold(&property->p, atoms_at(replay, last));
    case PROPERTY_STEP_INVARIANT:
        return last > 0 && (step_at(replay, last - 1)->marks & property->marks) != 0;
    case PROPERTY_DEADLOCK_FREE:
        return survey_state(replay, last, NULL).steps == 0 &&
               (atoms_at(replay, last) & model_of(replay)->end_atoms) == 0;
    case PROPERTY_EVENTUALLY: return throughout(replay, 0, &property->p, false);
    case PROPERTY_ALWAYS_EVENTUALLY:
    case PROPERTY_ALWAYS_POSSIBLE: return throughout(replay, loop, &property->p, false);
    case PROPERTY_EVENTUALLY_ALWAYS: return !throughout(replay, loop, &property->p, true);
    case PROPERTY_LEADS_TO: return shows_leads_to(replay);
    case PROPERTY_NO_CYCLE: return shows_cycle(replay);
    }
    return false;
}

/* False only for lack of memory. */
static bool check_path(struct replay *replay, const struct trail *trail)
{
    if (property_is_liveness(replay->property)) {
        if (!trail->loops)
            bug("replay: a violation of %s without a loop", replay->property->name);
        if (trail->rests)
            check_rest(replay);
        if (!check_fairness(replay))
            return false;
    }
    if (!shows_violation(replay))
        bug("replay: the path does not violate %s", replay->property->name);
    return true;
}

bool replay_trail(struct search *search, const struct property *property, const struct trail *trail,
                  struct run_path *path)
{
    struct replay replay = {.search = search, .property = property, .memory = search->memory};
    const atomic_bool *failed = search->options->model_failed;
    assert(trail->begun);
    if (failed && atomic_load(failed))
        return false;
    region_init(&replay.steps, search->memory);
    region_init(&replay.words, search->memory);
    region_init(&replay.offsets, search->memory);
    const bool done = replay_init(&replay) && replay_steps(&replay, trail) &&
                      check_path(&replay, trail) && make_path(&replay, trail, path);
    search->result->statistics.replayed_steps += replay.step_count;
    region_release(&replay.steps);
    region_release(&replay.words);
    region_release(&replay.offsets);
    replay_release(&replay);
    return done;
}
