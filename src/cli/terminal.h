/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the terminal at the other end can show: how wide it is, whether a line may be written over,
 * whether it has colours, and whether it reads UTF-8.
 */
#ifndef FATHOM_CLI_TERMINAL_H
#define FATHOM_CLI_TERMINAL_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* From --no-color, NO_COLOR and TERM (NULL: not set), for a stream that is a terminal. */
bool colours_wanted(bool declined, const char *no_color, const char *terminal);

/* Is this a terminal that can go back to the beginning of a line and wipe it? */
bool terminal_overwrites(int descriptor);

/* The columns of the terminal; 80 where it does not say. */
uint32_t terminal_columns(int descriptor);

/* Whether the locale is one of UTF-8, from LC_ALL, LC_CTYPE and LANG (NULL: not set). */
bool locale_is_utf8(const char *all, const char *ctype, const char *lang);
/* The same of this process. */
bool terminal_reads_utf8(void);

/* Characters beyond ASCII become \u escapes: a terminal without UTF-8 would show other ones. */
void terminal_make_ascii(struct text *text);

/* Colours the verdicts, and what else begins a line that people look for. */
void terminal_paint(struct text *text);

#endif
