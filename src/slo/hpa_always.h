/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can always happen under the real autoscaler: deadlock, nonblocking and
 * controllability. Their answers follow from how a run (hpa_run.h) is made and from
 * what the controller does in a few syncs, which are tried; hpa_always.c explains
 * why.
 *
 * Idle is: nothing waits, no pod is on its way, there are no more pods than at the
 * start, and the load is low.
 */
#ifndef FATHOM_SLO_HPA_ALWAYS_H
#define FATHOM_SLO_HPA_ALWAYS_H

#include "slo/questions.h"

/* What is shown and said is put into the arena. */
void hpa_always(struct arena *arena, const struct slo_service *service, enum slo_question question,
                struct slo_answer *answer);

#endif
