/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mirrors the outcome of go-yaml v2.4.0 (resolve.go) followed by the detour
 * over JSON of sigs.k8s.io/yaml v1.3.0, which is what kubectl v1.26 does.
 *
 * Departure: underscores in a number of 500 characters or more make it a
 * string.
 */
#include "manifest/scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_BYTES_MOST = 500 };

/* The number without its underscores, in Go's words `plain`. */
struct plain {
    const char *text;
    size_t length;
    char buffer[PLAIN_BYTES_MOST + 1];
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool strip_underscores(const char *text, size_t length, struct plain *plain)
{
    *plain = (struct plain){.text = text, .length = length};
    if (!memchr(text, '_', length))
        return true;
    if (length > PLAIN_BYTES_MOST)
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '_')
            plain->buffer[kept++] = text[i];
    plain->buffer[kept] = '\0';
    plain->text = plain->buffer;
    plain->length = kept;
    return true;
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

static bool parse_digits(const char *text, size_t length, unsigned base, uint64_t *result)
{
    uint64_t magnitude = 0;
    for (size_t i = 0; i < length; i++) {
        const int digit = digit_value(text[i]);
        if ((unsigned)digit >= base || __builtin_mul_overflow(magnitude, base, &magnitude) ||
            __builtin_add_overflow(magnitude, (uint64_t)digit, &magnitude))
            return false;
    }
    *result = magnitude;
    return true;
}

/* Digits with the base that their prefix says. A lone leading zero means octal. */
static bool parse_magnitude(const char *text, size_t length, uint64_t *result)
{
    if (length == 0)
        return false;
    if (text[0] != '0')
        return parse_digits(text, length, 10, result);
    const char letter = length >= 3 ? (char)(text[1] | 0x20) : '\0';
    if (letter == 'x')
        return parse_digits(text + 2, length - 2, 16, result);
    if (letter == 'o')
        return parse_digits(text + 2, length - 2, 8, result);
    if (letter == 'b')
        return parse_digits(text + 2, length - 2, 2, result);
    return parse_digits(text + 1, length - 1, 8, result);
}

static bool in_range(bool negative, bool has_sign, uint64_t magnitude)
{
    if (negative)
        return magnitude <= UINT64_C(1) << 63;
    return !has_sign || magnitude <= INT64_MAX;
}

static bool parse_integer(const char *text, size_t length, struct scalar_number *number)
{
    const bool has_sign = text[0] == '-' || text[0] == '+';
    const bool negative = text[0] == '-';
    uint64_t magnitude;
    if (!parse_magnitude(text + has_sign, length - has_sign, &magnitude) ||
        !in_range(negative, has_sign, magnitude))
        return false;
    number->is_integer = true;
    number->negative = negative && magnitude > 0;
    number->magnitude = magnitude;
    number->approximate = negative ? -(double)magnitude : (double)magnitude;
    return true;
}

/* go-yaml tries binary numbers a second time, without their prefix, and so
 * takes a sign in the middle: 0b-101 is -5. */
static bool parse_binary_with_inner_sign(const char *text, size_t length,
                                         struct scalar_number *number)
{
    if (length < 4 || strncmp(text, "0b", 2) != 0 || (text[2] != '-' && text[2] != '+'))
        return false;
    const bool negative = text[2] == '-';
    uint64_t magnitude;
    if (!parse_digits(text + 3, length - 3, 2, &magnitude) || !in_range(negative, true, magnitude))
        return false;
    *number = (struct scalar_number){
        .is_integer = true,
        .negative = negative && magnitude > 0,
        .magnitude = magnitude,
        .approximate = negative ? -(double)magnitude : (double)magnitude,
    };
    return true;
}

static size_t skip_digits(const char *text, size_t at, size_t length)
{
    while (at < length && is_digit(text[at]))
        at++;
    return at;
}

/* [-+]? ( .digits | digits [. digits?] ) ( [eE] [-+]? digits )? */
static bool looks_like_float(const char *text, size_t length)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t whole = at;
    at = skip_digits(text, at, length);
    const bool has_whole = at > whole;
    if (at < length && text[at] == '.') {
        const size_t fraction = ++at;
        at = skip_digits(text, at, length);
        if (!has_whole && at == fraction)
            return false;
    } else if (!has_whole) {
        return false;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < length && (text[at] == '-' || text[at] == '+'))
            at++;
        const size_t exponent = at;
        at = skip_digits(text, at, length);
        if (at == exponent)
            return false;
    }
    return at == length;
}

/* Beyond the range of a double is no number; too close to zero is zero. */
static bool parse_float(const char *text, size_t length, struct scalar_number *number)
{
    if (!looks_like_float(text, length))
        return false;
    const double approximate = strtod(text, NULL);
    if (!isfinite(approximate))
        return false;
    *number = (struct scalar_number){.approximate = approximate};
    return true;
}

static bool underscores_between_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '_' &&
            (i == 0 || i + 1 == length || !is_digit(text[i - 1]) || !is_digit(text[i + 1])))
            return false;
    return true;
}

/* `text` starts with a digit, a sign or a full stop. */
static bool parse_number(const char *text, size_t length, struct scalar_number *number)
{
    struct plain plain;
    if (!strip_underscores(text, length, &plain))
        return false;
    if (text[0] == '.')
        return underscores_between_digits(text, length) &&
               parse_float(plain.text, plain.length, number);
    return parse_integer(plain.text, plain.length, number) ||
           parse_float(plain.text, plain.length, number) ||
           parse_binary_with_inner_sign(plain.text, plain.length, number);
}

struct word {
    char text[6];
    uint8_t kind;
};

/* Sorted by nothing in particular: the first letter and the length reject
 * nearly every text before this table is looked at. */
static const struct word words[] = {
    {"y", SCALAR_TRUE},           {"Y", SCALAR_TRUE},           {"yes", SCALAR_TRUE},
    {"Yes", SCALAR_TRUE},         {"YES", SCALAR_TRUE},         {"true", SCALAR_TRUE},
    {"True", SCALAR_TRUE},        {"TRUE", SCALAR_TRUE},        {"on", SCALAR_TRUE},
    {"On", SCALAR_TRUE},          {"ON", SCALAR_TRUE},          {"n", SCALAR_FALSE},
    {"N", SCALAR_FALSE},          {"no", SCALAR_FALSE},         {"No", SCALAR_FALSE},
    {"NO", SCALAR_FALSE},         {"false", SCALAR_FALSE},      {"False", SCALAR_FALSE},
    {"FALSE", SCALAR_FALSE},      {"off", SCALAR_FALSE},        {"Off", SCALAR_FALSE},
    {"OFF", SCALAR_FALSE},        {"~", SCALAR_NULL},           {"null", SCALAR_NULL},
    {"Null", SCALAR_NULL},        {"NULL", SCALAR_NULL},        {".nan", SCALAR_NOT_FINITE},
    {".NaN", SCALAR_NOT_FINITE},  {".NAN", SCALAR_NOT_FINITE},  {".inf", SCALAR_NOT_FINITE},
    {".Inf", SCALAR_NOT_FINITE},  {".INF", SCALAR_NOT_FINITE},  {"+.inf", SCALAR_NOT_FINITE},
    {"+.Inf", SCALAR_NOT_FINITE}, {"+.INF", SCALAR_NOT_FINITE}, {"-.inf", SCALAR_NOT_FINITE},
    {"-.Inf", SCALAR_NOT_FINITE}, {"-.INF", SCALAR_NOT_FINITE},
};

static enum scalar_kind find_word(const char *text, size_t length)
{
    if (length < sizeof(words[0].text))
        for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
            if (words[i].text[0] == text[0] && strcmp(words[i].text, text) == 0)
                return words[i].kind;
    return SCALAR_STRING;
}

enum scalar_kind scalar_resolve(const char *text, size_t length)
{
    if (length == 0)
        return SCALAR_NULL;
    const char first = text[0];
    if (strchr("yYnNtTfFoO~", first))
        return find_word(text, length);
    if (!is_digit(first) && first != '-' && first != '+' && first != '.')
        return SCALAR_STRING;
    if (find_word(text, length) == SCALAR_NOT_FINITE)
        return SCALAR_NOT_FINITE;
    struct scalar_number number;
    if (!parse_number(text, length, &number))
        return SCALAR_STRING;
    return number.is_integer ? SCALAR_INTEGER : SCALAR_FLOAT;
}

struct scalar_number scalar_number(const char *text, size_t length)
{
    struct scalar_number number = {0};
    if (length == 0 || !parse_number(text, length, &number))
        bug("\"%s\" was taken for a number", text);
    return number;
}
