/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal would obey is escaped; everything else stays as it is. */
#include "base/plain_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct plain_case {
    const char *name;
    const char *given;
    enum plain_lines lines;
    const char *expected;
};

static const struct plain_case cases[] = {
    {"letters of any language stay", "web-1 \xc3\xa4 \xe6\xb3\xa2 \xf0\x9f\x98\x80", PLAIN_LINES,
     "web-1 \xc3\xa4 \xe6\xb3\xa2 \xf0\x9f\x98\x80"},
    {"a colour is shown", "a\033[31mb", PLAIN_LINES, "a\\x1b[31mb"},
    {"a title is shown", "\033]0;x\007", PLAIN_LINES, "\\x1b]0;x\\x07"},
    {"an escape of one character is shown",
     "\xc2\x9b"
     "31m",
     PLAIN_LINES, "\\x9b31m"},
    {"the direction of writing stays",
     "\xe2\x80\xae"
     "abc\xe2\x80\xac",
     PLAIN_LINES, "\\u202eabc\\u202c"},
    {"ends of lines stay in a report", "a\n\tb\r\n", PLAIN_LINES, "a\n\tb\\x0d\n"},
    {"a line has no other lines in it", "a\nb", PLAIN_ONE_LINE, "a\\nb"},
    {"what is no character is shown", "a\xff\x80", PLAIN_LINES, "a\\xff\\x80"},
    {"nothing", "", PLAIN_ONE_LINE, ""},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct memory memory;
        struct text text;
        memory_init(&memory, SIZE_MAX);
        text_init(&text, &memory);
        plain_append(&text, cases[i].given, strlen(cases[i].given), cases[i].lines);
        if (strcmp(text_content(&text), cases[i].expected) != 0)
            fail_msg("%s: expected %s, found %s", cases[i].name, cases[i].expected,
                     text_content(&text));
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
