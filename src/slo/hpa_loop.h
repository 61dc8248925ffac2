/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the real autoscaler scale up and down for ever while the load stays the
 * same from the start? A run under a constant load has no choices, so it comes
 * back to a state it was in, and then goes round for ever; every rate is tried.
 */
#ifndef FATHOM_SLO_HPA_LOOP_H
#define FATHOM_SLO_HPA_LOOP_H

#include "slo/questions.h"

void hpa_loop(struct arena *arena, const struct slo_service *service,
              const struct slo_limits *limits, struct memory *memory, struct slo_answer *answer);

#endif
