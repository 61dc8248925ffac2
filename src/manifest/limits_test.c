/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: input that asks for too much is refused, with its place, and does not
 * cost more than its size explains. Method: texts just within and just beyond
 * each limit, with memory counted. */
#include "manifest/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "manifest/manifest_fixture.h"

/* A text that is made piece by piece. */
struct subject {
    struct fixture fixture;
    struct text text;
};

static void begin(struct subject *subject)
{
    set_up(&subject->fixture);
    text_init(&subject->text, &subject->fixture.memory);
}

static void end(struct subject *subject)
{
    text_release(&subject->text);
    tear_down(&subject->fixture);
}

static void repeat(struct subject *subject, const char *piece, int times)
{
    for (int i = 0; i < times; i++)
        text_append_string(&subject->text, piece);
}

static bool parse_subject(struct subject *subject)
{
    return parse(&subject->fixture, text_content(&subject->text), subject->text.length);
}

/* NULL: the text is good. */
static void check(struct subject *subject, const char *expected)
{
    assert_int_equal(parse_subject(subject), expected == NULL);
    if (expected)
        assert_string_equal(tell(&subject->fixture), expected);
    end(subject);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const struct {
        const char *open, *close;
        int times;
        const char *expected;
    } cases[] = {
        /* The mapping at the top counts, too. */
        {"[", "]", DOCUMENT_DEPTH_MOST - 1, NULL},
        {"[", "]", DOCUMENT_DEPTH_MOST, "a.yaml:1:103: nested more than 100 levels deep\n"},
        {"[", "]", 100000, "a.yaml:1:103: nested more than 100 levels deep\n"},
        {"[", "", 100000, "a.yaml:1:103: nested more than 100 levels deep\n"},
        {"{a: ", "}", 100000, "a.yaml:1:400: nested more than 100 levels deep\n"},
        {"- ", "", 100000, "a.yaml:2:199: nested more than 100 levels deep\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct subject subject;
        begin(&subject);
        text_append_string(&subject.text, cases[i].open[0] == '-' ? "a:\n" : "a: ");
        repeat(&subject, cases[i].open, cases[i].times);
        repeat(&subject, cases[i].close, cases[i].times);
        check(&subject, cases[i].expected);
    }
}

static void nesting_is_limited_in_json(void **state)
{
    (void)state;
    struct subject subject;
    begin(&subject);
    text_append_string(&subject.text, "{\"a\":");
    repeat(&subject, "[", 100000);
    check(&subject, "a.yaml:1:105: nested more than 100 levels deep\n");
}

/* Each level holds ten times the level before. */
static void append_bomb(struct text *text, int levels)
{
    text_append_string(text, "a0: &a0 x\n");
    for (int level = 1; level <= levels; level++) {
        text_printf(text, "a%d: &a%d [", level, level);
        for (int i = 0; i < 10; i++)
            text_printf(text, "*a%d,", level - 1);
        text_append_string(text, "]\n");
    }
}

static void aliases_do_not_multiply_without_end(void **state)
{
    (void)state;
    static const struct {
        int levels;
        const char *expected;
    } cases[] = {
        {3, NULL},
        {20, "a.yaml:6:38: a5[7]: aliases repeat too much: 101228 values from 13 written\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct subject subject;
        begin(&subject);
        append_bomb(&subject.text, cases[i].levels);
        check(&subject, cases[i].expected);
    }
}

/* Every alias is one level deeper than the one before. */
static void aliases_do_not_nest_without_end(void **state)
{
    (void)state;
    struct subject subject;
    begin(&subject);
    text_append_string(&subject.text, "a0: &a0 []\n");
    for (int i = 1; i < 1000; i++)
        text_printf(&subject.text, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    check(&subject, "a.yaml:100:12: nested more than 100 levels deep\n");
}

static void append_many(struct text *text, size_t bytes)
{
    static const char piece[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    for (; bytes >= strlen(piece); bytes -= strlen(piece))
        text_append_string(text, piece);
    text_append(text, piece, bytes);
}

static void texts_are_limited(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        size_t bytes;
        const char *after;
        const char *expected;
    } cases[] = {
        {"a: ", 3 << 20, "", NULL},
        {"a: ", (3 << 20) + 1, "",
         "a.yaml:1:4: a: text of 3145729 bytes; at most 3145728 are allowed\n"},
        {"a: |\n ", 4 << 20, "",
         "a.yaml:1:4: a: text of 4194304 bytes; at most 3145728 are allowed\n"},
        {"{\"a\": \"", 4 << 20, "\"}",
         "a.yaml:1:7: a: text of 4194304 bytes; at most 3145728 are allowed\n"},
        {"? ", 4 << 20, "\n: b\n",
         "a.yaml:1:3: text of 4194304 bytes; at most 3145728 are allowed\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct subject subject;
        begin(&subject);
        text_append_string(&subject.text, cases[i].before);
        append_many(&subject.text, cases[i].bytes);
        text_append_string(&subject.text, cases[i].after);
        check(&subject, cases[i].expected);
    }
}

static void duplicates_in_large_mappings_are_found(void **state)
{
    (void)state;
    struct subject subject;
    begin(&subject);
    for (int i = 0; i < 200000; i++)
        text_printf(&subject.text, "k%d: 1\n", i);
    text_append_string(&subject.text, "k17: 2\n");
    check(&subject, "a.yaml:200001:1: k17: duplicate key, already given in line 18\n");
}

static void mistakes_are_not_told_without_end(void **state)
{
    (void)state;
    static const struct {
        const char *start, *piece;
    } cases[] = {{"", "a: 1\n"}, {"kind: List\nitems:\n", "- 1\n"}, {"", "--- 1\n"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct subject subject;
        begin(&subject);
        repeat(&subject, cases[i].start, 1);
        repeat(&subject, cases[i].piece, 10000);
        assert_false(parse_subject(&subject));
        assert_int_equal(subject.fixture.problems.count, TEXT_PROBLEMS_MOST);
        end(&subject);
    }
}

static void tag_directives_are_limited(void **state)
{
    (void)state;
    struct subject subject;
    begin(&subject);
    for (int i = 0; i < 200000; i++)
        text_printf(&subject.text, "%%TAG !%d! x:\n", i);
    text_append_string(&subject.text, "---\na: 1\n");
    check(&subject, "a.yaml: more than 100 %TAG directives\n");
}

/* Many values: what the tree takes is in proportion to the text. */
static void memory_is_in_proportion(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a,", "[],", "{},", "{a: b},", "1,", "{a: {b: [c]}},"};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
        struct subject subject;
        begin(&subject);
        text_append_string(&subject.text, "a: [");
        repeat(&subject, pieces[i], 100000);
        text_append_string(&subject.text, "]\n");
        assert_true(parse_subject(&subject));
        /* 80 bytes for a value of two characters while it waits on the stack,
         * 34 afterwards; the stack doubles. */
        assert_true(subject.fixture.memory.peak_bytes < 150 * subject.text.length);
        end(&subject);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(nesting_is_limited_in_json),
        cmocka_unit_test(aliases_do_not_multiply_without_end),
        cmocka_unit_test(aliases_do_not_nest_without_end),
        cmocka_unit_test(texts_are_limited),
        cmocka_unit_test(duplicates_in_large_mappings_are_found),
        cmocka_unit_test(mistakes_are_not_told_without_end),
        cmocka_unit_test(tag_directives_are_limited),
        cmocka_unit_test(memory_is_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
