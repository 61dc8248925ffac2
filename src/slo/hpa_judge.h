/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict on a service under the real autoscaler, from two sides.
 *
 *     holds      no run of the population (hpa_population.h), which has all real
 *                ones, breaks the objective;
 *     violated   a traffic was found for which a real run (hpa_run.h) breaks it;
 *                shortest, if the population has no way in fewer seconds;
 *     undecided  neither, with the finest grain tried.
 */
#ifndef FATHOM_SLO_HPA_JUDGE_H
#define FATHOM_SLO_HPA_JUDGE_H

#include "slo/questions.h"

/* The timeline and what it needs are put into the arena; `timeline` may be NULL. */
struct slo_verdict hpa_judge(struct arena *arena, const struct slo_service *service,
                             const struct slo_limits *limits, struct memory *memory,
                             struct slo_timeline *timeline);

#endif
