/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which earlier steps a step goes back to.
 *
 * An earlier step is a cause if without its effect this one could not be taken:
 * the objects that it changed are put back to what they were before it, and the
 * model is asked whether the step is still there. So what counts as a cause is
 * what the controllers in fact looked at, and needs no list for each kind of
 * step.
 *
 * - Earlier steps are tried from the latest to the first. Once one is found to be a
 *   cause, the objects that it changed are closed: what changed them before is a cause
 *   of that step.
 * - One effect may replace another, so that undoing either alone makes no difference. If
 *   undoing all that are left does, the fewest that still do are causes together; later
 *   steps are preferred.
 * - Periodic controllers may act at any time in these questions: that everything is at
 *   rest is not the effect of one step.
 */
#include "cluster/story/story_causes.h"
#include "cluster/intent/intents.h"
#include "cluster/state/actions.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_questions.h"

#include <string.h>

static story_writes writes_of(const struct storyteller *teller, uint32_t step)
{
    const uint32_t begin = step == 0 ? 0 : teller->step_ends.items[step - 1];
    return (story_writes){
        /* There may be no items. */
        .items = begin == 0 ? teller->writes.items : teller->writes.items + begin,
        .count = teller->step_ends.items[step] - begin,
    };
}

/* How many objects may be built, over all states, to find the causes of one story. */
enum { EFFORT_MOST = 20000000 };

struct finding {
    const struct question *question;
    struct story_value *values; /* working space */
    bool *closed;               /* by object */
    bool *chosen;               /* by step: a cause */
};

static bool revert_step(const struct finding *finding, uint32_t step)
{
    const story_writes writes = writes_of(finding->question->teller, step);
    bool changes = false;
    for (uint32_t i = writes.count; i-- > 0;) {
        const struct story_write *write = &writes.items[i];
        if (write->matters && !finding->closed[write->object]) {
            finding->values[write->object] = write->before;
            changes = true;
        }
    }
    return changes;
}

static void restore(const struct finding *finding)
{
    memcpy(finding->values, finding->question->values,
           finding->question->teller->values.count * sizeof(*finding->values));
}

static void find_single(const struct finding *finding)
{
    for (uint32_t k = finding->question->steps; k-- > 0;) {
        restore(finding);
        if (!revert_step(finding, k) || question_holds(finding->question, finding->values))
            continue;
        finding->chosen[k] = true;
        const story_writes writes = writes_of(finding->question->teller, k);
        for (uint32_t i = 0; i < writes.count; i++)
            finding->closed[writes.items[i].object] |= writes.items[i].matters;
    }
}

/* Is the answer yes with the steps of a set undone, from the last to the first? */
static bool holds_without(const struct finding *finding, const bool *undone)
{
    restore(finding);
    for (uint32_t k = finding->question->steps; k-- > 0;)
        if (undone[k])
            revert_step(finding, k);
    return question_holds(finding->question, finding->values);
}

static void find_joint(const struct finding *finding)
{
    const uint32_t steps = finding->question->steps;
    bool *undone = ARENA_ARRAY(&finding->question->teller->worker->scratch, bool, steps + 1);
    for (uint32_t k = 0; k < steps; k++)
        undone[k] = !finding->chosen[k];
    if (holds_without(finding, undone))
        return;
    for (uint32_t k = 0; k < steps; k++) {
        if (!undone[k])
            continue;
        undone[k] = false;
        undone[k] = holds_without(finding, undone);
    }
    for (uint32_t k = 0; k < steps; k++)
        finding->chosen[k] |= undone[k];
}

/* Chooses the steps that last changed the objects that the step changes, or (`all`) any object. */
static void find_last_writers(const struct finding *finding, bool all)
{
    const struct question *question = finding->question;
    const uint32_t objects = question->teller->values.count;
    bool *open = ARENA_ARRAY(&question->teller->worker->scratch, bool, objects);
    memset(open, all, objects);
    for (uint32_t e = 0; e < question->effect.count; e++)
        open[question->effect.items[e].object] = true;
    for (uint32_t k = question->steps; k-- > 0;) {
        const story_writes writes = writes_of(question->teller, k);
        for (uint32_t i = 0; i < writes.count; i++)
            if (writes.items[i].matters && open[writes.items[i].object]) {
                open[writes.items[i].object] = false;
                finding->chosen[k] = true;
            }
    }
}

/* Time passes whatever the other objects are like. */
static bool is_time(const struct question *question)
{
    return question->asking == ASK_STEP && question->step->action == ACT_TIME;
}

/* If the run ends before all is asked, causes are told less exactly: a violation that was found is
 * not lost. */
static bool can_be_asked(const struct question *question)
{
    if (population_is_over(&question->teller->population->options))
        return false;
    /* With clocks the ages of pods are the state's own: pods of another one have
     * no place in it. */
    const bool clocked = question->teller->population->clock != NULL;
    return question->teller->effort < EFFORT_MOST && !is_time(question) &&
           (!clocked || question->asking == ASK_ATOMS) &&
           question_holds(question, question->values);
}

static bool some_are_chosen(const struct finding *finding)
{
    return memchr(finding->chosen, 1, finding->question->steps) != NULL;
}

/* The numbers of the causes, in order, 0 if there are none or `outside` is set. */
static void find(const struct question *question, bool outside, struct story_causes *causes)
{
    struct arena *arena = question->teller->arena;
    struct arena *scratch = &question->teller->worker->scratch;
    const uint32_t objects = question->teller->values.count;
    const struct finding finding = {
        .question = question,
        .values = ARENA_ARRAY(scratch, struct story_value, objects + 1),
        .closed = ARENA_ARRAY(scratch, bool, objects + 1),
        .chosen = ARENA_ARRAY(scratch, bool, question->steps + 1),
    };
    if (can_be_asked(question)) {
        find_single(&finding);
        find_joint(&finding);
    } else {
        find_last_writers(&finding, !is_time(question));
    }
    /* A state that undoing effects does not change comes from what objects do not show (a Job's
     * failures, say): then all the last changes may be to blame. */
    if (!some_are_chosen(&finding) && question->asking != ASK_STEP) {
        find_last_writers(&finding, true);
        if (question->steps > 0)
            finding.chosen[question->steps - 1] = true;
    }
    story_numbers numbers = {0};
    if (outside || !some_are_chosen(&finding))
        VEC_PUSH(arena, &numbers, 0);
    for (uint32_t k = 0; k < question->steps; k++)
        if (finding.chosen[k])
            VEC_PUSH(arena, &numbers, k + 1);
    *causes = (struct story_causes){numbers.items, numbers.count};
}

/* Runs of thousands of steps take too long to ask about, and lists of all their changes are too
 * long to read. So do runs of hundreds of steps of large clusters. */
static bool is_long(const struct storyteller *teller, uint32_t steps)
{
    enum { LONG = 2000, LONG_ENOUGH = 100 };
    return steps > LONG || (steps > LONG_ENOUGH && teller->effort >= EFFORT_MOST);
}

/* Does it take too long to ask for each step whether the run would end otherwise without it? */
static bool is_long_to_end(const struct storyteller *teller, uint32_t steps)
{
    enum { MOVES = 100 };
    return MOVES * question_effort(teller) * steps > EFFORT_MOST;
}

static void add_cause(struct story_causes *causes, uint32_t step)
{
    uint32_t at = causes->count;
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i] == step)
            return;
    for (; at > 0 && causes->items[at - 1] > step; at--)
        causes->items[at] = causes->items[at - 1];
    causes->items[at] = step;
    causes->count++;
}

/* Adds the step that changed the object last, unless it is this one. */
static void add_writer(const struct storyteller *teller, uint32_t object, uint32_t step,
                       struct story_causes *causes)
{
    const uint32_t last = object < teller->writers.count ? teller->writers.items[object] : 0;
    if (last > 0 && last <= step)
        add_cause(causes, last);
}

/* In long runs: the steps that changed last what this one changes, or is about. */
static void find_recent(const struct storyteller *teller, uint32_t step, bool outside,
                        struct story_causes *causes)
{
    enum { CAUSES_MOST = 100 }; /* of one step */
    const story_writes effect = writes_of(teller, step);
    causes->items = ARENA_ARRAY(teller->arena, uint32_t, CAUSES_MOST + 3);
    causes->count = 0;
    for (uint32_t i = 0; i < effect.count && causes->count < CAUSES_MOST; i++)
        if (effect.items[i].matters && effect.items[i].last > 0)
            add_cause(causes, effect.items[i].last);
    for (uint32_t i = 0; i < teller->subjects.count && causes->count < CAUSES_MOST; i++)
        add_writer(teller, object_of_pod(teller, teller->subjects.items[i]), step, causes);
    if (teller->subject_node != UINT32_MAX)
        add_writer(teller, object_of_node(teller, teller->subject_node), step, causes);
    if (causes->count == 0 || outside)
        add_cause(causes, 0);
}

void story_find_causes(const struct story_telling *telling)
{
    struct storyteller *teller = telling->teller;
    struct worker *worker = teller->worker;
    struct story_step *told = telling->told;
    const uint32_t number = teller->step_ends.count - 1;
    if (is_long(teller, number)) {
        find_recent(teller, number, told->outside, &told->causes);
        return;
    }
    struct story_value *values =
        arena_copy(&worker->scratch, teller->values.items, teller->values.count * sizeof(*values));
    struct question question = {
        .teller = teller,
        .from = telling->from,
        .values = values,
        .steps = number,
        .to = telling->to,
        .step = telling->step,
        .effect = writes_of(teller, number),
    };
    for (uint32_t i = question.effect.count; i-- > 0;)
        values[question.effect.items[i].object] = question.effect.items[i].before;
    if (telling->step->action == ACT_SETTLED) {
        question.asking = ASK_ATOMS;
        question.atoms = telling->step->marks;
        question.wanted = intents_atoms(worker, telling->from, question.atoms);
    }
    find(&question, told->outside, &told->causes);
}

void storyteller_blame(struct storyteller *teller, uint32_t intent, bool rests,
                       struct story_causes *causes)
{
    struct worker *worker = teller->worker;
    const uint32_t steps = teller->step_ends.count;
    if (is_long(teller, steps) || (rests && is_long_to_end(teller, steps))) {
        find_recent(teller, steps - 1, false, causes);
        add_cause(causes, steps);
        return;
    }
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *state = state_unpack(worker, teller->words, teller->length);
    struct question question = {
        .teller = teller,
        .asking = rests ? ASK_END : ASK_ATOMS,
        .from = state,
        .values = teller->values.items,
        .steps = steps,
        .atoms = UINT64_C(1) << intent,
    };
    question.wanted = intents_atoms(worker, state, question.atoms);
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        teller->nodes.items[n].config_before = teller->nodes.items[n].config;
    find(&question, false, causes);
    arena_rewind(&worker->scratch, mark);
}
