/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/scope_reads.h"

#include "decide/descheduler/descheduler.h"
#include "decide/scheduler/plugin_reads.h"
#include "object/autoscaler.h"
#include "object/policy.h"
#include "object/workload.h"
#include "setup/expression_reads.h"

#include <string.h>

/* The node lifecycle controller goes by zones, and kubelets by these resources. */
void reads_add_controllers(struct reads *reads)
{
    static const char *const labels[] = {
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region",
        "node.kubernetes.io/exclude-disruption",
    };
    static const char *const resources[] = {"cpu", "memory", "pods"};
    for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++)
        reads_node_label(reads, labels[i]);
    for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
        reads_resource(reads, resources[i]);
}

/* ---- pods ---- */

static void read_template(struct reads *reads, const struct pod_template *template)
{
    scheduler_reads_placed(reads, &template->spec);
    scheduler_reads_incoming(reads, &template->spec);
}

bool pod_is_pinned(const struct pod *pod)
{
    const struct owner_reference *owner = object_meta_controller(&pod->meta);
    return pod->spec.node_name && owner &&
           (strcmp(owner->kind, "DaemonSet") == 0 || strcmp(owner->kind, "Node") == 0);
}

static void read_pod(struct reads *reads, const struct pod *pod)
{
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return;
    scheduler_reads_placed(reads, &pod->spec);
    if (!pod->spec.node_name) {
        scheduler_reads_incoming(reads, &pod->spec);
        reads_node_name(reads, pod->status.nominated_node_name);
    } else if (reads->pods_in_place && !pod_is_pinned(pod)) {
        descheduler_reads_pod(reads, &pod->spec);
    }
}

/* ---- other objects ---- */

static void read_metrics(struct reads *reads, const struct horizontal_pod_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->metric_count; i++)
        reads->container_names |= autoscaler->metrics[i].source == METRIC_CONTAINER_RESOURCE;
}

/* Which pods the object is about. */
static void read_selector(struct reads *reads, const struct object *object)
{
    switch (object->kind) {
    case OBJECT_DEPLOYMENT: reads_pod_selector(reads, object->as.deployment->selector); break;
    case OBJECT_REPLICA_SET: reads_pod_selector(reads, object->as.replica_set->selector); break;
    case OBJECT_STATEFUL_SET: reads_pod_selector(reads, object->as.stateful_set->selector); break;
    case OBJECT_DAEMON_SET: reads_pod_selector(reads, object->as.daemon_set->selector); break;
    case OBJECT_JOB: reads_pod_selector(reads, object->as.job->selector); break;
    case OBJECT_REPLICATION_CONTROLLER:
        reads_pod_labels(reads, &object->as.replication_controller->selector);
        break;
    case OBJECT_SERVICE: reads_pod_labels(reads, &object->as.service->selector); break;
    case OBJECT_POD_DISRUPTION_BUDGET:
        reads_pod_selector(reads, object->as.pod_disruption_budget->selector);
        break;
    default: break;
    }
}

void reads_add_object(struct reads *reads, const struct object *object)
{
    const struct pod_template *template = object_pod_template(object);
    if (template)
        read_template(reads, template);
    read_selector(reads, object);
    switch (object->kind) {
    case OBJECT_POD: read_pod(reads, object->as.pod); break;
    case OBJECT_HORIZONTAL_POD_AUTOSCALER:
        read_metrics(reads, object->as.horizontal_pod_autoscaler);
        break;
    case OBJECT_SCHEDULER_CONFIGURATION:
        scheduler_reads_configuration(reads, object->as.scheduler_configuration);
        break;
    case OBJECT_DESCHEDULER_POLICY:
        descheduler_reads_policy(reads, object->as.descheduler_policy);
        break;
    default: scheduler_reads_object(reads, object); break;
    }
}

void reads_add_intents(struct reads *reads, const struct check_intent *intents, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (intents[i].expression)
            reads_add_expression(reads, intents[i].expression);
        if (intents[i].condition)
            reads_add_expression(reads, intents[i].condition);
        if (intents[i].to)
            reads_add_expression(reads, intents[i].to);
        reads_node_label(reads, intents[i].topology_key);
        reads_node_labels(reads, &intents[i].node_selector);
    }
}

void reads_add_check(struct reads *reads, const struct check *check)
{
    if (check->controllers.scheduler && check->controllers.scheduler->configuration)
        scheduler_reads_configuration(reads, check->controllers.scheduler->configuration);
    if (check->controllers.descheduler && check->controllers.descheduler->policy)
        descheduler_reads_policy(reads, check->controllers.descheduler->policy);
    for (uint32_t e = 0; e < check->event_count; e++) {
        const struct check_event *event = &check->events[e];
        if (event->when)
            reads_add_expression(reads, event->when);
        reads_node_label(reads, event->topology_key);
        reads_node_name(reads, event->node);
        reads_node_name(reads, event->group);
        reads_node_name(reads, event->object.name);
    }
    reads_add_intents(reads, check->intents, check->intent_count);
}

/* ---- slices ---- */

static struct labels slice_labels(const struct reads *reads, const struct labels *labels)
{
    struct labels slice = {
        .items = ARENA_ARRAY(reads->arena, struct label, labels->count + 1),
    };
    for (uint32_t i = 0; i < labels->count; i++)
        if (strcmp(labels->items[i].key, LABEL_HOSTNAME) == 0 ||
            reads_has_node_label(reads, labels->items[i].key))
            slice.items[slice.count++] = labels->items[i];
    return slice;
}

static struct resource_list slice_resources(const struct reads *reads,
                                            const struct resource_list *list)
{
    struct resource_list slice = {
        .items = ARENA_ARRAY(reads->arena, struct resource, list->count + 1),
    };
    for (uint32_t i = 0; i < list->count; i++)
        if (reads_has_resource(reads, list->items[i].name))
            slice.items[slice.count++] = list->items[i];
    return slice;
}

/* Images by the names that a pod to be placed knows them by. */
static void slice_images(const struct reads *reads, const struct node *node, struct node *slice)
{
    slice->status.images =
        ARENA_ARRAY(reads->arena, struct container_image, node->status.image_count + 1);
    slice->status.image_count = 0;
    for (uint32_t i = 0; i < node->status.image_count; i++) {
        const struct container_image *image = &node->status.images[i];
        struct container_image kept = {.size_bytes = image->size_bytes};
        kept.names.items = ARENA_ARRAY(reads->arena, const char *, image->names.count + 1);
        for (uint32_t n = 0; n < image->names.count; n++)
            if (reads_has_image(reads, image->names.items[n]))
                kept.names.items[kept.names.count++] = image->names.items[n];
        if (kept.names.count > 0)
            slice->status.images[slice->status.image_count++] = kept;
    }
}

struct node *reads_slice_node(const struct reads *reads, const struct node *node)
{
    struct node *slice = ARENA_NEW(reads->arena, struct node);
    if (reads->everything)
        *slice = *node;
    slice->status.conditions = (struct conditions){0};
    slice->meta.name = node->meta.name;
    slice->meta.creation_time = TIME_NONE;
    slice->meta.deletion_time = node->meta.deletion_time == TIME_NONE ? TIME_NONE : 0;
    slice->meta.labels = slice_labels(reads, &node->meta.labels);
    slice->spec.unschedulable = node->spec.unschedulable;
    slice->spec.taints = ARENA_ARRAY(reads->arena, struct taint, node->spec.taint_count + 1);
    slice->spec.taint_count = node->spec.taint_count;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        slice->spec.taints[i] = node->spec.taints[i];
        slice->spec.taints[i].time_added = TIME_NONE;
    }
    slice->status.allocatable = slice_resources(reads, &node->status.allocatable);
    slice_images(reads, node, slice);
    if (reads->declared_features)
        slice->status.declared_features = node->status.declared_features;
    return slice;
}
