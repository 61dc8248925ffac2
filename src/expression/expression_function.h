/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of expressions: one row for each signature, in tables by subject. Operators are
 * functions, too, with CEL's names for them. Several rows may have one name: they go from the
 * general to the special.
 */
#ifndef FATHOM_EXPRESSION_EXPRESSION_FUNCTION_H
#define FATHOM_EXPRESSION_EXPRESSION_FUNCTION_H

#include "expression/expression_type.h"
#include "expression/expression_value.h"

enum { FUNCTION_ARGUMENTS_MOST = 4 };

/* How the type of the result is found, if it is not always the same. */
enum function_result {
    RESULT_AS_GIVEN,
    RESULT_BOTH,    /* a type that both arguments have */
    RESULT_ELEMENT, /* what the first argument consists of */
};

struct expression_function {
    const char *name;
    bool is_method; /* true if it is written receiver.name(...); the receiver is its first argument
                     */
    uint32_t argument_count;
    const struct expression_type *arguments[FUNCTION_ARGUMENTS_MOST];
    const struct expression_type *result;
    enum function_result result_from;
    /* The arguments are of these types, and none of them is an error. */
    struct expression_value (*apply)(struct arena *arena, const struct expression_value *arguments);
    bool walks_texts;  /* true if the longer its texts are, the more it costs */
    bool walks_values; /* true if it compares or adds what is in lists and maps */
    bool finds_keys;   /* true if it looks for a key in a map */
    bool compares;     /* true if two values are compared, and nothing else is made of them */
    /* Instead of `apply`: what it costs is found while it works, and taken from `*work_left`. If
     * that is not enough, it is 0 behind it. */
    struct expression_value (*search)(struct arena *arena, const struct expression_value *arguments,
                                      uint64_t *work_left);
};

struct expression_functions {
    const struct expression_function *rows;
    uint32_t count;
};

extern const struct expression_functions arithmetic_functions, relation_functions, text_functions,
    pattern_functions, list_functions, set_functions, conversion_functions, kubernetes_functions;

/* Gives the next row of this name, form and number of arguments behind `after` (NULL: the first
 * one); NULL: there is no more. */
const struct expression_function *expression_function_next(const struct expression_function *after,
                                                           const char *name, bool is_method,
                                                           uint32_t argument_count);
/* Do the values have the types of the row's arguments? */
bool expression_function_takes(const struct expression_function *function,
                               const struct expression_value *arguments);
/* Is there any function of this name? Offers all names to the suggestion, if not NULL. */
struct suggestion;
bool expression_function_exists(const char *name, struct suggestion *suggestion);
/* Do functions of this name take a regular expression behind the text that they search? */
bool expression_function_searches(const char *name);

#endif
