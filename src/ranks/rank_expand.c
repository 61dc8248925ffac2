/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One state's steps on their way to the owners of the successors.
 *
 * The model hands over its steps while it uses its worker, so they are only noted then, and sent
 * (which may make numbers in the same worker) when it is done.
 */
#include "base/error.h"
#include "explore/property.h"
#include "ranks/rank_run.h"

#include <string.h>

enum { STEPS_BETWEEN_POLLS = 64 };

struct rank_sink {
    struct step_sink sink;
    struct rank_run *run;
};

void *list_push(struct list *list, size_t item_bytes)
{
    if (list->count == UINT32_MAX || !region_reserve_next(&list->items, list->count, item_bytes))
        return NULL;
    return (char *)list->items.base + item_bytes * list->count++;
}

bool rank_property_is_open(const struct rank_run *run, uint32_t property, enum property_kind kind)
{
    return !run->properties[property].decided && run->model->properties[property].kind == kind;
}

/* ---- the state in hand ---- */

static void note_emitted(struct rank_run *run, const struct step_head *head, const uint32_t *words,
                         uint32_t length)
{
    const uint32_t count = HEAD_WORDS + 1 + length;
    struct list *emitted = &run->emitted;
    if (!region_reserve_next(&emitted->items, (size_t)emitted->count + count, sizeof(uint32_t))) {
        rank_end(run, EXPLORE_MEMORY);
        return;
    }
    uint32_t *at = LIST_AT(emitted, uint32_t, emitted->count);
    memcpy(at, head, sizeof(*head));
    at[HEAD_WORDS] = length;
    memcpy(at + HEAD_WORDS + 1, words, length * sizeof(uint32_t));
    emitted->count += count;
}

static void count_step(struct rank_run *run, const struct step *step)
{
    struct exploration *result = run->result;
    result->statistics.transitions++;
    result->action_fired[step->action]++;
    result->marks_seen |= step->marks;
    for (uint32_t i = 0; step->marks != 0 && i < run->model->property_count; i++)
        if (rank_property_is_open(run, i, PROPERTY_STEP_INVARIANT) &&
            (run->model->properties[i].marks & step->marks) != 0)
            rank_note_hit(run, i, (struct step_key){run->expanding_key.order, run->emitted_steps},
                          run->expanding);
}

static void check_step(const struct model *model, const struct step *step)
{
    if (step->length < model->length_least || step->length > model->length_most)
        bug("model %s emits a state of %u words, not %u to %u", model->name, step->length,
            model->length_least, model->length_most);
    if (step->action >= model->action_count && model->action_count > 0)
        bug("model %s emits action %u of %u", model->name, step->action, model->action_count);
    if (step->fairness >= model->fairness_class_count && step->fairness < FAIRNESS_OPTIONAL)
        bug("model %s emits fairness class %u of %u", model->name, step->fairness,
            model->fairness_class_count);
}

static bool emit(struct step_sink *sink, const struct step *step)
{
    struct rank_run *run = ((struct rank_sink *)sink)->run;
    if (rank_is_ending(run))
        return false;
    check_step(run->model, step);
    if (run->pass == PASS_SEARCH)
        count_step(run, step);
    run->binds |= step->fairness != FAIRNESS_OPTIONAL;
    const struct step_head head = {
        .kind = RECORD_STEP,
        .source = run->pass == PASS_GATHER ? run->gathering_source : run->expanding,
        .step = run->emitted_steps++,
        .fairness = step->fairness,
        .order = run->expanding_key.order,
        .marks = step->marks,
    };
    note_emitted(run, &head, step->words, step->length);
    return true;
}

static void note_edge(struct rank_run *run, uint32_t target, uint32_t fairness)
{
    struct graph_edge *edge = list_push(&run->edges, sizeof(*edge));
    if (edge)
        *edge = (struct graph_edge){run->gathering_source, UINT32_MAX, target, fairness, 0};
    else
        rank_end(run, EXPLORE_MEMORY);
}

static void enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct rank_run *run = ((struct rank_sink *)sink)->run;
    if (fairness_class >= run->model->fairness_class_count)
        bug("model %s enables fairness class %u of %u", run->model->name, fairness_class,
            run->model->fairness_class_count);
    run->binds = true;
    if (run->pass == PASS_GATHER)
        note_edge(run, TARGET_ENABLES, fairness_class);
}

static void open_gate(struct step_sink *sink, uint32_t gate)
{
    struct rank_run *run = ((struct rank_sink *)sink)->run;
    if (gate >= run->model->gate_count)
        bug("model %s opens gate %u of %u", run->model->name, gate, run->model->gate_count);
    if (run->pass == PASS_GATHER)
        note_edge(run, TARGET_OPENS, gate);
}

/* ---- what comes in ---- */

static void look_at_new(struct rank_run *run, const uint32_t *words, uint32_t length)
{
    const uint64_t atoms = rank_atoms(run, words, length);
    run->result->atoms_seen |= atoms;
    if (!run->keeps_paths)
        return;
    uint64_t *kept = list_push(&run->new_atoms, sizeof(*kept));
    if (kept)
        *kept = atoms;
    else
        rank_end(run, EXPLORE_MEMORY);
}

/* Room for what is kept of a new state; its first step is not known yet. */
static bool make_room(struct rank_run *run)
{
    static const struct origin nowhere = {NO_RANK, 0, 0};
    if (run->keeps_paths) {
        struct origin *origin = list_push(&run->origins, sizeof(*origin));
        struct step_key *key = list_push(&run->new_keys, sizeof(*key));
        if (!origin || !key)
            return false;
        *origin = nowhere;
        *key = (struct step_key){UINT64_MAX, UINT32_MAX};
    }
    if (run->keeps_cycles) {
        uint32_t *arrivals = list_push(&run->arrivals, sizeof(*arrivals));
        uint8_t *rests = list_push(&run->rests, sizeof(*rests));
        if (!arrivals || !rests)
            return false;
        *arrivals = 0;
        *rests = 0;
    }
    return true;
}

static void store_successor(struct rank_run *run, const struct step_head *head,
                            struct origin origin, const uint32_t *words, uint32_t length)
{
    bool is_new = false;
    if (run->reason == EXPLORE_MEMORY)
        return; /* lists and states no longer match */
    const uint32_t id = state_table_add(&run->table, words, length, &is_new);
    if (id == STATE_NONE || (is_new && !make_room(run))) {
        rank_end(run, EXPLORE_MEMORY);
        return;
    }
    if (is_new)
        look_at_new(run, words, length);
    if (run->keeps_cycles && origin.rank != NO_RANK)
        ++*LIST_AT(&run->arrivals, uint32_t, id);
    const struct step_key key = {head->order, head->step};
    if (!run->keeps_paths || id < run->level_end || run->reason == EXPLORE_MEMORY)
        return;
    struct step_key *first = LIST_AT(&run->new_keys, struct step_key, id - run->level_end);
    if (!key_before(key, *first))
        return;
    *first = key;
    *LIST_AT(&run->origins, struct origin, id) = origin;
}

static uint32_t known(struct rank_run *run, const uint32_t *words, uint32_t length)
{
    const uint32_t id = state_table_find(&run->table, words, length);
    if (id == STATE_NONE)
        bug("a step leads to a state that was not found before");
    return id;
}

static void take_away_arrival(struct rank_run *run, const uint32_t *words, uint32_t length)
{
    const uint32_t id = known(run, words, length);
    uint32_t *arrivals = LIST_AT(&run->arrivals, uint32_t, id);
    if (*arrivals == 0)
        bug("a state has fewer arrivals than before");
    if (--*arrivals > 0)
        return;
    uint32_t *next = list_push(&run->next_queue, sizeof(*next));
    if (next)
        *next = id;
    else
        rank_end(run, EXPLORE_MEMORY);
}

static void take_in(struct rank_run *run, uint32_t from, const struct step_head *head,
                    const uint32_t *words, uint32_t length)
{
    switch (run->pass) {
    case PASS_SEARCH:
        store_successor(run, head, (struct origin){from, head->source, head->step}, words, length);
        break;
    case PASS_TRIM: take_away_arrival(run, words, length); break;
    case PASS_GATHER: rank_gather_step(run, head, words, length); break;
    }
}

static void receive_step(struct rank_run *run, uint32_t from, const uint32_t *record,
                         uint32_t words)
{
    const struct codec *codec = run->options->codec;
    struct step_head head;
    memcpy(&head, record, sizeof(head));
    const uint32_t length = words - HEAD_WORDS;
    if (length > run->model->length_most)
        bug("a state of %u words came from rank %u", length, from);
    memcpy(run->incoming, record + HEAD_WORDS, length * sizeof(uint32_t));
    if (codec->localise && !codec->localise(codec->context, from, run->incoming, length)) {
        rank_end(run, EXPLORE_MEMORY);
        return;
    }
    if (!rank_is_ending(run))
        take_in(run, from, &head, run->incoming, length);
}

void rank_receive(void *context, uint32_t from, const uint32_t *record, uint32_t words)
{
    struct rank_run *run = context;
    const struct codec *codec = run->options->codec;
    switch ((enum record_kind)record[0]) {
    case RECORD_TELL: codec->learn(codec->context, from, record + 1, words - 1); break;
    case RECORD_STEP: receive_step(run, from, record, words); break;
    case RECORD_KEY: rank_take_key(run, from, record); break;
    case RECORD_NUMBER: rank_take_number(run, record); break;
    case RECORD_EDGE:
    case RECORD_NODE:
    case RECORD_BEGIN: rank_take_graph(run, record); break;
    }
}

/* ---- what goes out ---- */

static void send_successor(struct rank_run *run, uint32_t to, uint32_t *record, uint32_t length)
{
    const struct codec *codec = run->options->codec;
    if (codec->tell)
        codec->tell(codec->context, run->link, to, RECORD_TELL, record + HEAD_WORDS, length);
    link_send(run->link, to, record, HEAD_WORDS + length);
    if (run->pass == PASS_SEARCH)
        run->options->statistics->sent++;
}

static void send_emitted(struct rank_run *run)
{
    const struct codec *codec = run->options->codec;
    uint32_t *words = run->emitted.items.base;
    for (uint32_t at = 0; at < run->emitted.count && !rank_is_ending(run);) {
        const uint32_t length = words[at + HEAD_WORDS];
        const uint32_t *state = words + at + HEAD_WORDS + 1;
        struct step_head head;
        memcpy(&head, words + at, sizeof(head));
        at += HEAD_WORDS + 1 + length;
        const uint32_t owner =
            (uint32_t)(codec->hash(codec->context, state, length) % run->link->count);
        if (owner == run->link->rank) {
            take_in(run, owner, &head, state, length);
            continue;
        }
        memcpy(run->from, &head, sizeof(head));
        memcpy(run->from + HEAD_WORDS, state, length * sizeof(uint32_t));
        send_successor(run, owner, run->from, length);
    }
}

/* Without steps, and not marked as an end. */
static void look_for_deadlock(struct rank_run *run, const uint32_t *words, uint32_t length)
{
    run->result->statistics.rest_states++;
    for (uint32_t i = 0; i < run->model->property_count; i++)
        if (rank_property_is_open(run, i, PROPERTY_DEADLOCK_FREE) &&
            (run->model->end_atoms == 0 ||
             (rank_atoms(run, words, length) & run->model->end_atoms) == 0))
            rank_note_hit(run, i, run->expanding_key, run->expanding);
}

static void begin_state(struct rank_run *run, uint32_t id, uint64_t order)
{
    run->expanding = id;
    run->expanding_key = (struct step_key){order, 0};
    run->emitted.count = 0;
    run->emitted_steps = 0;
    run->binds = false;
}

void rank_expand(struct rank_run *run, uint32_t id, uint64_t order)
{
    const struct model *model = run->model;
    struct rank_sink sink = {{emit, enable, open_gate}, run};
    uint32_t length;
    const uint32_t *stored = state_table_at(&run->table, id, &length);
    memcpy(run->from, stored, length * sizeof(uint32_t));
    begin_state(run, id, order);
    model->expand(model, run->scratch, run->from, length, &sink.sink);
    run->options->statistics->expanded++;
    if (rank_is_ending(run))
        return;
    if (run->pass == PASS_SEARCH) {
        run->result->statistics.states_expanded++;
        if (run->emitted_steps == 0)
            look_for_deadlock(run, run->from, length);
        if (run->keeps_cycles)
            *LIST_AT(&run->rests, uint8_t, id) = !run->binds;
    }
    send_emitted(run);
    run->polls += run->emitted_steps + 1;
    if (run->polls < STEPS_BETWEEN_POLLS)
        return;
    run->polls = 0;
    link_poll(run->link);
    rank_check_limits(run);
}

/* ---- initial states ---- */

static bool emit_initial(struct step_sink *sink, const struct step *step)
{
    struct rank_run *run = ((struct rank_sink *)sink)->run;
    const struct step_head head = {.kind = RECORD_STEP, .step = run->emitted_steps++};
    note_emitted(run, &head, step->words, step->length);
    return !rank_is_ending(run);
}

static void enable_nothing(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

/* All ranks make all of them, and each keeps its own. When gathering, these are told to rank 0. */
void rank_add_initial(struct rank_run *run)
{
    const struct codec *codec = run->options->codec;
    struct rank_sink sink = {{emit_initial, enable_nothing, NULL}, run};
    begin_state(run, 0, 0);
    run->model->initial(run->model, run->scratch, &sink.sink);
    const uint32_t *words = run->emitted.items.base;
    for (uint32_t at = 0; at < run->emitted.count && !rank_is_ending(run);) {
        const uint32_t length = words[at + HEAD_WORDS];
        const uint32_t *state = words + at + HEAD_WORDS + 1;
        struct step_head head;
        memcpy(&head, words + at, sizeof(head));
        at += HEAD_WORDS + 1 + length;
        if (codec->hash(codec->context, state, length) % run->link->count != run->link->rank)
            continue;
        if (run->pass == PASS_SEARCH) {
            store_successor(run, &head, (struct origin){NO_RANK, 0, head.step}, state, length);
            continue;
        }
        struct graph_begin *begin = list_push(&run->gathered_begins, sizeof(*begin));
        if (!begin) {
            rank_end(run, EXPLORE_MEMORY);
            return;
        }
        *begin = (struct graph_begin){head.step,
                                      *LIST_AT(&run->numbers, uint32_t, known(run, state, length))};
    }
}
