/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: texts give the tree that kubectl would see, or the message that helps.
 * Method: tables of a text and the JSON of its documents, one a line, or its
 * messages, one a line. */
#include "manifest/manifest.h"

#include "base/text.h"
#include "manifest/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents;
    struct text told; /* the documents as JSON, or the messages */
};

static void set_up(struct fixture *fixture)
{
    memset(fixture, 0, sizeof(*fixture));
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&fixture->problems, &fixture->arena);
    text_init(&fixture->told, &fixture->memory);
}

static void tear_down(struct fixture *fixture)
{
    text_release(&fixture->told);
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
}

static void tell(struct fixture *fixture)
{
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        text_printf(&fixture->told, "%s\n",
                    problem_format(&fixture->arena, &fixture->problems.items[i]));
    for (uint32_t i = 0; fixture->problems.count == 0 && i < fixture->documents.count; i++) {
        struct json_out json;
        json_out_init(&json, &fixture->told, 0);
        value_write_json(&json, NULL, &fixture->documents.items[i].root);
        text_append_char(&fixture->told, '\n');
    }
}

/* `expected` is without the last line break. */
static bool parses_as(const char *name, const char *text, size_t length, const char *expected)
{
    struct fixture fixture;
    set_up(&fixture);
    const bool good = manifest_parse(&fixture.arena, "a.yaml", text, length, &fixture.documents,
                                     &fixture.problems);
    tell(&fixture);
    if (fixture.told.length > 0)
        fixture.told.content[--fixture.told.length] = '\0';
    const bool same = strcmp(text_content(&fixture.told), expected) == 0;
    if (!same)
        print_error("%s:\nexpected %s\ngot      %s\n", name, expected, text_content(&fixture.told));
    assert_int_equal(good, fixture.problems.errors == 0);
    tear_down(&fixture);
    return same;
}

struct parse_case {
    const char *name;
    const char *text;
    const char *expected;
};

static void check_cases(const struct parse_case *cases, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !parses_as(cases[i].name, cases[i].text, strlen(cases[i].text), cases[i].expected);
    assert_int_equal(wrong, 0);
}

#define CHECK_CASES(cases) check_cases(cases, sizeof(cases) / sizeof(*(cases)))

static void texts_give_the_tree_that_kubectl_sees(void **state)
{
    (void)state;
    static const struct parse_case cases[] = {
        {"block and flow style", "a: 1\nb: [x, {c: d}]\n", "{\"a\":1,\"b\":[\"x\",{\"c\":\"d\"}]}"},
        {"scalars of every kind", "a: [null, ~, yes, off, 0x10, 1e3, 1.5, abc, 2020-01-02, 1:30]",
         "{\"a\":[null,null,true,false,16,1000,1.5,\"abc\",\"2020-01-02\",\"1:30\"]}"},
        {"quoted scalars are strings", "a: ['yes', \"1\", 'null', \"\"]",
         "{\"a\":[\"yes\",\"1\",\"null\",\"\"]}"},
        {"block scalars are strings", "a: |\n  1\nb: >-\n  true\n",
         "{\"a\":\"1\\n\",\"b\":\"true\"}"},
        {"a value left out is null", "a:\nb: 1", "{\"a\":null,\"b\":1}"},
        {"tags decide", "a: !!str 1\nb: !!int \"2\"\nc: !!float 3\nd: !custom 4\ne: ! 5",
         "{\"a\":\"1\",\"b\":2,\"c\":3,\"d\":\"4\",\"e\":\"5\"}"},
        {"keys become strings", "1: a\n0x10: b\nyes: c\n1.50: d\n1e7: e\n.Inf: f\n08: g",
         "{\"1\":\"a\",\"16\":\"b\",\"true\":\"c\",\"1.5\":\"d\",\"1e+07\":\"e\",\".inf\":\"f\","
         "\"8\":\"g\"}"},
        {"anchors and aliases", "a: &x {k: [1]}\nb: *x\nc: &y text\n*y : d",
         "{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":\"text\",\"text\":\"d\"}"},
        {"an anchor given again", "a: &x 1\nb: &x 2\nc: *x", "{\"a\":1,\"b\":2,\"c\":2}"},
        {"merge, own keys after it win", "a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3\n",
         "{\"a\":{\"k\":1,\"l\":2},\"b\":{\"k\":3,\"l\":2}}"},
        {"merge, own keys before it lose (go-yaml v2)", "a: &x {k: 1}\nb:\n  k: 3\n  <<: *x\n",
         "{\"a\":{\"k\":1},\"b\":{\"k\":1}}"},
        {"merge of a list, the first wins",
         "a: &x {k: 1}\nb: &y {k: 2, l: 3}\nc:\n  <<: [*x, *y]\n",
         "{\"a\":{\"k\":1},\"b\":{\"k\":2,\"l\":3},\"c\":{\"k\":1,\"l\":3}}"},
        {"a quoted << does not merge", "a: {\"<<\": {b: 1}}", "{\"a\":{\"<<\":{\"b\":1}}}"},
        {"a tag does not make << merge", "a: {!!str <<: {b: 1}}", "{\"a\":{\"<<\":{\"b\":1}}}"},
        {"documents, empty ones left out", "---\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n",
         "{\"a\":1}\n{\"b\":2}"},
        {"nothing at all", "", ""},
        {"comments alone", "# a\n\n# b\n", ""},
        {"a byte order mark",
         "\xEF\xBB\xBF"
         "a: 1",
         "{\"a\":1}"},
        {"line breaks of other systems", "a: 1\r\nb: 2\r\n", "{\"a\":1,\"b\":2}"},
        {"JSON", "{\"a\": [1, -2.5e3, true, null, \"x\\u00e9\\n\\/\"], \"b\": {}, \"c\": []}",
         "{\"a\":[1,-2500,true,null,\"x\xC3\xA9\\n/\"],\"b\":{},\"c\":[]}"},
        {"JSON with surrogates", "{\"a\": \"\\ud83d\\ude00 \\ud83d \\ude00\"}",
         "{\"a\":\"\xF0\x9F\x98\x80 \xEF\xBF\xBD \xEF\xBF\xBD\"}"},
        {"JSON values one after the other", "{\"a\":1}{\"b\":2}\n{\"c\":3}",
         "{\"a\":1}\n{\"b\":2}\n{\"c\":3}"},
        {"JSON indented by tabs", "{\n\t\"a\":\t1\n}", "{\"a\":1}"},
        {"JSON in YAML documents", "---\n{\"a\": 1}\n---\n{\"b\": 2}\n", "{\"a\":1}\n{\"b\":2}"},
        {"what starts like JSON may be YAML", "{a: b, c: [yes,]}", "{\"a\":\"b\",\"c\":[true]}"},
        {"JSON, then YAML", "{\"a\": 1}\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}"},
        {"large integers", "a: [9223372036854775807, 18446744073709551615, -9223372036854775808]",
         "{\"a\":[9223372036854775807,18446744073709551615,-9223372036854775808]}"},
    };
    CHECK_CASES(cases);
}

static void lists_become_their_items(void **state)
{
    (void)state;
    static const struct parse_case cases[] = {
        {"kind List", "kind: List\napiVersion: v1\nitems:\n- {kind: Pod}\n- {kind: Node}\n",
         "{\"kind\":\"Pod\"}\n{\"kind\":\"Node\"}"},
        {"a list in a list", "{kind: List, items: [{kind: List, items: [{a: 1}]}, {b: 2}]}",
         "{\"a\":1}\n{\"b\":2}"},
        {"a typed list names the kind of its items",
         "apiVersion: apps/v1\nitems: [{a: 1}, {kind: X}]\nkind: DeploymentList",
         "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"a\":1}\n{\"kind\":\"X\"}"},
        {"an empty list", "{kind: PodList, apiVersion: v1, items: []}", ""},
        {"items alone make no list", "{kind: Checklist, items: 5}",
         "{\"kind\":\"Checklist\",\"items\":5}"},
        {"an item that is no object", "kind: List\nitems:\n- a: 1\n- text\n-\n",
         "a.yaml:4:3: items[1]: expected an object, found \"text\"\n"
         "a.yaml:5:2: items[2]: expected an object, found null"},
    };
    CHECK_CASES(cases);
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct parse_case cases[] = {
        {"tab indentation", "a:\n\tb: 1\n",
         "a.yaml:2:1: tabs are not allowed for indentation; use spaces"},
        {"tab after spaces", "a:\n  b: 1\n \tc: 1\n",
         "a.yaml:3:2: tabs are not allowed for indentation; use spaces"},
        {"duplicate key", "a:\n  b: 1\n  c: 2\n  b: 3\n",
         "a.yaml:4:3: a.b: duplicate key, already given in line 2"},
        {"duplicate keys, all of them", "x: 1\na: {b: 1, b: 2}\nx: 2\nx: 3\n",
         "a.yaml:2:11: a.b: duplicate key, already given in line 2\n"
         "a.yaml:3:1: x: duplicate key, already given in line 1\n"
         "a.yaml:4:1: x: duplicate key, already given in line 1"},
        {"duplicate key in JSON", "{\"a\": 1,\n \"a\": 2}",
         "a.yaml:2:2: a: duplicate key, already given in line 1"},
        {"keys that become the same", "yes: 1\n\"true\": 2\n",
         "a.yaml:2:1: true: duplicate key, already given in line 1"},
        {"bad indentation of a key", "a:\n  b: 1\n c: 2\n",
         "a.yaml:3:2: expected a key; check the indentation"},
        {"colon in a text", "a: b: c\n",
         "a.yaml:1:5: a mapping cannot start here; check the indentation, or quote the text "
         "before ':'"},
        {"missing colon", "a: 1\nb\nc: 2\n", "a.yaml:2:1: expected ':' after this key"},
        {"list item where a mapping is", "a: 1\n- b\n",
         "a.yaml:2:1: expected a key; check the indentation"},
        {"list item on the line of its key", "a: - b\n",
         "a.yaml:1:4: a list item cannot start here; check the indentation"},
        {"mapping where a list is", "a:\n- b\nc\n", "a.yaml:3:1: expected ':' after this key"},
        {"open bracket", "a: [1, 2\nb: 3\n", "a.yaml:2:2: expected ',' or ']'"},
        {"open brace", "a: {b: 1\nc: 2\n", "a.yaml:2:2: expected ',' or '}'"},
        {"open quotes", "a: 1\nb: \"text\nc: 2\n",
         "a.yaml:2:4: this text in quotes is never closed"},
        {"unknown escape", "a: \"\\d\"\n",
         "a.yaml:1:5: unknown escape in a text in double quotes; use single quotes or double "
         "the backslash"},
        {"reserved character", "a: @b\n",
         "a.yaml:1:4: a text cannot start with '@'; put it in quotes"},
        {"star that is no alias", "a: *\n",
         "a.yaml:1:4: expected the name of an anchor or alias; quote texts that start with "
         "'&' or '*'"},
        {"unknown anchor", "a: *x\n", "a.yaml:1:4: a: no anchor &x before this alias"},
        {"an anchor of another document", "a: &x 1\n---\nb: *x\n",
         "a.yaml:3:4: b: no anchor &x before this alias"},
        {"an anchor within itself", "a: &x [1, *x]\n",
         "a.yaml:1:11: a[1]: the value of anchor &x contains itself"},
        {"a template", "a: {{ .Values.a }}\n",
         "a.yaml:1:5: a: expected a string as key, found a mapping (is this a template that has "
         "not been rendered?)"},
        {"a list as key", "? [a]\n: b\n",
         "a.yaml:1:3: expected a string as key, found a list (is this a template that has not "
         "been rendered?)"},
        {"null as key", "~: b\n", "a.yaml:1:1: expected a string as key, found null"},
        {"infinity", "a: .inf\n", "a.yaml:1:4: a: expected a finite number, found .inf"},
        {"merge of a text", "a:\n  <<: b\n",
         "a.yaml:2:7: a: expected a mapping or a list of mappings to merge, found \"b\""},
        {"tag that lies", "a: !!int b\n",
         "a.yaml:1:4: a: the tag says !!int, which the value is not"},
        {"binary", "a: !!binary YQ==\n", "a.yaml:1:4: a: the tag !!binary is not supported"},
        {"tag prefix unknown", "a: !x!y b\n",
         "a.yaml:1:4: this tag's prefix is not declared by a %TAG line"},
        {"text after a document", "[a]\nb: 1\n",
         "a.yaml:2:1: expected the end of the document or '---'\n"
         "a.yaml:1:1: expected an object, found a list"},
        {"no object", "just text\n", "a.yaml:1:1: expected an object, found \"just text\""},
        {"a list at the top", "a: 1\n---\n- b\n", "a.yaml:3:1: expected an object, found a list"},
        {"NUL escape", "a: \"x\\0y\"\n", "a.yaml:1:4: a: text contains a NUL character"},
        {"NUL escape in JSON", "{\"a\": \"x\\u0000y\"}",
         "a.yaml:1:7: a: text contains a NUL character"},
        {"control character", "a: 1\nb: \a\n", "a.yaml:2:4: character U+0007 is not allowed"},
        {"invalid UTF-8", "a: 1\nb: \xC3\xA9 \xC3(\n", "a.yaml:2:6: byte 0xC3 is not UTF-8 text"},
        {"UTF-16",
         "\xFF\xFE"
         "a",
         "a.yaml: UTF-16 text; manifests are read as UTF-8"},
        {"JSON with a mistake", "{\"a\": [1, 2}\n", "a.yaml:1:12: expected ',' or ']'"},
        {"JSON number out of range", "{\"a\": 1e999}\n",
         "a.yaml:1:7: a: number out of range, found 1e999"},
        {"the column counts characters", "a: \"\xC3\xA9\xC3\xA9\": b\n",
         "a.yaml:1:8: a mapping cannot start here; check the indentation, or quote the text "
         "before ':'"},
    };
    CHECK_CASES(cases);
    assert_true(parses_as("NUL byte", "a: 1\nb: \0\n", 10,
                          "a.yaml:2:4: NUL byte; a manifest is UTF-8 text"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_give_the_tree_that_kubectl_sees),
        cmocka_unit_test(lists_become_their_items),
        cmocka_unit_test(mistakes_are_told_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
