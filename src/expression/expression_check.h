/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the terms of an expression their types, variables, fields and functions. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_CHECK_H
#define FATHOM_EXPRESSION_EXPRESSION_CHECK_H

#include "expression/expression.h"
#include "expression/expression_parse.h"
#include "expression/term.h"

/* False: something does not fit, and the fault says what. */
bool expression_check(struct arena *arena, struct term *term,
                      const struct expression_environment *environment,
                      struct expression_fault *fault);

#endif
