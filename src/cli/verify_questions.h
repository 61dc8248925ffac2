/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom verify` without a Check: the questions (verify/questions.h), asked one after the other.
 */
#ifndef FATHOM_CLI_VERIFY_QUESTIONS_H
#define FATHOM_CLI_VERIFY_QUESTIONS_H

#include "cli/verify_settings.h"
#include "object/input.h"
#include "verify/plan.h"

/* Are there manifests alone, and does the command line leave it open what to ask? */
bool verify_asks_questions(const struct session *session, const struct input *input);

/* Asks again, to find the plan with this number once more. False, after a complaint, if there is
 * none any more. */
bool verify_questions_plan(struct session *session, const struct verify_settings *settings,
                           struct input *input, uint32_t unit, struct verify_plan *plan);

/* Gives the exit code. */
int verify_questions(struct session *session, const struct verify_settings *settings,
                     struct input *input);

#endif
