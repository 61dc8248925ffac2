/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes that do not store states (hash compaction, bitstate): breadth-first
 * search by one thread over a queue of whole states.
 *
 * They judge safety only. What they find is real (it is replayed); that they find
 * nothing is never called 'holds' but comes with the probability that a state was
 * left out. One thread, because the state that is found second is left out of two
 * with equal hashes, and results must not depend on which thread was faster.
 *
 * A path is rebuilt from a log of about two bytes a state: for each expanded
 * state, in order, the indices of the steps that led to new states. States are
 * expanded in the order in which they were found, so the log gives the
 * predecessor of each state.
 */
#include "explore/lossy.h"

#include "base/clock.h"
#include "base/error.h"
#include "explore/fingerprints.h"
#include "explore/replay.h"

#include <assert.h>
#include <string.h>

enum { NOTES_EVERY = 1024 };

/* Where the log stood when state `expanding` was about to be expanded and `found`
 * states were known. The predecessor of the initial states is state -1. */
struct lossy_note {
    uint64_t place;
    int64_t expanding;
    uint64_t found;
};

/* States one after the other: length, words. */
struct queue {
    struct region words;
    size_t used;
    uint64_t count;
};

struct lossy {
    struct step_sink sink;
    struct search *search;
    void *scratch;
    struct fingerprints seen;
    struct queue now, next;
    struct region log, notes;
    uint64_t log_bytes, note_count;
    int64_t expanding; /* number of the state being expanded */
    uint32_t step;     /* index of the next step */
    uint64_t found;    /* states */
    uint64_t *targets; /* by property: the state at the end of its path */
    uint32_t *bad_steps;
    uint32_t depth;
    struct limit_watch watch;
};

static bool out_of_memory(struct lossy *lossy)
{
    limits_end(&lossy->search->limits, EXPLORE_MEMORY);
    return false;
}

static bool queue_push(struct queue *queue, const uint32_t *words, uint32_t length)
{
    if (!region_reserve_next(&queue->words, queue->used + length, sizeof(uint32_t)))
        return false;
    uint32_t *at = (uint32_t *)queue->words.base + queue->used;
    at[0] = length;
    memcpy(at + 1, words, sizeof(uint32_t) * length);
    queue->used += (size_t)length + 1;
    queue->count++;
    return true;
}

/* Numbers of seven bits a byte, the high bit set on all but the last. */
static bool log_number(struct lossy *lossy, uint32_t number)
{
    do {
        if (!region_reserve_next(&lossy->log, lossy->log_bytes, 1))
            return out_of_memory(lossy);
        ((uint8_t *)lossy->log.base)[lossy->log_bytes++] =
            (uint8_t)((number & 127) | (number > 127 ? 128 : 0));
        number >>= 7;
    } while (number > 0);
    return true;
}

static uint32_t read_number(const uint8_t **at)
{
    uint32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

static void lossy_hit(struct lossy *lossy, uint32_t index, uint64_t target, uint32_t bad_step)
{
    struct property_state *state = &lossy->search->properties[index];
    if (state->decided || atomic_load(&state->hit))
        return;
    atomic_store(&state->hit, true);
    lossy->targets[index] = target;
    lossy->bad_steps[index] = bad_step;
}

static void look_at_step(struct lossy *lossy, uint64_t marks)
{
    const struct model *model = lossy->search->model;
    lossy->search->result->marks_seen |= marks;
    for (uint32_t i = 0; i < model->property_count; i++) {
        const struct property *property = &model->properties[i];
        if (property->kind == PROPERTY_STEP_INVARIANT && (property->marks & marks) != 0)
            lossy_hit(lossy, i, (uint64_t)lossy->expanding, lossy->step);
    }
}

static bool lossy_emit(struct step_sink *sink, const struct step *step)
{
    struct lossy *lossy = (struct lossy *)sink;
    struct search *search = lossy->search;
    if (search_ending(search))
        return false;
    if (lossy->expanding >= 0) {
        search->result->statistics.transitions++;
        search->result->action_fired[step->action]++;
        look_at_step(lossy, step->marks);
    }
    const uint32_t index = lossy->step++;
    switch (fingerprints_add(&lossy->seen, step->words, step->length)) {
    case FINGERPRINT_SEEN: return true;
    case FINGERPRINT_NO_MEMORY: return out_of_memory(lossy);
    case FINGERPRINT_NEW: break;
    }
    if (!queue_push(&lossy->next, step->words, step->length))
        return out_of_memory(lossy);
    lossy->found++;
    if (lossy->found > search->options->states_most)
        limits_end(&search->limits, EXPLORE_STATES);
    return log_number(lossy, index + 1);
}

static void lossy_enable(struct step_sink *sink, uint32_t fairness_class)
{
    (void)sink;
    (void)fairness_class;
}

static bool take_note(struct lossy *lossy)
{
    if (!region_reserve_next(&lossy->notes, lossy->note_count, sizeof(struct lossy_note)))
        return out_of_memory(lossy);
    ((struct lossy_note *)lossy->notes.base)[lossy->note_count++] =
        (struct lossy_note){lossy->log_bytes, lossy->expanding, lossy->found};
    return true;
}

/* Invariants and witnesses in the state about to be expanded. */
static void look_at_state(struct lossy *lossy, uint64_t atoms)
{
    const struct model *model = lossy->search->model;
    lossy->search->result->atoms_seen |= atoms;
    for (uint32_t i = 0; i < model->property_count; i++) {
        const struct property *property = &model->properties[i];
        const bool holds = literals_hold(&property->p, atoms);
        if ((property->kind == PROPERTY_INVARIANT && !holds) ||
            (property->kind == PROPERTY_REACHABLE && holds))
            lossy_hit(lossy, i, (uint64_t)lossy->expanding, 0);
    }
}

static void look_for_deadlock(struct lossy *lossy, uint64_t atoms)
{
    const struct model *model = lossy->search->model;
    lossy->search->result->statistics.rest_states++;
    for (uint32_t i = 0; i < model->property_count; i++) {
        if (model->properties[i].kind == PROPERTY_DEADLOCK_FREE && (atoms & model->end_atoms) == 0)
            lossy_hit(lossy, i, (uint64_t)lossy->expanding, 0);
    }
}

static void expand_state(struct lossy *lossy, const uint32_t *words, uint32_t length)
{
    struct search *search = lossy->search;
    const struct model *model = search->model;
    if (lossy->expanding % NOTES_EVERY == 0 && !take_note(lossy))
        return;
    const uint64_t atoms = search_atoms(search, lossy->scratch, words, length);
    look_at_state(lossy, atoms);
    lossy->step = 0;
    model->expand(model, lossy->scratch, words, length, &lossy->sink);
    if (lossy->step == 0)
        look_for_deadlock(lossy, atoms);
    log_number(lossy, 0);
    search->result->statistics.states_expanded++;
}

static void tell_progress(struct lossy *lossy, uint64_t frontier)
{
    struct explore_progress progress = {
        .states = lossy->found,
        .transitions = lossy->search->result->statistics.transitions,
        .frontier = frontier,
        .depth = lossy->depth,
        .memory_bytes = atomic_load(&lossy->search->memory->used_bytes),
    };
    limits_progress(&lossy->search->limits, &progress);
}

static void expand_level(struct lossy *lossy)
{
    struct search *search = lossy->search;
    const struct queue level = lossy->next;
    lossy->next = (struct queue){.words = lossy->now.words};
    lossy->now = level;
    const uint32_t *at = level.words.base;
    for (uint64_t i = 0; i < level.count && !search_ending(search); i++) {
        lossy->expanding++;
        expand_state(lossy, at + 1, at[0]);
        at += at[0] + 1;
        if (limit_tick(&lossy->watch) && limits_check(&search->limits, &lossy->watch))
            tell_progress(lossy, level.count - i);
    }
}

/* The chain of steps from an initial state to `target`, last first. */
static bool trace_back(struct lossy *lossy, uint64_t target, struct trail *back)
{
    const struct lossy_note *notes = lossy->notes.base;
    for (;;) {
        uint64_t low = 0, high = lossy->note_count; /* the last note with found <= target */
        while (high - low > 1) {
            const uint64_t middle = low + (high - low) / 2;
            if (notes[middle].found <= target)
                low = middle;
            else
                high = middle;
        }
        const uint8_t *at = (const uint8_t *)lossy->log.base + notes[low].place;
        int64_t parent = notes[low].expanding;
        uint64_t child = notes[low].found;
        uint32_t number;
        while ((number = read_number(&at)) == 0 || child++ != target)
            parent += number == 0;
        if (!trail_push(back, number - 1, PAIR_SET_NONE))
            return false;
        if (parent < 0)
            return true;
        target = (uint64_t)parent;
    }
}

static bool make_trail(struct lossy *lossy, uint32_t index, struct trail *trail)
{
    const struct property *property = &lossy->search->model->properties[index];
    struct trail back;
    trail_init(&back, lossy->search->memory);
    bool done = trail_push(&back, 0, PAIR_SET_NONE) &&
                trace_back(lossy, lossy->targets[index], &back) &&
                trail_push(trail, 0, PAIR_SET_NONE);
    if (done)
        trail->initial_index = back.steps[back.count - 1];
    for (uint32_t i = back.count; done && i-- > 1;)
        done = trail_push(trail, back.steps[i - 1], PAIR_SET_NONE);
    if (done && property->kind == PROPERTY_STEP_INVARIANT)
        done = trail_push(trail, lossy->bad_steps[index], PAIR_SET_NONE);
    trail_release(&back);
    return done;
}

static void explain(struct lossy *lossy, uint32_t index)
{
    struct search *search = lossy->search;
    struct property_result *result = &search->result->properties[index];
    struct trail trail;
    trail_init(&trail, search->memory);
    search->properties[index].decided = true;
    result->has_path = make_trail(lossy, index, &trail) &&
                       replay_trail(search, result->property, &trail, &result->path);
    trail_release(&trail);
    result->reason = result->has_path ? EXPLORE_DECIDED : EXPLORE_MEMORY;
    if (result->has_path)
        result->verdict =
            result->property->kind == PROPERTY_REACHABLE ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

static void gather_hits(struct lossy *lossy)
{
    struct search *search = lossy->search;
    bool all = search->result->property_count > 0, violated = false;
    for (uint32_t i = 0; i < search->result->property_count; i++) {
        if (!search->properties[i].decided && atomic_load(&search->properties[i].hit))
            explain(lossy, i);
        all = all && search->properties[i].decided;
        violated = violated || search->result->properties[i].verdict == VERDICT_VIOLATED;
    }
    if (all || (violated && !search->options->all))
        limits_end(&search->limits, EXPLORE_STOPPED);
}

static void lossy_search(struct lossy *lossy)
{
    struct search *search = lossy->search;
    const struct model *model = search->model;
    lossy->expanding = -1;
    if (!take_note(lossy))
        return;
    model->initial(model, lossy->scratch, &lossy->sink);
    log_number(lossy, 0);
    search->result->statistics.initial_states = lossy->found;
    while (!search_ending(search) && lossy->next.count > 0) {
        if (lossy->depth > search->options->depth_most) {
            limits_end(&search->limits, EXPLORE_DEPTH);
            break;
        }
        search->result->statistics.depth = lossy->depth++;
        expand_level(lossy);
        gather_hits(lossy);
    }
    search->result->complete = !search_ending(search);
}

static void settle(struct lossy *lossy)
{
    struct search *search = lossy->search;
    struct exploration *result = search->result;
    result->omission_probability = fingerprints_omission(&lossy->seen);
    result->statistics.states = lossy->found;
    result->statistics.store_bytes = lossy->seen.region.bytes + lossy->log.bytes +
                                     lossy->notes.bytes + lossy->now.words.bytes +
                                     lossy->next.words.bytes;
    for (uint32_t i = 0; i < result->property_count; i++) {
        struct property_result *property = &result->properties[i];
        if (search->properties[i].decided)
            continue;
        if (!result->complete)
            property->reason = limits_reason(&search->limits);
        else if (property->property->kind == PROPERTY_REACHABLE)
            property->reason = EXPLORE_OMISSION;
        else
            property->verdict = VERDICT_HOLDS_PROBABLY;
    }
}

static uint64_t field_bytes(const struct search *search)
{
    if (search->options->bitstate_bytes > 0)
        return (search->options->bitstate_bytes + 7) / 8 * 8;
    const uint64_t used = atomic_load(&search->memory->used_bytes);
    const uint64_t left = search->memory->limit_bytes - used;
    const uint64_t most = UINT64_C(1) << 30;
    return (left / 2 < most ? left / 2 : most) / 8 * 8;
}

static bool lossy_init(struct lossy *lossy)
{
    struct search *search = lossy->search;
    const struct model *model = search->model;
    struct memory *memory = search->memory;
    const size_t count = (size_t)model->property_count + 1;
    region_init(&lossy->now.words, memory);
    region_init(&lossy->next.words, memory);
    region_init(&lossy->log, memory);
    region_init(&lossy->notes, memory);
    region_init(&lossy->seen.region, memory);
    lossy->watch.tells_progress = true;
    lossy->targets = memory_try_allocate_zeroed(memory, count * sizeof(uint64_t));
    lossy->bad_steps = memory_try_allocate_zeroed(memory, count * sizeof(uint32_t));
    if (!lossy->targets || !lossy->bad_steps)
        return false;
    if (model->worker_create) {
        lossy->scratch = model->worker_create(model, memory);
        if (!lossy->scratch)
            return false;
    }
    if (search->options->mode == EXPLORE_HASH_COMPACT)
        return fingerprints_init_compact(&lossy->seen, memory);
    const uint32_t hashes = search->options->bitstate_hashes;
    return fingerprints_init_bits(&lossy->seen, memory, field_bytes(search),
                                  hashes == 0 ? 3 : hashes);
}

static void lossy_release(struct lossy *lossy)
{
    struct memory *memory = lossy->search->memory;
    const struct model *model = lossy->search->model;
    const size_t count = (size_t)model->property_count + 1;
    if (lossy->scratch && model->worker_free)
        model->worker_free(model, memory, lossy->scratch);
    memory_release(memory, lossy->targets, count * sizeof(uint64_t));
    memory_release(memory, lossy->bad_steps, count * sizeof(uint32_t));
    fingerprints_release(&lossy->seen);
    region_release(&lossy->now.words);
    region_release(&lossy->next.words);
    region_release(&lossy->log);
    region_release(&lossy->notes);
}

void lossy_run(struct search *search)
{
    struct lossy lossy = {.sink = {lossy_emit, lossy_enable}, .search = search};
    const int64_t started = clock_now_ns();
    assert(search->options->mode != EXPLORE_EXACT);
    if (lossy_init(&lossy))
        lossy_search(&lossy);
    else
        limits_end(&search->limits, EXPLORE_MEMORY);
    search->result->statistics.search_seconds = (double)(clock_now_ns() - started) / 1e9;
    settle(&lossy);
    lossy_release(&lossy);
}
