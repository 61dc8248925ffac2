/* SPDX-License-Identifier: Apache-2.0 */
/* Random texts of expressions, most of which have a type. */
#ifndef FATHOM_TEST_EXPRESSIONS_RANDOM_EXPRESSION_H
#define FATHOM_TEST_EXPRESSIONS_RANDOM_EXPRESSION_H

#include "base/text.h"
#include "expression/expression_type.h"

/* Of boxes, which are told by the program that asks: `boxes` and `same` are bags of them. */
struct random_boxes {
    const struct expression_type *box;
    const struct expression_type *bag;
};

/* Appends an expression that is mostly of the type. `late` writes dyn(...) around each value that
 * the text gives, so that types are known only when it is evaluated; the rest is the same. */
void random_expression(struct text *text, uint64_t seed, const struct random_boxes *boxes,
                       bool late);

#endif
