/* SPDX-License-Identifier: Apache-2.0 */
/* What the manifests say about the autoscaler and the pods of the service. */
#include "object/workload.h"
#include "slo/hpa.h"

#include <inttypes.h>
#include <string.h>

#define NS_PER_SECOND INT64_C(1000000000)

static bool is_named(const struct object *object, const char *name)
{
    const char *slash = strrchr(name, '/');
    if (!slash)
        return strcmp(object->meta->name, name) == 0;
    /* Kind/name or Kind/namespace/name */
    static const char kind[] = "HorizontalPodAutoscaler/";
    if (strncmp(name, kind, sizeof(kind) - 1) != 0 || strcmp(object->meta->name, slash + 1) != 0)
        return false;
    const char *namespace = name + sizeof(kind) - 1;
    if (namespace > slash)
        return true;
    const size_t length = (size_t)(slash - namespace);
    return strlen(object->meta->namespace) == length &&
           strncmp(object->meta->namespace, namespace, length) == 0;
}

static const struct object *find_autoscaler(const struct slo_resolving *resolving)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    const char *name = objective->autoscaler.settings->name;
    const char *field = "spec.autoscaler.horizontalPodAutoscaler";
    const struct object *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < resolving->objects->count; i++) {
        const struct object *object = &resolving->objects->items[i];
        if (object->kind != OBJECT_HORIZONTAL_POD_AUTOSCALER || (name && !is_named(object, name)))
            continue;
        found = object;
        count++;
    }
    if (count == 1)
        return found;
    if (name)
        slo_resolve_error(
            resolving, "spec.autoscaler.horizontalPodAutoscaler.name",
            "expected one HorizontalPodAutoscaler \"%s\" among the manifests, found %u", name,
            count);
    else if (count == 0)
        slo_resolve_error(resolving, field,
                          "expected a HorizontalPodAutoscaler among the manifests, found none");
    else
        slo_resolve_error(resolving, field,
                          "expected a name: there are %u HorizontalPodAutoscalers", count);
    return NULL;
}

static const struct deployment *find_deployment(const struct slo_resolving *resolving,
                                                const struct object *autoscaler)
{
    const struct object_reference *target = &autoscaler->as.horizontal_pod_autoscaler->scale_target;
    if (strcmp(target->kind, "Deployment") != 0) {
        problem_error(resolving->problems, slo_field_place(autoscaler, "spec.scaleTargetRef.kind"),
                      "spec.scaleTargetRef.kind",
                      "expected Deployment (fathom slo models no other), found \"%s\"",
                      target->kind);
        return NULL;
    }
    const struct object *object = objects_find(resolving->objects, OBJECT_DEPLOYMENT,
                                               autoscaler->meta->namespace, target->name);
    if (!object)
        problem_error(resolving->problems, slo_field_place(autoscaler, "spec.scaleTargetRef.name"),
                      "spec.scaleTargetRef.name",
                      "expected a Deployment \"%s\" among the manifests, found none", target->name);
    return object ? object->as.deployment : NULL;
}

/* Only the busy time is known, so only cpu can be a metric. */
static bool resolve_metric(const struct slo_resolving *resolving, const struct object *object,
                           struct hpa_metric *metric)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    const struct metric_spec *given = autoscaler->metrics;
    const bool cpu = autoscaler->metric_count == 1 && given->source == METRIC_RESOURCE &&
                     strcmp(given->resource, "cpu") == 0;
    const enum hpa_target target = cpu ? hpa_metric_target(given) : HPA_TARGET_NONE;
    if (target == HPA_TARGET_NONE) {
        problem_error(resolving->problems, slo_field_place(object, "spec.metrics"), "spec.metrics",
                      "expected the resource cpu and no other metric: fathom slo knows how busy "
                      "the pods are, nothing else");
        return false;
    }
    *metric = (struct hpa_metric){
        .source = METRIC_RESOURCE,
        .target = target,
        .target_value = target == HPA_TARGET_UTILIZATION
                            ? given->target.average_utilization.value
                            : quantity_milli_value(*given->target.average_value),
        .cpu = true,
    };
    return true;
}

/* What a pod asks for, and what it uses when it is busy: as given, or else as
 * much as its limits allow, or its request if not all containers have one. */
static bool resolve_cpu(const struct slo_resolving *resolving, const struct object *object,
                        const struct deployment *deployment, struct slo_hpa *hpa)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    const struct pod_spec *pod = &deployment->template.spec;
    int64_t limits = 0;
    bool limited = true;
    for (uint32_t i = 0; i < pod->container_count; i++) {
        const struct resource_requirements *resources = &pod->containers[i].resources;
        const struct quantity *request = resource_list_find(&resources->requests, "cpu");
        const struct quantity *limit = resource_list_find(&resources->limits, "cpu");
        if (!request && hpa->metric.target == HPA_TARGET_UTILIZATION) {
            problem_error(resolving->problems, slo_field_place(object, "spec.metrics"),
                          "spec.metrics",
                          "container %s of Deployment %s has no cpu request, so that utilization "
                          "is not defined and the autoscaler does nothing",
                          pod->containers[i].name, deployment->meta.name);
            return false;
        }
        hpa->request.milli += request ? quantity_milli_value(*request) : 0;
        limits += limit ? quantity_milli_value(*limit) : 0;
        limited = limited && limit;
    }
    const struct quantity *given = objective->autoscaler.settings->cpu_when_busy;
    hpa->busy_milli = limited ? limits : hpa->request.milli;
    if (given)
        hpa->busy_milli = quantity_milli_value(*given);
    if (hpa->busy_milli <= 0)
        slo_resolve_error(resolving, "spec.autoscaler.horizontalPodAutoscaler.cpuWhenBusy",
                          "expected what a busy pod uses: the Deployment has neither cpu limits "
                          "nor requests");
    else if (!given)
        VEC_PUSH(resolving->arena, resolving->notes,
                 arena_printf(resolving->arena,
                              "a pod that is busy all the time uses %" PRId64
                              "m cpu, its %s (cpuWhenBusy says otherwise)",
                              hpa->busy_milli, limited ? "limit" : "request"));
    return hpa->busy_milli > 0;
}

/* A pod that is dropped finishes what waits at it only if it is given the time. */
static void warn_of_grace(const struct slo_resolving *resolving, const struct object *autoscaler,
                          const struct deployment *deployment, const struct slo_service *service)
{
    const struct object *object = objects_find(resolving->objects, OBJECT_DEPLOYMENT,
                                               autoscaler->meta->namespace, deployment->meta.name);
    const int64_t grace = deployment->template.spec.termination_grace_seconds;
    const int64_t longest = service->queue_most / service->handled;
    if (object && grace < longest)
        problem_warning(resolving->problems,
                        slo_field_place(object, "spec.template.spec.terminationGracePeriodSeconds"),
                        "spec.template.spec.terminationGracePeriodSeconds",
                        "a dropped pod may need %" PRId64 " s for what waits at it and has %" PRId64
                        " s; that requests are lost then is not modelled",
                        longest, grace);
}

static bool resolve_pods(const struct slo_resolving *resolving,
                         const struct horizontal_pod_autoscaler *autoscaler,
                         const struct deployment *deployment, struct slo_service *service)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    if (objective->pods_min.set || objective->pods_max.set) {
        slo_resolve_error(resolving, "spec.pods",
                          "min and max are those of the HorizontalPodAutoscaler");
        return false;
    }
    if (autoscaler->min_replicas < 1 || autoscaler->max_replicas > SLO_PODS_MOST) {
        slo_resolve_error(resolving, "spec.autoscaler",
                          "expected an autoscaler of 1 to %d replicas, found %d to %d",
                          SLO_PODS_MOST, autoscaler->min_replicas, autoscaler->max_replicas);
        return false;
    }
    service->pods_min = (uint32_t)autoscaler->min_replicas;
    service->pods_max = (uint32_t)autoscaler->max_replicas;
    const int64_t initial =
        objective->pods_initial.set ? objective->pods_initial.value : deployment->replicas;
    if (initial < autoscaler->min_replicas || initial > autoscaler->max_replicas) {
        slo_resolve_error(resolving, "spec.pods.initial",
                          "expected a start within the autoscaler's bounds (%d to %d), found "
                          "%" PRId64,
                          autoscaler->min_replicas, autoscaler->max_replicas, initial);
        return false;
    }
    service->pods_initial = (uint32_t)initial;
    return true;
}

static bool resolve_times(const struct slo_resolving *resolving, struct slo_hpa *hpa)
{
    const struct service_autoscaler_settings *settings =
        resolving->object->as.service_objective->autoscaler.settings;
    hpa->sync_period = (uint32_t)(settings->sync_period_ns / NS_PER_SECOND);
    hpa->resolution = (uint32_t)(settings->metrics_resolution_ns / NS_PER_SECOND);
    hpa->delay = (uint32_t)(settings->metrics_delay_ns / NS_PER_SECOND);
    if (hpa->delay >= hpa->resolution) {
        slo_resolve_error(resolving, "spec.autoscaler.horizontalPodAutoscaler.metricsDelay",
                          "expected less than metricsResolution (%us)", hpa->resolution);
        return false;
    }
    hpa->flags.tolerance = settings->tolerance;
    hpa->flags.downscale_window = settings->downscale_stabilization_ns;
    return true;
}

bool slo_resolve_hpa(const struct slo_resolving *resolving, struct slo_service *service)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    const struct object *object = find_autoscaler(resolving);
    const struct deployment *deployment = object ? find_deployment(resolving, object) : NULL;
    if (!deployment)
        return false;
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    struct slo_hpa *hpa = ARENA_NEW(resolving->arena, struct slo_hpa);
    hpa->features = *resolving->features;
    hpa->flags = hpa_default_flags();
    if (autoscaler->has_behavior) {
        hpa->scale_up = &autoscaler->scale_up;
        hpa->scale_down = &autoscaler->scale_down;
    }
    *service = (struct slo_service){
        .rule = SLO_HORIZONTAL_POD_AUTOSCALER,
        .startup = (uint32_t)(objective->pod_startup_ns / NS_PER_SECOND),
        .balancing =
            objective->balancing == BALANCING_LEAST_LOADED ? SLO_LEAST_LOADED : SLO_ROUND_ROBIN,
        .divisor = 1,
        .hpa = hpa,
    };
    if (objective->queue_limit.set) {
        slo_resolve_error(resolving, "spec.abstraction.queueLimit",
                          "only the published nginx model has this abstraction");
        return false;
    }
    if (!resolve_times(resolving, hpa) || !resolve_metric(resolving, object, &hpa->metric) ||
        !resolve_cpu(resolving, object, deployment, hpa) ||
        !resolve_pods(resolving, autoscaler, deployment, service))
        return false;
    if (!slo_resolve_queue(resolving, service) || !slo_resolve_load(resolving, &service->load))
        return false;
    warn_of_grace(resolving, object, deployment, service);
    return true;
}

struct hpa_input slo_hpa_input(const struct slo_service *service, uint32_t replicas)
{
    const struct slo_hpa *hpa = service->hpa;
    struct hpa_input input = {
        .features = &hpa->features,
        .flags = hpa->flags,
        .spec_replicas = (int32_t)replicas,
        .status_replicas = (int32_t)replicas,
        .min_replicas = (int32_t)service->pods_min,
        .max_replicas = (int32_t)service->pods_max,
        .scale_up = hpa->scale_up,
        .scale_down = hpa->scale_down,
        .metrics = &hpa->metric,
        .metric_count = 1,
    };
    hpa_input_set_tolerance(&input);
    return input;
}
