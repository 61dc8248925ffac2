/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may come next on a command line, for the completion of shells.
 *
 * The scripts of `fathom completion` ask for it: `fathom __complete WORD ...` with the words after
 * the program's name, the last one being the one that is completed ("" if it is not begun). The
 * answer is a line for each candidate, its meaning after a tabulator, and last a line ":N" that
 * kubectl understands, too: 0: file names may come here as well; 4: only these; 2 more: no space
 * comes after a candidate.
 */
#ifndef FATHOM_CLI_COMPLETE_H
#define FATHOM_CLI_COMPLETE_H

#include "cli/session.h"

enum complete_directive { COMPLETE_FILES = 0, COMPLETE_NO_SPACE = 2, COMPLETE_ONLY = 4 };

struct completions {
    struct completion {
        const char *word;
        const char *meaning; /* NULL: none */
    } * items;
    uint32_t count;
    uint32_t capacity;
    unsigned directive; /* enum complete_directive */
};

/* `words` ends with the one to complete. */
void complete(struct session *session, const char *const *words, uint32_t count,
              struct completions *candidates);

/* The whole command: prints the candidates. */
int complete_print(struct session *session, const char *const *words);

/* ---- values (complete_values.c) ---- */

/* Of an option: `begun` is what stands there already. */
void complete_value(struct session *session, const struct option *option,
                    enum command_index command, const char *begun, struct completions *candidates);
/* Of the operands of a command. */
void complete_operand(struct session *session, enum command_index command,
                      struct completions *candidates);

void candidates_add(struct arena *arena, struct completions *candidates, const char *word,
                    const char *meaning);

#endif
