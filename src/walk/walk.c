/* SPDX-License-Identifier: Apache-2.0 */
#include "walk/walk.h"
#include "cluster/population.h"

#include <string.h>

/* ---- the steps out of a state ---- */

struct collector {
    struct step_sink sink;
    struct walk *walk;
    const uint32_t *words;
    uint32_t length;
    uint32_t skip; /* initial states before the wanted one */
};

static bool same_words(const uint32_t *left, uint32_t left_length, const uint32_t *right,
                       uint32_t right_length)
{
    return left_length == right_length && memcmp(left, right, left_length * sizeof(*left)) == 0;
}

static bool collect(struct step_sink *sink, const struct step *step)
{
    struct collector *collector = (struct collector *)sink;
    struct walk *walk = collector->walk;
    struct walk_choice choice = {.step = *step};
    choice.changes = !same_words(step->words, step->length, collector->words, collector->length);
    choice.step.words = arena_copy(walk->arena, step->words, step->length * sizeof(*step->words));
    VEC_PUSH(walk->arena, &walk->choices, choice);
    return true;
}

static void find_choices(struct walk *walk)
{
    struct collector collector = {.sink = {.emit = collect}, .walk = walk};
    collector.words = walk_state(walk, &collector.length);
    /* Steps that were taken keep the words of the choices they were. */
    walk->choices.items = NULL;
    walk->choices.count = 0;
    walk->choices.capacity = 0;
    walk->model->expand(walk->model, walk->worker, collector.words, collector.length,
                        &collector.sink);
}

/* ---- walking ---- */

static bool take_initial(struct step_sink *sink, const struct step *step)
{
    struct collector *collector = (struct collector *)sink;
    struct walk *walk = collector->walk;
    if (walk->initial)
        return false;
    if (collector->skip > 0) {
        collector->skip--;
        return true;
    }
    walk->initial = arena_copy(walk->arena, step->words, step->length * sizeof(*step->words));
    walk->initial_length = step->length;
    return false;
}

static void begin(struct walk *walk)
{
    walk->steps.count = 0;
    walk->teller =
        storyteller_create(walk->arena, walk->worker, walk->initial, walk->initial_length);
    if (!walk->with_causes)
        walk->teller = storyteller_copy(walk->arena, walk->teller);
}

struct walk *walk_create(struct arena *arena, struct worker *worker, bool with_causes)
{
    return walk_create_at(arena, worker, 0, with_causes);
}

struct walk *walk_create_at(struct arena *arena, struct worker *worker, uint32_t number,
                            bool with_causes)
{
    struct walk *walk = ARENA_NEW(arena, struct walk);
    *walk = (struct walk){
        .arena = arena,
        .worker = worker,
        .model = population_worker_model(worker),
        .with_causes = with_causes,
    };
    struct collector collector = {.sink = {.emit = take_initial}, .walk = walk, .skip = number};
    walk->model->initial(walk->model, walk->worker, &collector.sink);
    if (!walk->initial)
        return NULL;
    begin(walk);
    find_choices(walk);
    return walk;
}

const uint32_t *walk_state_at(const struct walk *walk, uint32_t step, uint32_t *length)
{
    *length = step == 0 ? walk->initial_length : walk->steps.items[step - 1].step.length;
    return step == 0 ? walk->initial : walk->steps.items[step - 1].step.words;
}

const uint32_t *walk_state(const struct walk *walk, uint32_t *length)
{
    return walk_state_at(walk, walk->steps.count, length);
}

static uint64_t atoms_at(const struct walk *walk, uint32_t step)
{
    uint32_t length;
    const uint32_t *words = walk_state_at(walk, step, &length);
    return walk->model->atoms(walk->model, walk->worker, words, length);
}

static uint64_t violated_by(const struct walk *walk, const struct step *step, uint64_t atoms)
{
    uint64_t violated = 0;
    for (uint32_t i = 0; i < walk->model->property_count; i++) {
        const struct property *property = &walk->model->properties[i];
        if ((property->kind == PROPERTY_STEP_INVARIANT && step->marks & property->marks) ||
            (property->kind == PROPERTY_INVARIANT && !literals_hold(&property->p, atoms)))
            violated |= UINT64_C(1) << i;
    }
    return violated;
}

static void take(struct walk *walk, uint32_t choice, const struct step *step)
{
    struct walk_step taken = {.choice = choice, .step = *step};
    storyteller_tell(walk->teller, step, &taken.told);
    VEC_PUSH(walk->arena, &walk->steps, taken);
    struct walk_step *last = &walk->steps.items[walk->steps.count - 1];
    last->violated = violated_by(walk, step, atoms_at(walk, walk->steps.count));
}

void walk_take(struct walk *walk, uint32_t choice)
{
    take(walk, choice, &walk->choices.items[choice].step);
    find_choices(walk);
}

/* Names depend on the way, so they are given afresh. */
bool walk_back(struct walk *walk)
{
    const uint32_t left = walk->steps.count;
    if (left == 0)
        return false;
    struct walk_step *steps =
        arena_copy(walk->arena, walk->steps.items, left * sizeof(*walk->steps.items));
    begin(walk);
    for (uint32_t i = 0; i + 1 < left; i++)
        take(walk, steps[i].choice, &steps[i].step);
    find_choices(walk);
    return true;
}

void walk_peek(const struct walk *walk, struct arena *arena, uint32_t choice,
               struct story_step *told)
{
    struct storyteller *teller = storyteller_copy(arena, walk->teller);
    storyteller_tell(teller, &walk->choices.items[choice].step, told);
}

static bool same_text(const char *left, const char *right)
{
    return strcmp(left ? left : "", right ? right : "") == 0;
}

static bool is_told_so(const struct walk *walk, uint32_t choice, const struct walk_words *words)
{
    struct arena scratch;
    struct story_step told;
    arena_init(&scratch, walk->arena->memory);
    walk_peek(walk, &scratch, choice, &told);
    const bool same =
        same_text(told.actor, words->actor) && same_text(told.action, words->action) &&
        same_text(told.object, words->object) && same_text(told.detail, words->detail);
    arena_release(&scratch);
    return same;
}

uint32_t walk_find(const struct walk *walk, const struct walk_words *words, uint32_t first)
{
    if (first < walk->choices.count && is_told_so(walk, first, words))
        return first;
    for (uint32_t i = 0; i < walk->choices.count; i++)
        if (i != first && is_told_so(walk, i, words))
            return i;
    return UINT32_MAX;
}

bool walk_was_tried(const struct walk *walk, uint32_t choice)
{
    for (uint32_t i = walk->steps.count; i-- > 0 && walk->steps.items[i].told.waits;)
        if (walk->steps.items[i].choice == choice)
            return true;
    return false;
}

/* ---- judging ---- */

bool walk_rests(const struct walk *walk)
{
    for (uint32_t i = 0; i < walk->choices.count; i++)
        if (walk->choices.items[i].changes &&
            walk->choices.items[i].step.fairness != FAIRNESS_OPTIONAL)
            return false;
    return true;
}

uint64_t walk_rest_violates(const struct walk *walk)
{
    const uint64_t atoms = atoms_at(walk, walk->steps.count);
    uint64_t violated = 0;
    for (uint32_t i = 0; i < walk->model->property_count; i++) {
        const struct property *property = &walk->model->properties[i];
        if ((property->kind == PROPERTY_EVENTUALLY_ALWAYS ||
             property->kind == PROPERTY_ALWAYS_EVENTUALLY) &&
            !literals_hold(&property->p, atoms))
            violated |= UINT64_C(1) << i;
    }
    return violated;
}

uint32_t walk_came_back(const struct walk *walk)
{
    uint32_t length;
    uint32_t last_length;
    const uint32_t *last = walk_state(walk, &last_length);
    for (uint32_t i = walk->steps.count; i-- > 0;) {
        const uint32_t *words = walk_state_at(walk, i, &length);
        if (same_words(words, length, last, last_length))
            return i;
    }
    return UINT32_MAX;
}

/* Which fairness classes have a step in each of the states of the loop. */
struct survey {
    struct step_sink sink;
    bool *enabled;
    uint32_t pressing; /* steps that must not wait for ever */
    uint32_t open;     /* gates, as bits */
};

static bool survey_step(struct step_sink *sink, const struct step *step)
{
    struct survey *survey = (struct survey *)sink;
    survey->pressing += step->fairness != FAIRNESS_OPTIONAL;
    if (step->fairness < FAIRNESS_OPTIONAL)
        survey->enabled[step->fairness] = true;
    return true;
}

static void survey_class(struct step_sink *sink, uint32_t fairness_class)
{
    struct survey *survey = (struct survey *)sink;
    survey->pressing++;
    survey->enabled[fairness_class] = true;
}

static void survey_gate(struct step_sink *sink, uint32_t gate)
{
    ((struct survey *)sink)->open |= 1U << gate;
}

static struct survey survey_state(const struct walk *walk, uint32_t at)
{
    struct survey survey = {
        .sink = {survey_step, survey_class, survey_gate},
        .enabled = ARENA_ARRAY(walk->arena, bool, walk->model->fairness_class_count + 1),
    };
    uint32_t length;
    const uint32_t *words = walk_state_at(walk, at, &length);
    walk->model->expand(walk->model, walk->worker, words, length, &survey.sink);
    return survey;
}

static bool is_open(uint32_t gates, uint32_t gate)
{
    return gate == GATE_NONE || (gates >> gate & 1) != 0;
}

/* Nobody who could act all the time, or whenever a gate is open, is passed over for ever. */
static bool is_fair(const struct walk *walk, uint32_t loop_from)
{
    const uint32_t classes = walk->model->fairness_class_count;
    bool *passed_over = ARENA_ARRAY(walk->arena, bool, classes + 1);
    uint32_t opened = 0;
    memset(passed_over, true, classes);
    for (uint32_t at = loop_from; at < walk->steps.count; at++) {
        const struct survey survey = survey_state(walk, at);
        const uint32_t taken = walk->steps.items[at].step.fairness;
        opened |= survey.open;
        for (uint32_t c = 0; c < classes; c++)
            passed_over[c] &=
                (survey.enabled[c] || !is_open(survey.open, model_gate(walk->model, c))) &&
                c != taken;
    }
    for (uint32_t c = 0; c < classes; c++)
        if (passed_over[c] && is_open(opened, model_gate(walk->model, c)))
            return false;
    return true;
}

static bool loop_shows(const struct walk *walk, const struct property *property, uint32_t loop_from)
{
    uint64_t marks = 0;
    bool always = true;
    bool never = true;
    for (uint32_t at = loop_from; at < walk->steps.count; at++)
        marks |= walk->steps.items[at].step.marks;
    for (uint32_t at = loop_from; at <= walk->steps.count; at++) {
        const bool holds = literals_hold(&property->p, atoms_at(walk, at));
        always &= holds;
        never &= !holds;
    }
    switch (property->kind) {
    case PROPERTY_NO_CYCLE:
        return (property->marks & ~marks) == 0 && (property->avoids & marks) == 0 && always;
    case PROPERTY_EVENTUALLY_ALWAYS: return !always;
    case PROPERTY_ALWAYS_EVENTUALLY:
    case PROPERTY_ALWAYS_POSSIBLE: return never;
    default: return false;
    }
}

const char *walk_refutes(struct walk *walk, uint32_t property, bool loops, bool rests,
                         uint32_t loop_from)
{
    const struct property *asked = &walk->model->properties[property];
    const uint64_t bit = UINT64_C(1) << property;
    uint32_t length;
    uint32_t last_length;
    if (!loops) {
        const uint64_t violated = walk->steps.count > 0
                                      ? walk->steps.items[walk->steps.count - 1].violated
                                      : violated_by(walk, &(struct step){0}, atoms_at(walk, 0));
        return violated & bit ? NULL : "its last step violates nothing any more";
    }
    if (rests) {
        if (survey_state(walk, walk->steps.count).pressing > 0)
            return "the cluster does not rest in its last state any more";
        return loop_shows(walk, asked, walk->steps.count) ? NULL : "its end violates nothing";
    }
    const uint32_t *last = walk_state(walk, &last_length);
    const uint32_t *first = walk_state_at(walk, loop_from, &length);
    if (!same_words(first, length, last, last_length))
        return "it does not come back to where its loop began";
    if (!is_fair(walk, loop_from))
        return "its loop passes over a controller that could act all the time";
    return loop_shows(walk, asked, loop_from) ? NULL : "its loop violates nothing any more";
}
