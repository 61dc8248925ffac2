/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An autoscaled service against its objective: what is asked, in numbers.
 *
 * Time is whole seconds. In each second some requests arrive, as many as the
 * load allows (that number is the only free choice, and every choice is looked
 * at); they are shared among the pods that serve; the objective is judged on
 * every pod's queue; the autoscaler may decide; each pod handles what it can; and
 * the second ends. `docs/slo.md` describes it for people.
 *
 * A `struct slo_service` is immutable once it is made and may be shared by
 * threads. What it points to belongs to the arena that it was made in.
 */
#ifndef FATHOM_SLO_SLO_H
#define FATHOM_SLO_SLO_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SLO_PODS_MOST = 1000,
    SLO_RATE_MOST = 10000000,
    SLO_QUEUE_MOST = 1000000000,
    SLO_STARTUP_MOST = 1000,
    SLO_INTERVAL_MOST = 2000,
    SLO_POSITIONS_MOST = 1000000, /* seconds until the load repeats itself */
};

/* How many requests may arrive, second by second: a sequence of positions that
 * runs to its end and then goes on at `loop_to`. */
struct slo_load {
    uint32_t *rates;    /* the most requests at each position */
    bool *low;          /* at each position: the load counts as low (idle) */
    uint32_t positions; /* at least 1 */
    uint32_t loop_to;
    uint32_t rise; /* the most that a second may have more than the last; UINT32_MAX: any */
    uint32_t fall; /* or less */
};

/* One stretch of a load, for building one. */
struct slo_phase {
    uint32_t rate;
    uint32_t seconds;
    bool low;
};

/* Phases one after the other, then again from phase `loop_to` on. False if they
 * are longer than SLO_POSITIONS_MOST. */
bool slo_load_build(struct arena *arena, const struct slo_phase *phases, uint32_t count,
                    uint32_t loop_to, struct slo_load *load);
/* The greatest rate that it ever allows. */
uint32_t slo_load_peak(const struct slo_load *load);

static inline uint32_t slo_load_next(const struct slo_load *load, uint32_t position)
{
    return position + 1 < load->positions ? position + 1 : load->loop_to;
}

/* Which pods get the requests that do not divide evenly. */
enum slo_balancing {
    SLO_EVEN,                  /* none: these requests are dropped (the published NGINX model) */
    SLO_ROUND_ROBIN_PUBLISHED, /* in turn, with the defects of the published Node.js model:
                                  pods that are off get some, a full queue refuses */
    SLO_ROUND_ROBIN,           /* in turn, among the pods that serve */
    SLO_LEAST_LOADED,          /* all requests go where the queue is shortest */
};

enum slo_rule { SLO_QUEUE_THRESHOLD, SLO_HORIZONTAL_POD_AUTOSCALER };

struct slo_hpa; /* slo/hpa.h */

struct slo_service {
    enum slo_rule rule;
    uint32_t queue_most; /* of a pod: one request more breaks the objective */
    uint32_t handled;    /* requests that a pod finishes in a second */
    uint32_t pods_initial, pods_min, pods_max;
    uint32_t startup; /* a pod asked for in second t serves from second t + startup + 1 on */
    enum slo_balancing balancing;
    struct slo_load load;
    /* SLO_QUEUE_THRESHOLD: looked at when `interval` seconds have passed. */
    uint32_t interval;
    uint32_t up;               /* a pod is asked for when the last pod's queue has so many */
    uint32_t down;             /* a pod is dropped when the first pod's queue has no more */
    uint32_t divisor;          /* requests that one of the model stands for; 1: no abstraction */
    const struct slo_hpa *hpa; /* SLO_HORIZONTAL_POD_AUTOSCALER */
};

#endif
