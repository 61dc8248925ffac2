/* SPDX-License-Identifier: Apache-2.0 */
/* What several formats say in the same words of a controller's intents. */
#ifndef FATHOM_REPORT_CONTROLLER_PARTS_H
#define FATHOM_REPORT_CONTROLLER_PARTS_H

#include "base/text.h"
#include "reconcile/plans.h"

/* "esr (Cluster/default/a)", or the name of a safety property */
const char *controller_intent_label(struct arena *arena, const struct judged_intent *intent);
/* "safety", "progress" or "stability" */
const char *controller_intent_kind(const struct judged_intent *intent);
/* What it means that the intent is violated. */
const char *controller_intent_meaning(const struct judged_intent *intent);

/* What a violation needs: "operation 1 (create ...), 1 crash" */
const char *controller_slice_words(struct arena *arena, const struct environment_options *options,
                                   const struct cause_slice *slice);

/* The counterexample, a line for each step. */
void controller_write_steps(const struct controller_run *run, struct text *text);

#endif
