/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_key.h"

#include "expression/term.h"

#include <string.h>

static bool is_variable(const struct term *term, const char *name)
{
    return term->kind == TERM_NAME && term->variable && strcmp(term->variable->name, name) == 0;
}

static bool is_text(const struct term *term)
{
    return term->kind == TERM_LITERAL && term->literal.tag == VALUE_IS_STRING;
}

static bool is_call(const struct term *term, const char *name)
{
    return term->kind == TERM_CALL && strcmp(term->name, name) == 0;
}

/* The key that the term reads of the variable; NULL: it reads none. */
static const char *key_read(const struct term *term, const char *variable)
{
    if (term->operand_count == 0 || !is_variable(term->operands[0], variable))
        return NULL;
    if (term->kind == TERM_SELECT)
        return term->name;
    return is_call(term, "_[_]") && is_text(term->operands[1]) ? term->operands[1]->literal.text
                                                               : NULL;
}

/* The key that the term asks for, whether it is there or not; NULL: it asks for none. */
static const char *key_asked(const struct term *term, const char *variable)
{
    if (term->kind == TERM_HAS && is_variable(term->operands[0], variable))
        return term->name;
    return is_call(term, "@in") && is_variable(term->operands[1], variable) &&
                   is_text(term->operands[0])
               ? term->operands[0]->literal.text
               : NULL;
}

static bool is_asked(const struct term *term, const char *variable, const char *key)
{
    const char *asked = key_asked(term, variable);
    if (asked && strcmp(asked, key) == 0)
        return true;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (is_asked(term->operands[i], variable, key))
            return true;
    return false;
}

static const char *find_missing(const struct term *term, const struct term *whole,
                                const struct expression_keys *keys)
{
    const char *key = key_read(term, keys->variable);
    if (key && !keys->has(keys->context, key) &&
        !(keys->may_be_asked && is_asked(whole, keys->variable, key)))
        return key;
    key = NULL;
    for (uint32_t i = 0; i < term->operand_count && !key; i++)
        key = find_missing(term->operands[i], whole, keys);
    return key;
}

const char *expression_missing_key(const struct expression *expression,
                                   const struct expression_keys *keys)
{
    return find_missing(expression->term, expression->term, keys);
}
