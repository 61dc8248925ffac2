/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions: what they find, what is none, and what searching costs. */
#include "expression/pattern.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *pattern;
    const char *text;
    const char *found; /* the text with its first match in brackets; NULL: there is none */
};

static const char *found(const char *text, const char *wanted)
{
    const char *why = NULL;
    uint64_t work_left = UINT64_MAX;
    struct pattern_match match;
    const struct pattern *pattern = pattern_compile(&arena, wanted, &why);
    if (!pattern)
        return arena_printf(&arena, "refused: %s", why);
    if (pattern_find(pattern, &arena, text, text, &work_left, &match) != PATTERN_FOUND)
        return NULL;
    return arena_printf(&arena, "%.*s[%.*s]%s", (int)(match.start - text), text,
                        (int)(match.end - match.start), match.start, match.end);
}

static void expect(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *got = found(rows[i].text, rows[i].pattern);
        if ((got == NULL) != (rows[i].found == NULL) || (got && strcmp(got, rows[i].found) != 0)) {
            print_error("%s in %s: %s\n", rows[i].pattern, rows[i].text, got ? got : "none");
            fail();
        }
    }
}

#define EXPECT(rows) expect(rows, sizeof(rows) / sizeof((rows)[0]))

static void characters(void **state)
{
    static const struct row rows[] = {
        {"", "abc", "[]abc"},
        {"b", "abc", "a[b]c"},
        {"x", "abc", NULL},
        {"a.c", "abc", "[abc]"},
        {"a.c", "a\nc", NULL},
        {"(?s)a.c", "a\nc", "[a\nc]"},
        {".", "\xc3\xa9", "[\xc3\xa9]"},
        {"\\x41\\x{e9}", "A\xc3\xa9", "[A\xc3\xa9]"},
        {"\\101", "A", "[A]"},
        {"\\.\\*\\_", ".*_", "[.*_]"},
        {"\\Qa.b\\E+", "a.bb", "[a.bb]"},
        {"\\Qa.b", "axb", NULL},
        {"\\Q\\Ea", "a", "[a]"},
        {"{", "{", "[{]"},
        {"a{,2}", "a{,2}", "[a{,2}]"},
        {"a{01}", "a{01}", "[a{01}]"},
        {"]", "]", "[]]"},
        {"\\n\\t", "\n\t", "[\n\t]"},
    };
    (void)state;
    EXPECT(rows);
}

static void sets(void **state)
{
    static const struct row rows[] = {
        {"[abc]+", "xxcabx", "xx[cab]x"},
        {"[^abc]+", "abxyc", "ab[xy]c"},
        {"[^a]", "a\n", "a[\n]"},
        {"[a-c]+", "dcbad", "d[cba]d"},
        {"[]a]+", "a]a", "[a]a]"},
        {"[^]a]+", "a]b", "a][b]"},
        {"[a-]+", "x-a-", "x[-a-]"},
        {"[\\d-x]+", "5-x6", "[5-x6]"},
        {"\\d+", "ab12", "ab[12]"},
        {"\\D+", "12ab", "12[ab]"},
        {"\\w+", "-a_1-", "-[a_1]-"},
        {"\\W+", "a- b", "a[- ]b"},
        {"\\s", "a\vb c", "a\vb[ ]c"},
        {"[[:space:]]", "a\vb", "a[\v]b"},
        {"[[:alpha:][:digit:]]+", "-a1-", "-[a1]-"},
        {"[[:^digit:]]+", "1ab2", "1[ab]2"},
        {"[\\S]+", " ab ", " [ab] "},
        {"[\\x{e0}-\\x{ff}]", "a\xc3\xa9", "a[\xc3\xa9]"},
        {"[\\-\\]]+", "a]-", "a[]-]"},
    };
    (void)state;
    EXPECT(rows);
}

/* Of several matches that begin at one place the preferred one is meant, as in Perl; of several
 * places the first one. */
static void repetitions(void **state)
{
    static const struct row rows[] = {
        {"a*", "baa", "[]baa"},
        {"a+", "baa", "b[aa]"},
        {"a+?", "baa", "b[a]a"},
        {"a??b", "ab", "[ab]"},
        {"a(bcx)?|c", "abcd", "[a]bcd"},
        {"ab?", "ab", "[ab]"},
        {"ab??", "ab", "[a]b"},
        {"a{2}", "aaa", "[aa]a"},
        {"a{2,}", "aaa", "[aaa]"},
        {"a{1,2}", "aaa", "[aa]a"},
        {"a{1,2}?", "aaa", "[a]aa"},
        {"a{0}b", "ab", "a[b]"},
        {"(ab){2}", "ababab", "[abab]ab"},
        {"(?U)a+", "aa", "[a]a"},
        {"(?U)a+?", "aa", "[aa]"},
        {"a|ab", "ab", "[a]b"},
        {"ab|a", "ab", "[ab]"},
        {"(a|ab)(c|bcd)", "abcd", "[abcd]"},
        {"b|a.*", "xab", "x[ab]"},
        {"(|a)+", "aa", "[]aa"},
        {"(a|)+", "aa", "[aa]"},
        {"(a*)*", "aab", "[aa]b"},
        {"(a*)+b", "aab", "[aab]"},
        {"x*y", "xxxz", NULL},
        {"(?:a|b)*c", "ababc", "[ababc]"},
        {"", "", "[]"},
        {"a||b", "b", "[]b"},
    };
    (void)state;
    EXPECT(rows);
}

static void places(void **state)
{
    static const struct row rows[] = {
        {"^b", "ab", NULL},
        {"^a", "ab", "[a]b"},
        {"b$", "ab", "a[b]"},
        {"a$", "ab", NULL},
        {"a$", "a\n", NULL},
        {"(?m)a$", "a\nb", "[a]\nb"},
        {"(?m)^b", "a\nb", "a\n[b]"},
        {"(?m)\\Ab", "a\nb", NULL},
        {"b\\z", "ab", "a[b]"},
        {"\\bb", "ab b", "ab [b]"},
        {"\\Bb", "b ab", "b a[b]"},
        {"^$", "", "[]"},
        {"^web-[a-z]+$", "web-front", "[web-front]"},
        {"^web-[a-z]+$", "web-front2", NULL},
        {"^*a", "a", "[a]"},
    };
    (void)state;
    EXPECT(rows);
}

static void cases_of_letters(void **state)
{
    static const struct row rows[] = {
        {"(?i)web", "a Web", "a [Web]"},
        {"(?i:w)eb", "WEB", NULL},
        {"(?i:w)eb", "Web", "[Web]"},
        {"w(?i)eb", "wEB", "[wEB]"},
        {"(a(?i)b)c", "aBC", NULL},
        {"(?i)[^a]", "Ab", "A[b]"},
        {"(?i)[a-c]+", "xBc", "x[Bc]"},
        {"(?i)k", "\xe2\x84\xaa", "[\xe2\x84\xaa]"},
        {"(?i-i)a", "A", NULL},
        {"(?i)\\W", "a\xc5\xbf-", "a\xc5\xbf[-]"},
        {"(?P<name>a)(?<other>b)", "ab", "[ab]"},
        {"(?i)\\x{e9}", "a", "refused: after (?i) only characters of ASCII can be compared"},
    };
    (void)state;
    EXPECT(rows);
}

static void what_is_no_pattern(void **state)
{
    static const struct row rows[] = {
        {"(", "", "refused: the group has no end"},
        {"a)", "", "refused: a group ends that did not begin"},
        {"[a", "", "refused: the set has no end"},
        {"[", "", "refused: the set has no end"},
        {"[]", "", "refused: the set has no end"},
        {"[b-a]", "", "refused: the range is backwards"},
        {"[a-\\d]", "", "refused: there is no such escape"},
        {"[[:no:]]", "", "refused: there is no such class of characters"},
        {"*", "", "refused: there is nothing to repeat"},
        {"a|*", "", "refused: there is nothing to repeat"},
        {"{2}", "", "refused: there is nothing to repeat"},
        {"a**", "", "refused: a repetition is repeated without a group"},
        {"a{2}{3}", "", "refused: a repetition is repeated without a group"},
        {"a{2,1}", "", "refused: there is no such number of repetitions"},
        {"a{1001}", "", "refused: there is no such number of repetitions"},
        {"\\", "", "refused: there is nothing behind the backslash at the end"},
        {"\\1", "", "refused: references to groups are no part of patterns"},
        {"\\q", "", "refused: there is no such escape"},
        {"\\Z", "", "refused: there is no such escape"},
        {"\\pL", "", "refused: classes of Unicode are not supported"},
        {"\\x4", "", "refused: there is no such character"},
        {"\\x{110000}", "", "refused: there is no such character"},
        {"(?=a)", "", "refused: there is no such group"},
        {"(?i-)", "", "refused: there is no such group"},
        {"(?P<>a)", "", "refused: the name of the group is none"},
        {"(?P<a>a)(?P<a>b)", "", "refused: two groups have one name"},
        {"((a{100}){100})", "", "refused: it is too large"},
        {"((((a{0}){1000}){1000}){1000}){1000}", "", "refused: it is too large"},
    };
    char deep[1024];
    (void)state;
    EXPECT(rows);
    memset(deep, '(', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    assert_string_equal(found("", deep), "refused: too many groups inside each other");
    char *long_one = arena_strndup(&arena, deep, sizeof(deep) - 1);
    for (int i = 0; i < 3; i++)
        long_one = (char *)arena_printf(&arena, "%s%s", long_one, long_one);
    memset(long_one, 'a', strlen(long_one));
    assert_string_equal(found("", long_one), "refused: it is too long");
}

/* The work grows with the text, and not with its powers; it ends where it has to. */
static void the_work_is_counted(void **state)
{
    enum { SHORT = 1000, TIMES = 10 };
    const char *why = NULL;
    char *text = arena_strdup(&arena, "");
    struct pattern_match match;
    uint64_t spent[2];
    (void)state;
    const struct pattern *pattern = pattern_compile(&arena, "(a*)*(a|aa)+$", &why);
    for (int i = 0; i < 2; i++) {
        const size_t length = i ? SHORT * TIMES : SHORT;
        uint64_t work_left = UINT64_MAX;
        text = memset(arena_allocate(&arena, length + 2), 'a', length);
        text[length] = 'b';
        assert_int_equal(pattern_find(pattern, &arena, text, text, &work_left, &match),
                         PATTERN_NOT_FOUND);
        spent[i] = UINT64_MAX - work_left;
    }
    assert_true(spent[0] > SHORT && spent[1] < (TIMES + 1) * spent[0]);
    uint64_t work_left = spent[1] / 2;
    assert_int_equal(pattern_find(pattern, &arena, text, text, &work_left, &match),
                     PATTERN_TOO_MUCH_WORK);
    assert_int_equal(work_left, 0);
}

/* What comes before the place is looked at, but not searched. */
static void from_a_place_on(void **state)
{
    const char *why = NULL;
    const char *text = "aab";
    uint64_t work_left = UINT64_MAX;
    struct pattern_match match;
    (void)state;
    assert_int_equal(pattern_find(pattern_compile(&arena, "a", &why), &arena, text, text + 1,
                                  &work_left, &match),
                     PATTERN_FOUND);
    assert_ptr_equal(match.start, text + 1);
    assert_int_equal(pattern_find(pattern_compile(&arena, "^a|\\ba", &why), &arena, text, text + 1,
                                  &work_left, &match),
                     PATTERN_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters),          cmocka_unit_test(sets),
        cmocka_unit_test(repetitions),         cmocka_unit_test(places),
        cmocka_unit_test(cases_of_letters),    cmocka_unit_test(what_is_no_pattern),
        cmocka_unit_test(the_work_is_counted), cmocka_unit_test(from_a_place_on),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
