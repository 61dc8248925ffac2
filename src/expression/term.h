/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Terms: the tree of an expression. The parser makes it (expression_parse.h), the checker gives
 * every term its type, variable, field or function (expression_check.h), and the evaluator walks
 * it.
 */
#ifndef FATHOM_EXPRESSION_TERM_H
#define FATHOM_EXPRESSION_TERM_H

#include "expression/expression_type.h"
#include "expression/expression_value.h"

struct expression_function;
struct expression_variable;

enum term_kind {
    TERM_LITERAL,
    TERM_NAME,   /* a variable of the environment, or the variable of a macro */
    TERM_SELECT, /* first.name */
    TERM_HAS,    /* has(first.name) */
    TERM_CALL,   /* name(arguments); with a receiver, that is the first of them */
    TERM_AND,    /* operands */
    TERM_OR,
    TERM_CONDITIONAL, /* condition, then, otherwise */
    TERM_LIST,
    TERM_MAP, /* keys and values in turn */
    TERM_MACRO,
};

enum macro_kind { MACRO_ALL, MACRO_EXISTS, MACRO_EXISTS_ONE, MACRO_FILTER, MACRO_MAP };

struct term {
    enum term_kind kind;
    uint32_t start; /* in the text, in bytes */
    uint32_t end;
    struct term **operands;
    uint32_t operand_count;
    const char *name; /* of a variable, a field or a function; of the variable of a macro */
    bool is_global;   /* TERM_NAME: it was written .name, which no variable of a macro hides */

    /* ---- by kind ---- */

    struct expression_value literal;
    bool has_receiver; /* TERM_CALL: it was written first.name(...) */
    enum macro_kind macro;

    /* ---- what the checker finds ---- */

    const struct expression_type *type;
    const struct expression_variable *variable; /* TERM_NAME: NULL if it belongs to a macro */
    uint32_t local;                             /* the number of a macro's variable */
    const struct expression_field *field;       /* TERM_SELECT, TERM_HAS; NULL: of a map */
    const struct expression_function *function;

    /* ---- what is found once for all evaluations (expression_known.h) ---- */

    const struct expression_value *known; /* NULL: it has to be evaluated */
    uint32_t known_steps;                 /* what evaluating it would take */
};

/* What is compiled (expression.h). */
struct expression {
    const char *text;
    struct term *term;
};

#endif
