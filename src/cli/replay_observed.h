/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLI_REPLAY_OBSERVED_H
#define FATHOM_CLI_REPLAY_OBSERVED_H

#include "cli/session.h"

/* `fathom replay --observed DIR`: is what was recorded a behaviour of the
 * model? DIR holds the runs, or folders that do. Gives the exit code. */
int replay_observed(struct session *session, const char *folder);

#endif
