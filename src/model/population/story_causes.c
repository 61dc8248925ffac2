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
 * - Earlier steps are tried from the latest to the first. Once one has turned
 *   out to be a cause, the objects that it changed are done with: what came to
 *   them before is a cause of that step.
 * - Effects may stand in for each other, so that none alone is missed. If all
 *   that are left, undone together, make a difference, the fewest that still do
 *   are causes together; the later ones are kept.
 * - Whether slow controllers wait for the others to come to rest is left out of
 *   account: that things are at rest is nobody's effect.
 */
#include "model/population/story_internal.h"

#include <string.h>

/* States built on the way to the causes of one story, in objects. */
enum { EFFORT_MOST = 20000000 };

enum asking {
    ASK_STEP,  /* is there the step in hand? */
    ASK_ATOMS, /* have the atoms their present values? */
    ASK_END,   /* have they, once everything has come to rest? */
};

struct question {
    struct storyteller *teller;
    enum asking asking;
    const struct population_state *from; /* the state that is varied */
    const struct story_value *values;    /* by object: in that state */
    uint32_t value_count;
    uint32_t steps; /* earlier ones */
    /* ASK_STEP */
    const struct population_state *to;
    const struct step *step;
    const struct story_write *effect;
    uint32_t effect_count;
    /* ASK_ATOMS */
    uint64_t atoms;
    uint64_t wanted;
};

static const struct story_write *writes_of(const struct storyteller *teller, uint32_t step,
                                           uint32_t *count)
{
    const uint32_t begin = step == 0 ? 0 : teller->step_ends.items[step - 1];
    *count = teller->step_ends.items[step] - begin;
    return begin == 0 ? teller->writes.items : teller->writes.items + begin; /* there may be none */
}

/* ---- states that might have been ---- */

static bool equal(struct story_value left, struct story_value right)
{
    return left.number == right.number && left.detail == right.detail;
}

static void move_pod(struct population *population, struct population_state *state,
                     uint32_t *configs, uint32_t revision, struct story_value from,
                     struct story_value to)
{
    if (from.number == POD_WAITING)
        state->pending[revision]--;
    if (to.number == POD_WAITING)
        state->pending[revision]++;
    if (from.number >= 0)
        configs[from.number] =
            config_replace(population, configs[from.number], from.detail, VIEW_NONE);
    if (to.number >= 0)
        configs[to.number] = config_replace(population, configs[to.number], VIEW_NONE, to.detail);
}

static uint32_t config_as_valued(struct population *population, uint32_t config,
                                 struct story_value value)
{
    const uint32_t node =
        population->templates.items[population->catalog->configs.items[config]->template->id].node;
    if (value.detail == 0)
        return config_with_condition(population, config, (enum node_condition)value.number);
    return config_on(
        population, config,
        population->node_kinds.items[node].pressed[value.detail >> 1][value.detail & 1]);
}

/* The state of the question with its objects as in `values`. The configs of the
 * named nodes are those before the step in hand. */
static struct population_state *make_state(const struct question *question,
                                           const struct story_value *values)
{
    const struct storyteller *teller = question->teller;
    struct population *population = teller->population;
    struct population_state *state = state_copy(population, question->from);
    uint32_t *configs = ARENA_ARRAY(&population->scratch, uint32_t, teller->nodes.count + 1);
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        configs[n] = teller->nodes.items[n].config_before;
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const struct story_value *value = &values[object_of_workload(teller, w)];
        state->replicas[w] = (int32_t)value->number;
        state->present[w] = value->detail;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct story_value *value = &values[object_of_set(teller, r)];
        state->sets[r] = (struct set_state){(int32_t)value->number, (int32_t)value->detail};
    }
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const struct story_value *value = &values[object_of_status(teller, w)];
        const uint32_t words[STATUS_WORDS] = {(uint32_t)value->number, value->detail};
        status_unpack(words, &state->statuses[w]);
    }
    for (uint32_t p = 0; p < teller->pods.count; p++) {
        const uint32_t object = object_of_pod(teller, p);
        if (!equal(values[object], question->values[object]))
            move_pod(population, state, configs, teller->pods.items[p].revision,
                     question->values[object], values[object]);
    }
    for (uint32_t n = 0; n < teller->nodes.count; n++) {
        const uint32_t object = object_of_node(teller, n);
        if (!equal(values[object], question->values[object]))
            configs[n] = config_as_valued(population, configs[n], values[object]);
    }
    state->nodes = ARENA_ARRAY(&population->scratch, struct view_node, teller->nodes.count + 1);
    state->node_count = teller->nodes.count;
    state->node_capacity = teller->nodes.count + 1;
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        state->nodes[n] = (struct view_node){configs[n], 1};
    state->settled_once = true;
    state_trim_nominations(population, state);
    return state;
}

/* The objects after the step in hand, if it can be taken with them at all. */
static bool take_effect(const struct question *question, struct story_value *values)
{
    const uint32_t first_pod = object_of_pod(question->teller, 0);
    for (uint32_t i = 0; i < question->effect_count; i++) {
        const struct story_write *write = &question->effect[i];
        struct story_value *value = &values[write->object];
        if (write->object >= first_pod) {
            const struct class_info *classes = question->teller->population->classes.items;
            if (value->number != write->before.number ||
                (value->number >= 0 &&
                 classes[value->detail].stage != classes[write->before.detail].stage))
                return false;
            if (!write->matters)
                continue;
        }
        *value = write->after;
    }
    return true;
}

/* ---- is the step there? ---- */

struct search {
    struct step_sink sink;
    const struct question *question;
    const uint32_t *expected; /* words of the state that it should lead to */
    uint32_t expected_length;
    bool found;
};

static bool same_scaling(const struct question *question, const struct step *step)
{
    struct population *population = question->teller->population;
    const struct population_state *to = state_unpack(population, step->words, step->length);
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (question->from->replicas[w] != question->to->replicas[w] &&
            to->replicas[w] != question->to->replicas[w])
            return false;
    return true;
}

static bool same_sets(const struct question *question, const struct step *step)
{
    struct population *population = question->teller->population;
    const struct population_state *to = state_unpack(population, step->words, step->length);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (question->from->sets[r].replicas != question->to->sets[r].replicas &&
            to->sets[r].replicas != question->to->sets[r].replicas)
            return false;
    return true;
}

/* Places that are kept for pods are the scheduler's own affair. */
static uint32_t strip(struct population *population, const uint32_t *words, uint32_t length,
                      uint32_t *stripped)
{
    struct population_state *state = state_unpack(population, words, length);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        if (config->nominated_entry_count > 0)
            state->nodes[n].config =
                catalog_intern_config(population->catalog, config->template->id, config->pods,
                                      config->pod_entry_count, NULL, 0);
    }
    return state_pack(population, state, stripped);
}

/* Everything but what events were used, flags and what intents remember. */
static bool same_state(const struct search *search, const struct step *step)
{
    struct population *population = search->question->teller->population;
    uint32_t *words = ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST);
    const uint32_t length = strip(population, step->words, step->length, words);
    return length == search->expected_length &&
           memcmp(words, search->expected, population->word_of_events * sizeof(*words)) == 0 &&
           memcmp(words + population->word_of_nodes, search->expected + population->word_of_nodes,
                  (length - population->word_of_nodes) * sizeof(*words)) == 0;
}

static bool look_at(struct step_sink *sink, const struct step *step)
{
    struct search *search = (struct search *)sink;
    const struct question *question = search->question;
    const struct step *wanted = question->step;
    if (search->found || step->action != wanted->action)
        return true;
    if (wanted->action == ACT_AUTOSCALE)
        search->found = same_scaling(question, step);
    else if (wanted->action == ACT_DEPLOYMENT_SYNC)
        search->found = same_sets(question, step);
    else if (question->effect_count == 0)
        search->found = step_subject_of(step).revision == step_subject_of(wanted).revision;
    else
        search->found = same_state(search, step);
    return true;
}

static void ignore(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static bool has_step(const struct question *question, const struct story_value *values)
{
    const struct storyteller *teller = question->teller;
    struct population *population = teller->population;
    uint32_t *words = ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST);
    uint32_t *expected = ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST);
    struct search search = {.sink = {look_at, ignore}, .question = question, .expected = expected};
    const uint32_t length = state_pack(population, make_state(question, values), words);
    struct story_value *after =
        arena_copy(&population->scratch, values, question->value_count * sizeof(*values));
    /* What scales does not care which pods it finds, only how many it leads to. */
    if (question->step->action != ACT_AUTOSCALE && question->step->action != ACT_DEPLOYMENT_SYNC) {
        if (!take_effect(question, after))
            return false;
        uint32_t *plain = ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST);
        const uint32_t plain_length = state_pack(population, make_state(question, after), plain);
        if (plain_length > 0)
            search.expected_length = strip(population, plain, plain_length, expected);
    }
    if (length == 0)
        return false;
    const struct population_options options = population->options;
    const bool overflow = population->overflow;
    population->options.full_interleaving = true;
    population_expand(&population->model, NULL, words, length, &search.sink);
    population->options = options;
    population->overflow = overflow;
    return search.found;
}

/* ---- how would it end? ---- */

struct first_move {
    struct step_sink sink;
    const uint32_t *from;
    uint32_t from_length;
    uint32_t *words; /* receives the state */
    uint32_t length; /* 0: nobody moves */
};

static bool take_first(struct step_sink *sink, const struct step *step)
{
    struct first_move *move = (struct first_move *)sink;
    if (move->length > 0 || step->fairness == FAIRNESS_OPTIONAL ||
        (step->length == move->from_length &&
         memcmp(step->words, move->from, step->length * sizeof(*step->words)) == 0))
        return true;
    memcpy(move->words, step->words, step->length * sizeof(*step->words));
    move->length = step->length;
    return true;
}

/* The atoms where the controllers come to rest if the world leaves them alone,
 * by one way of many; false if that takes them too long. */
static bool atoms_at_rest(const struct question *question, const struct story_value *values,
                          uint64_t *atoms)
{
    enum { MOVES_MOST = 400 };
    struct population *population = question->teller->population;
    uint32_t *words[2] = {ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST),
                          ARENA_ARRAY(&population->scratch, uint32_t, WORDS_MOST)};
    const bool overflow = population->overflow;
    uint32_t length = state_pack(population, make_state(question, values), words[0]);
    bool rests = false;
    for (uint32_t i = 0; i < MOVES_MOST && length > 0 && !rests; i++) {
        struct first_move move = {.sink = {take_first, ignore},
                                  .from = words[i % 2],
                                  .from_length = length,
                                  .words = words[(i + 1) % 2]};
        population_expand(&population->model, NULL, words[i % 2], length, &move.sink);
        question->teller->effort += 64;
        rests = move.length == 0;
        if (rests)
            *atoms = intents_atoms(population, state_unpack(population, words[i % 2], length));
        length = move.length;
    }
    population->overflow = overflow;
    return rests;
}

/* Would it be as it is with the objects like that? */
static bool holds(const struct question *question, const struct story_value *values)
{
    struct population *population = question->teller->population;
    const struct arena_mark mark = arena_mark(&population->scratch);
    uint64_t atoms = question->wanted;
    bool answer = false;
    question->teller->effort += question->value_count + 64;
    switch (question->asking) {
    case ASK_STEP: answer = has_step(question, values); break;
    case ASK_ATOMS:
        atoms = intents_atoms(population, make_state(question, values));
        answer = (atoms & question->atoms) == question->wanted;
        break;
    case ASK_END:
        /* Without an end nothing can be said of it. */
        answer = !atoms_at_rest(question, values, &atoms) ||
                 (atoms & question->atoms) == question->wanted;
        break;
    }
    arena_rewind(&population->scratch, mark);
    return answer;
}

/* ---- what makes the difference ---- */

struct finding {
    const struct question *question;
    struct story_value *values; /* working space */
    bool *closed;               /* by object */
    bool *chosen;               /* by step: a cause */
};

static bool revert_step(const struct finding *finding, uint32_t step)
{
    uint32_t count;
    const struct story_write *writes = writes_of(finding->question->teller, step, &count);
    bool changes = false;
    for (uint32_t i = count; i-- > 0;)
        if (writes[i].matters && !finding->closed[writes[i].object]) {
            finding->values[writes[i].object] = writes[i].before;
            changes = true;
        }
    return changes;
}

static void restore(const struct finding *finding)
{
    memcpy(finding->values, finding->question->values,
           finding->question->value_count * sizeof(*finding->values));
}

static void close_objects(const struct finding *finding, uint32_t step)
{
    uint32_t count;
    const struct story_write *writes = writes_of(finding->question->teller, step, &count);
    for (uint32_t i = 0; i < count; i++)
        if (writes[i].matters)
            finding->closed[writes[i].object] = true;
}

static void find_single(const struct finding *finding)
{
    for (uint32_t k = finding->question->steps; k-- > 0;) {
        restore(finding);
        if (!revert_step(finding, k) || holds(finding->question, finding->values))
            continue;
        finding->chosen[k] = true;
        close_objects(finding, k);
    }
}

/* Undone together: the steps of a set, from the last to the first. */
static bool holds_without(const struct finding *finding, const bool *undone)
{
    restore(finding);
    for (uint32_t k = finding->question->steps; k-- > 0;)
        if (undone[k])
            revert_step(finding, k);
    return holds(finding->question, finding->values);
}

static void find_joint(const struct finding *finding)
{
    struct arena *scratch = &finding->question->teller->population->scratch;
    const uint32_t steps = finding->question->steps;
    bool *undone = ARENA_ARRAY(scratch, bool, steps + 1);
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

/* Who changed last what the step changes, or (`all`) what there is. */
static void find_last_writers(const struct finding *finding, bool all)
{
    const struct question *question = finding->question;
    bool *open = ARENA_ARRAY(&question->teller->population->scratch, bool, question->value_count);
    memset(open, all, question->value_count);
    for (uint32_t e = 0; e < question->effect_count; e++)
        open[question->effect[e].object] = true;
    for (uint32_t k = question->steps; k-- > 0;) {
        uint32_t count;
        const struct story_write *writes = writes_of(question->teller, k, &count);
        for (uint32_t i = 0; i < count; i++)
            if (writes[i].matters && open[writes[i].object]) {
                open[writes[i].object] = false;
                finding->chosen[k] = true;
            }
    }
}

/* Time passes for pods as they are, whoever else is there. */
static bool is_time(const struct question *question)
{
    return question->asking == ASK_STEP && question->step->action == ACT_TIME;
}

static bool can_be_asked(const struct question *question)
{
    /* With clocks the ages of pods are the state's own: pods of another one have
     * no place in it. */
    const bool clocked = question->teller->population->clock != NULL;
    return question->teller->effort < EFFORT_MOST && !is_time(question) &&
           (!clocked || question->asking == ASK_ATOMS) && holds(question, question->values);
}

static uint32_t count_chosen(const struct finding *finding)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < finding->question->steps; k++)
        count += finding->chosen[k];
    return count;
}

/* The numbers of the causes, in order, 0 if there are none or `outside` is set. */
static void find(const struct question *question, bool outside, struct story_causes *causes)
{
    struct arena *scratch = &question->teller->population->scratch;
    const struct finding finding = {
        .question = question,
        .values = ARENA_ARRAY(scratch, struct story_value, question->value_count + 1),
        .closed = ARENA_ARRAY(scratch, bool, question->value_count + 1),
        .chosen = ARENA_ARRAY(scratch, bool, question->steps + 1),
    };
    if (can_be_asked(question)) {
        find_single(&finding);
        find_joint(&finding);
    } else {
        find_last_writers(&finding, !is_time(question));
    }
    uint32_t count = count_chosen(&finding);
    /* A state that nobody's effects can undo goes back to what objects do not show
     * (a Job's failures, say): then all that is there may be to blame. */
    if (count == 0 && question->asking != ASK_STEP) {
        find_last_writers(&finding, true);
        if (question->steps > 0)
            finding.chosen[question->steps - 1] = true;
        count = count_chosen(&finding);
    }
    causes->items = ARENA_ARRAY(question->teller->arena, uint32_t, count + 1);
    causes->count = 0;
    if (count == 0 || outside)
        causes->items[causes->count++] = 0;
    for (uint32_t k = 0; k < question->steps; k++)
        if (finding.chosen[k])
            causes->items[causes->count++] = k + 1;
}

/* To ask about runs of thousands of steps takes too long, and so does a list of all
 * that happened to everybody. */
static bool is_long(const struct storyteller *teller, uint32_t steps)
{
    enum { LONG = 2000, LONG_ENOUGH = 300 };
    return steps > LONG || (steps > LONG_ENOUGH && teller->effort >= EFFORT_MOST);
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

/* Who changed the object last, unless that is the step in hand. */
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
    uint32_t count;
    const struct story_write *effect = writes_of(teller, step, &count);
    causes->items = ARENA_ARRAY(teller->arena, uint32_t, CAUSES_MOST + 3);
    causes->count = 0;
    for (uint32_t i = 0; i < count && causes->count < CAUSES_MOST; i++)
        if (effect[i].matters && effect[i].last > 0)
            add_cause(causes, effect[i].last);
    for (uint32_t i = 0; i < teller->subjects.count && causes->count < CAUSES_MOST; i++)
        add_writer(teller, object_of_pod(teller, teller->subjects.items[i]), step, causes);
    if (teller->subject_node != UINT32_MAX)
        add_writer(teller, object_of_node(teller, teller->subject_node), step, causes);
    if (causes->count == 0 || outside)
        add_cause(causes, 0);
}

void story_find_causes(struct storyteller *teller, const struct population_state *from,
                       const struct population_state *to, const struct step *step,
                       struct story_step *told)
{
    struct population *population = teller->population;
    const uint32_t number = teller->step_ends.count - 1;
    if (is_long(teller, number)) {
        find_recent(teller, number, told->outside, &told->causes);
        return;
    }
    struct story_value *values = arena_copy(&population->scratch, teller->values.items,
                                            teller->values.count * sizeof(*values));
    struct question question = {
        .teller = teller,
        .from = from,
        .values = values,
        .value_count = teller->values.count,
        .steps = number,
        .to = to,
        .step = step,
    };
    question.effect = writes_of(teller, number, &question.effect_count);
    for (uint32_t i = question.effect_count; i-- > 0;)
        values[question.effect[i].object] = question.effect[i].before;
    if (step->action == ACT_SETTLED) {
        question.asking = ASK_ATOMS;
        question.atoms = step->marks;
        question.wanted = intents_atoms(population, from) & step->marks;
    }
    find(&question, told->outside, &told->causes);
}

void storyteller_blame(struct storyteller *teller, uint32_t intent, bool rests,
                       struct story_causes *causes)
{
    struct population *population = teller->population;
    if (is_long(teller, teller->step_ends.count)) {
        find_recent(teller, teller->step_ends.count - 1, false, causes);
        add_cause(causes, teller->step_ends.count);
        return;
    }
    const struct arena_mark mark = arena_mark(&population->scratch);
    const struct population_state *state = state_unpack(population, teller->words, teller->length);
    struct question question = {
        .teller = teller,
        .asking = rests ? ASK_END : ASK_ATOMS,
        .from = state,
        .values = teller->values.items,
        .value_count = teller->values.count,
        .steps = teller->step_ends.count,
        .atoms = UINT64_C(1) << intent,
    };
    question.wanted = intents_atoms(population, state) & question.atoms;
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        teller->nodes.items[n].config_before = teller->nodes.items[n].config;
    find(&question, false, causes);
    arena_rewind(&population->scratch, mark);
}
