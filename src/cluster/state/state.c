/* SPDX-License-Identifier: Apache-2.0 */
/* Packing and unpacking states, and the small changes that steps are made of. */
#include "cluster/state/state.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"

#include <assert.h>
#include <string.h>

/* The next of the arrays behind a state; all are of words of 32 bits. */
static void *take(char **next, size_t count, size_t item_bytes)
{
    void *array = *next;
    *next += count * item_bytes;
    return array;
}

/* A state and its arrays are one block, so that one memcpy copies all but the
 * nodes, which may have been moved for want of room. */
static void place_arrays(const struct population *population, struct state *state,
                         uint32_t node_capacity)
{
    char *next = (char *)(state + 1);
    const uint32_t clock_waves = population->clock ? population->clock->wave_count : 0;
    const uint32_t clock_crons = population->clock ? population->clock->cron_count : 0;
    state->replicas = take(&next, population->workloads.count, sizeof(*state->replicas));
    state->present = take(&next, population->workloads.count, sizeof(*state->present));
    state->statuses = take(&next, population->workloads.count, sizeof(*state->statuses));
    state->sets = take(&next, population->revisions.count, sizeof(*state->sets));
    state->pending = take(&next, population->revisions.count, sizeof(*state->pending));
    state->event_used = take(&next, population->events.count, sizeof(*state->event_used));
    state->loads = take(&next, population->load_count, sizeof(*state->loads));
    state->notes = take(&next, population->note_count, sizeof(*state->notes));
    state->monitors = take(&next, population->monitor_count, sizeof(*state->monitors));
    state->clocks.sync_left =
        take(&next, population->word_of_nodes - population->word_of_clocks, sizeof(uint32_t));
    state->clocks.memory = state->clocks.sync_left + population->autoscalers.count;
    state->clocks.wave_left = state->clocks.memory + population->autoscalers.count;
    state->clocks.crons = (struct cron_state *)(void *)(state->clocks.wave_left + clock_waves);
    state->clocks.jobs = (struct job_clock *)(void *)(state->clocks.crons + clock_crons);
    state->nodes = take(&next, node_capacity, sizeof(*state->nodes));
    state->node_capacity = node_capacity;
}

/* All zero but its nodes. */
static struct state *make_state(const struct population *population, struct arena *arena,
                                uint32_t node_capacity)
{
    const size_t bytes = sizeof(struct state) + population->array_bytes;
    struct state *state =
        arena_allocate_raw(arena, bytes + node_capacity * sizeof(*state->nodes), 16);
    memset(state, 0, bytes);
    place_arrays(population, state, node_capacity);
    return state;
}

struct state *state_new(const struct population *population, struct arena *arena,
                        uint32_t node_capacity)
{
    struct state *state = make_state(population, arena, node_capacity);
    memset(state->nodes, 0, node_capacity * sizeof(*state->nodes));
    return state;
}

struct state *state_copy(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    const uint32_t node_capacity = state->node_count + 8;
    const size_t bytes = sizeof(*state) + population->array_bytes;
    struct state *copy =
        arena_allocate_raw(&worker->scratch, bytes + node_capacity * sizeof(*copy->nodes), 16);
    memcpy(copy, state, bytes);
    place_arrays(population, copy, node_capacity);
    memcpy(copy->nodes, state->nodes, state->node_count * sizeof(*copy->nodes));
    copy->tally = NULL;
    return copy;
}

/* The count of failures may be negative for a while (step_jobs.c). */
enum { FAILED_BIAS = 1 << 15 };

void status_unpack(const uint32_t *words, struct workload_status *status)
{
    status->current = words[0] & 0xff;
    status->spec = words[0] >> 8 & 0xff;
    status->over = (enum job_end)(words[0] >> 16 & 0xff);
    status->doomed = words[0] >> 24 & 1;
    status->leaves = words[0] >> 25 & 1;
    status->succeeded = (int32_t)(words[1] & 0xffff);
    status->failed = (int32_t)(words[1] >> 16) - FAILED_BIAS;
}

void status_pack(const struct workload_status *status, uint32_t *words)
{
    words[0] = status->current | status->spec << 8 | (uint32_t)status->over << 16 |
               (uint32_t)status->doomed << 24 | (uint32_t)status->leaves << 25;
    words[1] = (uint32_t)status->succeeded | (uint32_t)(status->failed + FAILED_BIAS) << 16;
}

static void unpack_status(const struct workload *workload, const uint32_t *words,
                          struct workload_status *status)
{
    if (workload->status_word == UINT32_MAX)
        return;
    const uint32_t packed[STATUS_WORDS] = {
        words[workload->status_word],
        workload->kind == OBJECT_JOB ? words[workload->status_word + 1]
                                     : (uint32_t)FAILED_BIAS << 16,
    };
    status_unpack(packed, status);
}

static void pack_status(const struct workload *workload, const struct workload_status *status,
                        uint32_t *words)
{
    uint32_t packed[STATUS_WORDS];
    if (workload->status_word == UINT32_MAX)
        return;
    status_pack(status, packed);
    words[workload->status_word] = packed[0];
    if (workload->kind == OBJECT_JOB)
        words[workload->status_word + 1] = packed[1];
}

/* Nodes whose object is gone come last, so that views can leave them out. */
static void list_first(struct worker *worker, struct state *state)
{
    for (uint32_t n = state->node_count; n-- > 0;) {
        if (condition_is_listed(config_condition(worker, state->nodes[n].config)))
            continue;
        const struct view_node gone = state->nodes[n];
        memmove(&state->nodes[n], &state->nodes[n + 1], (state->node_count - n - 1) * sizeof(gone));
        state->nodes[state->node_count - 1] = gone;
        state->listed_count--;
    }
}

/* Two numbers that are half a word each, or a word each if the model is wide. */
struct pair {
    uint32_t first;
    uint32_t second;
};

static struct pair unpack_pair(const struct population *population, const uint32_t *words)
{
    return population->wide ? (struct pair){words[0], words[1]}
                            : (struct pair){words[0] & 0xffff, words[0] >> 16};
}

static void pack_pair(const struct population *population, struct pair pair, uint32_t *words)
{
    words[0] = population->wide ? pair.first : pair.first | pair.second << 16;
    if (population->wide)
        words[1] = pair.second;
}

/* The pair of the workload begins at this word. */
static uint32_t workload_word(const struct population *population, uint32_t workload)
{
    return population->wide ? 2 * workload : workload;
}

static struct state *unpack(struct worker *worker, struct arena *arena,
                            const uint32_t *restrict words, uint32_t length)
{
    const struct population *population = worker->population;
    assert(length >= population->word_of_nodes);
    const uint32_t node_count = length - population->word_of_nodes;
    struct state *state = make_state(population, arena, node_count + 8);
    for (uint32_t w = population->managed_count; w < population->workloads.count; w++) {
        state->replicas[w] = population->workloads.items[w].replicas;
        state->present[w] = population->workloads.items[w].first_revision;
    }
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const struct pair pair = unpack_pair(population, words + workload_word(population, w));
        state->replicas[w] = (int32_t)pair.first;
        state->present[w] = pair.second;
        unpack_status(&population->workloads.items[w], words, &state->statuses[w]);
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        const struct pair set = revision->set_word > 0
                                    ? unpack_pair(population, words + revision->set_word)
                                    : (struct pair){0, 0};
        state->sets[r] = (struct set_state){(int32_t)set.first - 1, (int32_t)set.second};
        state->pending[r] =
            words[revision->pending_word] >> revision->pending_shift & revision->pending_mask;
    }
    /* Loads and notes lie behind it, in a state and in words. What is read again and again is
     * copied, because the compiler cannot know that it stays as it is. */
    const uint32_t word_of_events = population->word_of_events;
    const uint32_t word_of_flags = population->word_of_flags;
    uint32_t *event_used = state->event_used;
    for (uint32_t e = word_of_events; e < word_of_flags; e++)
        event_used[e - word_of_events] = words[e];
    const uint32_t flags = words[word_of_flags];
    state->settled_once = flags & 1;
    state->begun = !population->starts_settled || (flags >> 1 & 1);
    state->bound = flags >> 2 & 1;
    state->anywhere = flags >> 3 & 1;
    state->early = flags >> 4 & 1;
    state->focus = flags >> 5;
    for (uint32_t i = 0; i < population->monitor_count; i++)
        state->monitors[i] = words[population->word_of_monitors + i];
    const uint32_t *node_words = words + population->word_of_nodes;
    const uint32_t count_bits = population->count_bits;
    struct view_node *nodes = state->nodes;
    for (uint32_t n = 0; n < node_count; n++)
        nodes[n] = (struct view_node){node_words[n] >> count_bits,
                                      node_words[n] & ((1U << count_bits) - 1)};
    state->node_count = node_count;
    state->listed_count = node_count;
    if (worker->catalog->node_reads)
        node_reads_state(worker->catalog->node_reads, state->nodes, node_count);
    if (population->deletes || population->autoscaling)
        list_first(worker, state);
    if (population->clock)
        clocks_unpack(worker, words + population->word_of_clocks, state);
    return state;
}

struct state *state_unpack(struct worker *worker, const uint32_t *words, uint32_t length)
{
    struct state *state = unpack(worker, &worker->scratch, words, length);
    state_keep_tally(worker, state);
    return state;
}

struct state *state_keep(struct worker *worker, const uint32_t *words, uint32_t length)
{
    return unpack(worker, &worker->arena, words, length);
}

/* Sorted by what the configs are, equal ones added up, empty entries dropped. So
 * many at the beginning are sorted already, and all different. */
static void normalise_nodes(const struct catalog *catalog, struct state *state, uint32_t sorted)
{
    struct view_node *nodes = state->nodes;
    uint32_t as_before = sorted; /* so many at the beginning have nothing new among them */
    for (uint32_t i = sorted > 0 ? sorted : 1; i < state->node_count; i++) {
        const struct view_node entry = nodes[i];
        uint32_t at = i;
        for (; at > 0 && catalog_config_before(catalog, entry.config, nodes[at - 1].config); at--)
            nodes[at] = nodes[at - 1];
        if (at < i)
            nodes[at] = entry;
        as_before = at < as_before ? at : as_before;
    }
    uint32_t kept = 0;
    while (kept < as_before && nodes[kept].count > 0)
        kept++;
    for (uint32_t i = kept; i < state->node_count; i++) {
        if (nodes[i].count == 0)
            continue;
        if (kept > 0 && nodes[kept - 1].config == nodes[i].config)
            nodes[kept - 1].count += nodes[i].count;
        else
            nodes[kept++] = nodes[i];
    }
    state->node_count = kept;
    if (catalog->node_reads)
        node_reads_state(catalog->node_reads, nodes, kept);
}

static int32_t replicas_most(const struct population *population)
{
    return population->wide ? REPLICAS_MOST : REPLICAS_NARROW;
}

/* False: a number does not fit into its word. */
static bool pack_workload(const struct population *population, const struct state *state,
                          uint32_t number, uint32_t *restrict words)
{
    const struct workload_status *status = &state->statuses[number];
    const int32_t replicas = state->replicas[number];
    if (replicas < 0 || replicas > replicas_most(population) ||
        status->succeeded > REPLICAS_NARROW || status->failed < -FAILED_BIAS ||
        status->failed >= FAILED_BIAS)
        return false;
    pack_pair(population, (struct pair){(uint32_t)replicas, state->present[number]},
              words + workload_word(population, number));
    pack_status(&population->workloads.items[number], status, words);
    return true;
}

/* Likewise; pods with an identity share a word. */
static bool pack_revision(const struct population *population, const struct state *state,
                          uint32_t number, uint32_t *restrict words)
{
    const struct revision *revision = &population->revisions.items[number];
    const struct set_state *set = &state->sets[number];
    const int32_t most = replicas_most(population);
    if (set->replicas > most || set->desired > most ||
        state->pending[number] > revision->pending_mask)
        return false;
    if (revision->set_word > 0)
        pack_pair(population, (struct pair){(uint32_t)(set->replicas + 1), (uint32_t)set->desired},
                  words + revision->set_word);
    if (revision->pending_mask == 0)
        return true;
    uint32_t *word = &words[revision->pending_word];
    *word = (*word & ~(revision->pending_mask << revision->pending_shift)) |
            state->pending[number] << revision->pending_shift;
    return true;
}

static uint32_t pack_flags(const struct population *population, const struct state *state)
{
    return state->settled_once | (uint32_t)(population->starts_settled && state->begun) << 1 |
           (uint32_t)state->bound << 2 | (uint32_t)state->anywhere << 3 |
           (uint32_t)state->early << 4 | state->focus << 5;
}

/* What comes behind the pods: events, loads, notes, flags and monitors. */
static void pack_rest_of_head(const struct population *population, const struct state *state,
                              uint32_t *restrict words)
{
    /* Loads and notes lie behind it, in a state and in words. */
    for (uint32_t e = population->word_of_events; e < population->word_of_flags; e++)
        words[e] = state->event_used[e - population->word_of_events];
    words[population->word_of_flags] = pack_flags(population, state);
    for (uint32_t i = 0; i < population->monitor_count; i++)
        words[population->word_of_monitors + i] = state->monitors[i];
}

/* All but clocks and nodes. */
static bool pack_head(const struct population *population, const struct state *state,
                      uint32_t *restrict words)
{
    memset(words, 0, population->word_of_clocks * sizeof(*words));
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (!pack_workload(population, state, w, words))
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (!pack_revision(population, state, r, words))
            return false;
    pack_rest_of_head(population, state, words);
    return true;
}

/* Most steps change one workload: so many are compared at once. */
enum { COMPARED_AT_ONCE = 16 };

/* What its controller remembers is not compared: few workloads have that. */
static bool workload_differs(const struct workload *workload, const struct state *left,
                             const struct state *right, uint32_t number)
{
    return workload->status_word != UINT32_MAX ||
           left->replicas[number] != right->replicas[number] ||
           left->present[number] != right->present[number];
}

static bool same_workloads(const struct state *left, const struct state *right, uint32_t first,
                           uint32_t count)
{
    return memcmp(left->replicas + first, right->replicas + first,
                  count * sizeof(*left->replicas)) == 0 &&
           memcmp(left->present + first, right->present + first, count * sizeof(*left->present)) ==
               0;
}

static bool pack_workloads_after(const struct population *population, const struct state *from,
                                 const struct state *state, uint32_t *restrict words)
{
    const uint32_t count = population->managed_count;
    for (uint32_t first = 0; first < count; first += COMPARED_AT_ONCE) {
        const uint32_t end = lesser(first + COMPARED_AT_ONCE, count);
        if (!population->keeps_statuses && same_workloads(from, state, first, end - first))
            continue;
        for (uint32_t w = first; w < end; w++)
            if (workload_differs(&population->workloads.items[w], from, state, w) &&
                !pack_workload(population, state, w, words))
                return false;
    }
    return true;
}

static bool revision_differs(const struct state *left, const struct state *right, uint32_t number)
{
    return left->sets[number].replicas != right->sets[number].replicas ||
           left->sets[number].desired != right->sets[number].desired ||
           left->pending[number] != right->pending[number];
}

static bool same_revisions(const struct state *left, const struct state *right, uint32_t first,
                           uint32_t count)
{
    return memcmp(left->sets + first, right->sets + first, count * sizeof(*left->sets)) == 0 &&
           memcmp(left->pending + first, right->pending + first, count * sizeof(*left->pending)) ==
               0;
}

static bool pack_revisions_after(const struct population *population, const struct state *from,
                                 const struct state *state, uint32_t *restrict words)
{
    const uint32_t count = population->revisions.count;
    for (uint32_t first = 0; first < count; first += COMPARED_AT_ONCE) {
        const uint32_t end = lesser(first + COMPARED_AT_ONCE, count);
        if (same_revisions(from, state, first, end - first))
            continue;
        for (uint32_t r = first; r < end; r++)
            if (revision_differs(from, state, r) && !pack_revision(population, state, r, words))
                return false;
    }
    return true;
}

/* The same of a state that has most in common with one that is packed. */
static bool pack_head_after(const struct population *population, const struct packed_head *head,
                            const struct state *state, uint32_t *restrict words)
{
    const struct state *from = head->state;
    memcpy(words, head->words, population->word_of_clocks * sizeof(*words));
    /* The arrays of a state lie behind it. */
    if (memcmp(from + 1, state + 1, population->array_bytes) == 0) {
        words[population->word_of_flags] = pack_flags(population, state);
        return true;
    }
    if (!pack_workloads_after(population, from, state, words) ||
        !pack_revisions_after(population, from, state, words))
        return false;
    pack_rest_of_head(population, state, words);
    return true;
}

/* The number of words with the nodes, which are normalised; 0 if they do not fit. */
static uint32_t pack_nodes(const struct population *population, const struct state *state,
                           uint32_t *restrict words)
{
    const uint32_t nodes_most = (1U << population->count_bits) - 1;
    const uint32_t config_most = UINT32_MAX >> population->count_bits;
    const uint32_t length = population->word_of_nodes + state->node_count;
    if (length > WORDS_MOST)
        return 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        if (state->nodes[n].count > nodes_most || state->nodes[n].config > config_most)
            return 0;
        words[population->word_of_nodes + n] = node_pack(population, state->nodes[n]);
    }
    return length;
}

uint32_t state_pack(struct worker *worker, struct state *state, uint32_t *words)
{
    const struct population *population = worker->population;
    if (population->clock && !clocks_pack(worker, state, words + population->word_of_clocks))
        return 0;
    normalise_nodes(worker->catalog, state, 0);
    return pack_head(population, state, words) ? pack_nodes(population, state, words) : 0;
}

bool state_is_packed(struct worker *worker, struct state *state, const uint32_t *words,
                     uint32_t length)
{
    uint32_t plain[WORDS_MOST];
    return state_pack(worker, state, plain) == length &&
           memcmp(plain, words, length * sizeof(*words)) == 0;
}

/* So many nodes at the beginning have the configs of a state as it was unpacked,
 * and so their order. */
static uint32_t sorted_nodes(const struct state *from, const struct state *state)
{
    /* Where some of them are not listed, they come last. */
    if (from->listed_count < from->node_count)
        return 0;
    const uint32_t most = lesser(from->node_count, state->node_count);
    uint32_t same = 0;
    while (same < most && from->nodes[same].config == state->nodes[same].config)
        same++;
    return same;
}

uint32_t *words_room(struct worker *worker)
{
    return arena_allocate_raw(&worker->scratch, WORDS_MOST * sizeof(uint32_t), 16);
}

uint32_t state_pack_after(struct worker *worker, const struct packed_head *head,
                          const struct state *from, struct state *state, uint32_t *words)
{
    const struct population *population = worker->population;
    if (population->clock)
        return state_pack(worker, state, words);
    if (!pack_head_after(population, head, state, words))
        return 0;
    /* Where starts are counted or pods are pooled, `from` may be one of many placements of them
     * (starts.h, pool.h). */
    const bool placed = population->counts_starts || population->pools;
    normalise_nodes(worker->catalog, state, placed ? 0 : sorted_nodes(from, state));
    const uint32_t length = pack_nodes(population, state, words);
    assert(state_is_packed(worker, state, words, length));
    return length;
}

void state_move_node(struct worker *worker, struct state *state, uint32_t index, uint32_t config)
{
    assert(state->nodes[index].count > 0);
    if (state->node_count == state->node_capacity) {
        struct view_node *nodes =
            ARENA_ARRAY(&worker->scratch, struct view_node, (size_t)state->node_capacity * 2);
        memcpy(nodes, state->nodes, state->node_count * sizeof(*nodes));
        state->nodes = nodes;
        state->node_capacity *= 2;
    }
    state->nodes[index].count--;
    state->nodes[state->node_count++] = (struct view_node){config, 1};
}

uint32_t state_change_pods(struct worker *worker, struct state *state,
                           uint32_t (*change)(const struct pod_walk *pods, const void *context),
                           const void *context)
{
    uint32_t total = 0;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);) {
        uint32_t *config = &state->nodes[pods.entry].config;
        const uint32_t to = change(&pods, context);
        for (uint32_t i = 0; to != VIEW_NONE && i < pods.count; i++)
            *config = config_replace(worker, *config, pods.class, to);
        total += to == VIEW_NONE ? 0 : pods.count * pods.nodes;
    }
    return total;
}
