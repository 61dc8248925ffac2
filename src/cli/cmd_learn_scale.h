/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLI_CMD_LEARN_SCALE_H
#define FATHOM_CLI_CMD_LEARN_SCALE_H

#include "cli/verify_settings.h"

/* `fathom verify --learn-scale FOLDER`, instead of verifying. Gives the exit code: 3 if a
 * Check shows no failure, or a limit came first. */
int cmd_learn_scale(struct session *session, const struct verify_settings *settings);

#endif
