/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: what users say of a cluster in their own words, in the language that they know
 * from admission policies (CEL, the Common Expression Language).
 *
 *     pods.filter(p, p.labels.app == 'web' && p.ready).size() >= 2
 *
 * A text is compiled once against an environment, which gives names their types, and is then
 * evaluated as often as needed. What the text means where it is CEL is what CEL says: types,
 * precedence, errors that `&&` and `||` absorb, whole numbers that must not overflow. Bytes,
 * unsigned numbers, timestamps and messages are not part of it.
 *
 * One thing is added. Collections of a cluster are *bags*: their elements have no order, and
 * elements that are alike are one element with a count. A bag is asked with all, exists,
 * exists_one, filter, map, size, sum, min, max and `in`, which count each element as often as
 * it is there, and evaluate it once. What would tell two alike elements apart (an index, an order,
 * whether two pods are the same) is refused when the text is compiled, so that what is said of a
 * bag is what would be said of the list of all elements one by one.
 *
 * Compiling bounds the cost: texts and nesting have limits, and every evaluation a number of
 * steps. An expression that needs more of them fails, as CEL's cost limit has it.
 */
#ifndef FATHOM_EXPRESSION_EXPRESSION_H
#define FATHOM_EXPRESSION_EXPRESSION_H

#include "base/arena.h"
#include "base/error.h"
#include "expression/expression_type.h"
#include "expression/expression_value.h"

enum {
    EXPRESSION_BYTES_MOST = 16384, /* of a text */
    EXPRESSION_DEPTH_MOST = 48,    /* of parentheses, calls and operators inside each other */
    EXPRESSION_STEPS_MOST = 200000 /* of one evaluation */
};

/* A name that expressions can use, and how its value is found. */
struct expression_variable {
    const char *name;
    const struct expression_type *type;
    struct expression_value (*read)(void *context, struct arena *scratch);
    const char *meaning; /* a phrase for documents and messages */
};

struct expression_environment {
    const struct expression_variable *variables;
    uint32_t variable_count;
};

struct expression;

/* NULL: the text is no expression of the type that is wanted (NULL: of any type), and the problems
 * say why. The place is that of the text; problems name the column inside of it. `path` is its path
 * in the file. */
const struct expression *expression_compile(struct arena *arena, const char *text,
                                            const struct expression_environment *environment,
                                            const struct expression_type *wanted,
                                            struct place place, const char *path,
                                            struct problems *problems);

/* The type of its value. */
const struct expression_type *expression_result_type(const struct expression *expression);
/* The text that it was compiled from. */
const char *expression_text(const struct expression *expression);

/* The value; one that is an error says what went wrong. What it consists of lives in `scratch`.
 * `context` is given to the variables and fields that are read. */
struct expression_value expression_evaluate(const struct expression *expression, void *context,
                                            struct arena *scratch);

/* Does a value, or the text of an error, say that the evaluation took too many steps? */
bool expression_is_too_costly(struct expression_value value);
bool expression_says_too_costly(const char *text);

/* Does the expression use the variable? */
bool expression_uses(const struct expression *expression, const char *variable);
/* Does it read this field of this class anywhere? */
bool expression_reads(const struct expression *expression, const struct expression_class *class,
                      const char *field);

/* ---- parts, for reports ---- */

/* What a reader wants to know of a state in which an expression is not true: the sides of its
 * comparisons, and which element of a collection it is not true of. */
struct expression_part {
    const char *text;  /* "pods.size()", or "z" for the element that an `all` is not true of */
    const char *value; /* "2", "zone b" */
};

/* The parts that decide, in the order of the text, without literals; at most `most`. */
uint32_t expression_parts(const struct expression *expression, void *context, struct arena *arena,
                          struct expression_part *parts, uint32_t most);

#endif
