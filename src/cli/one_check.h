/* SPDX-License-Identifier: Apache-2.0 */
/* One Check and one of its setups: what commands work on that look at a single cluster. */
#ifndef FATHOM_CLI_ONE_CHECK_H
#define FATHOM_CLI_ONE_CHECK_H

#include "cli/session.h"
#include "cli/verify_settings.h"
#include "verify/plan.h"

/* Reads the settings and the Check, or the manifests without one. False: that was not possible, and
 * the user has been told why. */
bool one_check_read(struct session *session, struct verify_settings *settings,
                    struct verify_plan *plan);

/* The setup of --setup, or the usual one; NULL: there is none, and the problems say why. */
const struct setup *one_check_setup(struct session *session, const struct verify_plan *plan,
                                    struct problems *problems);

/* The model of the setup; NULL: there is none, the user has been told why, and `*code` is the exit
 * code. */
struct crew;
struct crew *one_check_build(struct session *session, const struct verify_settings *settings,
                             const struct verify_plan *plan, const struct setup *setup,
                             struct problems *problems, int *code);

#endif
