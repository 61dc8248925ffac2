/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/room_held.h"
#include "cluster/ask/waits.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/scheduler.h"

#include <string.h>

/* ---- requests ---- */

static int64_t amount_of(const struct worker *worker, const struct amounts *amounts,
                         uint32_t resource)
{
    const struct others *others = worker->population->options.others;
    switch (resource) {
    case ROOM_CPU: return amounts->cpu_milli;
    case ROOM_MEMORY: return amounts->memory;
    case ROOM_EPHEMERAL_STORAGE: return amounts->ephemeral_storage;
    default: break;
    }
    for (uint32_t s = 0; s < amounts->scalar_count; s++)
        if (strcmp(worker->catalog->resources.items[amounts->scalars[s].resource],
                   others->resources[resource - ROOM_EXTENDED]) == 0)
            return amounts->scalars[s].amount;
    return 0;
}

int64_t room_request(const struct worker *worker, uint32_t class, uint32_t resource)
{
    const struct pod_shape *shape = worker->catalog->pods.items[class]->shape;
    switch (resource) {
    case ROOM_PODS: return 1;
    case ROOM_SCORED_CPU: return shape->nonzero_cpu_milli;
    case ROOM_SCORED_MEMORY: return shape->nonzero_memory;
    default: return amount_of(worker, &shape->requests, resource);
    }
}

int64_t room_of_node(const struct worker *worker, uint32_t config, uint32_t resource)
{
    const struct node_template *template = config_at(worker, config)->template;
    switch (resource) {
    case ROOM_PODS: return template->allocatable_pods;
    case ROOM_SCORED_CPU: return template->allocatable.cpu_milli;
    case ROOM_SCORED_MEMORY: return template->allocatable.memory;
    default: return amount_of(worker, &template->allocatable, resource);
    }
}

/* ---- kinds of pods ---- */

static struct room request_of(const struct worker *worker, uint32_t revision)
{
    const struct population *population = worker->population;
    struct room request = {0};
    for (uint32_t r = 0; r < ROOM_EXTENDED + population->options.others->resource_count; r++)
        request.amounts[r] =
            room_request(worker, population->revisions.items[revision].pending_class, r);
    return request;
}

/* The places that a node of the config may be at, as bits: a group of a part may have nodes of
 * several groups. */
static uint32_t places_of(const struct worker *worker, uint32_t config)
{
    const uint32_t kind = config_template(worker, config)->node;
    const uint32_t group = worker->population->node_kinds.items[kind].group;
    return room_places(group, worker->population->scope->groups[group].mixed);
}

static bool is_bystander(const struct population *population, uint32_t revision)
{
    return revision_workload(population, revision)->bystander;
}

/* Finds the kinds of the modelled pods. */
static void list_kinds(struct worker *worker)
{
    struct room_held *held = &worker->findings.held;
    worker->room_kinds =
        ARENA_ARRAY(&worker->arena, uint32_t, worker->population->revisions.count + 1);
    for (uint32_t r = 0; r < worker->population->revisions.count; r++) {
        if (is_bystander(worker->population, r))
            continue;
        const struct room request = request_of(worker, r);
        worker->room_kinds[r] = room_kind_add(held, &request);
    }
}

/* Finds the places at which pods of each revision can be that go by room alone, as those in the
 * pool do: where they fit on an empty node that is up. Taints that nodes get keep them from more.
 * Pods of a dump may be on nodes on which they would not fit, beside pods that leave.
 */
static void list_places(struct worker *worker)
{
    const struct population *population = worker->population;
    worker->room_places = ARENA_ARRAY(&worker->arena, uint32_t, population->revisions.count + 1);
    struct state *state = state_copy(worker, population->initial);
    state->listed_count = state->node_count;
    const struct view view = state_view(worker, state);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct decision *decision = scheduler_decide(
            worker->scheduler, &view, population->revisions.items[r].pending_class, VIEW_NONE);
        if (population->scope->start == START_OBSERVED)
            worker->room_places[r] = UINT32_MAX;
        for (uint32_t n = 0; decision && n < view.node_count; n++) {
            const enum node_condition condition = config_condition(worker, view.nodes[n].config);
            /* The pool itself is at no place. */
            if (condition != NODE_POOL &&
                (condition != NODE_UP || decision->nodes[n].verdict.code == VERDICT_FEASIBLE))
                worker->room_places[r] |= places_of(worker, view.nodes[n].config);
        }
    }
}

/* ---- counting ---- */

typedef uint32_t pods_by_place[ROOM_KINDS][ROOM_PLACES];

/* Adds pods that are at each of these places, given as bits, or may be. */
static void add_pods(uint32_t *by_place, uint32_t places, uint32_t count)
{
    by_place[ROOM_ANYWHERE] += count;
    for (uint32_t p = ROOM_ANYWHERE + 1; p < ROOM_PLACES; p++)
        by_place[p] += (places >> p & 1) != 0 ? count : 0;
}

struct counting {
    pods_by_place all;
    pods_by_place waiting; /* those that may wait for a node, if states do not say it (waits.h) */
    pods_by_place staying;
    uint32_t leaving;
    uint32_t pooled[ROOM_KINDS];  /* in the pool, of which any may be on one node ... */
    uint32_t on_node[ROOM_KINDS]; /* ... beside those that are on it, the most on one */
};

static void count_entry(struct worker *worker, const struct view_node *entry,
                        struct counting *counting)
{
    const struct population *population = worker->population;
    const struct node_config *config = config_at(worker, entry->config);
    const bool pooled = config_condition(worker, entry->config) == NODE_POOL;
    const uint32_t place = pooled ? 0 : places_of(worker, entry->config);
    uint32_t here[ROOM_KINDS] = {0};
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        if (is_bystander(population, info->revision))
            continue;
        const uint32_t kind = worker->room_kinds[info->revision];
        const uint32_t count = entry->count * config->pods[p].count;
        const uint32_t places = pooled ? worker->room_places[info->revision] : place;
        here[kind] += config->pods[p].count;
        add_pods(counting->all[kind], places, count);
        if (pooled && waits_in_pool(worker, config->pods[p].pod))
            add_pods(counting->waiting[kind], places, count);
        if (info->stage == STAGE_TERMINATING)
            counting->leaving += count;
        else
            add_pods(counting->staying[kind], places, count);
    }
    for (uint32_t k = 0; k < ROOM_KINDS; k++)
        if (pooled)
            counting->pooled[k] = here[k];
        else if (here[k] > counting->on_node[k])
            counting->on_node[k] = here[k];
}

static bool a_pod_waits(const struct worker *worker, const struct state *state)
{
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        if (state->pending[r] > 0)
            return true;
    return false;
}

static void subtract(uint32_t *by_place, const uint32_t *less)
{
    for (uint32_t p = 0; p < ROOM_PLACES; p++)
        by_place[p] -= less[p];
}

/* Where states do not say which pods wait: all of them are held but one that waits. If pods of two
 * kinds may wait, it need not be one of this kind. */
static void keep_beside_waiting(struct room_held *held, const struct counting *counting,
                                uint32_t kind)
{
    uint32_t all[ROOM_PLACES];
    bool of_others = false;
    for (uint32_t k = 0; k < held->kind_count; k++)
        of_others |= k != kind && counting->waiting[k][ROOM_ANYWHERE] > 0;
    const bool own = counting->waiting[kind][ROOM_ANYWHERE] > 0;
    memcpy(all, counting->all[kind], sizeof(all));
    for (uint32_t p = 0; p < ROOM_PLACES && !of_others; p++)
        all[p] -= counting->waiting[kind][p] > 0;
    if (own || of_others)
        room_keep_most(held->beside_waiting[kind], all);
}

void note_room_held(struct worker *worker, const struct state *state, bool lasts)
{
    struct room_held *held = &worker->findings.held;
    struct counting counting = {0};
    const bool waits = a_pod_waits(worker, state);
    if (!worker->room_kinds)
        list_kinds(worker);
    if (worker->population->pools && !worker->room_places)
        list_places(worker);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (condition == NODE_UP || condition == NODE_POOL)
            count_entry(worker, &state->nodes[n], &counting);
    }
    for (uint32_t k = 0; k < held->kind_count; k++) {
        const uint32_t on_node = counting.pooled[k] + counting.on_node[k];
        if (on_node > held->kinds[k].on_node)
            held->kinds[k].on_node = on_node;
        room_keep_most(held->kinds[k].most, counting.all[k]);
        room_keep_most(held->staying[k], counting.staying[k]);
        if (waits)
            room_keep_most(held->beside_waiting[k], counting.all[k]);
        else
            keep_beside_waiting(held, &counting, k);
        /* Whoever has not started at rest waits for a node, and holds no room. */
        subtract(counting.all[k], counting.waiting[k]);
        if (lasts)
            room_keep_most(held->kinds[k].lasting, counting.all[k]);
    }
    if (counting.leaving > held->leaving)
        held->leaving = counting.leaving;
}
