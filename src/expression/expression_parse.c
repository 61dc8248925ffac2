/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parser by recursive descent, one function for each level of precedence:
 *
 *     condition ? then : otherwise   ||   &&   relations   + -   * / %   ! -   members
 *
 * Operators become calls of functions with names such as `_+_`, as CEL has it. Macros (has, all,
 * exists, exists_one, filter, map) are recognised here, since their first argument is no value.
 */
#include "expression/expression_parse.h"

#include "base/vec.h"
#include "expression/expression.h"
#include "expression/expression_token.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct arena *arena;
    const char *text;
    struct expression_token token; /* the next one */
    uint32_t taken;                /* the end of the one before it */
    uint32_t depth;
    struct expression_fault *fault;
    bool failed;
};

typedef VEC(struct term *) operand_list;

static struct term *parse_expression(struct parser *parser);

/* ---- helpers ---- */

static struct term *fail(struct parser *parser, uint32_t at, const char *message)
{
    if (!parser->failed)
        *parser->fault = (struct expression_fault){at, message};
    parser->failed = true;
    return NULL;
}

static void advance(struct parser *parser)
{
    parser->taken = parser->token.end;
    parser->token = expression_token_at(parser->arena, parser->text, parser->token.end);
}

static bool at_symbol(const struct parser *parser, const char *symbol)
{
    return parser->token.kind == TOKEN_SYMBOL && strcmp(parser->token.content, symbol) == 0;
}

static bool take(struct parser *parser, const char *symbol)
{
    if (!at_symbol(parser, symbol))
        return false;
    advance(parser);
    return true;
}

static const char *found_words(const struct parser *parser)
{
    const struct expression_token *token = &parser->token;
    if (token->kind == TOKEN_WRONG)
        return token->content;
    if (token->kind == TOKEN_END)
        return "the end";
    return arena_strndup(parser->arena, parser->text + token->start, token->end - token->start);
}

static struct term *expected(struct parser *parser, const char *what)
{
    const bool wrong = parser->token.kind == TOKEN_WRONG;
    return fail(
        parser, parser->token.start,
        wrong ? parser->token.content
              : arena_printf(parser->arena, "expected %s, found %s", what, found_words(parser)));
}

static bool expect(struct parser *parser, const char *symbol)
{
    if (take(parser, symbol))
        return true;
    expected(parser, symbol);
    return false;
}

static struct term *term_new(struct parser *parser, enum term_kind kind, uint32_t start)
{
    struct term *term = ARENA_NEW(parser->arena, struct term);
    term->kind = kind;
    term->start = start;
    term->end = parser->taken;
    return term;
}

/* The operands are moved out of the list. */
static struct term *term_with(struct parser *parser, enum term_kind kind, uint32_t start,
                              const char *name, operand_list operands)
{
    struct term *term = term_new(parser, kind, start);
    term->name = name;
    term->operands = operands.items;
    term->operand_count = operands.count;
    return term;
}

static struct term *term_of_two(struct parser *parser, enum term_kind kind, const char *name,
                                struct term *left, struct term *right)
{
    operand_list operands = {0};
    if (!left || !right)
        return NULL;
    VEC_PUSH(parser->arena, &operands, left);
    VEC_PUSH(parser->arena, &operands, right);
    return term_with(parser, kind, left->start, name, operands);
}

static bool is_reserved(const char *name)
{
    static const char *const words[] = {
        "as",        "break",   "const",  "continue", "else", "false", "for",
        "function",  "if",      "import", "in",       "let",  "loop",  "null",
        "namespace", "package", "return", "true",     "var",  "void",  "while"};
    for (uint32_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

/* ---- literals ---- */

static struct term *literal(struct parser *parser, uint32_t start, struct expression_value value)
{
    advance(parser);
    struct term *term = term_new(parser, TERM_LITERAL, start);
    term->literal = value;
    return term;
}

/* `start` is where a minus stands, or the number itself. */
static struct term *parse_int(struct parser *parser, uint32_t start, bool negative)
{
    const char *digits = parser->token.content;
    errno = 0;
    const unsigned long long magnitude =
        strtoull(digits, NULL, digits[0] == '0' && (digits[1] | 32) == 'x' ? 16 : 10);
    const unsigned long long most = (unsigned long long)INT64_MAX + negative;
    if (errno == ERANGE || magnitude > most)
        return fail(parser, start, "the number does not fit into 64 bits");
    return literal(parser, start,
                   expression_of_int(negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude));
}

static struct term *parse_double(struct parser *parser, uint32_t start, bool negative)
{
    const double number = strtod(parser->token.content, NULL);
    if (isinf(number))
        return fail(parser, start, "the number is too large");
    return literal(parser, start, expression_of_double(negative ? -number : number));
}

/* ---- members, calls and macros ---- */

/* Expressions up to the closing bracket, which is taken. */
static bool parse_arguments(struct parser *parser, operand_list *operands)
{
    if (take(parser, ")"))
        return true;
    do {
        struct term *operand = parse_expression(parser);
        if (!operand)
            return false;
        VEC_PUSH(parser->arena, operands, operand);
    } while (take(parser, ","));
    return expect(parser, ")");
}

/* Is there one more item before the closing bracket? There may be a comma behind the last one, or
 * instead of any. */
static bool has_item(struct parser *parser, const operand_list *operands, const char *closing)
{
    if (operands->count > 0 && !take(parser, ","))
        return false;
    if (operands->count == 0 && take(parser, ","))
        return false;
    return !at_symbol(parser, closing);
}

static bool parse_items(struct parser *parser, operand_list *operands)
{
    while (has_item(parser, operands, "]")) {
        struct term *operand = parse_expression(parser);
        if (!operand)
            return false;
        VEC_PUSH(parser->arena, operands, operand);
    }
    return expect(parser, "]");
}

static struct term *make_has(struct parser *parser, uint32_t start, operand_list *operands)
{
    if (operands->count != 1 || operands->items[0]->kind != TERM_SELECT)
        return fail(parser, start, "has() takes a field, as in has(p.labels.app)");
    struct term *term = operands->items[0];
    term->kind = TERM_HAS;
    term->start = start;
    return term;
}

/* False: it is an ordinary function. */
static bool find_macro(const char *name, uint32_t count, enum macro_kind *macro)
{
    static const char *const names[] = {[MACRO_ALL] = "all",
                                        [MACRO_EXISTS] = "exists",
                                        [MACRO_EXISTS_ONE] = "exists_one",
                                        [MACRO_FILTER] = "filter",
                                        [MACRO_MAP] = "map"};
    if (strcmp(name, "existsOne") == 0)
        name = "exists_one";
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0) {
            *macro = (enum macro_kind)i;
            return count == 2 || (i == MACRO_MAP && count == 3);
        }
    return false;
}

/* range.macro(variable, body), of which map may have a filter before its body. */
static struct term *make_macro(struct parser *parser, struct term *range, enum macro_kind macro,
                               const operand_list *arguments)
{
    operand_list operands = {0};
    if (arguments->items[0]->kind != TERM_NAME || arguments->items[0]->is_global)
        return fail(parser, arguments->items[0]->start, "expected the name of a variable");
    VEC_PUSH(parser->arena, &operands, range);
    for (uint32_t i = 1; i < arguments->count; i++)
        VEC_PUSH(parser->arena, &operands, arguments->items[i]);
    struct term *term =
        term_with(parser, TERM_MACRO, range->start, arguments->items[0]->name, operands);
    term->macro = macro;
    return term;
}

static struct term *make_call(struct parser *parser, uint32_t start, struct term *receiver,
                              const char *name, operand_list *arguments)
{
    enum macro_kind macro = MACRO_ALL;
    operand_list operands = {0};
    if (!receiver && strcmp(name, "has") == 0)
        return make_has(parser, start, arguments);
    if (receiver && find_macro(name, arguments->count, &macro))
        return make_macro(parser, receiver, macro, arguments);
    if (receiver)
        VEC_PUSH(parser->arena, &operands, receiver);
    for (uint32_t i = 0; i < arguments->count; i++)
        VEC_PUSH(parser->arena, &operands, arguments->items[i]);
    struct term *term = term_with(parser, TERM_CALL, start, name, operands);
    term->has_receiver = receiver != NULL;
    return term;
}

/* Of the reserved words only these name no field. */
static bool is_operator_or_value(const char *name)
{
    return strcmp(name, "in") == 0 || strcmp(name, "true") == 0 || strcmp(name, "false") == 0 ||
           strcmp(name, "null") == 0;
}

/* What stands behind a dot. */
static struct term *parse_member(struct parser *parser, struct term *first)
{
    const struct expression_token token = parser->token;
    operand_list operands = {0};
    if (token.kind != TOKEN_QUOTED_NAME &&
        (token.kind != TOKEN_NAME || is_operator_or_value(token.content)))
        return expected(parser, "the name of a field");
    advance(parser);
    if (token.kind == TOKEN_NAME && take(parser, "(")) {
        if (!parse_arguments(parser, &operands))
            return NULL;
        return make_call(parser, first->start, first, token.content, &operands);
    }
    VEC_PUSH(parser->arena, &operands, first);
    return term_with(parser, TERM_SELECT, first->start, token.content, operands);
}

static struct term *parse_members(struct parser *parser, struct term *term)
{
    uint32_t links = 0;
    while (term && !parser->failed) {
        if (++links > EXPRESSION_DEPTH_MOST)
            return fail(parser, parser->token.start, "too many members behind each other");
        if (take(parser, ".")) {
            term = parse_member(parser, term);
        } else if (take(parser, "[")) {
            struct term *index = parse_expression(parser);
            if (!index || !expect(parser, "]"))
                return NULL;
            term = term_of_two(parser, TERM_CALL, "_[_]", term, index);
        } else {
            return term;
        }
    }
    return term;
}

static struct term *parse_map(struct parser *parser, uint32_t start)
{
    operand_list operands = {0};
    while (has_item(parser, &operands, "}")) {
        struct term *key = parse_expression(parser);
        if (!key || !expect(parser, ":"))
            return NULL;
        struct term *value = parse_expression(parser);
        if (!value)
            return NULL;
        VEC_PUSH(parser->arena, &operands, key);
        VEC_PUSH(parser->arena, &operands, value);
    }
    return expect(parser, "}") ? term_with(parser, TERM_MAP, start, NULL, operands) : NULL;
}

static struct term *parse_name(struct parser *parser)
{
    const struct expression_token token = parser->token;
    operand_list operands = {0};
    if (strcmp(token.content, "true") == 0 || strcmp(token.content, "false") == 0)
        return literal(parser, token.start, expression_of_bool(token.content[0] == 't'));
    if (strcmp(token.content, "null") == 0)
        return literal(parser, token.start, expression_of_null());
    if (is_reserved(token.content))
        return fail(parser, token.start,
                    arena_printf(parser->arena, "%s is a reserved word", token.content));
    advance(parser);
    if (take(parser, "("))
        return parse_arguments(parser, &operands)
                   ? make_call(parser, token.start, NULL, token.content, &operands)
                   : NULL;
    return term_with(parser, TERM_NAME, token.start, token.content, operands);
}

/* .name is a variable of the environment, whatever macros call their variables. */
static struct term *parse_global_name(struct parser *parser, uint32_t start)
{
    if (parser->token.kind != TOKEN_NAME || is_operator_or_value(parser->token.content))
        return expected(parser, "a name");
    struct term *term = parse_name(parser);
    if (term) {
        term->start = start;
        term->is_global = true;
    }
    return term;
}

static struct term *parse_primary(struct parser *parser)
{
    const struct expression_token token = parser->token;
    operand_list operands = {0};
    switch (token.kind) {
    case TOKEN_INT: return parse_int(parser, token.start, false);
    case TOKEN_DOUBLE: return parse_double(parser, token.start, false);
    case TOKEN_STRING: return literal(parser, token.start, expression_of_string(token.content));
    case TOKEN_NAME: return parse_name(parser);
    default: break;
    }
    if (take(parser, "(")) {
        struct term *term = parse_expression(parser);
        return term && expect(parser, ")") ? term : NULL;
    }
    if (take(parser, "["))
        return parse_items(parser, &operands)
                   ? term_with(parser, TERM_LIST, token.start, NULL, operands)
                   : NULL;
    if (take(parser, "{"))
        return parse_map(parser, token.start);
    if (take(parser, "."))
        return parse_global_name(parser, token.start);
    return expected(parser, "a value");
}

/* ---- operators ---- */

static struct term *parse_unary(struct parser *parser)
{
    const uint32_t start = parser->token.start;
    const bool minus = at_symbol(parser, "-");
    operand_list operands = {0};
    if (!minus && !at_symbol(parser, "!"))
        return parse_members(parser, parse_primary(parser));
    advance(parser);
    if (minus && parser->token.kind == TOKEN_INT)
        return parse_members(parser, parse_int(parser, start, true));
    if (minus && parser->token.kind == TOKEN_DOUBLE)
        return parse_members(parser, parse_double(parser, start, true));
    if (++parser->depth > EXPRESSION_DEPTH_MOST)
        return fail(parser, start, "too many operators inside each other");
    struct term *operand = parse_unary(parser);
    parser->depth--;
    if (!operand)
        return NULL;
    VEC_PUSH(parser->arena, &operands, operand);
    return term_with(parser, TERM_CALL, start, minus ? "-_" : "!_", operands);
}

struct level {
    const char *const *symbols; /* ends with NULL */
    const char *const *names;   /* of the functions */
};

static const char *const products[] = {"*", "/", "%", NULL};
static const char *const product_names[] = {"_*_", "_/_", "_%_"};
static const char *const sums[] = {"+", "-", NULL};
static const char *const sum_names[] = {"_+_", "_-_"};
static const char *const relations[] = {"==", "!=", "<=", ">=", "<", ">", "in", NULL};
static const char *const relation_names[] = {"_==_", "_!=_", "_<=_", "_>=_", "_<_", "_>_", "@in"};
/* From the weakest to the strongest. */
static const struct level levels[] = {
    {relations, relation_names}, {sums, sum_names}, {products, product_names}};

/* The function of the operator that comes next, if it is of the level; NULL: there is none. */
static const char *take_operator(struct parser *parser, const struct level *level)
{
    for (uint32_t i = 0; level->symbols[i]; i++) {
        const enum token_kind kind =
            strcmp(level->symbols[i], "in") == 0 ? TOKEN_NAME : TOKEN_SYMBOL;
        if (parser->token.kind == kind && strcmp(parser->token.content, level->symbols[i]) == 0) {
            advance(parser);
            return level->names[i];
        }
    }
    return NULL;
}

static struct term *parse_level(struct parser *parser, uint32_t number)
{
    if (number == sizeof(levels) / sizeof(levels[0]))
        return parse_unary(parser);
    struct term *left = parse_level(parser, number + 1);
    const char *name;
    uint32_t links = 0;
    while (left && (name = take_operator(parser, &levels[number]))) {
        if (++links > EXPRESSION_DEPTH_MOST)
            return fail(parser, parser->token.start, "too many operators behind each other");
        left = term_of_two(parser, TERM_CALL, name, left, parse_level(parser, number + 1));
    }
    return left;
}

/* a && b && c, or the same with ||: one term with all of them. */
static struct term *parse_logic(struct parser *parser, enum term_kind kind)
{
    const uint32_t start = parser->token.start;
    const char *symbol = kind == TERM_AND ? "&&" : "||";
    operand_list operands = {0};
    do {
        struct term *operand =
            kind == TERM_AND ? parse_level(parser, 0) : parse_logic(parser, TERM_AND);
        if (!operand)
            return NULL;
        VEC_PUSH(parser->arena, &operands, operand);
    } while (take(parser, symbol));
    if (operands.count == 1)
        return operands.items[0];
    return term_with(parser, kind, start, symbol, operands);
}

static struct term *parse_conditional(struct parser *parser)
{
    operand_list operands = {0};
    struct term *condition = parse_logic(parser, TERM_OR);
    if (!condition || !take(parser, "?"))
        return condition;
    struct term *then = parse_logic(parser, TERM_OR);
    if (!then || !expect(parser, ":"))
        return NULL;
    struct term *otherwise = parse_expression(parser);
    if (!otherwise)
        return NULL;
    VEC_PUSH(parser->arena, &operands, condition);
    VEC_PUSH(parser->arena, &operands, then);
    VEC_PUSH(parser->arena, &operands, otherwise);
    return term_with(parser, TERM_CONDITIONAL, condition->start, "?:", operands);
}

static struct term *parse_expression(struct parser *parser)
{
    if (++parser->depth > EXPRESSION_DEPTH_MOST)
        return fail(parser, parser->token.start, "too many expressions inside each other");
    struct term *term = parse_conditional(parser);
    parser->depth--;
    return term;
}

struct term *expression_parse(struct arena *arena, const char *text, struct expression_fault *fault)
{
    struct parser parser = {.arena = arena, .text = text, .fault = fault};
    if (strlen(text) > EXPRESSION_BYTES_MOST)
        return fail(&parser, EXPRESSION_BYTES_MOST, "the expression is too long");
    advance(&parser);
    struct term *term = parse_expression(&parser);
    if (term && parser.token.kind != TOKEN_END)
        return expected(&parser, "an operator or the end");
    return term;
}
