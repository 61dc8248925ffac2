/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/resolve.h"

#include "slo/hpa.h"
#include "slo/published.h"
#include "slo/resolve_parts.h"

#define NS_PER_MS     INT64_C(1000000)
#define NS_PER_SECOND INT64_C(1000000000)

static uint32_t seconds_of(int64_t nanoseconds)
{
    return (uint32_t)(nanoseconds / NS_PER_SECOND);
}

static void resolve_pods(const struct service_objective *objective, struct slo_service *service)
{
    service->pods_max = (uint32_t)objective->pods_max.value;
    service->pods_min = objective->pods_min.set ? (uint32_t)objective->pods_min.value : 1;
    service->pods_initial =
        objective->pods_initial.set ? (uint32_t)objective->pods_initial.value : service->pods_min;
}

static bool resolve_intended(const struct slo_resolving *resolving, struct slo_service *service)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    const struct service_threshold *threshold = objective->autoscaler.threshold;
    if (objective->queue_limit.set) {
        slo_resolve_error(resolving, "spec.abstraction.queueLimit",
                          "only the published nginx model has this abstraction");
        return false;
    }
    *service = (struct slo_service){
        .rule = SLO_QUEUE_THRESHOLD,
        .startup = seconds_of(objective->pod_startup_ns),
        .balancing =
            objective->balancing == BALANCING_LEAST_LOADED ? SLO_LEAST_LOADED : SLO_ROUND_ROBIN,
        .interval = seconds_of(threshold->check_interval_ns),
        .divisor = 1,
    };
    resolve_pods(objective, service);
    if (!slo_resolve_queue(resolving, service))
        return false;
    service->up = (uint32_t)((int64_t)service->queue_most * threshold->scale_up / 100);
    service->down = (uint32_t)((int64_t)service->queue_most * threshold->scale_down / 100);
    return slo_resolve_load(resolving, &service->load);
}

static bool resolve_published(const struct slo_resolving *resolving, struct slo_service *service)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    const struct service_threshold *threshold = objective->autoscaler.threshold;
    const enum published_model model =
        threshold->model == THRESHOLD_NGINX ? PUBLISHED_NGINX : PUBLISHED_NODEJS;
    struct published_parameters parameters = published_defaults(model);
    resolve_pods(objective, service);
    parameters.processing_ms = objective->processing_time_ns / NS_PER_MS;
    parameters.response_ms = objective->max_queue.set
                                 ? objective->max_queue.value * parameters.processing_ms
                                 : slo_resolve_response_ms(resolving);
    parameters.pods_initially = service->pods_initial;
    parameters.pod_min = service->pods_min;
    parameters.pod_max = service->pods_max;
    parameters.pod_startup = seconds_of(objective->pod_startup_ns);
    parameters.check_interval = seconds_of(threshold->check_interval_ns);
    parameters.up_percent = threshold->scale_up;
    parameters.down_percent = threshold->scale_down;
    if (model == PUBLISHED_NODEJS) {
        parameters.rate_high = objective->load.wave->high;
        parameters.rate_low = objective->load.wave->low;
        parameters.seconds_high = seconds_of(objective->load.wave->high_for_ns);
        parameters.seconds_low = seconds_of(objective->load.wave->low_for_ns);
        if (objective->queue_limit.set) {
            slo_resolve_error(resolving, "spec.abstraction.queueLimit",
                              "only the published nginx model has this abstraction");
            return false;
        }
    } else {
        parameters.rate = objective->load.constant->most;
        parameters.queue_limit =
            objective->queue_limit.set ? objective->queue_limit.value : SLO_QUEUE_MOST;
    }
    if (!published_service(resolving->arena, model, &parameters, resolving->object->place, service,
                           resolving->problems))
        return false;
    if (service->divisor > 1)
        VEC_PUSH(resolving->arena, resolving->notes,
                 arena_printf(resolving->arena,
                              "abstraction: one request of the model stands for %u, all divisions "
                              "rounded down: at most %u wait at a pod, which handles %u a second, "
                              "%u come; either verdict may be due to the rounding. Without "
                              "abstraction.queueLimit it is exact",
                              service->divisor, service->queue_most, service->handled,
                              service->load.rates[0]));
    if (model == PUBLISHED_NGINX && service->pods_max > 1)
        VEC_PUSH(resolving->arena, resolving->notes,
                 "as published: requests that do not divide evenly among the pods are dropped");
    if (model == PUBLISHED_NODEJS)
        VEC_PUSH(resolving->arena, resolving->notes,
                 "as published: the wave takes high and low for each other, pods that are off may "
                 "get requests, a full queue refuses one more");
    return true;
}

bool slo_resolve(const struct slo_resolving *resolving, struct slo_service *service)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    if (objective->autoscaler.rule == RULE_HORIZONTAL_POD_AUTOSCALER)
        return slo_resolve_hpa(resolving, service);
    if (objective->autoscaler.threshold->defects == DEFECTS_PUBLISHED)
        return resolve_published(resolving, service);
    return resolve_intended(resolving, service);
}
