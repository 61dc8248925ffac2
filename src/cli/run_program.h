/* SPDX-License-Identifier: Apache-2.0 */
/* Runs another program (kubectl, kustomize, helm) and takes what it prints. */
#ifndef FATHOM_CLI_RUN_PROGRAM_H
#define FATHOM_CLI_RUN_PROGRAM_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

/* Is there a program of this name on PATH? */
bool program_exists(const char *name);

/* `arguments` begins with the program's name and ends with NULL. False if it cannot be run or does
 * not end with 0; then `complaint` says why, mostly in its own words. Both texts are initialised.
 */
bool program_run(const char *const *arguments, struct text *output, struct text *complaint);

/* The last line that is a sentence and no closing mark: programs log before they say what is wrong.
 * If they log that, too, it is without the log's beginning. */
const char *program_complaint(struct arena *arena, const struct text *complaint);

#endif
