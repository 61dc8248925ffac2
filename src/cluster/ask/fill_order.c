/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/fill_order.h"
#include "cluster/ask/room_held.h"
#include "cluster/ask/room_of_others.h"
#include "cluster/ask/spreads.h"
#include "cluster/event_type.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/scheduler.h"

/* ---- how many pods are made ---- */

/* Does the event give workloads a template, once and for good, and nothing else? */
static bool brings_templates(const struct population *population,
                             const struct population_event *event)
{
    for (uint32_t i = 0; i < event->effects.count; i++) {
        const struct apply_effect *effect = &event->effects.items[i];
        if (effect->workload >= population->managed_count ||
            (effect->changes_replicas &&
             effect->replicas != population->workloads.items[effect->workload].replicas))
            return false;
    }
    return event->effects.count > 0 && event->event->at_most == 1 && !event->event->repeats &&
           !event->event->recovers && event->workload == UINT32_MAX &&
           event_has(event, LEAVES_OBJECTS_ALONE) && event_has(event, LEAVES_NODES_READY);
}

/* Does the event take nodes, and nothing else? It has not come yet. */
static bool takes_nodes(const struct population_event *event)
{
    return event->effects.count == 0 && event->workload == UINT32_MAX &&
           event_has(event, LEAVES_OBJECTS_ALONE) && !event_has(event, LEAVES_NODES_READY);
}

/* How often is the workload given a template? */
static uint32_t count_changes(const struct population *population, uint32_t workload)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < population->events.count; e++)
        for (uint32_t i = 0; i < population->events.items[e].effects.count; i++)
            count += population->events.items[e].effects.items[i].workload == workload;
    return count;
}

/*
 * Does each ReplicaSet make at most as many pods as its workload has replicas, before an event
 * takes a node? It makes one where it has fewer than it should have. Nobody takes pods from it but
 * itself, where it is to have fewer; its Deployment gives the set of the present template more
 * replicas, up to all of them, and the others fewer. So a set whose template is replaced at most
 * once grows at first, and then shrinks. (Where replicas change, Deployments let old sets grow in
 * proportion.)
 */
static bool sets_grow_once(const struct population *population)
{
    if (population->autoscalers.count > 0 || population->descheduler_policy ||
        population->has_pressure || population->admission_matters || population->clock ||
        population->scheduler_count != 1 || population->image_sets.count > 0)
        return false;
    for (uint32_t e = 0; e < population->events.count; e++)
        if (!brings_templates(population, &population->events.items[e]) &&
            !takes_nodes(&population->events.items[e]))
            return false;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (w >= population->managed_count || count_changes(population, w) > 1)
            return false;
    return true;
}

static uint32_t pods_made(const struct population *population)
{
    uint32_t made = 0;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        made +=
            (uint32_t)population_replicas_most(population, population->revisions.items[r].workload);
    return made;
}

/* ---- how many pods fill a node ---- */

static uint32_t group_of(const struct worker *worker, uint32_t config)
{
    const uint32_t kind = config_template(worker, config)->node;
    return worker->population->node_kinds.items[kind].group;
}

static bool runs_out(uint32_t resource)
{
    return resource != ROOM_SCORED_CPU && resource != ROOM_SCORED_MEMORY;
}

/* So many pods fill a node of the config, each of which requests the same of the resource; 0: they
 * do not, or may run out of another one before. */
static uint32_t pods_that_fill(const struct worker *worker, const struct fill_order *order,
                               uint32_t config, uint32_t resource)
{
    const struct others *others = worker->population->options.others;
    const int64_t request = order->most.amounts[resource];
    if (request <= 0 || order->least.amounts[resource] != request)
        return 0;
    const int64_t pods = room_of_node(worker, config, resource) / request;
    for (uint32_t r = 0; r < ROOM_EXTENDED + others->resource_count; r++)
        if (runs_out(r) && order->most.amounts[r] > 0 &&
            room_of_node(worker, config, r) / order->most.amounts[r] < pods)
            return 0;
    return pods > 0 && pods < UINT16_MAX ? (uint32_t)pods : 0;
}

static uint32_t pods_of_full_node(const struct worker *worker, const struct fill_order *order,
                                  uint32_t config)
{
    const uint32_t by_cpu = pods_that_fill(worker, order, config, ROOM_CPU);
    return by_cpu ? by_cpu : pods_that_fill(worker, order, config, ROOM_MEMORY);
}

/* What so many pods request at least, as they say, and at most, as scores count. */
static struct beside least_of(const struct fill_order *order, uint32_t pods)
{
    return (struct beside){order->least.amounts[ROOM_CPU] * pods,
                           order->least.amounts[ROOM_MEMORY] * pods};
}

static struct beside most_of(const struct fill_order *order, uint32_t pods)
{
    return (struct beside){order->most.amounts[ROOM_SCORED_CPU] * pods,
                           order->most.amounts[ROOM_SCORED_MEMORY] * pods};
}

/* ---- where pods go ---- */

struct filling {
    struct fill_order *order;
    uint32_t pods_before; /* of the revision, at most, when the last one but one of them is bound */
    bool known;
};

/* Does a pod of the revision go to `empty`, which has none of its pods and at most so many of
 * others, rather than fill `full`? */
static bool goes_to_empty(const struct worker *worker, const struct fill_order *order,
                          const struct view *view, uint32_t empty, uint32_t full, uint32_t avoided)
{
    const uint32_t config = view->nodes[full].config;
    const uint32_t before = pods_of_full_node(worker, order, config) - 1;
    const uint32_t own = config_at(worker, config)->pod_count;
    if (own > before)
        return true; /* it is no such node */
    const struct beside held = most_of(order, avoided);
    const struct beside least = least_of(order, before - own);
    const struct beside most = most_of(order, before - own);
    return scheduler_lead(worker->scheduler, empty, full, NULL) +
               scheduler_lead_between(worker->scheduler, empty, full, &held, &least, &most) >
           0;
}

/* Does it go to `free`, which has none of its pods, as long as that is not full, rather than to
 * `taken`, which has some and no others? */
static bool goes_to_free(const struct worker *worker, const struct fill_order *order,
                         const struct view *view, uint32_t free, uint32_t taken)
{
    const struct beside held =
        most_of(order, pods_of_full_node(worker, order, view->nodes[free].config) - 1);
    const struct beside nothing = {0, 0};
    return scheduler_lead(worker->scheduler, free, taken, NULL) +
               scheduler_lead_between(worker->scheduler, free, taken, &held, &nothing, &nothing) >
           0;
}

static bool fits(const struct decision *decision, uint32_t entry)
{
    return decision->nodes[entry].verdict.code == VERDICT_FEASIBLE;
}

/* Looks at a node without pods of the revision, and at another one of its group; so many pods there
 * are in all. */
static void compare(struct filling *filling, const struct worker *worker, const struct view *view,
                    const struct decision *decision, uint32_t without, uint32_t other,
                    uint32_t pods)
{
    struct fill_order *order = filling->order;
    if (!fits(decision, other))
        return;
    filling->known &= fits(decision, without);
    while (filling->known && !goes_to_empty(worker, order, view, without, other, order->avoided))
        if (order->avoided-- == 0)
            filling->known = false;
    if (pods <= filling->pods_before && config_at(worker, view->nodes[other].config)->pod_count > 0)
        filling->known = filling->known && goes_to_free(worker, order, view, without, other);
}

static void compare_all(struct spreads *spreads, const struct spread *spread, void *context)
{
    struct filling *filling = context;
    struct worker *worker = spreads->worker;
    const uint32_t class = worker->population->revisions.items[spreads->revision].pending_class;
    const struct view view = {
        .catalog = worker->catalog, .nodes = spread->nodes, .node_count = spread->node_count};
    const struct decision *decision = scheduler_decide(worker->scheduler, &view, class, VIEW_NONE);
    for (uint32_t n = 0; decision && filling->known && n < spread->node_count; n++) {
        const uint32_t config = spread->nodes[n].config;
        for (uint32_t m = 0; filling->known && m < spread->node_count; m++)
            if (config_at(worker, config)->pod_count == 0 &&
                group_of(worker, config) == group_of(worker, spread->nodes[m].config) &&
                (n != m || spread->nodes[n].count > 1))
                compare(filling, worker, &view, decision, n, m, spread->pods);
    }
    filling->known = filling->known && decision;
    for (uint32_t n = 0; filling->known && n < spread->node_count; n++)
        if (fits(decision, n))
            spreads_add_bound(spreads, spread, n);
}

/* The fewest pods that fill a node; 0: it is not known of some. */
static uint32_t fewest_that_fill(const struct worker *worker, const struct fill_order *order)
{
    const struct state *initial = worker->population->initial;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t n = 0; n < initial->node_count; n++) {
        const uint32_t pods = pods_of_full_node(worker, order, initial->nodes[n].config);
        fewest = pods < fewest ? pods : fewest;
    }
    return fewest;
}

static bool groups_are_whole(const struct population *population)
{
    for (uint32_t g = 0; g < population->scope->group_count; g++)
        if (population->scope->groups[g].mixed)
            return false;
    return true;
}

bool fill_order_find(struct worker *worker, struct fill_order *order)
{
    const struct population *population = worker->population;
    const uint32_t fewest = fewest_that_fill(worker, order);
    struct filling filling = {.order = order,
                              .known = fewest > 0 && groups_are_whole(population) &&
                                       sets_grow_once(population)};
    order->made = filling.known ? pods_made(population) : 0;
    order->avoided = fewest - 1;
    for (uint32_t r = 0; filling.known && r < population->revisions.count; r++) {
        const struct arena_mark mark = arena_mark(&worker->scratch);
        filling.known = spreads_are_known(worker, r);
        if (filling.known) {
            struct spreads *spreads = spreads_create(worker, r);
            const int32_t replicas =
                population_replicas_most(population, population->revisions.items[r].workload);
            filling.pods_before = replicas > 2 ? (uint32_t)replicas - 2 : 0;
            spreads_find(spreads, compare_all, &filling);
            filling.known &= !spreads->overflowed;
        }
        arena_rewind(&worker->scratch, mark);
    }
    return filling.known;
}

/* ---- what that rules out ---- */

/* Is a node of the group of `entry` full that had no pod of the revision? */
static bool fills_another(const struct worker *worker, const struct view *view, uint32_t entry,
                          const uint32_t *better, uint32_t count)
{
    const struct fill_order *order = worker->population->options.others->order;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t config = view->nodes[better[i]].config;
        if (config_at(worker, config)->pod_count == 0 &&
            group_of(worker, config) == group_of(worker, view->nodes[entry].config) &&
            goes_to_free(worker, order, view, better[i], entry))
            return true;
    }
    return false;
}

/* So many pods are there when others are in the way with all that they have, and one that waits. */
static uint64_t pods_there(const struct others *others)
{
    uint64_t pods = 1;
    for (uint32_t k = 0; k < others->pod_kinds; k++)
        pods += others->pods[k].most[ROOM_ANYWHERE];
    return pods;
}

bool fill_order_rules_out(struct worker *worker, const struct view *view, uint32_t class,
                          uint32_t entry, const uint32_t *better, uint32_t count,
                          const struct beside *most)
{
    const struct population *population = worker->population;
    const struct others *others = population->options.others;
    const uint32_t here = config_at(worker, view->nodes[entry].config)->pod_count;
    /* Pods that no workload looks after have no replicas; with them no order is known. */
    if (!others->order)
        return false;
    const uint32_t workload =
        population->revisions.items[class_info(worker, class)->revision].workload;
    const uint32_t replicas = (uint32_t)population_replicas_most(population, workload);
    uint32_t shown = 0;
    for (uint32_t n = 0; n < view->node_count; n++)
        shown += view->nodes[n].count * config_at(worker, view->nodes[n].config)->pod_count;
    /* The set makes no more pods than it has replicas. */
    if (shown >= replicas)
        return true;
    return shown + 1 == replicas && here > 1 && here - 1 <= others->order->avoided &&
           others->order->made <= pods_there(others) &&
           others_need_all(worker, view, class, better, count, most) &&
           fills_another(worker, view, entry, better, count);
}
