/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/expression_workloads.h"

#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/event_lasting.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/progress.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/eviction.h"
#include "object/autoscaler.h"

#include <string.h>

static const struct population *population_of(const struct expression_cluster *cluster)
{
    return cluster->worker->population;
}

/* A map from keys to objects of a class that are numbered from 0 on, with room for aliases. */
static struct expression_value map_with(struct arena *scratch, struct expression_value *keys,
                                        struct expression_value *values, uint32_t count,
                                        uint32_t alias_count)
{
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    *map = (struct expression_map){
        .keys = keys, .values = values, .count = count, .alias_count = alias_count};
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

/* A bag with each of so many objects once. */
static struct expression_value bag_of(struct arena *scratch, const struct expression_class *class,
                                      uint32_t count)
{
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, count + 1);
    for (uint32_t i = 0; i < count; i++)
        items[i] = expression_of_object(class, i, 0);
    return expression_of_bag(scratch, items, NULL, count);
}

/* ---- workloads ---- */

static const struct workload *workload_of(const struct expression_cluster *cluster,
                                          struct expression_object object)
{
    return &population_of(cluster)->workloads.items[object.first];
}

static const struct object_meta *meta_of(const struct expression_cluster *cluster,
                                         struct expression_object object)
{
    return workload_of(cluster, object)->setup->object->meta;
}

/* Kind/name, without the namespace. */
static const char *short_name(struct arena *arena, const char *name)
{
    const char *first = strchr(name, '/');
    const char *second = first ? strchr(first + 1, '/') : NULL;
    return second ? arena_printf(arena, "%.*s%s", (int)(first - name), name, second) : name;
}

/* Kind/name of each workload; NULL where another one has the same. */
static const char *const *short_names(const struct scope *scope, struct arena *arena)
{
    const uint32_t count = scope->workload_count;
    const char **all = ARENA_ARRAY(arena, const char *, count + 1);
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        names[i] = all[i] = short_name(arena, scope->workloads[i].name);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(all[i], all[j]) == 0)
                names[i] = names[j] = NULL;
    return names;
}

struct expression_value expression_workloads(const struct cluster_classes *of,
                                             const struct scope *scope, struct arena *arena)
{
    const char *const *others = short_names(scope, arena);
    const uint32_t count = scope->workload_count;
    struct expression_value *keys = ARENA_ARRAY(arena, struct expression_value, 2 * count + 1);
    struct expression_value *values = ARENA_ARRAY(arena, struct expression_value, 2 * count + 1);
    uint32_t all = count;
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = expression_of_string(scope->workloads[i].name);
        values[i] = expression_of_object(of->workload, i, 0);
        if (!others[i])
            continue;
        keys[all] = expression_of_string(others[i]);
        values[all++] = values[i];
    }
    return map_with(arena, keys, values, count, all - count);
}

struct expression_value read_workloads(void *context, struct arena *scratch)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    return *cluster->workloads;
}

struct expression_value workload_field_name(void *context, struct arena *scratch,
                                            struct expression_object object)
{
    (void)scratch;
    return expression_of_string(meta_of(context, object)->name);
}

struct expression_value workload_field_namespace(void *context, struct arena *scratch,
                                                 struct expression_object object)
{
    (void)scratch;
    return expression_of_string(meta_of(context, object)->namespace);
}

struct expression_value workload_field_kind(void *context, struct arena *scratch,
                                            struct expression_object object)
{
    (void)scratch;
    return expression_of_string(workload_of(context, object)->setup->object->kind_name);
}

struct expression_value workload_field_exists(void *context, struct arena *scratch,
                                              struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    return expression_of_bool(cluster->state->present[object.first] != WORKLOAD_ABSENT);
}

struct expression_value workload_field_replicas(void *context, struct arena *scratch,
                                                struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    return expression_of_int(cluster->state->replicas[object.first]);
}

struct expression_value workload_field_ready(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    return expression_of_int(
        state_workload_pods(cluster->worker, cluster->state, object.first).ready);
}

static struct expression_value progress(const struct expression_cluster *cluster, uint32_t workload,
                                        bool rolled_out)
{
    return expression_of_bool(
        cluster->state->present[workload] != WORKLOAD_ABSENT &&
        workload_converged(cluster->worker, cluster->state, workload, rolled_out));
}

struct expression_value workload_field_converged(void *context, struct arena *scratch,
                                                 struct expression_object object)
{
    (void)scratch;
    return progress(context, object.first, false);
}

struct expression_value workload_field_updated(void *context, struct arena *scratch,
                                               struct expression_object object)
{
    (void)scratch;
    return progress(context, object.first, true);
}

/* Does it have pods of a former template that do not terminate? */
struct expression_value workload_field_updating(void *context, struct arena *scratch,
                                                struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    const struct population *population = population_of(cluster);
    const struct workload *workload = workload_of(cluster, object);
    const uint32_t present = cluster->state->present[object.first];
    uint32_t former = 0;
    (void)scratch;
    for (uint32_t i = 0; present != WORKLOAD_ABSENT && i < workload->revision_count; i++) {
        const uint32_t revision = workload->first_revision + i;
        if (population->revisions.items[revision].number !=
            population->revisions.items[present].number)
            former += state_active(cluster->worker, cluster->state, revision);
    }
    return expression_of_bool(former > 0);
}

const char *workload_title(void *context, struct arena *arena, struct expression_object object)
{
    (void)arena;
    return workload_of(context, object)->setup->name;
}

/* ---- autoscalers ---- */

static const struct autoscaler *autoscaler_of(const struct expression_cluster *cluster,
                                              struct expression_object object)
{
    return &population_of(cluster)->autoscalers.items[object.first];
}

struct expression_value read_autoscalers(void *context, struct arena *scratch)
{
    const struct expression_cluster *cluster = context;
    return bag_of(scratch, cluster->classes->autoscaler, population_of(cluster)->autoscalers.count);
}

struct expression_value autoscaler_field_name(void *context, struct arena *scratch,
                                              struct expression_object object)
{
    (void)scratch;
    return expression_of_string(autoscaler_of(context, object)->object->meta.name);
}

struct expression_value autoscaler_field_target(void *context, struct arena *scratch,
                                                struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    return expression_of_object(cluster->classes->workload,
                                autoscaler_of(cluster, object)->workload, 0);
}

struct expression_value autoscaler_field_min(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    (void)scratch;
    return expression_of_int(autoscaler_of(context, object)->min_replicas);
}

struct expression_value autoscaler_field_max(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    (void)scratch;
    return expression_of_int(autoscaler_of(context, object)->max_replicas);
}

struct expression_value autoscaler_field_replicas(void *context, struct arena *scratch,
                                                  struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    (void)scratch;
    return expression_of_int(cluster->state->replicas[autoscaler_of(cluster, object)->workload]);
}

const char *autoscaler_title(void *context, struct arena *arena, struct expression_object object)
{
    return arena_printf(arena, "HorizontalPodAutoscaler %s",
                        autoscaler_of(context, object)->object->meta.name);
}

/* ---- budgets ---- */

static const struct pod_disruption_budget *budget_of(const struct expression_cluster *cluster,
                                                     struct expression_object object)
{
    return cluster->worker->catalog->surroundings.budgets.items[object.first];
}

struct expression_value read_budgets(void *context, struct arena *scratch)
{
    const struct expression_cluster *cluster = context;
    const struct surroundings *around = &cluster->worker->catalog->surroundings;
    struct expression_value *items =
        ARENA_ARRAY(scratch, struct expression_value, around->budgets.count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < around->budgets.count; i++)
        if (!object_is_deleted(population_of(cluster), cluster->state, "PodDisruptionBudget",
                               &around->budgets.items[i]->meta))
            items[count++] = expression_of_object(cluster->classes->budget, i, 0);
    return expression_of_bag(scratch, items, NULL, count);
}

struct expression_value budget_field_name(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    (void)scratch;
    return expression_of_string(budget_of(context, object)->meta.name);
}

struct expression_value budget_field_namespace(void *context, struct arena *scratch,
                                               struct expression_object object)
{
    (void)scratch;
    return expression_of_string(budget_of(context, object)->meta.namespace);
}

static struct eviction_budget status_of(const struct expression_cluster *cluster,
                                        struct expression_object object)
{
    return budget_seen(cluster->worker, cluster->state, object.first);
}

struct expression_value budget_field_allowed(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    (void)scratch;
    return expression_of_int(status_of(context, object).disruptions_allowed);
}

struct expression_value budget_field_healthy(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    (void)scratch;
    return expression_of_int(status_of(context, object).current_healthy);
}

struct expression_value budget_field_desired(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    (void)scratch;
    return expression_of_int(status_of(context, object).desired_healthy);
}

const char *budget_title(void *context, struct arena *arena, struct expression_object object)
{
    return arena_printf(arena, "PodDisruptionBudget %s", budget_of(context, object)->meta.name);
}

/* ---- events ---- */

/* By the name of their kind: each kind of the Check once. */
struct expression_value expression_events(const struct cluster_classes *of,
                                          const struct population *population, struct arena *arena)
{
    const uint32_t most = population->events.count;
    struct expression_value *keys = ARENA_ARRAY(arena, struct expression_value, most + 1);
    struct expression_value *values = ARENA_ARRAY(arena, struct expression_value, most + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < most; i++) {
        const enum event_kind kind = population->events.items[i].event->kind;
        uint32_t known = 0;
        while (known < count && values[known].object.first != (uint32_t)kind)
            known++;
        if (known < count)
            continue;
        keys[count] = expression_of_string(event_kind_name(kind));
        values[count++] = expression_of_object(of->event, (uint32_t)kind, 0);
    }
    return map_with(arena, keys, values, count, 0);
}

struct expression_value read_events(void *context, struct arena *scratch)
{
    const struct expression_cluster *cluster = context;
    return expression_events(cluster->classes, population_of(cluster), scratch);
}

/* Is there an event of the kind that is asked for, of which this is true? */
static bool any_event(const struct expression_cluster *cluster, struct expression_object object,
                      bool (*is)(struct worker *worker, const struct state *state,
                                 const struct population_event *event))
{
    for (uint32_t i = 0; i < population_of(cluster)->events.count; i++) {
        const struct population_event *event = &population_of(cluster)->events.items[i];
        if ((uint32_t)event->event->kind == object.first &&
            is(cluster->worker, cluster->state, event))
            return true;
    }
    return false;
}

static bool has_come(struct worker *worker, const struct state *state,
                     const struct population_event *event)
{
    (void)worker;
    return state->event_used[event->number] > 0;
}

struct expression_value event_field_happened(void *context, struct arena *scratch,
                                             struct expression_object object)
{
    (void)scratch;
    return expression_of_bool(any_event(context, object, has_come));
}

struct expression_value event_field_active(void *context, struct arena *scratch,
                                           struct expression_object object)
{
    (void)scratch;
    return expression_of_bool(any_event(context, object, event_lasts));
}

/* How often events of the kind have come; one of which states only say whether it has come counts
 * once. */
struct expression_value event_field_count(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    int64_t count = 0;
    (void)scratch;
    for (uint32_t i = 0; i < population_of(cluster)->events.count; i++)
        if ((uint32_t)population_of(cluster)->events.items[i].event->kind == object.first)
            count += cluster->state->event_used[i];
    return expression_of_int(count);
}
