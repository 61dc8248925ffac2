/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: texts give the tree that kubectl would see, or the message that helps.
 * Method: tables of a text and the JSON of its documents, one a line, or its
 * messages, one a line. */
#include "manifest/manifest.h"

#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "manifest/manifest_fixture.h"

/* `expected` is without the last line break. */
static bool parses_as(const char *name, const char *text, size_t length, const char *expected)
{
    struct fixture fixture;
    set_up(&fixture);
    const bool good = parse(&fixture, text, length);
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

static void tell_places(struct text *told, const char *key, const struct value *value)
{
    text_printf(told, "%s%s@%u:%u", told->length ? " " : "", key, (unsigned)value->line,
                (unsigned)value->column);
    if (value->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(value, item)
    tell_places(told, "-", item);
    if (value->kind == VALUE_MAPPING)
        VALUE_EACH_MEMBER(value, member)
        {
            const struct place place = member_place(value, member);
            assert_string_equal(place.file, "a.yaml");
            text_printf(told, " %u:%u=", (unsigned)place.line, (unsigned)place.column);
            tell_places(told, member->key, &member->value);
        }
}

static void every_value_knows_its_place(void **state)
{
    (void)state;
    /* Each mapping member as "place of the key= key@place of the value". */
    static const struct parse_case cases[] = {
        {"block style", "a:\n  b: 1\n  c:\n  - x\n  -   y\n",
         "@1:1 1:1= a@2:3 2:3= b@2:6 3:3= c@4:3 -@4:5 -@5:7"},
        {"flow style", "a: {b: [1, 'x'],\n  c: d}",
         "@1:1 1:1= a@1:4 1:5= b@1:8 -@1:9 -@1:12 2:3= c@2:6"},
        {"second document", "x: 1\n---\n\n  a: b", "@4:3 4:3= a@4:6"},
        {"block scalars", "a: |\n  one\n  two\nb: >\n\n  x\nc: d",
         "@1:1 1:1= a@1:4 4:1= b@4:4 7:1= c@7:4"},
        {"columns count characters", "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\": [\xC3\xA9, b]",
         "@1:1 1:1= \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80@1:8 -@1:9 -@1:12"},
        {"a byte order mark has no width",
         "\xEF\xBB\xBF"
         "a: b",
         "@1:1 1:1= a@1:4"},
        {"an alias is where its anchor is", "a: &x [1]\nb: *x",
         "@1:1 1:1= a@1:4 -@1:8 2:1= b@1:4 -@1:8"},
        {"merged members are where they were written", "a: &x {k: 1}\nb: {<<: *x}",
         "@1:1 1:1= a@1:4 1:8= k@1:11 2:1= b@2:4 1:8= k@1:11"},
        {"JSON", "{\n \"\xC3\xA9\" : {\"b\":[ 1,\n true]},\t\"c\": \"\\n\"}",
         "@1:1 2:2= \xC3\xA9@2:8 2:9= b@2:13 -@2:15 -@3:2 3:10= c@3:15"},
        {"line breaks of other systems", "a: 1\r\nb: 2", "@1:1 1:1= a@1:4 2:1= b@2:4"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        set_up(&fixture);
        assert_true(parse(&fixture, cases[i].text, strlen(cases[i].text)));
        const struct value *root = &fixture.documents.items[fixture.documents.count - 1].root;
        tell_places(&fixture.told, "", root);
        if (strcmp(text_content(&fixture.told), cases[i].expected) != 0)
            fail_msg("%s:\nexpected %s\ngot      %s", cases[i].name, cases[i].expected,
                     text_content(&fixture.told));
        tear_down(&fixture);
    }
}

static void lines_of_json_are_read_one_by_one(void **state)
{
    (void)state;
    static const struct {
        uint32_t line;
        const char *text;
        const char *expected;
    } cases[] = {
        {1, "{\"id\": 1, \"state\": {\"pods\": []}}", "{\"id\":1,\"state\":{\"pods\":[]}}\n"},
        {7, " [1, \"a\"] \n", "[1,\"a\"]\n"},
        {8, "{\"id\": 1,}", "batch:8:10: no valid JSON: expected a key in double quotes\n"},
        {9, "{\"id\": 01}", "batch:9:9: no valid JSON: expected ',' or '}'\n"},
        {10, "{\"a\": 1} {}", "batch:10:10: no valid JSON: expected nothing after the value\n"},
        {11, "{id: 1}", "batch:11:2: no valid JSON: expected a key in double quotes\n"},
        {12, "", "batch:12:1: no valid JSON: expected a value\n"},
        {13, "{\"a\": 1, \"a\": 2}", "batch:13:10: a: duplicate key, already given in line 13\n"},
        {14, "{\"a\": \"b\nc\"}",
         "batch:14:9: no valid JSON: expected '\"' at the end of the text\n"},
        {15, "{\"a\": \"\\x\"}", "batch:15:9: no valid JSON: unknown escape\n"},
        {16, "{\"a\": \"\\u12\"}",
         "batch:16:12: no valid JSON: expected four hexadecimal digits after \\u\n"},
        {17, "{\"a\": -}", "batch:17:8: no valid JSON: expected a digit\n"},
        {18, "{\"a\": nul}", "batch:18:7: no valid JSON: expected a value\n"},
        {19, "{\"a\" 1}", "batch:19:6: no valid JSON: expected ':' after the key\n"},
        {20, "{\"a\": \xFF}", "batch:20:7: byte 0xFF is not UTF-8 text\n"},
        {21, "{\"a\": [1", "batch:21:9: no valid JSON: expected ',' or ']'\n"},
    };
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        set_up(&fixture);
        const struct place start = {.file = "batch", .line = cases[i].line, .column = 1};
        const struct document *document = manifest_reader_parse_json(
            reader, &fixture.arena, start, cases[i].text, strlen(cases[i].text), &fixture.problems);
        assert_int_equal(document != NULL, fixture.problems.errors == 0);
        if (document)
            VEC_PUSH(&fixture.arena, &fixture.documents, *document);
        assert_string_equal(tell(&fixture), cases[i].expected);
        tear_down(&fixture);
    }
    manifest_reader_free(reader);
    assert_int_equal(memory.used_bytes, 0);
}

/* Texts are read eight bytes at a time: whatever does not stand for itself is found at any place
 * among them, the place of what comes after is right, and so is what is read near the end. */
static void characters_of_json_are_told_apart_everywhere(void **state)
{
    static const struct {
        const char *written, *meant;
        uint32_t columns; /* that it takes */
    } characters[] = {
        {"a", "a", 1},
        {"!", "!", 1},
        {"\x7f", "\x7f", 1},
        {"\\\"", "\"", 2},
        {"\\\\", "\\", 2},
        {"\\t", "\t", 2},
        {"\xc3\xa9", "\xc3\xa9", 1},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 1},
        {"[", "[", 1},
        {"]", "]", 1},
        {"#", "#", 1},
        {" ", " ", 1},
    };
    (void)state;
    for (size_t c = 0; c < sizeof(characters) / sizeof(*characters); c++)
        for (size_t before = 0; before < 18; before++)
            for (size_t after = 0; after < 10; after++) {
                struct fixture fixture;
                char text[96];
                char meant[64];
                set_up(&fixture);
                snprintf(text, sizeof(text), "{\"k\":\"%.*s%s%.*s\",}", (int)before,
                         "abcdefghijklmnopqr", characters[c].written, (int)after, "0123456789");
                snprintf(meant, sizeof(meant), "%.*s%s%.*s", (int)before, "abcdefghijklmnopqr",
                         characters[c].meant, (int)after, "0123456789");
                struct manifest_reader *reader = manifest_reader_create(&fixture.memory);
                const struct place start = {.file = "a", .line = 1, .column = 1};
                assert_null(manifest_reader_parse_json(reader, &fixture.arena, start, text,
                                                       strlen(text), &fixture.problems));
                const size_t end = strlen("{'k':'',") + before + characters[c].columns + after;
                assert_int_equal(fixture.problems.items[0].place.column, end + 1);
                memmove(strchr(text, '\0') - 2, "}", 2);
                const struct document *document = manifest_reader_parse_json(
                    reader, &fixture.arena, start, text, strlen(text), &fixture.problems);
                assert_non_null(document);
                assert_string_equal(document->root.members[0].value.text, meant);
                manifest_reader_free(reader);
                tear_down(&fixture);
            }
}

static void control_characters_are_refused_everywhere(void **state)
{
    (void)state;
    for (size_t before = 0; before < 18; before++)
        for (char c = 1; c < 0x20; c++) {
            struct fixture fixture;
            char text[64];
            set_up(&fixture);
            snprintf(text, sizeof(text), "\"%.*s%c0123456789\"", (int)before, "abcdefghijklmnopqr",
                     c);
            struct manifest_reader *reader = manifest_reader_create(&fixture.memory);
            const struct place start = {.file = "a", .line = 1, .column = 1};
            assert_null(manifest_reader_parse_json(reader, &fixture.arena, start, text,
                                                   strlen(text), &fixture.problems));
            assert_int_equal(fixture.problems.items[0].place.column, before + 2);
            manifest_reader_free(reader);
            tear_down(&fixture);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_give_the_tree_that_kubectl_sees),
        cmocka_unit_test(lists_become_their_items),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(every_value_knows_its_place),
        cmocka_unit_test(lines_of_json_are_read_one_by_one),
        cmocka_unit_test(characters_of_json_are_told_apart_everywhere),
        cmocka_unit_test(control_characters_are_refused_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
