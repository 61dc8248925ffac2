/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of an expression to its terms, by CEL's grammar. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_PARSE_H
#define FATHOM_EXPRESSION_EXPRESSION_PARSE_H

#include "base/arena.h"
#include "expression/term.h"

/* What is wrong with a text, and where. */
struct expression_fault {
    uint32_t at; /* in bytes from the start of the text */
    const char *message;
};

/* NULL: it is no expression, and the fault says why. */
struct term *expression_parse(struct arena *arena, const char *text,
                              struct expression_fault *fault);

#endif
