/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks in states: slots and cohorts, packed and unpacked. */
#include "cluster/state/clock_words.h"
#include "base/word_lists.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* ---- states ---- */

enum { CRON_WORDS = sizeof(struct cron_state) / sizeof(uint32_t) };
enum { JOB_WORDS = sizeof(struct job_clock) / sizeof(uint32_t) };
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
    memcpy(clocks->crons, words, clock->cron_count * sizeof(*clocks->crons));
    words += (size_t)clock->cron_count * CRON_WORDS;
    memcpy(clocks->jobs, words, clock->timed_job_count * sizeof(*clocks->jobs));
    words += (size_t)clock->timed_job_count * JOB_WORDS;
    clocks->cycle_left = *words++;
    if (worker->population->autoscaling)
        clocks->cooldown_left = *words++;
    const struct word_list *cohorts = &worker->cohorts.items[*words++];
    const struct word_list *nodes = &worker->node_cohorts.items[*words++];
    clocks->cohorts = (const struct cohort *)(const void *)cohorts->words;
    clocks->cohort_count = cohorts->count / COHORT_WORDS;
    clocks->node_cohorts = (const struct node_cohort *)(const void *)nodes->words;
    clocks->node_cohort_count = nodes->count / NODE_COHORT_WORDS;
}

/* ---- ages ---- */

uint32_t age_cap(const struct thresholds *thresholds)
{
    return thresholds->count == 0 ? 0 : 2 * thresholds->items[thresholds->count - 1] + 1;
}

bool age_is_at(const struct thresholds *thresholds, uint32_t age)
{
    for (uint32_t i = 0; i < thresholds->count; i++)
        if (2 * thresholds->items[i] == age)
            return true;
    return false;
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

uint32_t cohort_since(const struct state *state, const struct class_info *info)
{
    if (info->slot == SLOT_NEW || info->slot == SLOT_CHANGED)
        return 0;
    return info->slot < SLOT_FIRST ? UINT32_MAX
                                   : state->clocks.cohorts[info->slot - SLOT_FIRST].since;
}

/* ---- the canonical form ---- */

/* Cohorts of pods, or of nodes, as words: each once, sorted. */
struct cohort_list {
    uint32_t width; /* so many words are a cohort */
    uint32_t most;
    uint32_t count;
    uint32_t *words;
};

/* Where the cohort is in the list, or has to be. */
static uint32_t find(const struct cohort_list *list, const void *cohort)
{
    const uint32_t *words = cohort;
    uint32_t at = 0;
    for (; at < list->count; at++) {
        const uint32_t *other = list->words + (size_t)at * list->width;
        uint32_t i = 0;
        while (i + 1 < list->width && other[i] == words[i])
            i++;
        if (other[i] >= words[i])
            break;
    }
    return at;
}

/* False: there are too many. */
static bool add(struct cohort_list *list, const void *cohort)
{
    const size_t bytes = list->width * sizeof(*list->words);
    const uint32_t at = find(list, cohort);
    uint32_t *place = list->words + (size_t)at * list->width;
    if (at < list->count && memcmp(place, cohort, bytes) == 0)
        return true;
    if (list->count == list->most)
        return false;
    memmove(place + list->width, place, (list->count++ - at) * bytes);
    memcpy(place, cohort, bytes);
    return true;
}

/* The cohorts that have pods or nodes now. */
struct census {
    struct worker *worker;
    const struct state *state;
    struct cohort_list pods;
    struct cohort_list nodes;
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

/* False: there are too many. */
static bool count_config(struct census *census, const struct node_config *config)
{
    struct cohort cohort;
    struct node_cohort node;
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (cohort_of(census, class_info(census->worker, config->pods[p].pod), &cohort) &&
            !add(&census->pods, &cohort))
            return false;
    return !node_cohort_of(census, config_template(census->worker, config->id), &node) ||
           add(&census->nodes, &node);
}

static uint32_t class_now(const struct census *census, uint32_t class)
{
    struct worker *worker = census->worker;
    const struct class_info info = *class_info(worker, class);
    struct cohort cohort;
    const uint32_t slot =
        cohort_of(census, &info, &cohort) ? find(&census->pods, &cohort) + SLOT_FIRST : SLOT_NONE;
    return slot == info.slot ? class
                             : class_in_slot(worker, info.revision, info.stage, info.level, slot);
}

static uint32_t template_now(const struct census *census, uint32_t template)
{
    const struct template_info *info = &census->worker->population->templates.items[template];
    struct node_cohort cohort;
    const uint32_t slot = node_cohort_of(census, info, &cohort)
                              ? find(&census->nodes, &cohort) + SLOT_FIRST
                              : SLOT_NONE;
    const struct node_kind *kind = &census->worker->population->node_kinds.items[info->node];
    return slot == info->slot ? template : kind_template(kind, info->condition, slot);
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

/* False: there are too many cohorts. */
static bool settle_cohorts(struct census *census, struct state *state)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].count > 0 &&
            !count_config(census, state_config(census->worker, state, n)))
            return false;
    for (uint32_t n = 0; n < state->node_count; n++)
        if (state->nodes[n].count > 0)
            state->nodes[n].config = config_now(census, state->nodes[n].config);
    return true;
}

bool clocks_pack(struct worker *worker, struct state *state, uint32_t *words)
{
    const struct clock *clock = worker->population->clock;
    const struct clocks *clocks = &state->clocks;
    uint32_t pods[COHORTS_MOST * COHORT_WORDS];
    uint32_t nodes[NODE_COHORTS_MOST * NODE_COHORT_WORDS];
    struct census census = {
        .worker = worker,
        .state = state,
        .pods = {.words = pods, .width = COHORT_WORDS, .most = COHORTS_MOST},
        .nodes = {.words = nodes, .width = NODE_COHORT_WORDS, .most = NODE_COHORTS_MOST},
    };
    if ((clock->has_cohorts || clock->has_node_cohorts) && !settle_cohorts(&census, state))
        return false;
    for (uint32_t a = 0; a < worker->population->autoscalers.count; a++) {
        *words++ = clocks->sync_left[a];
        *words++ = clocks->memory[a];
    }
    for (uint32_t w = 0; w < clock->wave_count; w++)
        *words++ = clocks->wave_left[w];
    memcpy(words, clocks->crons, clock->cron_count * sizeof(*clocks->crons));
    words += (size_t)clock->cron_count * CRON_WORDS;
    memcpy(words, clocks->jobs, clock->timed_job_count * sizeof(*clocks->jobs));
    words += (size_t)clock->timed_job_count * JOB_WORDS;
    *words++ = clocks->cycle_left;
    if (worker->population->autoscaling)
        *words++ = clocks->cooldown_left;
    *words++ =
        words_intern(&worker->arena, &worker->cohorts, pods, census.pods.count * COHORT_WORDS);
    *words++ = words_intern(&worker->arena, &worker->node_cohorts, nodes,
                            census.nodes.count * NODE_COHORT_WORDS);
    return true;
}

uint32_t clock_word_count(const struct population *population)
{
    const struct clock *clock = population->clock;
    return clock ? 2 * population->autoscalers.count + clock->wave_count +
                       CRON_WORDS * clock->cron_count + JOB_WORDS * clock->timed_job_count +
                       (population->autoscaling != NULL) + 3
                 : 0;
}

int64_t clock_ticks_ns(const struct population *population, uint64_t ticks)
{
    return (int64_t)ticks * population->clock->tick_ns;
}
