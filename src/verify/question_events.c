/* SPDX-License-Identifier: Apache-2.0 */
/* The events of questions: what may happen, once, when everything is ready. */
#include "verify/questions.h"

#include "base/saturating.h"
#include "object/as_written.h"
#include "setup/next_release.h"

#include <string.h>

#define ZONE_LABEL "topology.kubernetes.io/zone"

static struct check_event *add(struct question_events *events, enum event_kind kind)
{
    const struct check_event event = {.kind = kind,
                                      .at_most = 1,
                                      .after_settled = !events->how->at_any_time,
                                      .concurrent = 1,
                                      .drain = true};
    VEC_PUSH(events->arena, &events->items, event);
    return &events->items.items[events->items.count - 1];
}

static struct object_name name_of(const struct setup_workload *workload)
{
    const struct object *object = workload->object;
    return (struct object_name){object->kind_name, object->meta->namespace, object->meta->name};
}

/* ---- what autoscaled pods use ---- */

static const struct metric_target *cpu_target(const struct horizontal_pod_autoscaler *autoscaler)
{
    for (uint32_t m = 0; m < autoscaler->metric_count; m++) {
        const struct metric_spec *metric = &autoscaler->metrics[m];
        if ((metric->source == METRIC_RESOURCE || metric->source == METRIC_CONTAINER_RESOURCE) &&
            strcmp(metric->resource, "cpu") == 0)
            return &metric->target;
    }
    return NULL;
}

static int64_t requested_milli(const struct setup_workload *workload)
{
    const struct pod_spec *spec = &workload_template(workload->object)->spec;
    int64_t total = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.requests, "cpu");
        total = saturating_add(total, cpu ? quantity_milli_value(*cpu) : 0);
    }
    return total;
}

/* CPU of one pod at which its autoscaler is content; 0: it goes by something else, or cannot
 * tell. */
static int64_t content_milli(const struct setup_workload *workload)
{
    const struct metric_target *target =
        workload->autoscaler ? cpu_target(workload->autoscaler) : NULL;
    if (!target)
        return 0;
    if (target->type == METRIC_UTILIZATION && target->average_utilization.set)
        return saturating_multiply(requested_milli(workload), target->average_utilization.value) /
               100;
    return target->average_value ? quantity_milli_value(*target->average_value) : 0;
}

/* Any load from idle to twice what the autoscaler aims at with the pods that there are. */
static void add_load(struct question_events *events, const struct setup_workload *workload)
{
    static const int64_t percent[] = {50, 150, 200};
    enum { TOTALS = sizeof(percent) / sizeof(*percent) + 1 };
    const int32_t least = workload->autoscaler->min_replicas;
    const int32_t pods = workload_replicas(workload->object);
    const int64_t usual = saturating_multiply(content_milli(workload), pods > least ? pods : least);
    struct check_event *event = add(events, EVENT_LOAD);
    event->object = name_of(workload);
    event->initial = ARENA_NEW(events->arena, struct quantity);
    *event->initial = quantity_of_milli(usual);
    event->totals = ARENA_ARRAY(events->arena, struct quantity, TOTALS);
    event->totals[0] = quantity_of_milli(1);
    for (uint32_t i = 1; i < TOTALS; i++)
        event->totals[i] = quantity_of_milli(saturating_multiply(usual, percent[i - 1]) / 100);
    event->total_count = TOTALS;
}

/* Can it make a difference how many pods of the workload there are, however many? */
static bool numbers_count(const struct question_events *events,
                          const struct setup_workload *workload)
{
    const struct objects *objects = events->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_RESOURCE_QUOTA &&
            strcmp(objects->items[i].meta->namespace, workload->object->meta->namespace) == 0)
            return true;
    return !events->how->room_for_all;
}

/* "ScaledObject web", if the user wrote that. */
static const char *scaler_words(const struct question_events *events,
                                const struct setup_workload *workload)
{
    const struct objects *objects = events->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            objects->items[i].as.horizontal_pod_autoscaler == workload->autoscaler)
            return arena_printf(events->arena, "%s %s", written_kind(&objects->items[i]),
                                written_name(&objects->items[i]));
    return "the autoscaler";
}

/* An autoscaler by metrics that nobody can foresee chooses some number between its bounds: the
 * smallest, the one in the middle and the largest are tried. */
static void add_scale(struct question_events *events, const struct setup_workload *workload)
{
    enum { SIZES_MOST = 3, PODS_MORE = 8 };
    const int32_t least = workload->autoscaler->min_replicas;
    const int32_t bound = workload->autoscaler->max_replicas;
    const int32_t most =
        bound > least + PODS_MORE && !numbers_count(events, workload) ? least + PODS_MORE : bound;
    struct check_event *event = add(events, EVENT_SCALE);
    event->object = name_of(workload);
    event->words = arena_printf(events->arena, "%s scales by a metric of its own",
                                scaler_words(events, workload));
    event->to = ARENA_ARRAY(events->arena, int32_t, SIZES_MOST);
    event->to[event->to_count++] = least;
    if (most - least > 1)
        event->to[event->to_count++] = least + (most - least) / 2;
    if (most > least)
        event->to[event->to_count++] = most;
}

/* ---- what happens ---- */

static bool is_meant(const struct question_events *events, const struct setup_workload *workload)
{
    return !events->how->only || object_name_matches(events->how->only, workload->object);
}

static void add_rollout(struct question_events *events)
{
    struct objects *release = ARENA_NEW(events->arena, struct objects);
    for (uint32_t w = 0; w < events->scope->workload_count; w++)
        if (is_meant(events, &events->scope->workloads[w]) &&
            next_release_rolls(events->scope->workloads[w].object))
            next_release_add(events->arena, events->scope->workloads[w].object, release);
    if (release->count > 0)
        add(events, EVENT_APPLY)->brings = release;
}

void question_events_add(struct question_events *events, enum question_topic kind)
{
    const struct scope *scope = events->scope;
    for (uint32_t w = 0; kind == QUESTION_LOAD && w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        if (!is_meant(events, workload) || !question_concerns(kind, workload))
            continue;
        if (question_follows_load(workload))
            add_load(events, workload);
        else
            add_scale(events, workload);
    }
    switch (kind) {
    case QUESTION_DRAIN: add(events, EVENT_MAINTENANCE); break;
    case QUESTION_ROLLOUT: add_rollout(events); break;
    case QUESTION_NODE_FAILURE: add(events, EVENT_NODE_FAILURE)->recovers = true; break;
    case QUESTION_ZONE_OUTAGE: {
        struct check_event *event = add(events, EVENT_ZONE_OUTAGE);
        event->recovers = true;
        event->topology_key = ZONE_LABEL;
        break;
    }
    case QUESTION_START:
    case QUESTION_LOAD:
    case QUESTION_COUNT: break;
    }
}

bool question_follows_load(const struct setup_workload *workload)
{
    const struct horizontal_pod_autoscaler *autoscaler = workload->autoscaler;
    for (uint32_t m = 0; autoscaler && m < autoscaler->metric_count; m++)
        if (autoscaler->metrics[m].source != METRIC_RESOURCE ||
            strcmp(autoscaler->metrics[m].resource, "cpu") != 0)
            return false;
    return autoscaler && content_milli(workload) > 0 && workload->autoscaler_count == 1;
}

bool question_concerns(enum question_topic kind, const struct setup_workload *workload)
{
    const struct object *object = workload->object;
    if (object->kind != OBJECT_DAEMON_SET && workload->most == 0)
        return false;
    switch (kind) {
    case QUESTION_ROLLOUT: return object->source && next_release_rolls(object);
    case QUESTION_LOAD: return workload->autoscaler != NULL;
    default: return true;
    }
}
