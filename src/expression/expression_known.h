/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that have the same value in all evaluations, so that what the text asks of them is
 * looked up once. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_KNOWN_H
#define FATHOM_EXPRESSION_EXPRESSION_KNOWN_H

#include "expression/expression.h"

/* From now on the variable is not read, and members of its map that the text names are not looked
 * for. The steps that count are the same. The value lives as long as the expression, which is of
 * the arena, and nobody evaluates it meanwhile. */
void expression_know(const struct expression *expression, struct arena *arena, const char *variable,
                     struct expression_value value);

#endif
