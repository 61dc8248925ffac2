/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading, writing and adding of quantities.
 *
 * The rules are those of apimachinery's resource.Quantity (v1.26): a number,
 * then one suffix or a decimal exponent. A text without any digit is zero
 * there ("k", "."), and so it is here. Two things differ, both beyond what
 * anyone can use: decimal quantities over 10^29 are capped, and canonical texts
 * over 999E keep the suffix E where upstream loses it.
 */
#include "object/quantity.h"

#include <stdio.h>
#include <string.h>

/* In nano units: 10^29 units, and the largest int64 of units. */
#define NANOS_MOST        ((quantity_nanos)UINT64_C(10000000000000000000) * UINT64_C(10000000000000000000))
#define NANOS_BINARY_MOST ((quantity_nanos)INT64_MAX * NANOS_PER_UNIT)

enum { NANOS_PER_UNIT = 1000000000, NANOS_PER_MILLI = 1000000, NANO_EXPONENT = -9 };

static const struct suffix {
    const char *text;
    enum quantity_format format;
    int exponent; /* of ten, or of two for the binary ones */
} suffixes[] = {
    {"n", QUANTITY_DECIMAL_SI, -9}, {"u", QUANTITY_DECIMAL_SI, -6}, {"m", QUANTITY_DECIMAL_SI, -3},
    {"", QUANTITY_DECIMAL_SI, 0},   {"k", QUANTITY_DECIMAL_SI, 3},  {"M", QUANTITY_DECIMAL_SI, 6},
    {"G", QUANTITY_DECIMAL_SI, 9},  {"T", QUANTITY_DECIMAL_SI, 12}, {"P", QUANTITY_DECIMAL_SI, 15},
    {"E", QUANTITY_DECIMAL_SI, 18}, {"Ki", QUANTITY_BINARY_SI, 10}, {"Mi", QUANTITY_BINARY_SI, 20},
    {"Gi", QUANTITY_BINARY_SI, 30}, {"Ti", QUANTITY_BINARY_SI, 40}, {"Pi", QUANTITY_BINARY_SI, 50},
    {"Ei", QUANTITY_BINARY_SI, 60},
};

enum { SUFFIX_COUNT = sizeof(suffixes) / sizeof(suffixes[0]) };

/* The parts of a text; the digits still stand in it. */
struct scan {
    bool negative;
    const char *whole; /* without leading zeros */
    size_t whole_length;
    const char *fraction;
    size_t fraction_length;
    const char *suffix;
};

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

static const char *skip_sign(const char *text)
{
    return *text == '-' || *text == '+' ? text + 1 : text;
}

static bool scan_text(const char *text, struct scan *scan)
{
    scan->negative = *text == '-';
    text = skip_sign(text);
    text += strspn(text, "0");
    scan->whole = text;
    scan->whole_length = count_digits(text);
    text += scan->whole_length;
    scan->fraction = text;
    scan->fraction_length = 0;
    if (*text == '.') {
        scan->fraction = ++text;
        scan->fraction_length = count_digits(text);
        text += scan->fraction_length;
    }
    scan->suffix = text;
    text += strspn(text, "eEinumkKMGTP");
    text = skip_sign(text);
    return text[count_digits(text)] == '\0';
}

/* An exponent as in "e-3"; upstream reads 64 bits and keeps 32 of them. */
static bool read_exponent(const char *text, int *exponent)
{
    bool negative = *text == '-';
    text = skip_sign(text);
    if (*text == '\0')
        return false;
    int64_t value = 0;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value * 10 + (*text - '0');
        if (value > INT32_MAX)
            return false;
    }
    *exponent = (int)(negative ? -value : value);
    return true;
}

static bool read_suffix(const char *text, struct suffix *suffix)
{
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        if (strcmp(text, suffixes[i].text) == 0) {
            *suffix = suffixes[i];
            return true;
        }
    }
    suffix->format = QUANTITY_DECIMAL_EXPONENT;
    return (*text == 'e' || *text == 'E') && read_exponent(text + 1, &suffix->exponent);
}

static char digit_at(const struct scan *scan, size_t index)
{
    return index < scan->whole_length ? scan->whole[index]
                                      : scan->fraction[index - scan->whole_length];
}

/* All digits as one number, moved to nano units; what lies below is rounded up. */
static quantity_nanos decimal_nanos(const struct scan *scan, int exponent)
{
    size_t digit_count = scan->whole_length + scan->fraction_length;
    /* Digits that stand at or above the place of a nano unit. */
    int64_t kept = (int64_t)scan->whole_length + exponent - NANO_EXPONENT;
    quantity_nanos nanos = 0;
    bool rest = false;
    for (size_t i = 0; i < digit_count; i++) {
        char digit = digit_at(scan, i);
        if ((int64_t)i >= kept)
            rest = rest || digit != '0';
        else
            nanos = nanos > NANOS_MOST / 10 ? NANOS_MOST : nanos * 10 + (digit - '0');
        if (nanos > NANOS_MOST)
            nanos = NANOS_MOST;
    }
    for (int64_t i = (int64_t)digit_count; i < kept && nanos > 0 && nanos < NANOS_MOST; i++)
        nanos = nanos > NANOS_MOST / 10 ? NANOS_MOST : nanos * 10;
    return nanos + (rest && nanos < NANOS_MOST);
}

/* The fraction is taken from its last digit on, each step rounded up, which
 * gives the same as rounding the exact product up once. */
static quantity_nanos binary_nanos(const struct scan *scan, int exponent)
{
    quantity_nanos unit = (quantity_nanos)NANOS_PER_UNIT << exponent;
    quantity_nanos nanos = 0;
    for (size_t i = scan->fraction_length; i-- > 0;)
        nanos = (nanos + (scan->fraction[i] - '0') * unit + 9) / 10;
    quantity_nanos whole = 0;
    for (size_t i = 0; i < scan->whole_length; i++) {
        whole = whole * 10 + (scan->whole[i] - '0');
        if (whole > INT64_MAX >> exponent)
            return NANOS_BINARY_MOST;
    }
    nanos += whole * unit;
    return nanos > NANOS_BINARY_MOST ? NANOS_BINARY_MOST : nanos;
}

static bool fail(const char **why, const char *reason)
{
    if (why != NULL)
        *why = reason;
    return false;
}

bool quantity_parse(const char *text, struct quantity *quantity, const char **why)
{
    struct scan scan;
    struct suffix suffix;
    if (*text == '\0')
        return fail(why, "the text is empty");
    if (!scan_text(text, &scan))
        return fail(why, "it is not a number with an optional suffix");
    if (!read_suffix(scan.suffix, &suffix))
        return fail(why, "the suffix is none of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei "
                         "and no exponent like e3");
    quantity_nanos nanos = suffix.format == QUANTITY_BINARY_SI
                               ? binary_nanos(&scan, suffix.exponent)
                               : decimal_nanos(&scan, suffix.exponent);
    /* Less than one unit cannot be shown in powers of two. */
    if (suffix.format == QUANTITY_BINARY_SI && nanos > 0 && nanos < NANOS_PER_UNIT)
        suffix.format = QUANTITY_DECIMAL_SI;
    quantity->nanos = scan.negative ? -nanos : nanos;
    quantity->format = suffix.format;
    return true;
}

/* ---- writing ---- */

static quantity_nanos magnitude(quantity_nanos nanos)
{
    return nanos < 0 ? -nanos : nanos;
}

/* Binary quantities that have a fraction or are below 1Ki are written as decimal. */
static enum quantity_format writing_format(struct quantity quantity)
{
    quantity_nanos nanos = magnitude(quantity.nanos);
    if (quantity.format == QUANTITY_BINARY_SI &&
        (nanos < (quantity_nanos)1024 * NANOS_PER_UNIT || nanos % NANOS_PER_UNIT != 0))
        return QUANTITY_DECIMAL_SI;
    return quantity.format;
}

/* C's printf cannot write 128 bits. */
static char *format_number(struct arena *arena, bool negative, quantity_nanos number,
                           const char *suffix)
{
    char digits[48];
    size_t start = sizeof(digits) - 1;
    digits[start] = '\0';
    do {
        digits[--start] = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number > 0);
    return arena_printf(arena, "%s%s%s", negative ? "-" : "", digits + start, suffix);
}

static const char *find_suffix(enum quantity_format format, int exponent)
{
    for (size_t i = 0; i < SUFFIX_COUNT; i++)
        if (suffixes[i].exponent == exponent && suffixes[i].format == format)
            return suffixes[i].text;
    return "";
}

static char *format_binary(struct arena *arena, bool negative, quantity_nanos units)
{
    int exponent = 0;
    while (exponent < 60 && units % 1024 == 0) {
        units /= 1024;
        exponent += 10;
    }
    return format_number(arena, negative, units, find_suffix(QUANTITY_BINARY_SI, exponent));
}

static char *format_decimal(struct arena *arena, bool negative, quantity_nanos nanos,
                            enum quantity_format format)
{
    int exponent = NANO_EXPONENT;
    int exponent_most = format == QUANTITY_DECIMAL_SI ? 18 : INT32_MAX;
    while (exponent < exponent_most && nanos % 1000 == 0) {
        nanos /= 1000;
        exponent += 3;
    }
    if (format == QUANTITY_DECIMAL_SI)
        return format_number(arena, negative, nanos, find_suffix(format, exponent));
    char suffix[16] = "";
    if (exponent != 0)
        snprintf(suffix, sizeof(suffix), "e%d", exponent);
    return format_number(arena, negative, nanos, suffix);
}

char *quantity_format_text(struct arena *arena, struct quantity quantity)
{
    if (quantity.nanos == 0)
        return arena_strdup(arena, "0");
    bool negative = quantity.nanos < 0;
    quantity_nanos nanos = magnitude(quantity.nanos);
    enum quantity_format format = writing_format(quantity);
    if (format == QUANTITY_BINARY_SI)
        return format_binary(arena, negative, nanos / NANOS_PER_UNIT);
    return format_decimal(arena, negative, nanos, format);
}

/* ---- arithmetic ---- */

struct quantity quantity_of(int64_t whole_units)
{
    return (struct quantity){(quantity_nanos)whole_units * NANOS_PER_UNIT, QUANTITY_DECIMAL_SI};
}

struct quantity quantity_of_milli(int64_t milli_units)
{
    return (struct quantity){(quantity_nanos)milli_units * NANOS_PER_MILLI, QUANTITY_DECIMAL_SI};
}

static int64_t divide_away_from_zero(quantity_nanos nanos, int64_t divisor)
{
    quantity_nanos result = (magnitude(nanos) + divisor - 1) / divisor;
    if (nanos < 0)
        result = -result;
    if (result > INT64_MAX)
        return INT64_MAX;
    return result < INT64_MIN ? INT64_MIN : (int64_t)result;
}

int64_t quantity_value(struct quantity quantity)
{
    return divide_away_from_zero(quantity.nanos, NANOS_PER_UNIT);
}

int64_t quantity_milli_value(struct quantity quantity)
{
    return divide_away_from_zero(quantity.nanos, NANOS_PER_MILLI);
}

int quantity_compare(struct quantity a, struct quantity b)
{
    return (a.nanos > b.nanos) - (a.nanos < b.nanos);
}

/* Both are at most NANOS_MOST from zero, but twice that does not fit 128 bits. */
static quantity_nanos add_saturating(quantity_nanos a, quantity_nanos b)
{
    if (b > 0 && a > NANOS_MOST - b)
        return NANOS_MOST;
    if (b < 0 && a < -NANOS_MOST - b)
        return -NANOS_MOST;
    return a + b;
}

struct quantity quantity_add(struct quantity a, struct quantity b)
{
    if (a.nanos == 0)
        a.format = b.format;
    a.nanos = add_saturating(a.nanos, b.nanos);
    return a;
}

const struct quantity *resource_list_find(const struct resource_list *list, const char *name)
{
    uint32_t low = 0;
    uint32_t high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(name, list->items[middle].name);
        if (order == 0)
            return &list->items[middle].quantity;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
