/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps that a simulation takes first, from a file with a line for each (--take):
 *
 *     3                                            the third of those that may come next
 *     the scheduler binds pod web-1 to node n-1    the one that is told in these words
 *     3 the scheduler binds pod web-1 to node n-1  the third if these are its words, or else
 *                                                  whichever has them
 */
#ifndef FATHOM_CLI_TAKE_STEPS_H
#define FATHOM_CLI_TAKE_STEPS_H

#include "cli/session.h"
#include "report/simulation.h"

/* False, after a complaint, if the file cannot be read or a step cannot come there. */
bool take_steps(struct session *session, const char *path, struct simulation *simulation);

#endif
