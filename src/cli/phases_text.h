/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLI_PHASES_TEXT_H
#define FATHOM_CLI_PHASES_TEXT_H

#include "base/arena.h"
#include "explore/phases.h"

/* For --stats: phases that nothing was noted in yet. */
struct phases *phases_new(struct arena *arena);
/* A line each on standard error, name and number first: scripts read it, too. */
void phases_print(const struct phases *phases);

#endif
