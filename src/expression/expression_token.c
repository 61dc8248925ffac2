/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens as CEL has them: names, numbers, strings in four kinds of quotes, operators. */
#include "expression/expression_token.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool continues_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static struct expression_token wrong(uint32_t start, uint32_t end, const char *why)
{
    return (struct expression_token){TOKEN_WRONG, start, end, why};
}

static uint32_t skip_blanks(const char *text, uint32_t at)
{
    while (true) {
        while (text[at] && strchr(" \t\r\n\f", text[at]))
            at++;
        if (text[at] != '/' || text[at + 1] != '/')
            return at;
        while (text[at] && text[at] != '\n')
            at++;
    }
}

/* ---- numbers ---- */

static uint32_t skip_digits(const char *text, uint32_t at)
{
    while (isdigit((unsigned char)text[at]))
        at++;
    return at;
}

static struct expression_token hexadecimal(struct arena *arena, const char *text, uint32_t start)
{
    uint32_t end = start + 2;
    while (isxdigit((unsigned char)text[end]))
        end++;
    if (end == start + 2)
        return wrong(start, end, "expected hexadecimal digits behind 0x");
    return (struct expression_token){TOKEN_INT, start, end,
                                     arena_strndup(arena, text + start, end - start)};
}

/* 1e3 has an exponent; 1e is a number and a name, which is wrong anyway. */
static uint32_t skip_exponent(const char *text, uint32_t at)
{
    uint32_t digits = at + 1;
    if (text[at] != 'e' && text[at] != 'E')
        return at;
    if (text[digits] == '+' || text[digits] == '-')
        digits++;
    return isdigit((unsigned char)text[digits]) ? skip_digits(text, digits) : at;
}

static struct expression_token number(struct arena *arena, const char *text, uint32_t start)
{
    if (text[start] == '0' && (text[start + 1] == 'x' || text[start + 1] == 'X'))
        return hexadecimal(arena, text, start);
    uint32_t end = skip_digits(text, start);
    const uint32_t whole = end;
    if (text[end] == '.' && isdigit((unsigned char)text[end + 1]))
        end = skip_digits(text, end + 1);
    end = skip_exponent(text, end);
    if (text[end] == 'u' || text[end] == 'U')
        return wrong(start, end + 1, "unsigned numbers are not supported; leave out the u");
    return (struct expression_token){end == whole ? TOKEN_INT : TOKEN_DOUBLE, start, end,
                                     arena_strndup(arena, text + start, end - start)};
}

/* ---- strings ---- */

static void append_character(struct text *content, uint32_t code)
{
    if (code < 0x80) {
        text_append_char(content, (char)code);
    } else if (code < 0x800) {
        text_append_char(content, (char)(0xc0 | code >> 6));
        text_append_char(content, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        text_append_char(content, (char)(0xe0 | code >> 12));
        text_append_char(content, (char)(0x80 | (code >> 6 & 0x3f)));
        text_append_char(content, (char)(0x80 | (code & 0x3f)));
    } else {
        text_append_char(content, (char)(0xf0 | code >> 18));
        text_append_char(content, (char)(0x80 | (code >> 12 & 0x3f)));
        text_append_char(content, (char)(0x80 | (code >> 6 & 0x3f)));
        text_append_char(content, (char)(0x80 | (code & 0x3f)));
    }
}

/* So many digits of that base, from `*at` on; false if there are fewer. */
static bool read_code(const char *text, uint32_t *at, uint32_t digits, uint32_t base,
                      uint32_t *code)
{
    *code = 0;
    for (; digits > 0; digits--, (*at)++) {
        const char c = text[*at];
        const uint32_t digit = isdigit((unsigned char)c)    ? (uint32_t)(c - '0')
                               : isxdigit((unsigned char)c) ? (uint32_t)((c | 32) - 'a' + 10)
                                                            : base;
        if (digit >= base)
            return false;
        *code = *code * base + digit;
    }
    return true;
}

/* What stands behind a backslash; `*at` is behind it then. False: there is no such escape. */
static bool escape(struct text *content, const char *text, uint32_t *at)
{
    static const char letters[] = "abfnrtv\\'\"`?";
    static const char meanings[] = "\a\b\f\n\r\t\v\\'\"`?";
    const char c = text[*at];
    const char *letter = c ? strchr(letters, c) : NULL;
    uint32_t code = 0;
    bool known = true;
    if (letter) {
        text_append_char(content, meanings[letter - letters]);
        (*at)++;
        return true;
    }
    if (c >= '0' && c <= '3') {
        known = read_code(text, at, 3, 8, &code);
    } else {
        (*at)++;
        if (c == 'x' || c == 'X')
            known = read_code(text, at, 2, 16, &code);
        else if (c == 'u')
            known = read_code(text, at, 4, 16, &code);
        else
            known = c == 'U' && read_code(text, at, 8, 16, &code);
    }
    if (!known || code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return false;
    append_character(content, code);
    return true;
}

struct quotes {
    char quote;
    bool triple;
    bool raw;
};

static bool ends_here(const char *text, uint32_t at, struct quotes quotes)
{
    return text[at] == quotes.quote &&
           (!quotes.triple || (text[at + 1] == quotes.quote && text[at + 2] == quotes.quote));
}

/* Each end of a line is a newline, however the file has it. */
static void append_as_written(struct text *content, const char *text, uint32_t *at)
{
    const char c = text[(*at)++];
    if (c == '\r' && text[*at] == '\n')
        (*at)++;
    text_append_char(content, c == '\r' ? '\n' : c);
}

/* The content goes from `at` to the closing quotes. NULL: all is well, and `*at` is behind them. */
static const char *read_content(struct text *content, const char *text, uint32_t *at,
                                struct quotes quotes)
{
    while (!ends_here(text, *at, quotes)) {
        if (!text[*at] || (!quotes.triple && (text[*at] == '\n' || text[*at] == '\r')))
            return "the string has no end";
        if (text[*at] == '\\' && !quotes.raw) {
            (*at)++;
            if (!escape(content, text, at))
                return "there is no such escape";
        } else {
            append_as_written(content, text, at);
        }
    }
    *at += quotes.triple ? 3 : 1;
    return NULL;
}

static struct expression_token string(struct arena *arena, const char *text, uint32_t start,
                                      uint32_t opening, bool raw)
{
    struct quotes quotes = {.quote = text[opening], .raw = raw};
    struct text content;
    quotes.triple = text[opening + 1] == quotes.quote && text[opening + 2] == quotes.quote;
    uint32_t end = opening + (quotes.triple ? 3 : 1);
    text_init(&content, arena->memory);
    const char *why = read_content(&content, text, &end, quotes);
    const char *kept = text_keep(&content, arena);
    return why ? wrong(start, end, why) : (struct expression_token){TOKEN_STRING, start, end, kept};
}

/* ---- names and symbols ---- */

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

static struct expression_token name(struct arena *arena, const char *text, uint32_t start)
{
    uint32_t end = start;
    while (continues_name(text[end]))
        end++;
    if (is_quote(text[end]) && end == start + 1 && (text[start] | 32) == 'r')
        return string(arena, text, start, end, true);
    if (is_quote(text[end]) && end == start + 1 && (text[start] | 32) == 'b')
        return wrong(start, end, "bytes are not supported; leave out the b");
    return (struct expression_token){TOKEN_NAME, start, end,
                                     arena_strndup(arena, text + start, end - start)};
}

/* `app.kubernetes.io/name` in backquotes: a member with a name that is none. */
static struct expression_token quoted_name(struct arena *arena, const char *text, uint32_t start)
{
    uint32_t end = start + 1;
    while (continues_name(text[end]) || (text[end] && strchr(".-/ ", text[end])))
        end++;
    if (text[end] != '`' || end == start + 1)
        return wrong(start, end, "a name in ` has letters, digits and . - / _ and blanks");
    return (struct expression_token){TOKEN_QUOTED_NAME, start, end + 1,
                                     arena_strndup(arena, text + start + 1, end - start - 1)};
}

static struct expression_token symbol(struct arena *arena, const char *text, uint32_t start)
{
    static const char *const symbols[] = {"&&", "||", "==", "!=", "<=", ">=", "<", ">",
                                          "+",  "-",  "*",  "/",  "%",  "!",  "?", ":",
                                          ".",  ",",  "(",  ")",  "[",  "]",  "{", "}"};
    for (uint32_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        const uint32_t length = (uint32_t)strlen(symbols[i]);
        if (strncmp(text + start, symbols[i], length) == 0)
            return (struct expression_token){TOKEN_SYMBOL, start, start + length, symbols[i]};
    }
    return wrong(
        start, start + 1,
        text[start] == '=' ? "found =; == compares"
        : text[start] == '&' || text[start] == '|'
            ? arena_printf(arena, "found %c; %c%c is meant", text[start], text[start], text[start])
            : "no expression has such a character");
}

struct expression_token expression_token_at(struct arena *arena, const char *text, uint32_t start)
{
    start = skip_blanks(text, start);
    const char c = text[start];
    if (c == '\0')
        return (struct expression_token){TOKEN_END, start, start, ""};
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)text[start + 1])))
        return number(arena, text, start);
    if (is_quote(c))
        return string(arena, text, start, start, false);
    if (c == '`')
        return quoted_name(arena, text, start);
    return begins_name(c) ? name(arena, text, start) : symbol(arena, text, start);
}
