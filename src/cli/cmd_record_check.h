/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom record FOLDER --as-check OUT`: a recorded run as a Check. */
#ifndef FATHOM_CLI_CMD_RECORD_CHECK_H
#define FATHOM_CLI_CMD_RECORD_CHECK_H

#include "cli/session.h"

/* The exit code: 2 if the recording cannot be read, or the Check cannot be verified. */
int cmd_record_check(struct session *session, const char *folder);

#endif
