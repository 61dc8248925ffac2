/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_DESCHEDULER_OUTCOMES_H
#define FATHOM_DECIDE_DESCHEDULER_OUTCOMES_H

#include "decide/descheduler/descheduler.h"

/* A cycle whose random choices are made by `choice`. */
void descheduler_run_choosing(struct arena *arena, const struct descheduler_setup *setup,
                              struct cluster *cluster, struct choice *choice,
                              struct descheduler_result *result);

#endif
