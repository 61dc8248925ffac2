/* SPDX-License-Identifier: Apache-2.0 */
/* int(), double(), string(), bool(), dyn(), duration() and what durations consist of. */
#include "expression/expression_function.h"

#include "expression/number_text.h"
#include "object/time.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct expression_value same(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return of[0];
}

static struct expression_value int_of_double(struct arena *arena, const struct expression_value *of)
{
    const double number = of[0].number;
    if (!(number > -9223372036854775808.0 && number < 9223372036854775808.0))
        return expression_error(arena, "integer overflow");
    return expression_of_int((int64_t)number);
}

static struct expression_value int_of_string(struct arena *arena, const struct expression_value *of)
{
    const char *digits = of[0].text + (of[0].text[0] == '-' || of[0].text[0] == '+');
    errno = 0;
    const long long number = strtoll(of[0].text, NULL, 10);
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] || errno == ERANGE)
        return expression_error(arena, "'%s' is no whole number", of[0].text);
    return expression_of_int(number);
}

static struct expression_value double_of_int(struct arena *arena, const struct expression_value *of)
{
    (void)arena;
    return expression_of_double((double)of[0].integer);
}

static struct expression_value double_of_string(struct arena *arena,
                                                const struct expression_value *of)
{
    char *end = NULL;
    const char *text = of[0].text;
    const double number = strtod(text, &end);
    const bool is_finite_text = strpbrk(text, "0123456789") != NULL;
    if (*text == '\0' || *end != '\0' || strpbrk(text, " \t\n\v\f\rxX(") ||
        (is_finite_text && isinf(number)))
        return expression_error(arena, "'%s' is no number", text);
    return expression_of_double(number);
}

static struct expression_value string_of_int(struct arena *arena, const struct expression_value *of)
{
    return expression_of_string(arena_printf(arena, "%" PRId64, of[0].integer));
}

static struct expression_value string_of_double(struct arena *arena,
                                                const struct expression_value *of)
{
    return expression_of_string(number_text(arena, of[0].number));
}

static struct expression_value string_of_bool(struct arena *arena,
                                              const struct expression_value *of)
{
    (void)arena;
    return expression_of_string(of[0].truth ? "true" : "false");
}

static struct expression_value bool_of_string(struct arena *arena,
                                              const struct expression_value *of)
{
    static const char *const truths[] = {"1", "t", "T", "true", "TRUE", "True"};
    static const char *const lies[] = {"0", "f", "F", "false", "FALSE", "False"};
    for (uint32_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++)
        if (strcmp(of[0].text, truths[i]) == 0 || strcmp(of[0].text, lies[i]) == 0)
            return expression_of_bool(strcmp(of[0].text, truths[i]) == 0);
    return expression_error(arena, "'%s' is neither true nor false", of[0].text);
}

static struct expression_value duration_of_string(struct arena *arena,
                                                  const struct expression_value *of)
{
    int64_t nanoseconds = 0;
    const char *why = NULL;
    if (!duration_parse(of[0].text, &nanoseconds, &why))
        return expression_error(arena, "'%s' is no duration: %s", of[0].text, why);
    return expression_of_duration(nanoseconds);
}

static struct expression_value string_of_duration(struct arena *arena,
                                                  const struct expression_value *of)
{
    return expression_of_string(number_text_of_duration(arena, of[0].integer));
}

#define IN_UNITS(name, nanoseconds)                                                             \
    static struct expression_value name(struct arena *arena, const struct expression_value *of) \
    {                                                                                           \
        (void)arena;                                                                            \
        return expression_of_int(of[0].integer / (nanoseconds));                                \
    }
IN_UNITS(hours, 3600000000000)
IN_UNITS(minutes, 60000000000)
IN_UNITS(seconds, 1000000000)
IN_UNITS(milliseconds, 1000000)

#define TO(name, from, to, function)                                        \
    {                                                                       \
        name, false, 1, {&expression_##from}, &expression_##to, 0, function \
    }
#define PART(name, function)                                                \
    {                                                                       \
        name, true, 1, {&expression_duration}, &expression_int, 0, function \
    }

static const struct expression_function rows[] = {
    TO("int", int, int, same),
    TO("int", double, int, int_of_double),
    TO("int", string, int, int_of_string),
    TO("double", double, double, same),
    TO("double", int, double, double_of_int),
    TO("double", string, double, double_of_string),
    TO("string", string, string, same),
    TO("string", int, string, string_of_int),
    TO("string", double, string, string_of_double),
    TO("string", bool, string, string_of_bool),
    TO("string", duration, string, string_of_duration),
    TO("bool", bool, bool, same),
    TO("bool", string, bool, bool_of_string),
    TO("dyn", dyn, dyn, same),
    TO("duration", duration, duration, same),
    TO("duration", string, duration, duration_of_string),
    PART("getHours", hours),
    PART("getMinutes", minutes),
    PART("getSeconds", seconds),
    PART("getMilliseconds", milliseconds),
};

const struct expression_functions conversion_functions = {rows, sizeof(rows) / sizeof(rows[0])};
