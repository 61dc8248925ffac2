/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `--batch` of `fathom decide` and `fathom slo`: one scenario a line in, one
 * answer a line out, in the same order.
 *
 * A line that is wrong is answered by {"id":...,"error":...} with the first
 * problem, all problems go to standard error, and the other lines are answered
 * nevertheless. Empty lines are passed over. Each answer is flushed, so that
 * the program can be talked to line by line.
 */
#ifndef FATHOM_CLI_DECIDE_BATCH_H
#define FATHOM_CLI_DECIDE_BATCH_H

#include "cli/session.h"
#include "decide/decider.h"

#include <stdio.h>

/* Writes the member "result" of one answer, as deciders do; false: the scenario
 * is wrong. */
typedef bool batch_answer(void *context, struct arena *arena, const struct value *scenario,
                          struct json_out *json, struct problems *problems);

/* True if every line could be answered. `name` is who answers, for messages. */
bool batch_run(struct session *session, const char *name, batch_answer *answer, void *context,
               FILE *in, FILE *out);

/* `features` are the rules of lines that state no version. Gives the exit code:
 * EXIT_INPUT if any line was wrong. */
int decide_batch(struct session *session, const struct decider *decider,
                 const struct features *features, FILE *in, FILE *out);

#endif
