/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of other manifests, followed with these (--what-if): what changes if a field changes?
 *
 * The file is a simulation in JSON. Each of its steps is taken if it can come; if not, what its
 * actor does to the same object instead; if that cannot be either, the step is passed over. An
 * event waits until it can come, as long as controllers have something to do. If the other run
 * ended at rest, this one goes on until it rests, too, or until --steps are taken.
 */
#ifndef FATHOM_CLI_WHAT_IF_H
#define FATHOM_CLI_WHAT_IF_H

#include "cli/session.h"
#include "report/simulation.h"

/* False, after a complaint, if the file is no simulation. */
bool what_if_follow(struct session *session, const char *path, struct simulation *simulation);

#endif
