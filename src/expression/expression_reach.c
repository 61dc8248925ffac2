/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_reach.h"

#include "expression/term.h"

#include <string.h>

static bool is_variable(const struct term *term, const char *name)
{
    return term->kind == TERM_NAME && term->variable && strcmp(term->variable->name, name) == 0;
}

static bool is_call(const struct term *term, const char *name)
{
    return term->kind == TERM_CALL && strcmp(term->name, name) == 0;
}

static bool follows(const struct term *term, const char *member)
{
    if (term->kind == TERM_SELECT && strcmp(term->name, member) == 0)
        return true;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (follows(term->operands[i], member))
            return true;
    return false;
}

bool expression_follows(const struct expression *expression, const char *member)
{
    return follows(expression->term, member);
}

/* ---- each element by itself ---- */

/* An element of one of the collections. */
struct element {
    const struct expression_parting *parting;
    uint32_t local; /* its variable */
    bool is_key;    /* true if it is a key of the map */
};

/* `map[w]`, of the element itself. */
static bool is_own_object(const struct term *term, const struct element *element)
{
    return element->is_key && is_call(term, "_[_]") &&
           is_variable(term->operands[0], element->parting->map) &&
           term->operands[1]->kind == TERM_NAME && !term->operands[1]->variable &&
           term->operands[1]->local == element->local;
}

/* Does the term read nothing but the element? */
static bool is_own(const struct term *term, const struct element *element)
{
    if (is_own_object(term, element))
        return true;
    if (term->kind == TERM_NAME && term->variable)
        return false;
    if (term->kind == TERM_SELECT && strcmp(term->name, element->parting->beyond) == 0)
        return false;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (!is_own(term->operands[i], element))
            return false;
    return true;
}

/* One of the collections, or some of its elements, chosen each by itself. */
static bool is_collection(const struct term *term, const struct expression_parting *parting,
                          bool *is_map)
{
    *is_map = is_variable(term, parting->map);
    if (*is_map || is_variable(term, parting->bag))
        return true;
    if (term->kind != TERM_MACRO || term->macro != MACRO_FILTER ||
        !is_collection(term->operands[0], parting, is_map))
        return false;
    const struct element element = {parting, term->local, *is_map};
    return is_own(term->operands[1], &element);
}

/* `deciding`: the value of a part that decides for the whole; false of `all` and `&&`. */
static bool parts_decide(const struct term *term, const struct expression_parting *parting,
                         bool deciding)
{
    bool is_map = false;
    if (term->kind == (deciding ? TERM_OR : TERM_AND)) {
        for (uint32_t i = 0; i < term->operand_count; i++)
            if (!parts_decide(term->operands[i], parting, deciding))
                return false;
        return true;
    }
    if (is_call(term, "!_"))
        return parts_decide(term->operands[0], parting, !deciding);
    if (term->kind != TERM_MACRO || term->macro != (deciding ? MACRO_EXISTS : MACRO_ALL) ||
        !is_collection(term->operands[0], parting, &is_map))
        return false;
    const struct element element = {parting, term->local, is_map};
    return is_own(term->operands[1], &element);
}

bool expression_is_of_each(const struct expression *expression,
                           const struct expression_parting *parting)
{
    return parts_decide(expression->term, parting, false);
}

bool expression_is_of_some(const struct expression *expression,
                           const struct expression_parting *parting)
{
    return parts_decide(expression->term, parting, true);
}
