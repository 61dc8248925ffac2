/* SPDX-License-Identifier: Apache-2.0 */
/* One Check on its way to the model: what is to be explored, and what is asked. */
#ifndef FATHOM_CLI_VERIFY_PLAN_H
#define FATHOM_CLI_VERIFY_PLAN_H

#include "cli/verify_input.h"
#include "cli/verify_settings.h"

struct verify_plan {
    struct verify_unit *unit;
    struct scope scope;
    VEC(struct check_intent) intents;
    VEC(const char *) assumptions; /* what was taken for granted, in sentences */
};

/* From plan->unit. False, with problems of the unit, if anything is wrong or not
 * modelled. */
bool verify_plan_make(struct session *session, const struct verify_settings *settings,
                      struct verify_plan *plan);

#endif
