/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents that ask for an example (intent_class.asks_for_example).
 *
 * A search looks for the run that such an intent asks for as it looks for counterexamples. Found,
 * the intent holds, and the result keeps the run; if no setup has one, it is violated, and there is
 * no run to show. What a limit has left open stays open.
 */
#ifndef FATHOM_VERIFY_TURN_EXAMPLES_H
#define FATHOM_VERIFY_TURN_EXAMPLES_H

#include "verify/verify.h"

/* Turns the verdicts of a finished run around. */
void turn_examples(struct verify_report *report);

#endif
