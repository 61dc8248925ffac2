/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hand-written parser after the grammar of apimachinery's labels.Parse:
 *
 *     selector     requirement {"," requirement}, or nothing
 *     requirement  "!" key | key | key ("=" | "==" | "!=" | ">" | "<") value
 *                  | key ("in" | "notin") "(" value {"," value} ")"
 *
 * Words are anything without space, comma, parentheses, and =!<>; values may be
 * empty.
 */
#include "object/selector_text.h"

#include "base/text.h"
#include "base/vec.h"
#include "object/names.h"

#include <stdlib.h>
#include <string.h>

enum token { TOKEN_END, TOKEN_WORD, TOKEN_SYMBOL };

struct parser {
    struct arena *arena;
    const char *at;
    const char *why;
    enum token token;
    const char *word; /* of a word or a symbol */
};

static void next_token(struct parser *parser)
{
    static const char *const symbols[] = {"==", "!=", "=", "!", "<", ">", "(", ")", ","};
    parser->at += strspn(parser->at, " \t\r\n");
    if (*parser->at == '\0') {
        parser->token = TOKEN_END;
        parser->word = "";
        return;
    }
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        size_t length = strlen(symbols[i]);
        if (strncmp(parser->at, symbols[i], length) == 0) {
            parser->token = TOKEN_SYMBOL;
            parser->word = symbols[i];
            parser->at += length;
            return;
        }
    }
    size_t length = strcspn(parser->at, " \t\r\n=!<>(),");
    parser->token = TOKEN_WORD;
    parser->word = arena_strndup(parser->arena, parser->at, length);
    parser->at += length;
}

static bool at_symbol(const struct parser *parser, const char *symbol)
{
    return parser->token == TOKEN_SYMBOL && strcmp(parser->word, symbol) == 0;
}

static bool fail(struct parser *parser, const char *why)
{
    if (parser->why == NULL)
        parser->why = why;
    return false;
}

static bool take_symbol(struct parser *parser, const char *symbol, const char *why)
{
    if (!at_symbol(parser, symbol))
        return fail(parser, why);
    next_token(parser);
    return true;
}

/* A word, or nothing where a value may be empty. */
static const char *take_value(struct parser *parser)
{
    if (parser->token != TOKEN_WORD)
        return "";
    const char *value = parser->word;
    next_token(parser);
    return value;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* A set: sorted, each value once. */
static bool parse_value_set(struct parser *parser, struct string_list *values)
{
    VEC(const char *) found = {0};
    if (!take_symbol(parser, "(", "values of in and notin stand in parentheses"))
        return false;
    if (at_symbol(parser, ")"))
        return fail(parser, "in and notin need at least one value");
    VEC_PUSH(parser->arena, &found, take_value(parser));
    while (at_symbol(parser, ",")) {
        next_token(parser);
        VEC_PUSH(parser->arena, &found, take_value(parser));
    }
    if (!take_symbol(parser, ")", "a parenthesis is not closed"))
        return false;
    qsort(found.items, found.count, sizeof(*found.items), compare_texts);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < found.count; i++)
        if (strcmp(found.items[i], found.items[kept - 1]) != 0)
            found.items[kept++] = found.items[i];
    *values = (struct string_list){found.items, kept};
    return true;
}

static bool parse_single_value(struct parser *parser, struct string_list *values)
{
    next_token(parser);
    values->items = ARENA_ARRAY(parser->arena, const char *, 1);
    values->items[0] = take_value(parser);
    values->count = 1;
    return true;
}

/* What follows the key. */
static bool parse_relation(struct parser *parser, enum selector_operator *relation,
                           struct string_list *values)
{
    static const struct {
        const char *symbol;
        enum selector_operator relation;
    } comparisons[] = {{"=", SELECTOR_IN},
                       {"==", SELECTOR_IN},
                       {"!=", SELECTOR_NOT_IN},
                       {">", SELECTOR_GREATER_THAN},
                       {"<", SELECTOR_LESS_THAN}};
    *relation = SELECTOR_EXISTS;
    if (parser->token == TOKEN_END || at_symbol(parser, ","))
        return true;
    for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
        if (!at_symbol(parser, comparisons[i].symbol))
            continue;
        *relation = comparisons[i].relation;
        return parse_single_value(parser, values);
    }
    const bool in = parser->token == TOKEN_WORD && strcmp(parser->word, "in") == 0;
    const bool not_in = parser->token == TOKEN_WORD && strcmp(parser->word, "notin") == 0;
    if (!in && !not_in)
        return fail(parser, "after a key comes =, ==, !=, <, >, in or notin");
    next_token(parser);
    *relation = in ? SELECTOR_IN : SELECTOR_NOT_IN;
    return parse_value_set(parser, values);
}

static bool is_whole_number(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0' && strlen(digits) < 19;
}

static bool check_values(struct parser *parser, enum selector_operator relation,
                         const struct string_list *values)
{
    const bool compares = relation == SELECTOR_GREATER_THAN || relation == SELECTOR_LESS_THAN;
    for (uint32_t i = 0; i < values->count; i++) {
        if (compares && !is_whole_number(values->items[i]))
            return fail(parser, "< and > need a whole number");
        if (!compares && !name_is_label_value(values->items[i]))
            return fail(parser, "a value is not a label's value");
    }
    return true;
}

static bool parse_requirement(struct parser *parser, struct selector_requirement *requirement)
{
    enum selector_operator relation = SELECTOR_DOES_NOT_EXIST;
    struct string_list values = {0};
    const bool negated = at_symbol(parser, "!");
    if (negated)
        next_token(parser);
    if (parser->token != TOKEN_WORD)
        return fail(parser, "a key is missing");
    const char *key = parser->word;
    next_token(parser);
    if (!negated && !parse_relation(parser, &relation, &values))
        return false;
    if (!name_is_qualified(key))
        return fail(parser, "a key is not a label's name");
    *requirement = (struct selector_requirement){key, relation, values};
    return check_values(parser, relation, &values);
}

static bool parse_selector(struct parser *parser, struct label_selector *selector)
{
    VEC(struct selector_requirement) requirements = {0};
    next_token(parser);
    while (parser->token != TOKEN_END) {
        struct selector_requirement requirement;
        if (!parse_requirement(parser, &requirement))
            return false;
        VEC_PUSH(parser->arena, &requirements, requirement);
        if (parser->token == TOKEN_END)
            break;
        if (!take_symbol(parser, ",", "requirements are separated by commas"))
            return false;
        if (parser->token == TOKEN_END)
            return fail(parser, "nothing follows the last comma");
    }
    *selector = (struct label_selector){
        .match_expressions = requirements.items,
        .match_expression_count = requirements.count,
    };
    return true;
}

bool selector_text_parse(struct arena *arena, const char *text, struct label_selector *selector,
                         const char **why)
{
    struct parser parser = {.arena = arena, .at = text};
    if (parse_selector(&parser, selector))
        return true;
    if (why != NULL)
        *why = parser.why;
    return false;
}

/* ---- writing ---- */

static void append_values(struct text *text, const struct string_list *values)
{
    text_append_char(text, '(');
    for (uint32_t i = 0; i < values->count; i++)
        text_printf(text, "%s%s", i > 0 ? "," : "", values->items[i]);
    text_append_char(text, ')');
}

static void append_requirement(struct text *text, const struct selector_requirement *requirement)
{
    const struct string_list *values = &requirement->values;
    switch (requirement->operator) {
    case SELECTOR_EXISTS: text_append_string(text, requirement->key); break;
    case SELECTOR_DOES_NOT_EXIST: text_printf(text, "!%s", requirement->key); break;
    case SELECTOR_IN:
    case SELECTOR_NOT_IN: {
        const bool in = SELECTOR_IN == requirement->operator;
        if (values->count == 1) {
            text_printf(text, "%s%s%s", requirement->key, in ? "=" : "!=", values->items[0]);
            break;
        }
        text_printf(text, "%s %s ", requirement->key, in ? "in" : "notin");
        append_values(text, values);
        break;
    }
    case SELECTOR_GREATER_THAN:
        text_printf(text, "%s>%s", requirement->key, values->items[0]);
        break;
    case SELECTOR_LESS_THAN: text_printf(text, "%s<%s", requirement->key, values->items[0]); break;
    }
}

char *selector_text_format(struct arena *arena, const struct label_selector *selector)
{
    struct text text;
    text_init(&text, arena->memory);
    for (uint32_t i = 0; i < selector->match_labels.count; i++)
        text_printf(&text, "%s%s=%s", text.length > 0 ? "," : "",
                    selector->match_labels.items[i].key, selector->match_labels.items[i].value);
    for (uint32_t i = 0; i < selector->match_expression_count; i++) {
        if (text.length > 0)
            text_append_char(&text, ',');
        append_requirement(&text, &selector->match_expressions[i]);
    }
    char *result = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return result;
}
