/* SPDX-License-Identifier: Apache-2.0 */
/* Which word is suggested for which slip, and that none is where none is near. */
#include "base/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void distances(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        const char *to;
        size_t edits;
    } cases[] = {
        {"", "", 0},       {"", "abc", 3},    {"abc", "", 3},           {"abc", "abc", 0},
        {"abc", "ABC", 0}, {"abc", "acb", 1}, {"abc", "abcd", 1},       {"abcd", "abd", 1},
        {"abc", "axc", 1}, {"ca", "abc", 3},  {"kitten", "sitting", 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(suggest_distance(cases[i].from, cases[i].to), cases[i].edits);
        assert_int_equal(suggest_distance(cases[i].to, cases[i].from), cases[i].edits);
    }
}

static void words_of_any_length_are_compared(void **state)
{
    (void)state;
    char longest[65] = {0};
    char too_long[66] = {0};
    for (int i = 0; i < 64; i++)
        longest[i] = 'a';
    for (int i = 0; i < 65; i++)
        too_long[i] = 'a';
    assert_int_equal(suggest_distance(longest, ""), 64);
    assert_int_equal(suggest_distance(longest, longest), 0);
    assert_int_equal(suggest_distance(too_long, too_long), SIZE_MAX);
}

static void slips(void **state)
{
    (void)state;
    static const char *const known[] = {"replicas", "replicaCount", "selector", "f"};
    static const struct {
        const char *word;
        const char *nearest;
    } cases[] = {
        {"replica", "replicas"},
        {"Replicas", "replicas"},
        {"selecotr", "selector"},
        {"repiclas", "replicas"},
        {"template", NULL},
        {"e", "f"},
        {"", NULL},
        {"replicacount", "replicaCount"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct suggestion suggestion = {.word = cases[i].word};
        for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
            suggestion_offer(&suggestion, known[k]);
        if (cases[i].nearest)
            assert_string_equal(suggestion.nearest, cases[i].nearest);
        else
            assert_null(suggestion.nearest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(words_of_any_length_are_compared),
        cmocka_unit_test(slips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
