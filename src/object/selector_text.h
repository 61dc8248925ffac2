/* SPDX-License-Identifier: Apache-2.0 */
/* Label selectors in the form of the command line: "app=web,tier in (a, b),!old". */
#ifndef FATHOM_OBJECT_SELECTOR_TEXT_H
#define FATHOM_OBJECT_SELECTOR_TEXT_H

#include "base/arena.h"
#include "object/selector.h"

/* Reads what kubectl's -l takes: =, ==, !=, in, notin, KEY, !KEY, and > and <
 * with whole numbers. Everything becomes match expressions. On failure `*why` (if not NULL) is set
 * to a constant phrase. */
bool selector_text_parse(struct arena *arena, const char *text, struct label_selector *selector,
                         const char **why);

/* The text that gives this selector. */
char *selector_text_format(struct arena *arena, const struct label_selector *selector);

#endif
