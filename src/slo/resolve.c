/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/resolve.h"

#include "manifest/document.h"
#include "object/path.h"
#include "slo/hpa.h"
#include "slo/published.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define NS_PER_MS     INT64_C(1000000)
#define NS_PER_SECOND INT64_C(1000000000)

/* The path of a field that is written with dots, as far as it is there. */
static struct place place_of(const struct value *root, const char *field)
{
    const struct value *at = root;
    while (*field) {
        const size_t length = strcspn(field, ".");
        const struct value *next = NULL;
        for (uint32_t i = 0; at->kind == VALUE_MAPPING && i < at->count; i++)
            if (strlen(at->members[i].key) == length &&
                strncmp(at->members[i].key, field, length) == 0)
                next = &at->members[i].value;
        if (!next)
            break;
        at = next;
        field += length + (field[length] == '.');
    }
    return value_place(at);
}

struct place slo_field_place(const struct object *object, const char *field)
{
    return object->source ? place_of(&object->source->root, field) : object->place;
}

void slo_resolve_error(const struct slo_resolving *resolving, const char *field, const char *format,
                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(resolving->problems->arena, format, arguments);
    va_end(arguments);
    problem_error(resolving->problems, slo_field_place(resolving->object, field), field, "%s",
                  message);
}

static uint32_t seconds_of(int64_t nanoseconds)
{
    return (uint32_t)(nanoseconds / NS_PER_SECOND);
}

int64_t slo_resolve_response_ms(const struct slo_resolving *resolving)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    if (objective->objective_count == 0)
        return objective->max_response_time_ns / NS_PER_MS;
    const struct named_objective *named = &objective->objectives[0];
    const int64_t rounded = (int64_t)(named->value * 1000 + 1e-6);
    /* Times are whole milliseconds, so `less than` is `at most one less`. */
    const bool strict = named->op && strcmp(named->op, "lt") == 0;
    const bool whole = (double)rounded >= named->value * 1000 - 1e-6;
    return strict && whole ? rounded - 1 : rounded;
}

bool slo_resolve_queue(const struct slo_resolving *resolving, struct slo_service *service)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    const int64_t processing = objective->processing_time_ns / NS_PER_MS;
    const int64_t work = (int64_t)1000 * objective->concurrency;
    const int64_t handled = work / processing;
    const int64_t queue = objective->max_queue.set ? objective->max_queue.value
                                                   : slo_resolve_response_ms(resolving) /
                                                         processing * objective->concurrency;
    if (handled == 0) {
        slo_resolve_error(resolving, "spec.service.processingTime",
                          "expected at most a second for each of concurrency (%d): requests are "
                          "counted by the second, and a pod has to finish one",
                          objective->concurrency);
        return false;
    }
    if (queue > SLO_QUEUE_MOST || handled > SLO_QUEUE_MOST) {
        slo_resolve_error(resolving, "spec.objective",
                          "expected at most %d requests that may wait at a pod, found %" PRId64,
                          SLO_QUEUE_MOST, queue);
        return false;
    }
    if (work % processing)
        VEC_PUSH(resolving->arena, resolving->notes,
                 arena_printf(resolving->arena,
                              "a pod handles %" PRId64 " requests a second, rounded down from "
                              "%.1f; the verdict is about a service of that speed",
                              handled, (double)work / (double)processing));
    service->queue_most = (uint32_t)queue;
    service->handled = (uint32_t)handled;
    return true;
}

/* ---- queueThreshold ---- */

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
