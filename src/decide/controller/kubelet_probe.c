/* SPDX-License-Identifier: Apache-2.0 */
/* Readiness. Mirrors pkg/kubelet/prober/worker.go @ v1.26.15. */
#include "decide/controller/kubelet.h"

#include "base/saturating.h"

static int64_t seconds(int64_t count)
{
    return saturating_multiply(count, NANOSECONDS_PER_SECOND);
}

/* The worker probes once a period, at a phase that does not depend on the
 * container's start, and also whenever the status of a pod that is not ready is
 * written. */
static void add_window(const struct probe *probe, int64_t *earliest, int64_t *latest)
{
    if (!probe)
        return;
    const int64_t delay = seconds(probe->initial_delay_seconds);
    const int64_t wait = seconds((int64_t)probe->success_threshold * probe->period_seconds);
    /* The delay counts from the container's start, not from the other probe. */
    *earliest = *earliest > delay ? *earliest : delay;
    *latest = saturating_add(*latest > delay ? *latest : delay, wait);
}

void kubelet_ready_window(const struct probe *startup, const struct probe *readiness,
                          int64_t *earliest, int64_t *latest)
{
    *earliest = 0;
    *latest = 0;
    add_window(startup, earliest, latest);
    add_window(readiness, earliest, latest);
}
