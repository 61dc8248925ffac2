/* SPDX-License-Identifier: Apache-2.0 */
/* Words of commands that people copy into a shell. */
#ifndef FATHOM_BASE_SHELL_WORD_H
#define FATHOM_BASE_SHELL_WORD_H

#include "base/arena.h"

/* The word as a shell reads it: quoted where that is needed. */
const char *shell_word(struct arena *arena, const char *word);

#endif
