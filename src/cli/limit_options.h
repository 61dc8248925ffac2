/* SPDX-License-Identifier: Apache-2.0 */
/* The limits of a run as written on the command line, as numbers. NULL: not
 * given. What is wrong becomes a problem without a place. */
#ifndef FATHOM_CLI_LIMIT_OPTIONS_H
#define FATHOM_CLI_LIMIT_OPTIONS_H

#include "base/error.h"

/* --memory; without it three quarters of the machine's. */
void limit_read_memory(const char *text, size_t *bytes, struct problems *problems);
/* --timeout; without it UINT64_MAX. */
void limit_read_timeout(const char *text, uint64_t *most_ms, struct problems *problems);

/* A size (500Mi) or a duration (72h) of the option of that name; 0: not given. */
uint64_t limit_read_size(const char *option, const char *text, struct problems *problems);
int64_t limit_read_duration(const char *option, const char *text, struct problems *problems);

#endif
