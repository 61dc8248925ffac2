/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks in states: slots and cohorts, packed and unpacked. */
#include "cluster/state/clock_words.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/word_lists.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

void clocks_allocate(const struct population *population, struct arena *arena, struct state *state)
{
    const uint32_t count = population->autoscalers.count + 1;
    state->clocks.sync_left = ARENA_ARRAY(arena, uint32_t, count);
    state->clocks.memory = ARENA_ARRAY(arena, uint32_t, count);
    state->clocks.wave_left = ARENA_ARRAY(arena, uint32_t, population->clock->wave_count + 1);
}

enum { COHORT_WORDS = sizeof(struct cohort) / sizeof(uint32_t) };
enum { NODE_COHORT_WORDS = sizeof(struct node_cohort) / sizeof(uint32_t) };

void clocks_unpack(struct worker *worker, const uint32_t *words, struct state *state)
{
    const struct clock *clock = worker->population->clock;
    struct clocks *clocks = &state->clocks;
    for (uint32_t a = 0; a < worker->population->autoscalers.count; a++) {
        clocks->sync_left[a] = *words++;
        clocks->memory[a] = *words++;
    }
    for (uint32_t w = 0; w < clock->wave_count; w++)
        clocks->wave_left[w] = *words++;
    clocks->cycle_left = *words++;
    const struct word_list *cohorts = &worker->cohorts.items[*words++];
    const struct word_list *nodes = &worker->node_cohorts.items[*words++];
    clocks->cohorts = (const struct cohort *)(const void *)cohorts->words;
    clocks->cohort_count = cohorts->count / COHORT_WORDS;
    clocks->node_cohorts = (const struct node_cohort *)(const void *)nodes->words;
    clocks->node_cohort_count = nodes->count / NODE_COHORT_WORDS;
}

void clocks_copy(const struct population *population, const struct state *from, struct state *to)
{
    const size_t size = population->autoscalers.count * sizeof(uint32_t);
    uint32_t *sync_left = to->clocks.sync_left;
    uint32_t *memory = to->clocks.memory;
    uint32_t *wave_left = to->clocks.wave_left;
    to->clocks = from->clocks;
    to->clocks.sync_left = memcpy(sync_left, from->clocks.sync_left, size);
    to->clocks.memory = memcpy(memory, from->clocks.memory, size);
    to->clocks.wave_left = memcpy(wave_left, from->clocks.wave_left,
                                  population->clock->wave_count * sizeof(*wave_left));
}

/* ---- ages ---- */

uint32_t age_cap(const struct thresholds *thresholds)
{
    return thresholds->count == 0 ? 0 : 2 * thresholds->items[thresholds->count - 1] + 1;
}

static bool contains(const struct thresholds *thresholds, uint32_t ticks)
{
    for (uint32_t i = 0; i < thresholds->count; i++)
        if (thresholds->items[i] == ticks)
            return true;
    return false;
}

bool age_is_at(const struct thresholds *thresholds, uint32_t age)
{
    return age % 2 == 0 && contains(thresholds, age / 2);
}

uint32_t age_until_next(const struct thresholds *thresholds, uint32_t age)
{
    for (uint32_t i = 0; i < thresholds->count; i++)
        if (thresholds->items[i] > age / 2)
            return thresholds->items[i] - age / 2;
    return UINT32_MAX;
}

uint32_t age_after(uint32_t age, const struct thresholds *thresholds, uint32_t ticks)
{
    const uint32_t most = age_cap(thresholds);
    return age >= most ? most : lesser(age / 2 * 2 + 2 * ticks, most);
}

uint32_t cohort_start(const struct state *state, uint32_t slot)
{
    if (slot == SLOT_NEW)
        return 0;
    return slot < SLOT_FIRST ? UINT32_MAX : state->clocks.cohorts[slot - SLOT_FIRST].start;
}

/* ---- the canonical form ---- */

/* The cohorts that have pods or nodes now. */
struct census {
    struct worker *worker;
    const struct state *state;
    struct cohort cohorts[COHORTS_MOST];
    uint32_t cohort_count;
    struct node_cohort nodes[NODE_COHORTS_MOST];
    uint32_t node_count;
    bool too_many;
};

/* Has a pod of the class an age that matters? Gives its cohort then. A pod that came into
 * another stage by the step has been in it for no time. */
static bool cohort_of(const struct census *census, const struct class_info *info,
                      struct cohort *cohort)
{
    if (info->slot == SLOT_NONE)
        return false;
    const struct pod_times *times = &census->worker->population->clock->pods[info->revision];
    *cohort = (struct cohort){.revision = info->revision, .stage = (uint32_t)info->stage};
    if (info->slot == SLOT_CHANGED) {
        cohort->start = UINT32_MAX;
    } else if (info->slot >= SLOT_FIRST) {
        const struct cohort *before = &census->state->clocks.cohorts[info->slot - SLOT_FIRST];
        cohort->start = before->start;
        cohort->since = before->stage == (uint32_t)info->stage ? before->since : 0;
    }
    const uint32_t start_most = age_cap(&times->start[info->stage]);
    const uint32_t since_most = age_cap(&times->since[info->stage]);
    cohort->start = lesser(cohort->start, start_most);
    cohort->since = lesser(cohort->since, since_most);
    return cohort->start < start_most || cohort->since < since_most;
}

static bool node_cohort_of(const struct census *census, const struct template_info *info,
                           struct node_cohort *cohort)
{
    if (info->slot == SLOT_NONE)
        return false;
    *cohort = (struct node_cohort){.condition = (uint32_t)info->condition, .zone = info->zone};
    if (info->slot >= SLOT_FIRST)
        cohort->age = census->state->clocks.node_cohorts[info->slot - SLOT_FIRST].age;
    const uint32_t most = age_cap(&census->worker->population->clock->nodes[info->condition]);
    cohort->age = lesser(cohort->age, most);
    return cohort->age < most;
}

static uint32_t find(const struct census *census, const struct cohort *cohort)
{
    uint32_t i = 0;
    while (i < census->cohort_count && memcmp(&census->cohorts[i], cohort, sizeof(*cohort)) != 0)
        i++;
    return i;
}

static uint32_t find_node(const struct census *census, const struct node_cohort *cohort)
{
    uint32_t i = 0;
    while (i < census->node_count && memcmp(&census->nodes[i], cohort, sizeof(*cohort)) != 0)
        i++;
    return i;
}

static void count_config(struct census *census, const struct node_config *config)
{
    const struct population *population = census->worker->population;
    struct cohort cohort;
    struct node_cohort node;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        if (!cohort_of(census, class_info(census->worker, config->pods[p].pod), &cohort) ||
            find(census, &cohort) < census->cohort_count)
            continue;
        if (census->cohort_count == COHORTS_MOST)
            census->too_many = true;
        else
            census->cohorts[census->cohort_count++] = cohort;
    }
    if (!node_cohort_of(census, &population->templates.items[config->template->id], &node) ||
        find_node(census, &node) < census->node_count)
        return;
    if (census->node_count == NODE_COHORTS_MOST)
        census->too_many = true;
    else
        census->nodes[census->node_count++] = node;
}

static int compare_words(const void *left, const void *right, uint32_t count)
{
    const uint32_t *a = left;
    const uint32_t *b = right;
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_cohorts(const void *left, const void *right)
{
    return compare_words(left, right, COHORT_WORDS);
}

static int compare_node_cohorts(const void *left, const void *right)
{
    return compare_words(left, right, NODE_COHORT_WORDS);
}

static uint32_t class_now(const struct census *census, uint32_t class)
{
    struct worker *worker = census->worker;
    const struct class_info info = *class_info(worker, class);
    struct cohort cohort;
    const uint32_t slot =
        cohort_of(census, &info, &cohort) ? find(census, &cohort) + SLOT_FIRST : SLOT_NONE;
    return slot == info.slot ? class
                             : class_in_slot(worker, info.revision, info.stage, info.level, slot);
}

static uint32_t template_now(const struct census *census, uint32_t template)
{
    const struct template_info *info = &census->worker->population->templates.items[template];
    struct node_cohort cohort;
    const uint32_t slot =
        node_cohort_of(census, info, &cohort) ? find_node(census, &cohort) + SLOT_FIRST : SLOT_NONE;
    if (slot == info->slot)
        return template;
    const struct node_kind *kind = &census->worker->population->node_kinds.items[info->node];
    return slot == SLOT_NONE ? kind->templates[info->condition]
                             : kind->timed[info->condition] + slot - SLOT_NEW;
}

static uint32_t config_now(const struct census *census, uint32_t number)
{
    struct worker *worker = census->worker;
    const struct node_config *config = config_at(worker, number);
    const uint32_t template = template_now(census, config->template->id);
    struct pod_count *pods =
        ARENA_ARRAY(&worker->scratch, struct pod_count, config->pod_entry_count + 1);
    bool changed = template != config->template->id;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        pods[p] = (struct pod_count){class_now(census, config->pods[p].pod), config->pods[p].count};
        changed |= pods[p].pod != config->pods[p].pod;
    }
    return changed ? catalog_intern_config_waiting(worker->catalog, template, pods,
                                                   config->pod_entry_count, config->nominated,
                                                   config->nominated_entry_count, config->waiting,
                                                   config->waiting_entry_count)
                   : number;
}

static void settle_cohorts(struct census *census, struct state *state)
{
    const struct catalog *catalog = census->worker->catalog;
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].count > 0)
            count_config(census, catalog->configs.items[state->nodes[n].config]);
    if (census->too_many)
        return;
    qsort(census->cohorts, census->cohort_count, sizeof(*census->cohorts), compare_cohorts);
    qsort(census->nodes, census->node_count, sizeof(*census->nodes), compare_node_cohorts);
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].count > 0)
            state->nodes[n].config = config_now(census, state->nodes[n].config);
}

bool clocks_pack(struct worker *worker, struct state *state, uint32_t *words)
{
    struct clock *clock = worker->population->clock;
    const struct clocks *clocks = &state->clocks;
    struct census *census = ARENA_NEW(&worker->scratch, struct census);
    census->worker = worker;
    census->state = state;
    if (clock->has_cohorts || clock->has_node_cohorts)
        settle_cohorts(census, state);
    for (uint32_t a = 0; a < worker->population->autoscalers.count; a++) {
        *words++ = clocks->sync_left[a];
        *words++ = clocks->memory[a];
    }
    for (uint32_t w = 0; w < clock->wave_count; w++)
        *words++ = clocks->wave_left[w];
    *words++ = clocks->cycle_left;
    *words++ = words_intern(&worker->arena, &worker->cohorts, (const uint32_t *)census->cohorts,
                            census->cohort_count * COHORT_WORDS);
    *words++ = words_intern(&worker->arena, &worker->node_cohorts, (const uint32_t *)census->nodes,
                            census->node_count * NODE_COHORT_WORDS);
    return !census->too_many;
}

uint32_t clock_word_count(const struct population *population)
{
    return population->clock ? 2 * population->autoscalers.count + population->clock->wave_count + 3
                             : 0;
}

int64_t clock_ticks_ns(const struct population *population, uint64_t ticks)
{
    return (int64_t)ticks * population->clock->tick_ns;
}
