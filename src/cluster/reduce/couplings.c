/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads are coupled if one of them can see or change what the other does by anything but the
 * room that its pods take:
 *
 *   placement    a pod's affinity, anti-affinity, spread constraint, host port or volume looks at
 *                pods of the other (the scheduler's plugins say which: plugin_reads.looks_at)
 *   budgets      one PodDisruptionBudget counts or guards pods of both
 *   autoscalers  the selector of one's autoscaler finds pods of the other
 *   services     one Service that an intent is about selects pods of both
 *   quotas       one ResourceQuota limits pods of both, and is too small for all of them
 *   webhooks     pods of one answer for a webhook that is asked about pods of the other
 *   disks        pods of both wait for the same disk
 *   changes      one apply changes both, and is repeated or taken back
 *
 * Everything is coupled where something looks at all pods of a node or of the cluster: a
 * descheduler, kubelets that reject or evict pods, nodes that go down because of load.
 */
#include "cluster/reduce/couplings.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/traffic.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/quotas.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/default_selector.h"
#include "decide/scheduler/plugin_reads.h"

#include <string.h>

struct coupling {
    struct arena *arena;
    const struct population *population;
    uint32_t *leader; /* by workload: another one of its component, or itself */
    struct components *found;
    struct coupled by; /* what couples those that are looked at */
};

static uint32_t leader_of(const struct coupling *coupling, uint32_t workload)
{
    while (coupling->leader[workload] != workload)
        workload = coupling->leader[workload];
    return workload;
}

static void couple(struct coupling *coupling, uint32_t one, uint32_t other)
{
    const uint32_t first = leader_of(coupling, one);
    const uint32_t second = leader_of(coupling, other);
    if (first == second)
        return;
    struct coupled *coupled = &coupling->found->couplings[coupling->found->coupling_count++];
    *coupled = coupling->by;
    /* Names may be the model's own, which does not live as long. */
    coupled->name = coupled->name ? arena_strdup(coupling->arena, coupled->name) : NULL;
    coupled->namespace =
        coupled->namespace ? arena_strdup(coupling->arena, coupled->namespace) : NULL;
    coupled->one = one < other ? one : other;
    coupled->other = one < other ? other : one;
    coupling->leader[first > second ? first : second] = first > second ? second : first;
}

/* Couples all workloads that have a revision with this property. */
static void couple_all(struct coupling *coupling,
                       bool (*has)(const struct population *population, const void *what,
                                   uint32_t revision),
                       const void *what)
{
    const struct population *population = coupling->population;
    uint32_t first = UINT32_MAX;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const uint32_t workload = population->revisions.items[r].workload;
        if (!has(population, what, r))
            continue;
        if (first != UINT32_MAX)
            couple(coupling, first, workload);
        first = workload;
    }
}

static bool is_in_budget(const struct population *population, const void *budget, uint32_t revision)
{
    return budget_counts(population, budget, revision) ||
           budget_guards(population, budget, revision);
}

static bool is_in_service(const struct population *population, const void *what, uint32_t revision)
{
    const struct service_info *service = what;
    (void)population;
    return service->selects[revision];
}

static bool is_scaled(const struct population *population, const void *what, uint32_t revision)
{
    const struct autoscaler *autoscaler = what;
    return autoscaler->selects[revision] ||
           population->revisions.items[revision].workload == autoscaler->workload;
}

static bool is_charged(const struct population *population, const void *what, uint32_t revision)
{
    const struct population_quota *quota = what;
    (void)population;
    return quota->charges[revision];
}

static bool is_guarded(const struct population *population, const void *what, uint32_t revision)
{
    const struct population_webhook *webhook = what;
    bool refuses = webhook->asks_more || webhook->guards[revision] || webhook->backs[revision];
    (void)population;
    for (uint32_t i = 0; i < WEBHOOK_REQUEST_COUNT; i++)
        refuses |= webhook->refuses[i][revision];
    return refuses;
}

/* The name of a disk that both wait for; NULL: there is none. */
static const char *shared_disk(const struct revision *one, const struct revision *other)
{
    for (uint32_t i = 0; i < one->disks.count; i++)
        for (uint32_t k = 0; k < other->disks.count; k++)
            if (strcmp(one->disks.items[i].name, other->disks.items[k].name) == 0)
                return one->disks.items[i].name;
    return NULL;
}

/* Can claims of both be bound to the same volume, or are they the same? */
static bool share_home(const struct population *population, const struct revision *one,
                       const struct revision *other)
{
    return one->home > 0 && other->home > 0 &&
           (one->home == other->home ||
            (population->homes[one->home - 1].kinds & population->homes[other->home - 1].kinds));
}

static bool is_coupled_to(struct coupling *coupling, const struct revision *one,
                          const struct revision *other)
{
    struct catalog *catalog = coupling->population->maker->catalog;
    const char *plugin = scheduler_looks_by(catalog, one->pod, other->pod);
    if (!plugin)
        plugin = scheduler_looks_by(catalog, other->pod, one->pod);
    if (!plugin && share_home(coupling->population, one, other))
        plugin = "VolumeBinding";
    const char *disk = plugin ? NULL : shared_disk(one, other);
    coupling->by = (struct coupled){.rule = plugin ? COUPLED_BY_SCHEDULER : COUPLED_BY_DISK,
                                    .name = plugin ? plugin : disk};
    return plugin || disk;
}

static void couple_rest(struct coupling *coupling)
{
    coupling->by = (struct coupled){.rule = COUPLED_BY_SCHEDULER, .name = "time"};
    for (uint32_t w = 1; w < coupling->population->workloads.count; w++)
        couple(coupling, 0, w);
}

static void keep_selectors(struct coupling *coupling)
{
    const struct population *population = coupling->population;
    const struct pod **pods =
        ARENA_ARRAY(coupling->arena, const struct pod *, population->revisions.count + 1);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        pods[r] = population->revisions.items[r].pod;
    default_selectors_keep(population->maker->catalog, pods, population->revisions.count);
}

static void couple_pods(struct coupling *coupling)
{
    const struct population *population = coupling->population;
    keep_selectors(coupling);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        /* If the run ends before all pods are compared, it makes no difference what is found, and
         * nothing else is taken to be apart. */
        if (population_is_over(&population->options)) {
            couple_rest(coupling);
            break;
        }
        for (uint32_t q = 0; q < r; q++) {
            const struct revision *one = &population->revisions.items[r];
            const struct revision *other = &population->revisions.items[q];
            if (leader_of(coupling, one->workload) != leader_of(coupling, other->workload) &&
                is_coupled_to(coupling, one, other))
                couple(coupling, one->workload, other->workload);
        }
    }
    default_selectors_drop(population->maker->catalog);
}

/* What a controller applies again and again it applies for the first time only once, to all. What
 * the user takes back is taken back as a whole. */
static void couple_effects(struct coupling *coupling, const struct population_event *event)
{
    for (uint32_t i = 1; i < event->effects.count; i++)
        if (event->event->repeats || event->event->recovers)
            couple(coupling, event->effects.items[0].workload, event->effects.items[i].workload);
}

/* Does something look at all pods of the cluster, or at all of a node? Gives the rule;
 * COUPLING_RULE_COUNT: nothing does. */
static enum coupling_rule find_whole(const struct population *population)
{
    if (population->descheduler_policy)
        return COUPLED_BY_DESCHEDULER;
    if (population->autoscaling)
        return COUPLED_BY_CLUSTER_AUTOSCALER;
    if (population->has_pressure)
        return COUPLED_BY_PRESSURE;
    if (population->admission_matters)
        return COUPLED_BY_ADMISSION;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (event_kind_has(event->kind, EVENT_FACT_PANICS))
            return COUPLED_BY_PANIC;
        if (population->events.items[e].type->deletes_object &&
            population->events.items[e].workload == UINT32_MAX)
            return COUPLED_BY_DELETE;
        if (population->events.items[e].condition)
            return COUPLED_BY_CONDITION;
    }
    return COUPLING_RULE_COUNT;
}

static void couple_whole(struct coupling *coupling)
{
    coupling->by = (struct coupled){.rule = find_whole(coupling->population)};
    for (uint32_t w = 1; w < coupling->population->workloads.count; w++)
        if (coupling->by.rule != COUPLING_RULE_COUNT)
            couple(coupling, 0, w);
}

/* What the object with this name couples, from now on. */
static void by_object(struct coupling *coupling, enum coupling_rule rule,
                      const struct object_meta *meta)
{
    coupling->by = (struct coupled){.rule = rule, .namespace = meta->namespace, .name = meta->name};
}

static void add_resources(struct arena *arena, const struct catalog *catalog,
                          struct components *components)
{
    components->resources = ARENA_ARRAY(arena, const char *, catalog->resources.count + 1);
    for (uint32_t i = 0; i < catalog->resources.count; i++)
        components->resources[components->resource_count++] =
            arena_strdup(arena, catalog->resources.items[i]);
}

/* Does a pod of the revision that finds no node preempt others? */
static bool preempts(const struct population *population, const struct revision *revision)
{
    const struct profile *profile =
        profiles_find(&population->profiles, revision->pod->spec.scheduler_name);
    return profile && profile->preempts &&
           population->catalog->pods.items[revision->pending_class]->shape->preempts;
}

static void add_rank(const struct population *population, const struct revision *revision,
                     struct component_ranks *ranks)
{
    const uint64_t rank = priority_rank(revision->priority);
    if (rank < ranks->lowest)
        ranks->lowest = rank;
    if (rank > ranks->highest)
        ranks->highest = rank;
    ranks->preempts &= preempts(population, revision);
}

static void find_priorities(struct arena *arena, const struct population *population,
                            struct components *components)
{
    components->ranks = ARENA_ARRAY(arena, struct component_ranks, components->count + 1);
    for (uint32_t c = 0; c < components->count; c++)
        components->ranks[c] = (struct component_ranks){.lowest = UINT64_MAX, .preempts = true};
    /* Schedulers do not keep room for pods of each other. From 1.27 on a pod waits only for pods
     * that were preempted, which states with clocks do not tell from others that terminate: it may
     * preempt again and again in the model. */
    const bool waits = !population->options.features.waits_for_preempted || !population->clock;
    components->preempts_apart = population->scheduler_count == 1 && waits &&
                                 !population->options.sets_lag &&
                                 !budgets_span_workloads(population);
    components->lowest_rank = UINT64_MAX;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const uint64_t rank = priority_rank(population->revisions.items[r].priority);
        const uint32_t workload = population->revisions.items[r].workload;
        if (workload < population->managed_count)
            add_rank(population, &population->revisions.items[r],
                     &components->ranks[components->of[workload]]);
        if (rank < components->lowest_rank)
            components->lowest_rank = rank;
        if (rank > components->highest_rank)
            components->highest_rank = rank;
    }
}

/* Pods without a workload are in every component. Where one of them is coupled to a workload, every
 * component needs this workload, too. */
static void couple_to_bystanders(struct coupling *coupling)
{
    const struct population *population = coupling->population;
    bool coupled = false;
    for (uint32_t b = population->managed_count; b < population->workloads.count; b++)
        coupled |= leader_of(coupling, b) < population->managed_count;
    for (uint32_t w = 1; coupled && w < population->managed_count; w++)
        couple(coupling, 0, w);
}

/* How many nodes can have been down, cut off or cordoned, and be up again? Zones that come back
 * have any number of nodes; which ones is said, if all of them are zones of one label. */
static uint32_t nodes_that_come_back(const struct population *population, struct zones_back *zones)
{
    uint32_t nodes = 0;
    *zones = (struct zones_back){0};
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        const char *key = event->event->topology_key;
        if (event_has(event, LEAVES_NODES_READY))
            continue;
        if (event_has(event, TAKES_ONE_NODE)) {
            nodes += (uint32_t)event->event->at_most;
            continue;
        }
        if (!key || (zones->key && strcmp(zones->key, key) != 0)) {
            *zones = (struct zones_back){0};
            return UINT32_MAX;
        }
        zones->key = key;
        zones->zones += (uint32_t)event->event->at_most;
    }
    if (!zones->key)
        return nodes;
    zones->nodes = nodes;
    return UINT32_MAX;
}

/* Can components share the quota? Its names must be among those that are measured. Pods without a
 * workload are in every component, so that they would be charged more than once. */
static bool can_be_shared(const struct population *population, const struct population_quota *quota)
{
    if (quota->number >= SHARED_QUOTAS)
        return false;
    for (uint32_t i = 0; i < quota->line_count; i++)
        if (quota->lines[i].number >= SHARED_QUOTA_LINES)
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (quota->charges[r] &&
            population->revisions.items[r].workload >= population->managed_count)
            return false;
    return true;
}

static void couple_charged(struct coupling *coupling, uint64_t tied)
{
    const struct population *population = coupling->population;
    for (uint32_t q = 0; q < population->quotas.count; q++) {
        const struct population_quota *quota = &population->quotas.items[q];
        if (can_be_shared(population, quota) && (tied >> quota->number & 1) == 0) {
            coupling->found->shared_quotas |= UINT64_C(1) << quota->number;
            continue;
        }
        by_object(coupling, COUPLED_BY_QUOTA, &quota->quota->meta);
        couple_all(coupling, is_charged, quota);
    }
}

void population_components(struct arena *arena, const struct population *population, uint64_t tied,
                           struct components *components)
{
    struct coupling coupling = {.arena = arena,
                                .population = population,
                                .leader =
                                    ARENA_ARRAY(arena, uint32_t, population->workloads.count + 1),
                                .found = components};
    const struct surroundings *around = &population->catalog->surroundings;
    *components = (struct components){
        .of = ARENA_ARRAY(arena, uint32_t, population->workloads.count + 1),
        .couplings = ARENA_ARRAY(arena, struct coupled, population->workloads.count + 1),
    };
    for (uint32_t w = 0; w < population->workloads.count; w++)
        coupling.leader[w] = w;
    couple_whole(&coupling);
    components->whole = coupling.by.rule != COUPLING_RULE_COUNT;
    couple_pods(&coupling);
    for (uint32_t b = 0; b < around->budgets.count; b++) {
        by_object(&coupling, COUPLED_BY_BUDGET, &around->budgets.items[b]->meta);
        couple_all(&coupling, is_in_budget, around->budgets.items[b]);
    }
    for (uint32_t s = 0; s < population->services.count; s++) {
        by_object(&coupling, COUPLED_BY_SERVICE, &population->services.items[s].service->meta);
        couple_all(&coupling, is_in_service, &population->services.items[s]);
    }
    for (uint32_t a = 0; a < population->autoscalers.count; a++) {
        by_object(&coupling, COUPLED_BY_AUTOSCALER, &population->autoscalers.items[a].object->meta);
        couple_all(&coupling, is_scaled, &population->autoscalers.items[a]);
    }
    couple_charged(&coupling, tied);
    for (uint32_t w = 0; w < population->webhooks.count; w++) {
        by_object(&coupling, COUPLED_BY_WEBHOOK, population->webhooks.items[w].meta);
        couple_all(&coupling, is_guarded, &population->webhooks.items[w]);
    }
    coupling.by = (struct coupled){.rule = COUPLED_BY_APPLY};
    for (uint32_t e = 0; e < population->events.count; e++)
        couple_effects(&coupling, &population->events.items[e]);
    couple_to_bystanders(&coupling);
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const uint32_t leader = leader_of(&coupling, w);
        components->of[w] = leader == w ? components->count++ : components->of[leader];
    }
    add_resources(arena, population->catalog, components);
    find_priorities(arena, population, components);
    components->nodes_back = nodes_that_come_back(population, &components->zones_back);
}
