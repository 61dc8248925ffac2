/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service under the real autoscaler for the checker core, at any size: pods
 * are a multiset, numbers are ranges, and a step is a stretch of seconds.
 *
 * A state holds, in place of pods, groups of pods that are alike (with how many
 * they are), and for each group a lower and an upper bound on its queue, on what
 * it served in the running window, and on what its last sample says. Stretches
 * end where something may happen: at a sync, a scrape, when pods become ready, when
 * the load changes. For each stretch the traffic chooses
 * how many requests come in all (a range again: one of some levels); when they come
 * within the stretch is covered by the bounds. What the controller then may see is
 * a range; every decision that some value in it leads to is followed.
 * Of the recommendations of the past at most one is kept: where the controller
 * stabilizes, every number between that (or its proposal) and what it may remember
 * is followed.
 *
 * So every real run is among those explored (and some that are not real): if no
 * step explored breaks the objective, nothing does. What is found to break it is
 * only a suspicion, to be tried by hpa_run.h. A finer grain has fewer runs that
 * are not real. Why each range covers what it has to: hpa_population.c.
 */
#ifndef FATHOM_SLO_HPA_POPULATION_H
#define FATHOM_SLO_HPA_POPULATION_H

#include "explore/model.h"
#include "slo/hpa.h"

struct hpa_population {
    struct model model;
    const struct slo_service *service;
    uint32_t grain;    /* how fine everything is: 1, 2, 4, ... */
    uint32_t levels;   /* of traffic in a stretch */
    uint32_t cycle;    /* seconds after which scrapes and syncs repeat */
    uint32_t age_most; /* ages from which on nothing changes */
    uint32_t horizon;  /* only so many seconds are looked at, and a stretch ends there; 0: all */
    uint32_t window;   /* a recommendation holds for so many seconds, less 1; 0: not kept */
    uint32_t split;    /* the range of a queue is cut into pieces of about this size */
    uint32_t queue_unit, served_unit; /* bounds are multiples of these between stretches */
    bool remembers_down, remembers_up, remembers_changes;
};

/* False if the service is beyond what the words of a state can hold. */
bool hpa_population_init(struct hpa_population *population, const struct slo_service *service,
                         uint32_t grain, uint32_t horizon, bool holds);

/* What a step's argument says: the level of the traffic, and how many replicas
 * the autoscaler went for (0: it did not look). */
static inline uint32_t hpa_step_level(uint32_t argument)
{
    return argument & 0x3fffff;
}

static inline uint32_t hpa_step_replicas(uint32_t argument)
{
    return argument >> 22;
}

/* What a step from this state is about: its seconds, and the requests of a level,
 * all pods together, in parts of a request. */
enum { HPA_PARTS = 16 };

struct hpa_stretch {
    uint32_t seconds;
    uint32_t ready;     /* pods */
    uint64_t peak;      /* the most that can come in a second */
    uint64_t low, high; /* that come in all */
};
struct hpa_stretch hpa_stretch_at(const struct hpa_population *population, const uint32_t *words,
                                  uint32_t length, uint32_t level);

#endif
