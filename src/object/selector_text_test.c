/* SPDX-License-Identifier: Apache-2.0 */
/* Selectors as text: the forms, what they match, and what is refused; the
 * tables follow upstream's labels/selector_test.go. */
#include "object/selector_text.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void texts_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *written; /* NULL: as it was */
    } cases[] = {
        {"", NULL},
        {" \t\n", ""},
        {"x", NULL},
        {"!x", NULL},
        {"! x", "!x"},
        {"x=a", NULL},
        {"x==a", "x=a"},
        {"x = a", "x=a"},
        {"x=", NULL},
        {"x= ", "x="},
        {"x=,z= ", "x=,z="},
        {"x!=a", NULL},
        {"x!=", NULL},
        {"x=a,y=b,z=c", NULL},
        {"x>1", NULL},
        {"x < -1", "x<-1"},
        {"x>1,z<5", NULL},
        {"x in (a)", "x=a"},
        {"x in (c,a,b,a)", "x in (a,b,c)"},
        {"x in(a,b)", "x in (a,b)"},
        {"x notin (a,b)", NULL},
        {"x notin (a)", "x!=a"},
        {"x in (a, ,b)", "x in (,a,b)"},
        {"x in (,)", "x="},
        {"in in (in)", "in=in"},
        {"notin=in", NULL},
        {"!in", NULL},
        {"x,!y,z in (a,b),example.com/w!=v", NULL},
        {"example.com/x_1.y=A-b_c.d", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct label_selector selector;
        struct label_selector again;
        const char *why = NULL;
        if (!selector_text_parse(&arena, cases[i].text, &selector, &why))
            fail_msg("%s: %s", cases[i].text, why);
        const char *written = selector_text_format(&arena, &selector);
        assert_string_equal(written, cases[i].written ? cases[i].written : cases[i].text);
        assert_true(selector_text_parse(&arena, written, &again, NULL));
        assert_string_equal(selector_text_format(&arena, &again), written);
    }
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "x=a||y=b", "x==a==b",  "!x=a",
        "x<a",      "x>1.5",    "x in",
        "x in a",   "x in (a",  "x in a)",
        "x in ()",  "x,",       ",x",
        ",",        "x=a,,y=b", "x y",
        "=a",       "!",        "x notin",
        "(x)",      "-x",       "x=-a",
        "x=a b",    "a/b/c=d",  "x<",
        "x!",       "x in (-)", "x>99999999999999999999",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct label_selector selector;
        const char *why = NULL;
        if (selector_text_parse(&arena, cases[i], &selector, &why))
            fail_msg("\"%s\" was read", cases[i]);
        assert_non_null(why);
        assert_false(selector_text_parse(&arena, cases[i], &selector, NULL));
    }
}

static void they_match_what_they_say(void **state)
{
    (void)state;
    struct label items[] = {{"cores", "8"}, {"empty", ""}, {"zone", "a"}};
    const struct labels labels = {items, 3};
    static const struct {
        const char *text;
        bool matches;
    } cases[] = {
        {"", true},
        {"zone", true},
        {"!zone", false},
        {"old", false},
        {"!old", true},
        {"zone=a", true},
        {"zone!=a", false},
        {"old!=a", true},
        {"zone in (b,a)", true},
        {"zone notin (b)", true},
        {"zone=a,cores>7", true},
        {"zone=a,cores>8", false},
        {"cores<9,empty=", true},
        {"old=", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct label_selector selector;
        assert_true(selector_text_parse(&arena, cases[i].text, &selector, NULL));
        if (label_selector_matches(&selector, &labels) != cases[i].matches)
            fail_msg("%s", cases[i].text);
    }
}

static void labels_to_match_are_written_first(void **state)
{
    (void)state;
    struct label label = {"app", "web"};
    struct selector_requirement requirement = {"old", SELECTOR_DOES_NOT_EXIST, {NULL, 0}};
    const struct label_selector selector = {{&label, 1}, &requirement, 1};
    assert_string_equal(selector_text_format(&arena, &selector), "app=web,!old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_and_written),
        cmocka_unit_test(malformed_texts_are_refused),
        cmocka_unit_test(they_match_what_they_say),
        cmocka_unit_test(labels_to_match_are_written_first),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
