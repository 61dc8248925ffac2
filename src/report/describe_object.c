/* SPDX-License-Identifier: Apache-2.0 */
#include "report/describe_object.h"

#include "object/autoscaler.h"
#include "object/check.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"
#include "object/scheduler_configuration.h"
#include "object/storage.h"
#include "object/workload.h"

#include <inttypes.h>
#include <string.h>

const char *amount_cpu_format(struct arena *arena, int64_t milli)
{
    return quantity_format_text(arena, quantity_of_milli(milli));
}

const char *amount_bytes_format(struct arena *arena, int64_t bytes)
{
    struct quantity quantity = quantity_of(bytes);
    quantity.format = QUANTITY_BINARY_SI;
    return quantity_format_text(arena, quantity);
}

/* Parts joined by a separator, empty ones left out. */
static const char *join(struct arena *arena, const char *left, const char *separator,
                        const char *right)
{
    if (!*left || !*right)
        return *left ? left : right;
    return arena_printf(arena, "%s%s%s", left, separator, right);
}

const char *amounts_format(struct arena *arena, const struct catalog *catalog,
                           const struct amounts *amounts)
{
    const char *all = "";
    if (amounts->cpu_milli)
        all = arena_printf(arena, "cpu %s", amount_cpu_format(arena, amounts->cpu_milli));
    if (amounts->memory)
        all = join(arena, all, ", ",
                   arena_printf(arena, "memory %s", amount_bytes_format(arena, amounts->memory)));
    if (amounts->ephemeral_storage)
        all = join(arena, all, ", ",
                   arena_printf(arena, "ephemeral-storage %s",
                                amount_bytes_format(arena, amounts->ephemeral_storage)));
    for (uint32_t i = 0; i < amounts->scalar_count; i++)
        all = join(arena, all, ", ",
                   arena_printf(arena, "%s %" PRId64,
                                catalog->resources.items[amounts->scalars[i].resource],
                                amounts->scalars[i].amount));
    return all;
}

static const char *plural(struct arena *arena, int64_t count, const char *noun)
{
    return arena_printf(arena, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
}

static const char *describe_bound(struct arena *arena, struct int_or_percent bound)
{
    return arena_printf(arena, "%" PRId64 "%s", bound.value, bound.percent ? "%" : "");
}

/* What may keep a pod from a node. */
static const char *describe_constraints(struct arena *arena, const struct pod_spec *spec)
{
    const char *all = "";
    const struct affinity *affinity = spec->affinity;
    if (spec->node_selector.count)
        all = join(arena, all, ", ", "node selector");
    if (affinity && affinity->node_affinity)
        all = join(arena, all, ", ", "node affinity");
    if (affinity && affinity->pod_affinity)
        all = join(arena, all, ", ", "pod affinity");
    if (affinity && affinity->pod_anti_affinity)
        all = join(arena, all, ", ", "pod anti-affinity");
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        all = join(arena, all, ", ",
                   arena_printf(arena, "spread over %s",
                                spec->topology_spread_constraints[i].topology_key));
    return all;
}

struct describer {
    struct arena *arena;
    struct catalog *catalog;
    struct description *description;
};

static const char *each_pod(const struct describer *d, const struct pod_spec *spec)
{
    const struct pod pod = {.spec = *spec};
    d->description->has_requests = true;
    catalog_pod_requests(d->catalog, &pod, &d->description->requests);
    return amounts_format(d->arena, d->catalog, &d->description->requests);
}

static const char *each_or_none(struct arena *arena, const char *each, const char *requests)
{
    return *requests ? arena_printf(arena, "%s%s", each, requests) : "no requests";
}

/* "3 pods, each cpu 500m; recreate; spread over zone" */
static const char *describe_replicas(const struct describer *d, int64_t replicas,
                                     const struct pod_template *template, const char *manner)
{
    d->description->pods = replicas;
    const char *each =
        each_or_none(d->arena, replicas == 1 ? "" : "each ", each_pod(d, &template->spec));
    const char *all = join(d->arena, plural(d->arena, replicas, "pod"), ", ", each);
    all = join(d->arena, all, "; ", manner);
    return join(d->arena, all, "; ", describe_constraints(d->arena, &template->spec));
}

static const char *describe_deployment(const struct describer *d, const struct deployment *x)
{
    const char *manner = "recreate";
    if (x->strategy == DEPLOYMENT_ROLLING_UPDATE)
        manner = arena_printf(d->arena, "rolling update (%s unavailable, %s surge)",
                              describe_bound(d->arena, x->max_unavailable),
                              describe_bound(d->arena, x->max_surge));
    if (x->paused)
        manner = join(d->arena, manner, ", ", "paused");
    return describe_replicas(d, x->replicas, &x->template, manner);
}

static const char *describe_stateful_set(const struct describer *d, const struct stateful_set *x)
{
    const bool ordered = x->pod_management_policy == POD_MANAGEMENT_ORDERED_READY;
    return describe_replicas(d, x->replicas, &x->template,
                             ordered ? "one after the other" : "in parallel");
}

static const char *describe_daemon_set(const struct describer *d, const struct daemon_set *x)
{
    const char *each = each_or_none(d->arena, "each ", each_pod(d, &x->template.spec));
    const char *all = join(d->arena, "a pod on each node", ", ", each);
    return join(d->arena, all, "; ", describe_constraints(d->arena, &x->template.spec));
}

static const char *describe_job(const struct describer *d, const struct job *x)
{
    const int64_t at_once = x->parallelism.set ? x->parallelism.value : 1;
    const char *manner = "done when one succeeds";
    if (x->completions.set)
        manner = arena_printf(d->arena, "done after %s",
                              plural(d->arena, x->completions.value, "completion"));
    return describe_replicas(d, x->suspend ? 0 : at_once, &x->template, manner);
}

static const char *phase_name(enum pod_phase phase)
{
    switch (phase) {
    case POD_PHASE_UNSET: return "not yet placed";
    case POD_PENDING: return "pending";
    case POD_RUNNING: return "running";
    case POD_SUCCEEDED: return "succeeded";
    case POD_FAILED: return "failed";
    case POD_UNKNOWN: return "unknown";
    }
    return "";
}

static const char *describe_pod(const struct describer *d, const struct pod *x)
{
    d->description->pods = 1;
    const char *all = each_or_none(d->arena, "", each_pod(d, &x->spec));
    const char *where = phase_name(x->status.phase);
    if (x->spec.node_name)
        where =
            arena_printf(d->arena, "%s on %s",
                         x->status.phase == POD_PHASE_UNSET ? "placed" : where, x->spec.node_name);
    if (x->meta.deletion_time != TIME_NONE)
        where = join(d->arena, where, ", ", "terminating");
    all = join(d->arena, all, "; ", where);
    return join(d->arena, all, "; ", describe_constraints(d->arena, &x->spec));
}

static const char *describe_node(const struct describer *d, const struct node *x)
{
    const char *all = "";
    for (uint32_t i = 0; i < x->status.allocatable.count; i++) {
        const struct resource *resource = &x->status.allocatable.items[i];
        all = join(d->arena, all, ", ",
                   arena_printf(d->arena, "%s %s", resource->name,
                                quantity_format_text(d->arena, resource->quantity)));
    }
    if (!*all)
        all = "no resources";
    if (x->spec.taint_count)
        all = join(d->arena, all, "; ", plural(d->arena, x->spec.taint_count, "taint"));
    return x->spec.unschedulable ? join(d->arena, all, "; ", "unschedulable") : all;
}

static const char *describe_autoscaler(const struct describer *d,
                                       const struct horizontal_pod_autoscaler *x)
{
    const char *metrics = "";
    for (uint32_t i = 0; i < x->metric_count; i++)
        metrics = join(d->arena, metrics, ", ",
                       x->metrics[i].resource ? x->metrics[i].resource : x->metrics[i].metric);
    return arena_printf(d->arena, "%s/%s from %d to %d pods, by %s", x->scale_target.kind,
                        x->scale_target.name, x->min_replicas, x->max_replicas, metrics);
}

static const char *describe_budget(const struct describer *d, const struct pod_disruption_budget *x)
{
    if (x->max_unavailable.set)
        return arena_printf(d->arena, "at most %s unavailable",
                            describe_bound(d->arena, x->max_unavailable));
    return arena_printf(d->arena, "at least %s available",
                        describe_bound(d->arena, x->min_available));
}

static const char *describe_storage(const struct describer *d, const struct resource_list *list,
                                    const char *storage_class)
{
    const struct quantity *storage = resource_list_find(list, "storage");
    const char *size = storage ? quantity_format_text(d->arena, *storage) : "no size";
    if (!storage_class || !*storage_class)
        return size;
    return arena_printf(d->arena, "%s of class %s", size, storage_class);
}

static const char *describe_claim(const struct describer *d,
                                  const struct persistent_volume_claim *x)
{
    const char *all = describe_storage(d, &x->requests, x->storage_class_name);
    if (!x->volume_name)
        return all;
    return arena_printf(d->arena, "%s, bound to %s", all, x->volume_name);
}

static const char *describe_check(const struct describer *d, const struct check *x)
{
    return arena_printf(d->arena, "%s, %s, %s", plural(d->arena, x->intent_count, "intent"),
                        plural(d->arena, x->event_count, "event"),
                        plural(d->arena, x->node_group_count, "node group"));
}

static const char *describe_cron_job(const struct describer *d, const struct cron_job *cron_job)
{
    return arena_printf(d->arena, "%s%s%s%s", cron_job->suspend ? "suspended, " : "makes Jobs at ",
                        cron_job->schedule, cron_job->time_zone ? " in " : "",
                        cron_job->time_zone ? cron_job->time_zone : "");
}

static const char *summary_of(const struct describer *d, const struct object *object)
{
    switch (object->kind) {
    case OBJECT_NODE: return describe_node(d, object->as.node);
    case OBJECT_POD: return describe_pod(d, object->as.pod);
    case OBJECT_DEPLOYMENT: return describe_deployment(d, object->as.deployment);
    case OBJECT_REPLICA_SET:
        return describe_replicas(d, object->as.replica_set->replicas,
                                 &object->as.replica_set->template, "");
    case OBJECT_REPLICATION_CONTROLLER:
        return describe_replicas(d, object->as.replication_controller->replicas,
                                 &object->as.replication_controller->template, "");
    case OBJECT_STATEFUL_SET: return describe_stateful_set(d, object->as.stateful_set);
    case OBJECT_DAEMON_SET: return describe_daemon_set(d, object->as.daemon_set);
    case OBJECT_JOB: return describe_job(d, object->as.job);
    case OBJECT_HORIZONTAL_POD_AUTOSCALER:
        return describe_autoscaler(d, object->as.horizontal_pod_autoscaler);
    case OBJECT_POD_METRICS:
        return arena_printf(d->arena, "usage of %s",
                            plural(d->arena, object->as.pod_metrics->container_count, "container"));
    case OBJECT_POD_DISRUPTION_BUDGET: return describe_budget(d, object->as.pod_disruption_budget);
    case OBJECT_PRIORITY_CLASS:
        return arena_printf(d->arena, "priority %d%s", object->as.priority_class->value,
                            object->as.priority_class->global_default ? ", the default" : "");
    case OBJECT_RUNTIME_CLASS:
        return arena_printf(d->arena, "handler %s", object->as.runtime_class->handler);
    case OBJECT_SERVICE:
        return arena_printf(d->arena, "selects by %s",
                            plural(d->arena, object->as.service->selector.count, "label"));
    case OBJECT_PERSISTENT_VOLUME:
        return describe_storage(d, &object->as.persistent_volume->capacity,
                                object->as.persistent_volume->storage_class_name);
    case OBJECT_PERSISTENT_VOLUME_CLAIM:
        return describe_claim(d, object->as.persistent_volume_claim);
    case OBJECT_STORAGE_CLASS:
        return object->as.storage_class->volume_binding_mode == VOLUME_BINDING_IMMEDIATE
                   ? "binds at once"
                   : "binds when a pod needs it";
    case OBJECT_SCHEDULER_CONFIGURATION:
        return plural(d->arena, object->as.scheduler_configuration->profile_count, "profile");
    case OBJECT_DESCHEDULER_POLICY:
        return plural(d->arena, object->as.descheduler_policy->profile_count, "profile");
    case OBJECT_CHECK: return describe_check(d, object->as.check);
    case OBJECT_SERVICE_OBJECTIVE: return "a service and its objective (fathom slo)";
    case OBJECT_NAMESPACE: return "";
    case OBJECT_CRON_JOB: return describe_cron_job(d, object->as.cron_job);
    case OBJECT_LIMIT_RANGE: return plural(d->arena, object->as.limit_range->limit_count, "limit");
    case OBJECT_RESOURCE_QUOTA:
        return arena_printf(d->arena, "limits %s",
                            plural(d->arena, object->as.resource_quota->hard.count, "resource"));
    case OBJECT_VALIDATING_WEBHOOK_CONFIGURATION:
        return plural(d->arena, object->as.validating_webhooks->webhook_count, "webhook");
    case OBJECT_MUTATING_WEBHOOK_CONFIGURATION:
        return plural(d->arena, object->as.mutating_webhooks->webhook_count, "webhook");
    case OBJECT_OTHER:
    case OBJECT_KIND_COUNT: break;
    }
    d->description->modelled = false;
    return "not modelled";
}

struct description describe_object(struct arena *arena, struct catalog *catalog,
                                   const struct object *object)
{
    struct description description = {.object = object, .modelled = true};
    const struct describer describer = {arena, catalog, &description};
    description.summary = summary_of(&describer, object);
    return description;
}

bool description_is_owned(const struct description *description)
{
    return object_meta_controller(description->object->meta) != NULL;
}
