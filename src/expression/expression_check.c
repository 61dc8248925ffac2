/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of types: CEL's, with bags (expression.h) and with the objects of an environment.
 *
 * Whatever would tell alike elements apart is refused here or, where a type is known only when the
 * expression is evaluated, by the functions themselves.
 */
#include "expression/expression_check.h"

#include "base/suggest.h"
#include "base/text.h"
#include "expression/expression_function.h"
#include "expression/expression_left_out.h"
#include "expression/pattern.h"

#include <string.h>

struct local {
    const char *name;
    const struct expression_type *type;
};

struct checker {
    struct arena *arena;
    const struct expression_environment *environment;
    struct local locals[EXPRESSION_DEPTH_MOST + 1]; /* the innermost is the last */
    uint32_t local_count;
    struct expression_fault *fault;
};

static bool check(struct checker *checker, struct term *term);

__attribute__((format(printf, 3, 4))) static bool
fail(struct checker *checker, const struct term *term, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *checker->fault =
        (struct expression_fault){term->start, arena_vprintf(checker->arena, format, arguments)};
    va_end(arguments);
    return false;
}

static const char *type_text(struct checker *checker, const struct expression_type *type)
{
    return expression_type_text(checker->arena, type);
}

static const char *did_you_mean(struct checker *checker, const struct suggestion *suggestion)
{
    return suggestion->nearest
               ? arena_printf(checker->arena, " (did you mean %s?)", suggestion->nearest)
               : "";
}

static const struct expression_type *type_of(struct checker *checker,
                                             enum expression_type_kind kind,
                                             const struct expression_type *element)
{
    struct expression_type *type = ARENA_NEW(checker->arena, struct expression_type);
    type->kind = kind;
    type->element = element;
    return type;
}

/* ---- names and fields ---- */

/* CEL may have it. */
static bool not_of_the_subset(struct checker *checker, const struct term *term, const char *why)
{
    return fail(checker, term, "%s is not part of this subset of CEL: %s", term->name, why);
}

static bool unknown_name(struct checker *checker, const struct term *term)
{
    const char *why = expression_left_out(term->name);
    if (why)
        return not_of_the_subset(checker, term, why);
    struct suggestion suggestion = {.word = term->name};
    for (uint32_t i = 0; i < checker->local_count; i++)
        suggestion_offer(&suggestion, checker->locals[i].name);
    for (uint32_t i = 0; i < checker->environment->variable_count; i++)
        suggestion_offer(&suggestion, checker->environment->variables[i].name);
    return fail(checker, term, "there is no %s%s", term->name, did_you_mean(checker, &suggestion));
}

static bool check_name(struct checker *checker, struct term *term)
{
    for (uint32_t i = checker->local_count; i > 0; i--)
        if (!term->is_global && strcmp(checker->locals[i - 1].name, term->name) == 0) {
            term->local = i - 1;
            term->type = checker->locals[i - 1].type;
            return true;
        }
    for (uint32_t i = 0; i < checker->environment->variable_count; i++)
        if (strcmp(checker->environment->variables[i].name, term->name) == 0) {
            term->variable = &checker->environment->variables[i];
            term->type = term->variable->type;
            return true;
        }
    return unknown_name(checker, term);
}

static bool unknown_field(struct checker *checker, const struct term *term,
                          const struct expression_class *class)
{
    struct suggestion suggestion = {.word = term->name};
    for (uint32_t i = 0; i < class->missing_count; i++)
        if (strcmp(class->missing[i].name, term->name) == 0)
            return fail(checker, term, "states do not keep %s of a %s; %s", term->name, class->name,
                        class->missing[i].instead);
    struct text names;
    text_init(&names, checker->arena->memory);
    for (uint32_t i = 0; i < class->field_count; i++) {
        suggestion_offer(&suggestion, class->fields[i].name);
        text_printf(&names, "%s%s", i ? ", " : "", class->fields[i].name);
    }
    const char *list = text_keep(&names, checker->arena);
    return fail(checker, term, "a %s has no field %s%s; it has %s", class->name, term->name,
                did_you_mean(checker, &suggestion), list);
}

static bool check_select(struct checker *checker, struct term *term)
{
    if (!check(checker, term->operands[0]))
        return false;
    const struct expression_type *of = term->operands[0]->type;
    if (of->kind == EXPRESSION_OBJECT) {
        term->field = expression_class_find(of->class, term->name);
        if (!term->field)
            return unknown_field(checker, term, of->class);
        term->type = term->field->type;
    } else if (of->kind == EXPRESSION_MAP) {
        term->type = of->element;
    } else if (of->kind == EXPRESSION_DYN) {
        term->type = of;
    } else {
        return fail(checker, term, "a value of type %s has no fields%s", type_text(checker, of),
                    of->kind == EXPRESSION_BAG ? "; ask its elements with exists, all or map" : "");
    }
    if (term->kind == TERM_HAS)
        term->type = &expression_bool;
    return true;
}

/* ---- functions ---- */

static bool is_opaque(const struct expression_type *type)
{
    return type->kind == EXPRESSION_OBJECT || type->kind == EXPRESSION_BAG ||
           (type->element && is_opaque(type->element));
}

static bool has_dyn(const struct expression_type *type)
{
    return type->kind == EXPRESSION_DYN || (type->element && has_dyn(type->element));
}

static const char *shown_name(const struct term *term)
{
    static const char *const names[][2] = {{"_[_]", "[]"}, {"@in", "in"}};
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(term->name, names[i][0]) == 0)
            return names[i][1];
    return term->name;
}

static bool no_overload(struct checker *checker, const struct term *term)
{
    struct suggestion suggestion = {.word = term->name};
    struct text types;
    bool bag = false;
    text_init(&types, checker->arena->memory);
    for (uint32_t i = 0; i < term->operand_count; i++) {
        text_printf(&types, "%s%s", i ? ", " : "", type_text(checker, term->operands[i]->type));
        bag |= term->operands[i]->type->kind == EXPRESSION_BAG;
    }
    const char *list = text_keep(&types, checker->arena);
    const char *why = expression_left_out(term->name);
    if (why)
        return not_of_the_subset(checker, term, why);
    if (!expression_function_exists(term->name, &suggestion))
        return fail(checker, term, "there is no function %s%s", term->name,
                    did_you_mean(checker, &suggestion));
    return fail(checker, term, "%s does not take (%s)%s", shown_name(term), list,
                bag ? "; a bag has no order" : "");
}

static const struct expression_type *result_of(struct checker *checker,
                                               const struct expression_function *function,
                                               const struct term *term)
{
    const struct expression_type *first =
        term->operand_count ? term->operands[0]->type : &expression_dyn;
    if (function->result_from == RESULT_AS_GIVEN)
        return function->result;
    if (function->result_from == RESULT_BOTH)
        return expression_type_join(checker->arena, first, term->operands[1]->type);
    return first->kind == EXPRESSION_DYN ? first : first->element;
}

static bool fits(const struct expression_function *function, const struct term *term)
{
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (!expression_type_fits(function->arguments[i], term->operands[i]->type))
            return false;
    return function->result_from != RESULT_BOTH ||
           expression_type_fits(term->operands[0]->type, term->operands[1]->type);
}

/* Does the function take every value that the operands may have? */
static bool takes_all(const struct expression_function *function, const struct term *term)
{
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (function->arguments[i]->kind != EXPRESSION_DYN && has_dyn(term->operands[i]->type))
            return false;
    return true;
}

/* Rows of one name go from the general to the special. The most special one that fits is meant if
 * all types are known, and the only one that fits if it takes whatever comes; otherwise the values
 * decide (expression_evaluate.c). */
static bool resolve(struct checker *checker, struct term *term)
{
    const struct expression_function *function = NULL;
    const struct expression_function *only = NULL;
    uint32_t fitting = 0;
    bool known = true;
    for (uint32_t i = 0; i < term->operand_count; i++)
        known &= !has_dyn(term->operands[i]->type);
    while ((function = expression_function_next(function, term->name, term->has_receiver,
                                                term->operand_count)))
        if (fits(function, term)) {
            const struct expression_type *result = result_of(checker, function, term);
            term->type = known || !term->type
                             ? result
                             : expression_type_join(checker->arena, term->type, result);
            term->function = known ? function : NULL;
            only = function;
            fitting++;
        }
    if (fitting == 1 && takes_all(only, term))
        term->function = only;
    return term->type || no_overload(checker, term);
}

/* May it be null, so that the text can ask whether it is? */
static bool is_nullable(const struct expression_type *type)
{
    return type->kind == EXPRESSION_NULL || type->kind == EXPRESSION_DYN ||
           type->kind == EXPRESSION_DURATION;
}

/* What an operand of `in` may be a member of: elements, or keys. */
static const struct expression_type *members_of(const struct expression_type *type)
{
    if (type->kind == EXPRESSION_MAP)
        return expression_type_key(type);
    return type->element ? type->element : &expression_dyn;
}

/* Both sides of == and != have one type; of `in`, the elements do. */
static bool check_equality(struct checker *checker, const struct term *term)
{
    const struct expression_type *left = term->operands[0]->type;
    const struct expression_type *right = term->operands[1]->type;
    if (strcmp(term->name, "@in") == 0)
        right = members_of(right);
    if (is_opaque(left) || is_opaque(right))
        return fail(checker, term,
                    "values of type %s cannot be compared, since alike ones are counted and not "
                    "told apart; compare their fields",
                    type_text(checker, is_opaque(left) ? left : right));
    if ((left->kind == EXPRESSION_NULL && is_nullable(right)) ||
        (right->kind == EXPRESSION_NULL && is_nullable(left)))
        return true;
    return expression_type_fits(left, right) || no_overload(checker, term);
}

/* An index is a whole number, and a key of the type of the keys. */
static bool check_index(struct checker *checker, const struct term *term)
{
    const struct expression_type *of = term->operands[0]->type;
    const struct expression_type *wanted = of->kind == EXPRESSION_MAP    ? expression_type_key(of)
                                           : of->kind == EXPRESSION_LIST ? &expression_int
                                                                         : &expression_dyn;
    return expression_type_fits(wanted, term->operands[1]->type) || no_overload(checker, term);
}

static bool is_equality(const char *name)
{
    return strcmp(name, "_==_") == 0 || strcmp(name, "_!=_") == 0 || strcmp(name, "@in") == 0;
}

static bool check_operands(struct checker *checker, const struct term *term)
{
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (!check(checker, term->operands[i]))
            return false;
    return true;
}

static bool is_known_name(const struct checker *checker, const struct term *term)
{
    for (uint32_t i = 0; i < checker->local_count && !term->is_global; i++)
        if (strcmp(checker->locals[i].name, term->name) == 0)
            return true;
    for (uint32_t i = 0; i < checker->environment->variable_count; i++)
        if (strcmp(checker->environment->variables[i].name, term->name) == 0)
            return true;
    return false;
}

/* sets.contains(a, b) is no method of a variable `sets`, but a function of that name. */
static void find_library(struct checker *checker, struct term *term)
{
    if (!term->has_receiver || term->operands[0]->kind != TERM_NAME ||
        is_known_name(checker, term->operands[0]))
        return;
    const char *name = arena_printf(checker->arena, "%s.%s", term->operands[0]->name, term->name);
    if (!expression_function_exists(name, NULL))
        return;
    term->name = name;
    term->has_receiver = false;
    term->operands++;
    term->operand_count--;
}

/* A pattern that the text gives is refused where it stands, and not when it is searched for. */
static bool check_pattern(struct checker *checker, const struct term *term)
{
    const char *why = NULL;
    const struct term *pattern = term->operand_count > 1 ? term->operands[1] : NULL;
    if (!pattern || !expression_function_searches(term->name) || pattern->kind != TERM_LITERAL ||
        pattern->literal.tag != VALUE_IS_STRING ||
        pattern_compile(checker->arena, pattern->literal.text, &why))
        return true;
    return fail(checker, pattern, "this is no regular expression: %s", why);
}

static bool check_call(struct checker *checker, struct term *term)
{
    find_library(checker, term);
    if (!check_operands(checker, term))
        return false;
    if (term->operand_count > FUNCTION_ARGUMENTS_MOST)
        return no_overload(checker, term);
    return resolve(checker, term) && check_pattern(checker, term) &&
           (!is_equality(term->name) || check_equality(checker, term)) &&
           (strcmp(term->name, "_[_]") != 0 || check_index(checker, term));
}

/* ---- logic, lists and maps ---- */

static bool expect_bool(struct checker *checker, const struct term *term)
{
    return expression_type_fits(&expression_bool, term->type) ||
           fail(checker, term, "expected bool, found %s", type_text(checker, term->type));
}

static bool check_logic(struct checker *checker, struct term *term)
{
    if (!check_operands(checker, term))
        return false;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (!expect_bool(checker, term->operands[i]))
            return false;
    term->type = &expression_bool;
    return true;
}

static bool join_types(struct checker *checker, const struct term *term,
                       const struct expression_type **type)
{
    if (*type && !expression_type_fits(*type, term->type))
        return fail(checker, term, "expected %s, found %s", type_text(checker, *type),
                    type_text(checker, term->type));
    *type = *type ? expression_type_join(checker->arena, *type, term->type) : term->type;
    return true;
}

static bool check_conditional(struct checker *checker, struct term *term)
{
    return check_operands(checker, term) && expect_bool(checker, term->operands[0]) &&
           join_types(checker, term->operands[1], &term->type) &&
           join_types(checker, term->operands[2], &term->type);
}

static bool check_list(struct checker *checker, struct term *term)
{
    const struct expression_type *element = NULL;
    if (!check_operands(checker, term))
        return false;
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (!join_types(checker, term->operands[i], &element))
            return false;
    term->type = type_of(checker, EXPRESSION_LIST, element ? element : &expression_dyn);
    return true;
}

static bool is_type_of_keys(const struct expression_type *type)
{
    return type->kind == EXPRESSION_STRING || type->kind == EXPRESSION_INT ||
           type->kind == EXPRESSION_BOOL || type->kind == EXPRESSION_DYN;
}

static const struct expression_type *map_type(struct checker *checker,
                                              const struct expression_type *key,
                                              const struct expression_type *element)
{
    struct expression_type *type = ARENA_NEW(checker->arena, struct expression_type);
    *type = (struct expression_type){.kind = EXPRESSION_MAP, .element = element, .key = key};
    return type;
}

static bool check_map(struct checker *checker, struct term *term)
{
    const struct expression_type *element = NULL;
    const struct expression_type *key = NULL;
    if (!check_operands(checker, term))
        return false;
    for (uint32_t i = 0; i < term->operand_count; i += 2) {
        if (!is_type_of_keys(term->operands[i]->type))
            return fail(checker, term->operands[i],
                        "expected a key of type string, int or bool, found %s",
                        type_text(checker, term->operands[i]->type));
        if (!join_types(checker, term->operands[i], &key) ||
            !join_types(checker, term->operands[i + 1], &element))
            return false;
    }
    term->type =
        map_type(checker, key ? key : &expression_dyn, element ? element : &expression_dyn);
    return true;
}

/* ---- macros ---- */

/* What the variable of the macro is; NULL: the range is none. */
static const struct expression_type *element_of(const struct expression_type *range)
{
    if (range->kind == EXPRESSION_LIST || range->kind == EXPRESSION_BAG)
        return range->element;
    if (range->kind == EXPRESSION_MAP)
        return expression_type_key(range);
    return range->kind == EXPRESSION_DYN ? range : NULL;
}

static const struct expression_type *macro_type(struct checker *checker, const struct term *term)
{
    const struct expression_type *range = term->operands[0]->type;
    const struct expression_type *body = term->operands[term->operand_count - 1]->type;
    const enum expression_type_kind kind =
        range->kind == EXPRESSION_BAG ? EXPRESSION_BAG : EXPRESSION_LIST;
    if (term->macro != MACRO_FILTER && term->macro != MACRO_MAP)
        return &expression_bool;
    if (range->kind == EXPRESSION_DYN)
        return range;
    return type_of(checker, kind, term->macro == MACRO_MAP ? body : element_of(range));
}

static bool check_macro(struct checker *checker, struct term *term)
{
    const uint32_t last = term->operand_count - 1;
    if (!check(checker, term->operands[0]))
        return false;
    const struct expression_type *element = element_of(term->operands[0]->type);
    if (!element)
        return fail(checker, term, "expected a list, a bag or a map, found %s",
                    type_text(checker, term->operands[0]->type));
    if (checker->local_count == EXPRESSION_DEPTH_MOST)
        return fail(checker, term, "too many variables inside each other");
    term->local = checker->local_count;
    checker->locals[checker->local_count++] = (struct local){term->name, element};
    for (uint32_t i = 1; i <= last; i++) {
        if (!check(checker, term->operands[i]))
            return false;
        if ((i < last || term->macro != MACRO_MAP) && !expect_bool(checker, term->operands[i]))
            return false;
    }
    checker->local_count--;
    term->type = macro_type(checker, term);
    return true;
}

static const struct expression_type *literal_type(struct expression_value value)
{
    switch (value.tag) {
    case VALUE_IS_BOOL: return &expression_bool;
    case VALUE_IS_INT: return &expression_int;
    case VALUE_IS_DOUBLE: return &expression_double;
    case VALUE_IS_STRING: return &expression_string;
    default: return &expression_null;
    }
}

static bool check(struct checker *checker, struct term *term)
{
    switch (term->kind) {
    case TERM_LITERAL: term->type = literal_type(term->literal); return true;
    case TERM_NAME: return check_name(checker, term);
    case TERM_SELECT:
    case TERM_HAS: return check_select(checker, term);
    case TERM_CALL: return check_call(checker, term);
    case TERM_AND:
    case TERM_OR: return check_logic(checker, term);
    case TERM_CONDITIONAL: return check_conditional(checker, term);
    case TERM_LIST: return check_list(checker, term);
    case TERM_MAP: return check_map(checker, term);
    case TERM_MACRO: return check_macro(checker, term);
    }
    return false;
}

bool expression_check(struct arena *arena, struct term *term,
                      const struct expression_environment *environment,
                      struct expression_fault *fault)
{
    struct checker checker = {.arena = arena, .environment = environment, .fault = fault};
    return check(&checker, term);
}
