/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a service under the real autoscaler: given the requests of every
 * second, what happens. Nothing is abstracted: each pod is modelled separately,
 * requests are dealt one by one, and the controller's memory is exact. What is
 * shown to people comes from here, and a violation is only reported if it
 * happens here.
 */
#ifndef FATHOM_SLO_HPA_RUN_H
#define FATHOM_SLO_HPA_RUN_H

#include "decide/controller/hpa_memory.h"
#include "slo/hpa.h"
#include "slo/questions.h"

struct hpa_run_pod {
    uint32_t starting; /* seconds until it is ready; 0: it is */
    uint32_t ready;    /* seconds since it became so, at most hpa_run_age_most */
    uint32_t queue;
    uint32_t served; /* in the window that is running */
    int64_t sample;  /* milli cpu; -1: none yet */
};

struct hpa_run {
    struct arena *arena;
    const struct slo_service *service;
    struct hpa_run_pod *pods; /* the oldest first; those that start come last */
    uint32_t pod_count;
    uint32_t next; /* whose turn it is, from 0 */
    uint32_t second;
    uint32_t position;
    uint32_t scraped; /* the second of the last scrape, plus resolution (never negative) */
    uint32_t last;    /* requests of the last second */
    struct hpa_memory memory;
};

void hpa_run_init(struct hpa_run *run, struct arena *arena, const struct slo_service *service);

/* The bounds that the load sets to the next second's requests. */
void hpa_run_bounds(const struct hpa_run *run, uint32_t *least, uint32_t *most);
uint32_t hpa_run_ready(const struct hpa_run *run);

/* The next second. True if the objective is broken in it. `told` may be NULL. */
bool hpa_run_second(struct hpa_run *run, uint32_t requests, struct slo_second *told);

/* The autoscaler looks now; part of a second in which it is due. */
void hpa_run_sync(struct hpa_run *run, struct slo_second *told);

/* The age of a pod from which on the controller treats it like an older one. */
uint32_t hpa_run_age_most(const struct slo_service *service);

/* What a pod's sample says when it served so much of the window, in milli cpu; the
 * amounts in any unit. */
int64_t hpa_usage(const struct slo_hpa *hpa, uint64_t served, uint64_t full);

#endif
