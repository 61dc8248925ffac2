/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_known.h"

#include "expression/expression_evaluate.h"

#include <string.h>

static bool is_known_map(const struct term *term)
{
    return term->known && term->known->tag == VALUE_IS_MAP;
}

/* Is it a member of a map that is known, by a name that the text gives? */
static bool is_known_member(const struct term *term)
{
    if (term->operand_count == 0 || !is_known_map(term->operands[0]))
        return false;
    if (term->kind == TERM_SELECT || term->kind == TERM_HAS)
        return true;
    return term->kind == TERM_CALL && strcmp(term->name, "_[_]") == 0 &&
           term->operands[1]->kind == TERM_LITERAL;
}

static void set_known(struct term *term, struct arena *arena, struct expression_value value,
                      uint32_t steps)
{
    term->known = arena_copy(arena, &value, sizeof(value));
    term->known_steps = steps;
}

/* A member that is not there stays unknown: evaluation says why it fails. */
static void look_up(struct term *term, struct arena *arena)
{
    struct evaluation evaluation = {.scratch = arena, .steps_left = EXPRESSION_STEPS_MOST};
    const struct expression_value value = term_evaluate(&evaluation, term);
    if (value.tag != VALUE_IS_ERROR)
        set_known(term, arena, value, EXPRESSION_STEPS_MOST - evaluation.steps_left);
}

static void know(struct term *term, struct arena *arena, const char *variable,
                 struct expression_value value)
{
    for (uint32_t i = 0; i < term->operand_count; i++)
        know(term->operands[i], arena, variable, value);
    if (term->kind == TERM_NAME && term->variable && strcmp(term->variable->name, variable) == 0)
        set_known(term, arena, value, 1);
    else if (!term->known && is_known_member(term))
        look_up(term, arena);
}

void expression_know(const struct expression *expression, struct arena *arena, const char *variable,
                     struct expression_value value)
{
    know(expression->term, arena, variable, value);
}
