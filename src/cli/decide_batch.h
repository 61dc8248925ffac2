/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide CONTROLLER --batch`: one scenario a line in, one answer a line
 * out, in the same order.
 *
 * A line that is wrong is answered by {"id":...,"error":...} with the first
 * problem, all problems go to standard error, and the other lines are answered
 * nevertheless. Empty lines are passed over. Each answer is flushed, so that
 * the program can be talked to line by line.
 */
#ifndef FATHOM_CLI_DECIDE_BATCH_H
#define FATHOM_CLI_DECIDE_BATCH_H

#include "cli/session.h"
#include "model/decider.h"

#include <stdio.h>

/* Gives the exit code: EXIT_INPUT if any line was wrong. */
int decide_batch(struct session *session, const struct decider *decider, FILE *in, FILE *out);

#endif
