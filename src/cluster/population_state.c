/* SPDX-License-Identifier: Apache-2.0 */
/* Packing and unpacking states, and the small changes that steps are made of. */
#include "cluster/clock.h"

#include <assert.h>
#include <string.h>

/* So many bytes do the arrays of a state take, but for its nodes. */
static size_t array_bytes(const struct population *population)
{
    return population->workloads.count *
               (sizeof(int32_t) + sizeof(uint32_t) + sizeof(struct workload_status)) +
           population->revisions.count * (sizeof(struct set_state) + sizeof(uint32_t)) +
           ((size_t)population->events.count + population->load_count + population->monitor_count) *
               sizeof(uint32_t);
}

/* The next of the arrays behind a state; all are of words of 32 bits. */
static void *take(char **next, size_t count, size_t item_bytes)
{
    void *array = *next;
    *next += count * item_bytes;
    return array;
}

/* A state and its arrays are one block, so that one memcpy copies all but the
 * nodes, which may have been moved for want of room. */
static void place_arrays(const struct population *population, struct population_state *state,
                         uint32_t node_capacity)
{
    char *next = (char *)(state + 1);
    state->replicas = take(&next, population->workloads.count, sizeof(*state->replicas));
    state->present = take(&next, population->workloads.count, sizeof(*state->present));
    state->statuses = take(&next, population->workloads.count, sizeof(*state->statuses));
    state->sets = take(&next, population->revisions.count, sizeof(*state->sets));
    state->pending = take(&next, population->revisions.count, sizeof(*state->pending));
    state->event_used = take(&next, population->events.count, sizeof(*state->event_used));
    state->loads = take(&next, population->load_count, sizeof(*state->loads));
    state->monitors = take(&next, population->monitor_count, sizeof(*state->monitors));
    state->nodes = take(&next, node_capacity, sizeof(*state->nodes));
    state->node_capacity = node_capacity;
}

struct population_state *state_new(const struct population *population, struct arena *arena,
                                   uint32_t node_capacity)
{
    struct population_state *state = arena_allocate(
        arena, sizeof(*state) + array_bytes(population) + node_capacity * sizeof(*state->nodes));
    place_arrays(population, state, node_capacity);
    if (population->clock)
        clocks_allocate(population, arena, state);
    return state;
}

struct population_state *state_copy(struct population *population,
                                    const struct population_state *state)
{
    const uint32_t node_capacity = state->node_count + 8;
    const size_t bytes = sizeof(*state) + array_bytes(population);
    struct population_state *copy =
        arena_allocate_raw(&population->scratch, bytes + node_capacity * sizeof(*copy->nodes), 16);
    memcpy(copy, state, bytes);
    place_arrays(population, copy, node_capacity);
    memcpy(copy->nodes, state->nodes, state->node_count * sizeof(*copy->nodes));
    copy->tally = NULL;
    if (population->clock) {
        clocks_allocate(population, &population->scratch, copy);
        clocks_copy(population, state, copy);
    }
    return copy;
}

/* The count of failures may be negative for a while (step_jobs.c). */
enum { FAILED_BIAS = 1 << 15 };

void status_unpack(const uint32_t *words, struct workload_status *status)
{
    status->current = words[0] & 0xff;
    status->spec = words[0] >> 8 & 0xff;
    status->over = (enum job_end)(words[0] >> 16 & 0xff);
    status->succeeded = (int32_t)(words[1] & 0xffff);
    status->failed = (int32_t)(words[1] >> 16) - FAILED_BIAS;
}

void status_pack(const struct workload_status *status, uint32_t *words)
{
    words[0] = status->current | status->spec << 8 | (uint32_t)status->over << 16;
    words[1] = (uint32_t)status->succeeded | (uint32_t)(status->failed + FAILED_BIAS) << 16;
}

static void unpack_status(const struct workload *workload, const uint32_t *words,
                          struct workload_status *status)
{
    uint32_t packed[STATUS_WORDS];
    if (workload->status_word == UINT32_MAX)
        return;
    status_pack(&(struct workload_status){0}, packed);
    packed[0] = words[workload->status_word];
    if (workload->kind == OBJECT_JOB)
        packed[1] = words[workload->status_word + 1];
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

static struct pod_tally *tally_new(struct population *population)
{
    const size_t count = population->revisions.count;
    struct pod_tally *tally = arena_allocate_raw(
        &population->scratch, sizeof(*tally) + count * sizeof(tally->by_revision[0]), 16);
    tally->counted = false;
    return tally;
}

/* Nodes whose object is gone come last, so that views can leave them out. */
static void list_first(const struct population *population, struct population_state *state)
{
    for (uint32_t n = state->node_count; n-- > 0;) {
        const enum node_condition condition = config_condition(population, state->nodes[n].config);
        if (condition != NODE_GONE && condition != NODE_GONE_AWHILE)
            continue;
        const struct view_node gone = state->nodes[n];
        memmove(&state->nodes[n], &state->nodes[n + 1], (state->node_count - n - 1) * sizeof(gone));
        state->nodes[state->node_count - 1] = gone;
        state->listed_count--;
    }
}

static struct set_state unpack_set(const struct population *population,
                                   const struct revision *revision, const uint32_t *words)
{
    if (revision->set_word == 0)
        return (struct set_state){-1, 0};
    const uint32_t *packed = words + revision->set_word;
    return population->wide
               ? (struct set_state){(int32_t)packed[0] - 1, (int32_t)packed[1]}
               : (struct set_state){(int32_t)(*packed & 0xffff) - 1, (int32_t)(*packed >> 16)};
}

static struct population_state *unpack(struct population *population, struct arena *arena,
                                       const uint32_t *words, uint32_t length)
{
    assert(length >= population->word_of_nodes);
    const uint32_t node_count = length - population->word_of_nodes;
    struct population_state *state = state_new(population, arena, node_count + 8);
    for (uint32_t w = population->managed_count; w < population->workloads.count; w++) {
        state->replicas[w] = population->workloads.items[w].replicas;
        state->present[w] = population->workloads.items[w].first_revision;
    }
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const uint32_t *packed = words + population->word_of_workloads;
        state->replicas[w] =
            (int32_t)(population->wide ? packed[2 * (size_t)w] : packed[w] & 0xffff);
        state->present[w] = population->wide ? packed[2 * (size_t)w + 1] : packed[w] >> 16;
        unpack_status(&population->workloads.items[w], words, &state->statuses[w]);
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        state->sets[r] = unpack_set(population, revision, words);
        state->pending[r] =
            words[revision->pending_word] >> revision->pending_shift & revision->pending_mask;
    }
    for (uint32_t e = 0; e < population->events.count; e++)
        state->event_used[e] = words[population->word_of_events + e];
    for (uint32_t l = 0; l < population->load_count; l++)
        state->loads[l] = words[population->word_of_loads + l];
    state->settled_once = words[population->word_of_flags] & 1;
    state->begun = !population->starts_settled || (words[population->word_of_flags] >> 1 & 1);
    state->bound = words[population->word_of_flags] >> 2 & 1;
    state->anywhere = words[population->word_of_flags] >> 3 & 1;
    state->focus = words[population->word_of_flags] >> 4;
    for (uint32_t i = 0; i < population->monitor_count; i++)
        state->monitors[i] = words[population->word_of_monitors + i];
    for (uint32_t n = 0; n < node_count; n++) {
        state->nodes[n] = node_unpack(population, words[population->word_of_nodes + n]);
    }
    state->node_count = node_count;
    state->listed_count = node_count;
    if (population->deletes)
        list_first(population, state);
    if (population->clock)
        clocks_unpack(population, words + population->word_of_clocks, state);
    return state;
}

struct population_state *state_unpack(struct population *population, const uint32_t *words,
                                      uint32_t length)
{
    struct population_state *state = unpack(population, &population->scratch, words, length);
    state->tally = tally_new(population);
    return state;
}

const struct population_state *state_keep(struct population *population, const uint32_t *words,
                                          uint32_t length)
{
    return unpack(population, &population->arena, words, length);
}

/* Sorted by what the configs are, equal ones added up, empty entries dropped. So
 * many at the beginning are sorted already. */
static void normalise_nodes(const struct catalog *catalog, struct population_state *state,
                            uint32_t sorted)
{
    struct view_node *nodes = state->nodes;
    for (uint32_t i = sorted > 0 ? sorted : 1; i < state->node_count; i++) {
        const struct view_node entry = nodes[i];
        uint32_t at = i;
        for (; at > 0 && catalog_config_before(catalog, entry.config, nodes[at - 1].config); at--)
            nodes[at] = nodes[at - 1];
        if (at < i)
            nodes[at] = entry;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->node_count; i++) {
        if (nodes[i].count == 0)
            continue;
        if (kept > 0 && nodes[kept - 1].config == nodes[i].config)
            nodes[kept - 1].count += nodes[i].count;
        else
            nodes[kept++] = nodes[i];
    }
    state->node_count = kept;
}

/* Do the numbers of workloads and their pods fit into their words? */
static bool head_fits(const struct population *population, const struct population_state *state)
{
    const int32_t most = population->wide ? REPLICAS_MOST : REPLICAS_NARROW;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (state->replicas[w] < 0 || state->replicas[w] > most ||
            state->statuses[w].succeeded > REPLICAS_NARROW ||
            state->statuses[w].failed < -FAILED_BIAS || state->statuses[w].failed >= FAILED_BIAS)
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->sets[r].replicas > most || state->sets[r].desired > most ||
            state->pending[r] > population->revisions.items[r].pending_mask)
            return false;
    return true;
}

static void pack_workload(const struct population *population, const struct population_state *state,
                          uint32_t workload, uint32_t *words)
{
    const uint32_t replicas = (uint32_t)state->replicas[workload];
    if (population->wide) {
        words[2 * (size_t)workload] = replicas;
        words[2 * (size_t)workload + 1] = state->present[workload];
    } else {
        words[workload] = replicas | state->present[workload] << 16;
    }
}

static void pack_set(const struct population *population, const struct set_state *set,
                     uint32_t *words)
{
    words[0] = (uint32_t)(set->replicas + 1);
    if (population->wide)
        words[1] = (uint32_t)set->desired;
    else
        words[0] |= (uint32_t)set->desired << 16;
}

static uint32_t pack_flags(const struct population *population,
                           const struct population_state *state)
{
    return state->settled_once | (uint32_t)(population->starts_settled && state->begun) << 1 |
           (uint32_t)state->bound << 2 | (uint32_t)state->anywhere << 3 | state->focus << 4;
}

/* All but clocks and nodes. */
static bool pack_head(const struct population *population, const struct population_state *state,
                      uint32_t *words)
{
    if (!head_fits(population, state))
        return false;
    for (uint32_t w = 0; w < population->managed_count; w++) {
        pack_workload(population, state, w, words + population->word_of_workloads);
        pack_status(&population->workloads.items[w], &state->statuses[w], words);
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (revision->set_word > 0)
            pack_set(population, &state->sets[r], words + revision->set_word);
        if (revision->pending_mask == 0)
            continue;
        if (revision->pending_shift == 0)
            words[revision->pending_word] = 0;
        words[revision->pending_word] |= state->pending[r] << revision->pending_shift;
    }
    for (uint32_t e = 0; e < population->events.count; e++)
        words[population->word_of_events + e] = state->event_used[e];
    for (uint32_t l = 0; l < population->load_count; l++)
        words[population->word_of_loads + l] = state->loads[l];
    words[population->word_of_flags] = pack_flags(population, state);
    for (uint32_t i = 0; i < population->monitor_count; i++)
        words[population->word_of_monitors + i] = state->monitors[i];
    return true;
}

/* The number of words with the nodes, which are normalised; 0 if they do not fit. */
static uint32_t pack_nodes(const struct population *population,
                           const struct population_state *state, uint32_t *words)
{
    const uint32_t nodes_most = (1U << population->count_bits) - 1;
    const uint32_t config_most = UINT32_MAX >> population->count_bits;
    const uint32_t length = population->word_of_nodes + state->node_count;
    bool fits = length <= WORDS_MOST;
    for (uint32_t n = 0; fits && n < state->node_count; n++) {
        const struct view_node node = state->nodes[n];
        fits = node.count <= nodes_most && node.config <= config_most;
        words[population->word_of_nodes + n] = node_pack(population, node);
    }
    return fits ? length : 0;
}

uint32_t state_pack(struct population *population, struct population_state *state, uint32_t *words)
{
    if (population->clock && !clocks_pack(population, state, words + population->word_of_clocks))
        return 0;
    normalise_nodes(population->catalog, state, 0);
    if (!pack_head(population, state, words))
        return 0;
    return pack_nodes(population, state, words);
}

/* So many nodes at the beginning have the configs of a state as it was unpacked,
 * and so their order. */
static uint32_t sorted_nodes(const struct population_state *from,
                             const struct population_state *state)
{
    /* Where some of them are not listed, they come last. */
    if (from->listed_count < from->node_count)
        return 0;
    const uint32_t most =
        from->node_count < state->node_count ? from->node_count : state->node_count;
    uint32_t same = 0;
    while (same < most && from->nodes[same].config == state->nodes[same].config)
        same++;
    return same;
}

#ifndef NDEBUG
static bool is_packed(struct population *population, struct population_state *state,
                      const uint32_t *words, uint32_t length)
{
    uint32_t plain[WORDS_MOST];
    return state_pack(population, state, plain) == length &&
           memcmp(plain, words, length * sizeof(*words)) == 0;
}
#endif

uint32_t *head_room(struct population *population)
{
    return arena_allocate_raw(&population->scratch, population->word_of_nodes * sizeof(uint32_t),
                              16);
}

uint32_t state_pack_after(struct population *population, struct packed_head *head,
                          const struct population_state *from, struct population_state *state,
                          uint32_t *words)
{
    const size_t bytes = population->word_of_clocks * sizeof(*words);
    if (population->clock)
        return state_pack(population, state, words);
    if (!head->known)
        head->known = pack_head(population, from, head->words);
    /* The arrays of a state lie behind it. */
    if (head->known && memcmp(from + 1, state + 1, array_bytes(population)) == 0) {
        memcpy(words, head->words, bytes);
        words[population->word_of_flags] = pack_flags(population, state);
    } else if (!pack_head(population, state, words)) {
        return 0;
    }
    normalise_nodes(population->catalog, state, sorted_nodes(from, state));
    const uint32_t length = pack_nodes(population, state, words);
    assert(is_packed(population, state, words, length));
    return length;
}

void state_move_node(struct population *population, struct population_state *state, uint32_t index,
                     uint32_t config)
{
    assert(state->nodes[index].count > 0);
    if (state->node_count == state->node_capacity) {
        struct view_node *nodes =
            ARENA_ARRAY(&population->scratch, struct view_node, (size_t)state->node_capacity * 2);
        memcpy(nodes, state->nodes, state->node_count * sizeof(*nodes));
        state->nodes = nodes;
        state->node_capacity *= 2;
    }
    state->nodes[index].count--;
    state->nodes[state->node_count++] = (struct view_node){config, 1};
}

static uint32_t replace(struct population *population, uint32_t config, uint32_t from, uint32_t to)
{
    const struct node_config *old = population->catalog->configs.items[config];
    const struct arena_mark mark = arena_mark(&population->scratch);
    const uint32_t most = config_entry_count(old) + 1;
    struct pod_count *pods = ARENA_ARRAY(&population->scratch, struct pod_count, 2 * (size_t)most);
    struct pod_count *waiting = pods + most;
    uint32_t pod_count = 0;
    uint32_t waiting_count = 0;
    for (uint32_t i = 0; i < most; i++) {
        struct pod_count entry = i + 1 < most ? old->pods[i] : (struct pod_count){to, 1};
        if (i + 1 < most && entry.pod == from)
            entry.count--;
        if (entry.count == 0 || entry.pod == VIEW_NONE)
            continue;
        if (population->classes.items[entry.pod].stage == STAGE_WAITING)
            waiting[waiting_count++] = entry;
        else
            pods[pod_count++] = entry;
    }
    const uint32_t result = catalog_intern_config_waiting(
        population->catalog, old->template->id, pods, pod_count, old->nominated,
        old->nominated_entry_count, waiting, waiting_count);
    arena_rewind(&population->scratch, mark);
    return result;
}

uint32_t config_replace(struct population *population, uint32_t config, uint32_t from, uint32_t to)
{
    uint32_t result;
    if (!config_change_known(population, config, from, to, &result)) {
        result = replace(population, config, from, to);
        config_change_remember(population, config, from, to, result);
    }
    return result;
}

uint32_t config_on(struct population *population, uint32_t number, uint32_t template)
{
    const struct node_config *config = population->catalog->configs.items[number];
    return catalog_intern_config_waiting(
        population->catalog, template, config->pods, config->pod_entry_count, config->nominated,
        config->nominated_entry_count, config->waiting, config->waiting_entry_count);
}

uint32_t config_as_target(struct population *population, uint32_t config)
{
    const struct node_config *old = population->catalog->configs.items[config];
    const struct template_info *info = &population->templates.items[old->template->id];
    return config_on(population, config, info->target);
}

uint32_t config_with_condition(struct population *population, uint32_t config,
                               enum node_condition condition)
{
    const struct node_config *old = population->catalog->configs.items[config];
    const struct template_info *info = &population->templates.items[old->template->id];
    const struct node_kind *kind = &population->node_kinds.items[info->node];
    const bool timed = population->clock && population->clock->nodes[condition].count > 0;
    /* Otherwise no event has said that it brings the condition about (event/event.h). */
    assert(condition == NODE_UP || kind->templates[condition] != 0);
    return config_on(population, config,
                     timed ? kind->timed[condition] : kind->templates[condition]);
}

bool revision_has_set(const struct population *population, uint32_t revision)
{
    const struct workload *workload =
        &population->workloads.items[population->revisions.items[revision].workload];
    return workload->deployment || workload->is_set;
}

void state_set_replicas(const struct population *population, struct population_state *state,
                        uint32_t workload, int32_t replicas)
{
    state->replicas[workload] = replicas;
    if (population->workloads.items[workload].is_set)
        state->sets[population->workloads.items[workload].first_revision].replicas = replicas;
}

uint32_t class_at(const struct population *population, uint32_t revision, enum pod_stage stage,
                  uint32_t level)
{
    const struct revision *of = &population->revisions.items[revision];
    return of->classes[stage * population->workloads.items[of->workload].level_count + level];
}

uint32_t class_of_new(const struct population *population, uint32_t revision)
{
    const uint32_t workload = population->revisions.items[revision].workload;
    const enum pod_stage stage = population->needs_readiness ? STAGE_STARTING : STAGE_READY;
    const uint32_t level = population->workloads.items[workload].first_level;
    if (!population->clock || !population->clock->has_cohorts)
        return class_at(population, revision, stage, level);
    return class_in_slot((struct population *)(uintptr_t)population, revision, stage, level,
                         SLOT_NEW);
}

const struct object *state_spec(const struct population *population,
                                const struct population_state *state, uint32_t workload)
{
    return population->workloads.items[workload].specs.items[state->statuses[workload].spec];
}

enum pods_counted { PODS_ACTIVE, PODS_READY, PODS_TERMINATING };

/* Of one kind (`workload` UINT32_MAX), or of one workload. */
static uint32_t count_pods(const struct population *population,
                           const struct population_state *state, uint32_t revision,
                           uint32_t workload, enum pods_counted counted)
{
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(population, state->nodes[n].config);
        for (uint32_t p = 0; p < facts->pod_count; p++) {
            const struct revision_pods *pods = &facts->pods[p];
            const bool ours =
                workload == UINT32_MAX
                    ? pods->revision == revision
                    : population->revisions.items[pods->revision].workload == workload;
            if (!ours)
                continue;
            total += state->nodes[n].count * (counted == PODS_ACTIVE  ? pods->active
                                              : counted == PODS_READY ? pods->ready
                                                                      : pods->terminating);
        }
    }
    return total;
}

static const struct pod_tally *tally_of(const struct population *population,
                                        const struct population_state *state)
{
    struct pod_tally *tally = state->tally;
    if (!tally || tally->counted)
        return tally;
    bool plain = true;
    memset(tally->by_revision, 0, population->revisions.count * sizeof(tally->by_revision[0]));
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_facts *facts = config_facts(population, state->nodes[n].config);
        const uint32_t nodes = state->nodes[n].count;
        plain = plain && facts->condition == NODE_UP && !facts->tainted;
        for (uint32_t p = 0; p < facts->pod_count; p++) {
            const struct revision_pods *pods = &facts->pods[p];
            struct revision_pods *sum = &tally->by_revision[pods->revision];
            sum->active += pods->active * nodes;
            sum->ready += pods->ready * nodes;
            sum->terminating += pods->terminating * nodes;
        }
    }
    tally->nodes_are_plain = plain;
    tally->counted = true;
    return tally;
}

bool state_nodes_are_plain(const struct population *population,
                           const struct population_state *state)
{
    const struct pod_tally *tally = tally_of(population, state);
    return tally && tally->nodes_are_plain;
}

uint32_t state_active(const struct population *population, const struct population_state *state,
                      uint32_t revision)
{
    const struct pod_tally *tally = tally_of(population, state);
    return state->pending[revision] +
           (tally ? tally->by_revision[revision].active
                  : count_pods(population, state, revision, UINT32_MAX, PODS_ACTIVE));
}

bool state_waits_for_nodes(const struct population *population,
                           const struct population_state *state, uint32_t revision)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = config->pod_entry_count; p < config_entry_count(config); p++)
            if (population->classes.items[config->pods[p].pod].revision == revision)
                return true;
    }
    return false;
}

uint32_t state_ready(const struct population *population, const struct population_state *state,
                     uint32_t revision)
{
    const struct pod_tally *tally = tally_of(population, state);
    return tally ? tally->by_revision[revision].ready
                 : count_pods(population, state, revision, UINT32_MAX, PODS_READY);
}

uint32_t state_terminating(const struct population *population,
                           const struct population_state *state, uint32_t revision)
{
    const struct pod_tally *tally = tally_of(population, state);
    return tally ? tally->by_revision[revision].terminating
                 : count_pods(population, state, revision, UINT32_MAX, PODS_TERMINATING);
}

uint32_t state_workload_active(const struct population *population,
                               const struct population_state *state, uint32_t workload)
{
    const struct workload *of = &population->workloads.items[workload];
    const struct pod_tally *tally = tally_of(population, state);
    uint32_t total = tally ? 0 : count_pods(population, state, 0, workload, PODS_ACTIVE);
    for (uint32_t r = of->first_revision; r < of->first_revision + of->revision_count; r++)
        total += state->pending[r] + (tally ? tally->by_revision[r].active : 0);
    return total;
}

uint32_t state_workload_ready(const struct population *population,
                              const struct population_state *state, uint32_t workload)
{
    const struct workload *of = &population->workloads.items[workload];
    const struct pod_tally *tally = tally_of(population, state);
    uint32_t total = tally ? 0 : count_pods(population, state, 0, workload, PODS_READY);
    for (uint32_t r = of->first_revision; tally && r < of->first_revision + of->revision_count; r++)
        total += tally->by_revision[r].ready;
    return total;
}

/* On each node of the config. */
static uint32_t ready_on(const struct population *population, uint32_t config, uint32_t workload)
{
    const struct config_facts *facts = config_facts(population, config);
    uint32_t total = 0;
    for (uint32_t p = 0; p < facts->pod_count; p++)
        if (population->revisions.items[facts->pods[p].revision].workload == workload)
            total += facts->pods[p].ready;
    return total;
}

uint32_t state_workload_ready_after(const struct population *population,
                                    const struct population_state *from,
                                    const struct population_state *state, uint32_t workload)
{
    uint32_t total = state_workload_ready(population, from, workload);
    const uint32_t most =
        from->node_count > state->node_count ? from->node_count : state->node_count;
    /* What is less is added modulo 2^32. */
    for (uint32_t n = 0; n < most; n++) {
        const struct view_node none = {0, 0};
        const struct view_node old = n < from->node_count ? from->nodes[n] : none;
        const struct view_node new = n < state->node_count ? state->nodes[n] : none;
        if (old.config == new.config && old.count == new.count)
            continue;
        if (old.count > 0)
            total -= ready_on(population, old.config, workload) * old.count;
        if (new.count > 0)
            total += ready_on(population, new.config, workload) * new.count;
    }
    return total;
}

uint32_t state_find_named(const struct population *population, const struct population_state *state,
                          const char *name)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_template *template =
            population->catalog->configs.items[state->nodes[n].config]->template;
        /* In a state that is being made there are entries of no node. */
        if (state->nodes[n].count > 0 && !template->anonymous &&
            strcmp(template->node->meta.name, name) == 0)
            return n;
    }
    return UINT32_MAX;
}

uint32_t state_add_pods(struct population *population, struct population_state *state,
                        uint32_t revision, uint32_t count)
{
    const char *name = population->revisions.items[revision].node_name;
    const uint32_t node = name ? state_find_named(population, state, name) : UINT32_MAX;
    if (node == UINT32_MAX) {
        state->pending[revision] += count;
        return node;
    }
    uint32_t config = state->nodes[node].config;
    for (uint32_t i = 0; i < count; i++)
        config = config_with_new_pod(population, config, revision);
    state->nodes[node].config = config;
    return node;
}
