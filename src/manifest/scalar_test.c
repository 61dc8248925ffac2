/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: every plain scalar means what kubectl takes it for. Method: a table
 * of texts with their kind and value; the odd ones follow go-yaml v2.4.0
 * (resolve.go and resolve's cases in decode_test.go). */
#include "manifest/scalar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void words_are_null_or_boolean_in_three_spellings(void **state)
{
    (void)state;
    static const struct {
        enum scalar_kind kind;
        const char *texts[12];
    } cases[] = {
        {SCALAR_NULL, {"", "~", "null", "Null", "NULL"}},
        {SCALAR_TRUE, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}},
        {SCALAR_FALSE,
         {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}},
        {SCALAR_NOT_FINITE,
         {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "-.Inf", "-.INF"}},
        {SCALAR_STRING,
         {"yEs", "nULL", "tRUE", "truely", "yes ", "oN", "t", "f", "none", "~~", "nil"}},
        {SCALAR_STRING, {"+.nan", "-.NaN", ".iNF", "inf", "NaN", "<<", "=", "-", "+", ".", "..."}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (size_t t = 0; t < 12 && cases[i].texts[t]; t++) {
            const char *text = cases[i].texts[t];
            if (scalar_resolve(text, strlen(text)) != cases[i].kind)
                fail_msg("\"%s\" is not of kind %d", text, (int)cases[i].kind);
        }
}

static void integers_have_bases_signs_and_underscores(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool negative;
        uint64_t magnitude;
    } cases[] = {
        {"0", false, 0},
        {"-0", false, 0},
        {"+12", false, 12},
        {"685_230", false, 685230},
        {"1__0_", false, 10},
        {"+_1", false, 1},
        {"-_1", true, 1},
        {"0x1F", false, 31},
        {"0X1f", false, 31},
        {"-0x10", true, 16},
        {"0x_0A_74_AE", false, 685230},
        {"02472256", false, 685230},
        {"0644", false, 420},
        {"0o644", false, 420},
        {"0O17", false, 15},
        {"-0o17", true, 15},
        {"0b1010", false, 10},
        {"0B11", false, 3},
        {"0_x1_", false, 1},
        {"-0b101", true, 5},
        {"0b-101", true, 5},
        {"0b+101", false, 5},
        {"00", false, 0},
        {"9223372036854775807", false, INT64_MAX},
        {"-9223372036854775808", true, UINT64_C(1) << 63},
        {"9223372036854775808", false, UINT64_C(1) << 63},
        {"18446744073709551615", false, UINT64_MAX},
        {"0xFFFFFFFFFFFFFFFF", false, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *text = cases[i].text;
        if (scalar_resolve(text, strlen(text)) != SCALAR_INTEGER)
            fail_msg("\"%s\" is not an integer", text);
        const struct scalar_number number = scalar_number(text, strlen(text));
        if (number.negative != cases[i].negative || number.magnitude != cases[i].magnitude)
            fail_msg("\"%s\" has the wrong value", text);
    }
}

static void floats_are_what_go_takes_for_floats(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1.5", 1.5},
        {"1.", 1},
        {".5", .5},
        {"+.5", .5},
        {"-.5e-1", -.05},
        {".5_0", .5},
        {".5e1_0", .5e10},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"6.8523015e+5", 685230.15},
        {"685.230_15e+03", 685230.15},
        {"685_230.15", 685230.15},
        {"08", 8},
        {"-09", -9},
        {"019.5", 19.5},
        {"1e-999", 0},
        {"18446744073709551616", 0x1p64},
        {"+18446744073709551615", 0x1p64},
        {"-9223372036854775809", -0x1p63},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *text = cases[i].text;
        if (scalar_resolve(text, strlen(text)) != SCALAR_FLOAT)
            fail_msg("\"%s\" is not a float", text);
        if (scalar_number(text, strlen(text)).approximate != cases[i].value)
            fail_msg("\"%s\" has the wrong value", text);
    }
}

static void what_is_almost_a_number_is_a_string(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "0x",          "0b",    "0o",         "0b2",
        "0o8",         "0xG",   "1:30",       "190:20:30.15",
        "2020-01-02",  "1.2.3", "1e",         "1e+",
        "e3",          ".e3",   "._5",        ".5_",
        "_1",          "+-1",   "--1",        "1e999",
        "-1e999",      "100m",  "1Gi",        "1 000",
        "0x1p4",       "0x1.8", "--",         "+",
        "-0b-1",       "0b--1", "2001-12-14", "-0x8000000000000001",
        "+0b",         "1,000", "Infinity",   "0x10000000000000000",
        "192.168.0.1", "1e3.5", "0b+",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (scalar_resolve(cases[i], strlen(cases[i])) != SCALAR_STRING)
            fail_msg("\"%s\" is not a string", cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_null_or_boolean_in_three_spellings),
        cmocka_unit_test(integers_have_bases_signs_and_underscores),
        cmocka_unit_test(floats_are_what_go_takes_for_floats),
        cmocka_unit_test(what_is_almost_a_number_is_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
