/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom verify -o dot`: the state graph of one setup of each Check: that of
 * --setup, or the smallest one that violates an intent, or the usual one. */
#ifndef FATHOM_CLI_DRAW_STATES_H
#define FATHOM_CLI_DRAW_STATES_H

#include "cli/verify_settings.h"
#include "verify/plan.h"

/* Appends a graph. False, after a complaint, if there is no such setup or it has
 * too many states. */
bool draw_states(struct session *session, const struct verify_settings *settings,
                 const struct verify_plan *plan, const struct verify_report *found,
                 struct text *text);

#endif
