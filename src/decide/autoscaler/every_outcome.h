/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a loop whose choices (order_choices.h) matter only by what comes of them is a trial: it
 * is tried in every way by itself, and then one of its different results is chosen.
 */
#ifndef FATHOM_DECIDE_AUTOSCALER_EVERY_OUTCOME_H
#define FATHOM_DECIDE_AUTOSCALER_EVERY_OUTCOME_H

#include "base/text.h"
#include "decide/autoscaler/order_choices.h"

struct cluster_autoscaler;

struct outcome_trial {
    void (*act)(void *context);
    void (*undo)(void *context);
    void (*tell)(void *context, struct text *text); /* what came of it */
    void *context;
};

/* Acts in one of the ways that have different results. Without choices: acts. */
void trial_run(struct cluster_autoscaler *autoscaler, const struct outcome_trial *trial);

#endif
