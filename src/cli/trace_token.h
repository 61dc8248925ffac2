/* SPDX-License-Identifier: Apache-2.0 */
/* The token that a trace server and its clients share. */
#ifndef FATHOM_CLI_TRACE_TOKEN_H
#define FATHOM_CLI_TRACE_TOKEN_H

#include "cli/session.h"

/* From --token-file or the environment; NULL: there is none. False, after a
 * complaint, if it is wrong. */
bool trace_token_read(struct session *session, const char **token);

#endif
