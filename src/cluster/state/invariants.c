/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants of states: see the header. Release builds ask for them when states come from a file.
 */
#include "cluster/state/invariants.h"
#include "base/error.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* Each check gives the number of the invariant that is broken, and what is wrong; NULL: none is. */

static const char *check_config(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config_entry_count(config); p++) {
        const uint32_t class = config->pods[p].pod;
        if (class >= worker->classes.count || config->pods[p].count == 0)
            return "2: a pod has no class";
        const struct class_info *info = class_info(worker, class);
        if (info->revision >= worker->population->revisions.count || info->stage >= STAGE_COUNT)
            return "2: a pod has no revision";
        if ((info->stage == STAGE_WAITING) != (p >= config->pod_entry_count))
            return "2: a pod that waits stands among those on the node";
    }
    return NULL;
}

static const char *check_nodes(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    int64_t nodes = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        if (state->nodes[n].count == 0)
            return "1: an entry of no node";
        if (!catalog_has_config(worker->catalog, state->nodes[n].config))
            return "1: a config that is not in the catalog";
        nodes += state->nodes[n].count;
        const char *broken = check_config(worker, state->nodes[n].config);
        if (broken)
            return broken;
    }
    return nodes == population->total_nodes + population->pools ? NULL : "1: nodes came or went";
}

static const char *check_workloads(const struct population *population, const struct state *state)
{
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const uint32_t present = state->present[w];
        if (state->replicas[w] < 0)
            return "3: fewer than no replicas";
        if (present != WORKLOAD_ABSENT && (present >= population->revisions.count ||
                                           population->revisions.items[present].workload != w))
            return "3: the present revision is of another workload";
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (state->pending[r] > revision->pending_mask ||
            (revision->never_waits && state->pending[r] > 0))
            return "4: a pod waits that cannot";
    }
    return NULL;
}

/* Pods that wait for any node, or for one alone. */
static uint64_t waiting_pods(struct worker *worker, const struct state *state, uint32_t revision)
{
    uint64_t waiting = state->pending[revision];
    for (struct pod_walk pods = pods_of_nodes(worker, state); pods_next(&pods);)
        if (pods.info->stage == STAGE_WAITING && pods.info->revision == revision)
            waiting += (uint64_t)pods.count * pods.nodes;
    return waiting;
}

static const char *check_places(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    for (uint32_t r = 0; worker->nominates && r < population->revisions.count; r++)
        if (state_nominations(worker, state, population->revisions.items[r].pending_class) >
            waiting_pods(worker, state, r))
            return "5: more places are kept than pods wait";
    return NULL;
}

static const char *check_ranges(const struct population *population, const struct state *state)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        const int64_t most = event->repeats ? 1 : event->at_most;
        if (state->event_used[e] > most)
            return "6: an event has come too often";
    }
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        if (workload->load > 0 && state->loads[workload->load - 1] > workload->totals.count)
            return "6: a load that is no total of its workload";
    }
    return state->focus <= population->managed_count ? NULL : "6: the focus is no workload";
}

/* All but 7. */
static const char *check_state(struct worker *worker, const struct state *state)
{
    const char *broken = check_nodes(worker, state);
    broken = broken ? broken : check_workloads(worker->population, state);
    broken = broken ? broken : check_places(worker, state);
    return broken ? broken : check_ranges(worker->population, state);
}

/* To unpack a state the configs of its nodes are looked up. */
static bool has_configs(const struct worker *worker, const uint32_t *words, uint32_t length)
{
    const struct population *population = worker->population;
    for (uint32_t i = population->word_of_nodes; i < length; i++)
        if (!catalog_has_config(worker->catalog, node_unpack(population, words[i]).config))
            return false;
    return length >= population->word_of_nodes;
}

bool invariants_hold(struct worker *worker, const uint32_t *words, uint32_t length)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const bool sound = has_configs(worker, words, length) &&
                       !check_state(worker, state_unpack(worker, words, length));
    arena_rewind(&worker->scratch, mark);
    return sound;
}

void invariants_check(struct worker *worker, const uint32_t *words, uint32_t length,
                      const char *who)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct state *state = state_unpack(worker, words, length);
    const char *broken = check_state(worker, state);
    if (!broken && !state_is_packed(worker, state_copy(worker, state), words, length))
        broken = "7: it is not in its canonical form";
    if (broken)
        bug("%s breaks invariant %s", who, broken);
    arena_rewind(&worker->scratch, mark);
}

/* Counts what a state has of each class of pods on nodes, of places kept for each class, and of
 * each template of nodes, `sign` times: that by which two states differ is not the order of their
 * nodes. */
static void count_nodes(struct worker *worker, const struct state *state, int64_t sign,
                        int64_t *pods, int64_t *places, int64_t *templates)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        const int64_t nodes = sign * state->nodes[n].count;
        const struct template_info *info = config_template(worker, config->id);
        templates[(info->node * NODE_CONDITION_COUNT + info->condition) * PRESSURE_MASKS +
                  info->pressures] += nodes;
        for (uint32_t p = 0; p < config_entry_count(config); p++)
            pods[config->pods[p].pod] += nodes * config->pods[p].count;
        for (uint32_t p = 0; p < config->nominated_entry_count; p++)
            places[config->nominated[p].pod] += nodes * config->nominated[p].count;
    }
}

static bool differs(const int64_t *counts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (counts[i] != 0)
            return true;
    return false;
}

static unsigned changed_nodes(struct worker *worker, const struct state *from,
                              const struct state *to)
{
    const size_t template_count =
        (size_t)worker->population->node_kinds.count * NODE_CONDITION_COUNT * PRESSURE_MASKS;
    const size_t classes = worker->classes.count;
    int64_t *pods = ARENA_ARRAY(&worker->scratch, int64_t, 2 * classes + template_count);
    int64_t *places = pods + classes;
    int64_t *templates = places + classes;
    count_nodes(worker, from, -1, pods, places, templates);
    count_nodes(worker, to, 1, pods, places, templates);
    return (differs(pods, classes) ? PART_PODS : 0U) |
           (differs(places, classes) ? PART_NOMINATIONS : 0U) |
           (differs(templates, template_count) ? PART_NODES : 0U);
}

void invariants_check_writes(struct worker *worker, const struct state *from,
                             const struct state *to, unsigned writes, const char *who)
{
    const struct population *population = worker->population;
    const size_t workloads = population->workloads.count;
    const size_t revisions = population->revisions.count;
    const struct {
        enum state_part part;
        const void *from;
        const void *to;
        size_t bytes;
    } arrays[] = {
        {PART_WORKLOADS, from->replicas, to->replicas, workloads * sizeof(*to->replicas)},
        {PART_WORKLOADS, from->present, to->present, workloads * sizeof(*to->present)},
        {PART_STATUSES, from->statuses, to->statuses, workloads * sizeof(*to->statuses)},
        {PART_SETS, from->sets, to->sets, revisions * sizeof(*to->sets)},
        {PART_WAITING, from->pending, to->pending, revisions * sizeof(*to->pending)},
        {PART_LOADS, from->loads, to->loads, population->load_count * sizeof(*to->loads)},
        {PART_NOTES, from->notes, to->notes, population->note_count * sizeof(*to->notes)},
        {PART_EVENTS, from->event_used, to->event_used,
         population->events.count * sizeof(*to->event_used)},
    };
    const struct arena_mark mark = arena_mark(&worker->scratch);
    unsigned changed = changed_nodes(worker, from, to);
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
        if (memcmp(arrays[i].from, arrays[i].to, arrays[i].bytes) != 0)
            changed |= arrays[i].part;
    if (changed & ~writes)
        bug("%s breaks invariant 8: it changes parts 0x%x that it does not write", who,
            changed & ~writes);
    arena_rewind(&worker->scratch, mark);
}
