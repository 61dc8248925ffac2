/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service under the real controller: a HorizontalPodAutoscaler on the cpu
 * that the pods use while they are busy. All decisions are made by
 * decide/controller/hpa.h, the code that is compared with recorded syncs.
 *
 * A second, in order: requests come and are shared among the ready pods; the
 * objective is judged; each pod handles what it can and is busy for that part of
 * the second; pods that have started become ready; at its times the metrics
 * server takes a sample of every ready pod, averaged over its window; at its
 * times the autoscaler syncs, on the samples of the last scrape. New pods start at
 * once and are ready `startup` seconds later. Of pods to be dropped those that are
 * not ready go first, then the youngest; they finish what waits at them.
 */
#ifndef FATHOM_SLO_HPA_H
#define FATHOM_SLO_HPA_H

#include "decide/controller/hpa.h"
#include "slo/resolve.h"

struct slo_hpa {
    struct features features;
    struct hpa_flags flags;
    const struct scaling_rules *scale_up; /* both NULL without `behavior` */
    const struct scaling_rules *scale_down;
    struct hpa_metric metric;
    struct hpa_request request; /* of a pod */
    int64_t busy_milli;         /* what a pod uses while it is busy all the time */
    uint32_t sync_period;       /* seconds; syncs are at the end of every multiple */
    uint32_t resolution;        /* between two scrapes, and the window of a sample */
    uint32_t delay;             /* scrapes are so many seconds before a multiple of it */
};

bool slo_resolve_hpa(const struct slo_resolving *resolving, struct slo_service *service);

/* Is there a scrape at the end of second `second`? */
static inline bool slo_hpa_scrapes(const struct slo_hpa *hpa, uint32_t second)
{
    return (second + hpa->delay) % hpa->resolution == 0;
}

static inline bool slo_hpa_syncs(const struct slo_hpa *hpa, uint32_t second)
{
    return second % hpa->sync_period == 0;
}

/* The input of a sync but for its pods. */
struct hpa_input slo_hpa_input(const struct slo_service *service, uint32_t replicas);

#endif
