/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_sole_part.h"

#include "expression/expression_evaluate.h"
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

/* ---- what is known of a predicate ---- */

enum known { IS_NOT_KNOWN, IS_KNOWN_FALSE, IS_KNOWN_TRUE };

/* Elements of a kind, and the variable that stands for them. */
struct sample {
    const struct expression_whole *whole;
    const struct expression_map *fields;
    uint32_t local;
    struct arena *scratch;
};

/* The value of `p.labels`, of the element p; false: it is something else, or not known. */
static bool field_of(const struct term *term, const struct sample *sample,
                     struct expression_value *value)
{
    if (term->kind != TERM_SELECT && term->kind != TERM_HAS)
        return false;
    const struct term *of = term->operands[0];
    return of->kind == TERM_NAME && !of->variable && of->local == sample->local &&
           expression_map_find(sample->fields, expression_of_string(term->name), value);
}

/* Is it a map among the fields? */
static bool is_map_of(const struct term *term, const struct sample *sample)
{
    struct expression_value value;
    return term->kind == TERM_SELECT && field_of(term, sample, &value) && value.tag == VALUE_IS_MAP;
}

static bool is_sure_key(const struct term *term, const struct sample *sample)
{
    return term->kind == TERM_LITERAL && term->literal.tag == VALUE_IS_STRING &&
           !sample->whole->is_unsure(term->literal.text);
}

/* `p.labels.app`, `has(p.labels.app)`, `p.labels['app']`, `'app' in p.labels` */
static bool is_known_member(const struct term *term, const struct sample *sample)
{
    if (term->kind == TERM_SELECT || term->kind == TERM_HAS)
        return is_map_of(term->operands[0], sample) && !sample->whole->is_unsure(term->name);
    if (is_call(term, "_[_]"))
        return is_map_of(term->operands[0], sample) && is_sure_key(term->operands[1], sample);
    return is_call(term, "@in") && is_map_of(term->operands[1], sample) &&
           is_sure_key(term->operands[0], sample);
}

/* Does nothing of it depend on what is not known of the element? A whole map does, because it may
 * have more keys. */
static bool is_known(const struct term *term, const struct sample *sample)
{
    struct expression_value value;
    if (is_known_member(term, sample))
        return true;
    if (field_of(term, sample, &value))
        return term->kind == TERM_HAS || value.tag != VALUE_IS_MAP;
    if (term->kind == TERM_NAME || term->kind == TERM_MACRO)
        return false;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (!is_known(term->operands[i], sample))
            return false;
    return true;
}

static enum known evaluate(const struct term *term, const struct sample *sample)
{
    struct evaluation evaluation = {.scratch = sample->scratch,
                                    .steps_left = EXPRESSION_STEPS_MOST};
    evaluation.locals[sample->local] =
        (struct expression_value){.tag = VALUE_IS_MAP, .map = sample->fields};
    const struct expression_value value = term_evaluate(&evaluation, term);
    if (value.tag != VALUE_IS_BOOL)
        return IS_NOT_KNOWN;
    return value.truth ? IS_KNOWN_TRUE : IS_KNOWN_FALSE;
}

static enum known negated(enum known known)
{
    if (known == IS_NOT_KNOWN)
        return known;
    return known == IS_KNOWN_TRUE ? IS_KNOWN_FALSE : IS_KNOWN_TRUE;
}

/* Of `&&` one operand that is false is enough, also beside one that fails; of `||` one that is
 * true. Nothing else is known of an operator if one of its operands is not. */
static enum known what_is_known(const struct term *term, const struct sample *sample)
{
    if (term->kind == TERM_AND || term->kind == TERM_OR) {
        const enum known deciding = term->kind == TERM_AND ? IS_KNOWN_FALSE : IS_KNOWN_TRUE;
        enum known all = negated(deciding);
        for (uint32_t i = 0; i < term->operand_count; i++) {
            const enum known known = what_is_known(term->operands[i], sample);
            if (known == deciding)
                return deciding;
            if (known == IS_NOT_KNOWN)
                all = known;
        }
        return all;
    }
    if (is_call(term, "!_"))
        return negated(what_is_known(term->operands[0], sample));
    return is_known(term, sample) ? evaluate(term, sample) : IS_NOT_KNOWN;
}

/* ---- which parts it reads ---- */

struct part_reading {
    const struct expression_whole *whole;
    struct arena *scratch;
    uint32_t part; /* UINT32_MAX: none yet */
};

/* False: it is not known, or another one was read before. */
static bool note_part(struct part_reading *reading, uint32_t part)
{
    if (part == UINT32_MAX || (reading->part != UINT32_MAX && reading->part != part))
        return false;
    reading->part = part;
    return true;
}

/* `map['key']` */
static bool is_object(const struct term *term, const struct expression_whole *whole)
{
    return is_call(term, "_[_]") && is_variable(term->operands[0], whole->map) &&
           term->operands[1]->kind == TERM_LITERAL &&
           term->operands[1]->literal.tag == VALUE_IS_STRING;
}

static bool read_object(struct part_reading *reading, const struct term *term)
{
    struct expression_value found;
    return expression_map_find(reading->whole->objects, term->operands[1]->literal, &found) &&
           note_part(reading, found.object.first);
}

/* A macro over the whole bag with a predicate that elements can be left out by. */
static bool is_choice(const struct term *term, const struct expression_whole *whole)
{
    return term->kind == TERM_MACRO && is_variable(term->operands[0], whole->bag) &&
           (term->macro != MACRO_MAP || term->operand_count == 3);
}

/* Elements of which the predicate is known to be such that they could as well not be there are not
 * read. */
static bool read_chosen(struct part_reading *reading, const struct term *term)
{
    const struct expression_whole *whole = reading->whole;
    const enum known left_out = term->macro == MACRO_ALL ? IS_KNOWN_TRUE : IS_KNOWN_FALSE;
    for (uint32_t i = 0; i < whole->kind_count; i++) {
        const struct expression_kind *kind = &whole->kinds[i];
        const struct sample sample = {whole, kind->fields, term->local, reading->scratch};
        if (what_is_known(term->operands[1], &sample) != left_out &&
            !note_part(reading, kind->part))
            return false;
    }
    return true;
}

static bool read_parts(struct part_reading *reading, const struct term *term)
{
    if (is_object(term, reading->whole))
        return read_object(reading, term);
    if (term->kind == TERM_NAME && term->variable)
        return false;
    const bool chooses = is_choice(term, reading->whole);
    if (chooses && !read_chosen(reading, term))
        return false;
    for (uint32_t i = chooses ? 1 : 0; i < term->operand_count; i++)
        if (!read_parts(reading, term->operands[i]))
            return false;
    return true;
}

uint32_t expression_sole_part(const struct expression *expression,
                              const struct expression_whole *whole, struct arena *scratch)
{
    struct part_reading reading = {whole, scratch, UINT32_MAX};
    return read_parts(&reading, expression->term) ? reading.part : UINT32_MAX;
}
