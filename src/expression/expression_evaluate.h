/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the terms of an expression. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_EVALUATE_H
#define FATHOM_EXPRESSION_EXPRESSION_EVALUATE_H

#include "expression/expression.h"
#include "expression/term.h"

/* How the error begins that ends an evaluation of too many steps. */
#define EXPRESSION_TOO_COSTLY "it takes more than"

struct evaluation {
    void *context;
    struct arena *scratch;
    struct expression_value locals[EXPRESSION_DEPTH_MOST + 1];
    uint32_t steps_left;
    /* Of these two operands of a comparison the size of a bag is only compared, so that it counts
     * as read when the other one is known, too (expression_counting.compared). */
    const struct term *comparing;
    const struct expression_list *sized; /* whose size the last such operand was; NULL: none */
};

struct expression_value term_evaluate(struct evaluation *evaluation, const struct term *term);

#endif
