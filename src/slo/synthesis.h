/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which value of a parameter keeps the objective: `fathom slo --find`.
 *
 *     min-pods   the smallest minimum of pods
 *     max-rate   the largest rate
 *     threshold  the highest threshold for scaling up, in per cent
 *     startup    the slowest start of a pod, in seconds
 *
 * Every value that is tried is checked for all traffic. More traffic is allowed at
 * a higher rate, so the rate is found by bisection, exactly. The others need not
 * be monotone (a pod that comes later may come at a better moment), so all
 * values of a grid are tried, and what is found is next to one that fails.
 */
#ifndef FATHOM_SLO_SYNTHESIS_H
#define FATHOM_SLO_SYNTHESIS_H

#include "slo/questions.h"

enum slo_find { SLO_FIND_MIN_PODS, SLO_FIND_MAX_RATE, SLO_FIND_THRESHOLD, SLO_FIND_STARTUP };

/* "min-pods"; false if there is no such thing to find. */
bool slo_find_parse(const char *name, enum slo_find *find);

struct slo_probe {
    uint64_t value;
    struct slo_verdict verdict;
};

struct slo_frontier {
    enum slo_find find;
    const char *parameter;   /* "min-pods" */
    struct slo_probe *items; /* by value */
    uint32_t count;
    uint32_t capacity;
    bool found;
    uint64_t value;  /* the best that holds */
    uint32_t step;   /* of the grid; 1: no value was left out, or by bisection */
    bool exact;      /* nothing between the probes can be better */
    bool open_ended; /* even the last value tried holds */
    bool undecided;  /* a limit was reached */
};

void slo_find(struct arena *arena, const struct slo_service *service, enum slo_find find,
              const struct slo_limits *limits, struct memory *memory,
              struct slo_frontier *frontier);

/* What was found, in a sentence. */
const char *slo_frontier_text(struct arena *arena, const struct slo_frontier *frontier);

#endif
