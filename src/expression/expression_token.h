/* SPDX-License-Identifier: Apache-2.0 */
/* The words of an expression's text. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_TOKEN_H
#define FATHOM_EXPRESSION_EXPRESSION_TOKEN_H

#include "base/arena.h"

#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_WRONG, /* `content` says what is wrong */
    TOKEN_INT,
    TOKEN_DOUBLE,
    TOKEN_STRING,
    TOKEN_NAME,
    TOKEN_QUOTED_NAME, /* in backquotes, which are not in `content` */
    TOKEN_SYMBOL,      /* an operator or a bracket */
};

struct expression_token {
    enum token_kind kind;
    uint32_t start; /* in the text, in bytes */
    uint32_t end;
    const char *content; /* a name, a symbol, a string as it is meant, digits as written */
};

/* The token that begins at `start` or behind white space and comments there. */
struct expression_token expression_token_at(struct arena *arena, const char *text, uint32_t start);

#endif
