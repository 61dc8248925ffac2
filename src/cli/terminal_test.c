/* SPDX-License-Identifier: Apache-2.0 */
/* When there are colours, what they are given to, and what a terminal without UTF-8 gets. */
#include "cli/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void colours_are_for_those_who_want_them(void **state)
{
    (void)state;
    assert_true(colours_wanted(false, NULL, "xterm"));
    assert_true(colours_wanted(false, "", "xterm"));
    assert_false(colours_wanted(true, NULL, "xterm"));
    assert_false(colours_wanted(false, "1", "xterm"));
    assert_false(colours_wanted(false, NULL, "dumb"));
    assert_false(colours_wanted(false, NULL, ""));
    assert_false(colours_wanted(false, NULL, NULL));
}

static void the_first_locale_that_is_set_counts(void **state)
{
    (void)state;
    assert_true(locale_is_utf8(NULL, NULL, "en_US.UTF-8"));
    assert_true(locale_is_utf8("C.utf8", NULL, NULL));
    assert_true(locale_is_utf8("", "de_DE.UTF-8@euro", "C"));
    assert_false(locale_is_utf8("C", "C.UTF-8", "C.UTF-8"));
    assert_false(locale_is_utf8(NULL, NULL, "POSIX"));
    assert_false(locale_is_utf8(NULL, NULL, "de_DE.ISO-8859-1"));
    assert_false(locale_is_utf8(NULL, NULL, NULL));
}

static void changes_to(void (*change)(struct text *), const char *from, const char *to)
{
    struct memory memory;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    text_append_string(&text, from);
    change(&text);
    assert_string_equal(text_content(&text), to);
    text_release(&text);
}

static void other_characters_are_escaped(void **state)
{
    (void)state;
    changes_to(terminal_make_ascii, "plain\n", "plain\n");
    changes_to(terminal_make_ascii, "caf\xc3\xa9 \xe2\x96\x88 \xf0\x9f\x9a\x80",
               "caf\\u00e9 \\u2588 \\U0001f680");
    changes_to(terminal_make_ascii, "\xff\xc3", "\\xff\\xc3");
}

static void verdicts_are_coloured(void **state)
{
    (void)state;
    changes_to(terminal_paint, "HOLDS  x\n", "\033[1;32mHOLDS\033[0m  x\n");
    changes_to(terminal_paint, "VIOLATED  x\nabc", "\033[1;31mVIOLATED\033[0m  x\nabc");
    changes_to(terminal_paint, "HOLDS PROBABLY  x", "\033[1;33mHOLDS PROBABLY\033[0m  x");
    changes_to(terminal_paint, "1. drain: y\n", "\033[1;31m1.\033[0m drain: y\n");
    changes_to(terminal_paint, "  1. a step\nHOLDSX\n", "  1. a step\nHOLDSX\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_for_those_who_want_them),
        cmocka_unit_test(the_first_locale_that_is_set_counts),
        cmocka_unit_test(other_characters_are_escaped),
        cmocka_unit_test(verdicts_are_coloured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
