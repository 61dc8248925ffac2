/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression.h"

#include "base/utf8.h"
#include "expression/expression_check.h"
#include "expression/expression_evaluate.h"
#include "expression/expression_parse.h"

#include <string.h>

/* Counts from 1, in characters. */
static uint32_t column_of(const char *text, uint32_t at)
{
    uint32_t column = 1;
    for (uint32_t i = 0; i < at && text[i];) {
        const size_t length = utf8_length(text + i, strlen(text + i));
        i += length ? (uint32_t)length : 1;
        column++;
    }
    return column;
}

static const struct expression *refuse(struct problems *problems, struct place place,
                                       const char *path, const char *text,
                                       struct expression_fault fault)
{
    problem_error(problems, place, path, "character %u: %s", column_of(text, fault.at),
                  fault.message);
    return NULL;
}

const struct expression *expression_compile(struct arena *arena, const char *text,
                                            const struct expression_environment *environment,
                                            const struct expression_type *wanted,
                                            struct place place, const char *path,
                                            struct problems *problems)
{
    struct expression_fault fault = {0};
    struct term *term = expression_parse(arena, text, &fault);
    if (!term || !expression_check(arena, term, environment, &fault))
        return refuse(problems, place, path, text, fault);
    if (wanted && !expression_type_fits(wanted, term->type)) {
        fault.at = term->start;
        fault.message = arena_printf(
            arena, "expected an expression of type %s, found one of type %s",
            expression_type_text(arena, wanted), expression_type_text(arena, term->type));
        return refuse(problems, place, path, text, fault);
    }
    struct expression *expression = ARENA_NEW(arena, struct expression);
    expression->text = arena_strdup(arena, text);
    expression->term = term;
    return expression;
}

const struct expression_type *expression_result_type(const struct expression *expression)
{
    return expression->term->type;
}

const char *expression_text(const struct expression *expression)
{
    return expression->text;
}

/* The variables of macros are set before they are read: to clear them all would cost more than most
 * expressions do. */
static void evaluation_begin(struct evaluation *evaluation, void *context, struct arena *scratch)
{
    evaluation->context = context;
    evaluation->scratch = scratch;
    evaluation->steps_left = EXPRESSION_STEPS_MOST;
    evaluation->comparing = NULL;
    evaluation->sized = NULL;
}

struct expression_value expression_evaluate(const struct expression *expression, void *context,
                                            struct arena *scratch)
{
    struct evaluation evaluation;
    evaluation_begin(&evaluation, context, scratch);
    const struct expression_value value = term_evaluate(&evaluation, expression->term);
    /* `||` may have passed over the error. */
    if (evaluation.steps_left == 0)
        return expression_error(scratch, EXPRESSION_TOO_COSTLY " %d steps", EXPRESSION_STEPS_MOST);
    return value;
}

bool expression_says_too_costly(const char *text)
{
    return strncmp(text, EXPRESSION_TOO_COSTLY, strlen(EXPRESSION_TOO_COSTLY)) == 0;
}

bool expression_is_too_costly(struct expression_value value)
{
    return value.tag == VALUE_IS_ERROR && value.text && expression_says_too_costly(value.text);
}

/* ---- what it reads ---- */

static bool term_uses(const struct term *term, const char *variable)
{
    if (term->kind == TERM_NAME && term->variable && strcmp(term->variable->name, variable) == 0)
        return true;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (term_uses(term->operands[i], variable))
            return true;
    return false;
}

bool expression_uses(const struct expression *expression, const char *variable)
{
    return term_uses(expression->term, variable);
}

/* A member of a value whose class is known only when it is evaluated may be the field. */
static bool term_reads(const struct term *term, const struct expression_class *class,
                       const char *field)
{
    if ((term->kind == TERM_SELECT || term->kind == TERM_HAS) && strcmp(term->name, field) == 0) {
        const struct expression_type *of = term->operands[0]->type;
        if (of->kind == EXPRESSION_DYN || (of->kind == EXPRESSION_OBJECT && of->class == class))
            return true;
    }
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (term_reads(term->operands[i], class, field))
            return true;
    return false;
}

bool expression_reads(const struct expression *expression, const struct expression_class *class,
                      const char *field)
{
    return term_reads(expression->term, class, field);
}

/* ---- parts ---- */

struct part_list {
    const char *text; /* of the expression */
    struct arena *arena;
    struct expression_part *parts;
    uint32_t count;
    uint32_t most;
};

static void add_part(struct part_list *list, const char *text, const char *value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->parts[i].text, text) == 0)
            return;
    if (list->count < list->most)
        list->parts[list->count++] = (struct expression_part){text, value};
}

static const char *term_text(const struct part_list *list, const struct term *term)
{
    return arena_strndup(list->arena, list->text + term->start, term->end - term->start);
}

static void add_term(struct part_list *list, struct evaluation *evaluation, const struct term *term)
{
    if (term->kind == TERM_LITERAL)
        return;
    const struct expression_value value = term_evaluate(evaluation, term);
    add_part(list, term_text(list, term), expression_value_text(list->arena, value));
}

static bool is_comparison(const struct term *term)
{
    static const char *const names[] = {"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in"};
    for (uint32_t i = 0; term->kind == TERM_CALL && i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(term->name, names[i]) == 0)
            return true;
    return false;
}

static void add_parts(struct part_list *list, struct evaluation *evaluation,
                      const struct term *term);

static const char *title_of(struct part_list *list, struct evaluation *evaluation,
                            struct expression_value value)
{
    if (value.tag == VALUE_IS_OBJECT && value.object.class->title)
        return value.object.class->title(evaluation->context, list->arena, value.object);
    return expression_value_text(list->arena, value);
}

/* The first element that decides: of `all`, one that it is not true of; of `exists`, one that it is
 * true of. */
static void add_element(struct part_list *list, struct evaluation *evaluation,
                        const struct term *term)
{
    const struct expression_value range = term_evaluate(evaluation, term->operands[0]);
    for (uint32_t i = 0; range.tag == VALUE_IS_LIST && i < range.list->count; i++) {
        evaluation->locals[term->local] = range.list->items[i];
        const struct expression_value value = term_evaluate(evaluation, term->operands[1]);
        if (value.tag == VALUE_IS_BOOL && value.truth == (term->macro == MACRO_ALL))
            continue;
        /* The report outlives the expression. */
        add_part(list, arena_strdup(list->arena, term->name),
                 title_of(list, evaluation, range.list->items[i]));
        add_parts(list, evaluation, term->operands[1]);
        return;
    }
    /* Nothing decides: what there is to look at is what a reader wants to know. */
    if (range.tag == VALUE_IS_LIST && term->macro == MACRO_EXISTS)
        add_part(list, term_text(list, term->operands[0]),
                 count_words(list->arena, expression_list_size(range.list), "element"));
}

static void add_parts(struct part_list *list, struct evaluation *evaluation,
                      const struct term *term)
{
    if (term->kind == TERM_MACRO && (term->macro == MACRO_ALL || term->macro == MACRO_EXISTS)) {
        add_element(list, evaluation, term);
    } else if (is_comparison(term)) {
        add_term(list, evaluation, term->operands[0]);
        add_term(list, evaluation, term->operands[1]);
    } else if (term->kind == TERM_AND || term->kind == TERM_OR || term->kind == TERM_CONDITIONAL ||
               (term->kind == TERM_CALL && strcmp(term->name, "!_") == 0)) {
        for (uint32_t i = 0; i < term->operand_count; i++)
            add_parts(list, evaluation, term->operands[i]);
    } else {
        add_term(list, evaluation, term);
    }
}

uint32_t expression_parts(const struct expression *expression, void *context, struct arena *arena,
                          struct expression_part *parts, uint32_t most)
{
    struct evaluation evaluation;
    evaluation_begin(&evaluation, context, arena);
    struct part_list list = {
        .text = expression->text, .arena = arena, .parts = parts, .most = most};
    add_parts(&list, &evaluation, expression->term);
    return list.count;
}
