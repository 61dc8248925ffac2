/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/resolve_parts.h"

#include "base/saturating.h"

#include <inttypes.h>
#include <string.h>

#define NS_PER_MS INT64_C(1000000)

int64_t slo_resolve_response_ms(const struct slo_resolving *resolving)
{
    const struct service_objective *objective = resolving->object->as.service_objective;
    if (objective->objective_count == 0)
        return objective->max_response_time_ns / NS_PER_MS;
    const struct named_objective *named = &objective->objectives[0];
    const int64_t rounded = saturating_from_double(named->value * 1000 + 1e-6);
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
