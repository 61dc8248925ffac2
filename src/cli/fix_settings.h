/* SPDX-License-Identifier: Apache-2.0 */
/* --allow and --budget: what a repair may give up, and what it may cost. */
#ifndef FATHOM_CLI_FIX_SETTINGS_H
#define FATHOM_CLI_FIX_SETTINGS_H

#include "cli/verify_settings.h"
#include "repair/repair.h"

/* False, with problems of the command line, if a value is wrong. */
bool fix_settings_read(struct session *session, struct repair_options *options,
                       struct problems *problems);

/* Repairs the Check of a plan, within what is left of the limits. */
void fix_plan(struct session *session, const struct verify_settings *settings,
              struct repair_options *options, const struct verify_plan *plan,
              struct repair *repair);

#endif
