/* SPDX-License-Identifier: Apache-2.0 */
/* Data: what is equal, what paths mean, how JSON is read and written. */
#include "kubeapi/datum.h"

#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
};

static int setup(void **state)
{
    static struct fixture fixture;
    memory_init(&fixture.memory, SIZE_MAX);
    arena_init(&fixture.arena, &fixture.memory);
    problems_init(&fixture.problems, &fixture.arena);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
    return 0;
}

static const struct datum *read_as(struct fixture *fixture, enum datum_form form, const char *json)
{
    return datum_read(&fixture->arena, form, (struct place){.file = "test", .line = 1}, json,
                      strlen(json), &fixture->problems);
}

static const struct datum *tagged(struct fixture *fixture, const char *json)
{
    const struct datum *datum = read_as(fixture, DATUM_TAGGED, json);
    assert_int_equal(fixture->problems.errors, 0);
    return datum;
}

static void written_is(struct fixture *fixture, enum datum_form form, const struct datum *datum,
                       const char *json)
{
    struct text text;
    text_init(&text, &fixture->memory);
    datum_write(&text, form, datum);
    assert_string_equal(text_content(&text), json);
    text_release(&text);
}

static void equal_content_is_equal(void **state)
{
    struct fixture *fixture = *state;
    const struct datum *a = tagged(fixture, "{\"b\":[1,2.0,\"x\"],\"a\":{\"$rv\":3},\"n\":null}");
    const struct datum *b = tagged(fixture, "{\"a\":{\"$rv\":3},\"b\":[1.0,2,\"x\"]}");
    assert_true(datum_equal(a, b));
    assert_int_equal(a->hash, b->hash);
    assert_int_equal(datum_compare(a, b), 0);
    written_is(fixture, DATUM_TAGGED, a, "{\"a\":{\"$rv\":3},\"b\":[1,2,\"x\"]}");
    assert_true(datum_equal(datum_copy(&fixture->arena, a), b));
}

static void what_differs_is_ordered(void **state)
{
    struct fixture *fixture = *state;
    static const char *const ordered[] = {
        "false",
        "true",
        "-1",
        "3",
        "1.5",
        "\"3\"",
        "\"3a\"",
        "{\"$rv\":3}",
        "{\"$uid\":3}",
        "{\"$uid\":4}",
        "[]",
        "[1]",
        "[1,1]",
        "[2]",
        "{}",
        "{\"a\":1}",
        "{\"a\":1,\"b\":0}",
        "{\"a\":2}",
        "{\"b\":0}",
    };
    const size_t count = sizeof(ordered) / sizeof(ordered[0]);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            const struct datum *a = tagged(fixture, ordered[i]);
            const struct datum *b = tagged(fixture, ordered[k]);
            assert_int_equal(datum_equal(a, b), i == k);
            const int order = datum_compare(a, b);
            assert_true(i < k ? order < 0 : i > k ? order > 0 : order == 0);
            assert_true(i == k || a->hash != b->hash);
        }
    }
    assert_true(datum_compare(NULL, datum_bool(false)) < 0);
    assert_false(datum_equal(NULL, datum_bool(false)));
    assert_true(datum_equal(NULL, NULL));
}

static void members_come_in_any_order(void **state)
{
    struct fixture *fixture = *state;
    struct arena *arena = &fixture->arena;
    const struct datum_member members[] = {
        {"c", datum_integer(arena, 1)}, {"a", datum_integer(arena, 2)}, {"d", NULL},
        {"c", datum_integer(arena, 3)}, {"b", datum_integer(arena, 4)}, {"a", NULL},
        {"e", datum_integer(arena, 5)},
    };
    written_is(fixture, DATUM_TAGGED, datum_object(arena, members, 7), "{\"b\":4,\"c\":3,\"e\":5}");
    written_is(fixture, DATUM_TAGGED, datum_object(arena, members, 0), "{}");
}

static void many_members_come_in_any_order(void **state)
{
    struct fixture *fixture = *state;
    enum { MANY = 500 };
    struct datum_member members[2 * MANY];
    for (int i = 0; i < 2 * MANY; i++) /* each key twice; the second, or nothing, counts */
        members[i] =
            (struct datum_member){arena_printf(&fixture->arena, "k%03d", i * 7 % MANY),
                                  i < MANY || i % 2 ? datum_integer(&fixture->arena, i) : NULL};
    const struct datum *object = datum_object(&fixture->arena, members, 2 * MANY);
    assert_int_equal(object->count, MANY / 2);
    for (int i = MANY; i < 2 * MANY; i++)
        assert_int_equal(datum_number(datum_member(object, members[i].key), -1), i % 2 ? i : -1);
    for (uint32_t i = 1; i < object->count; i++)
        assert_true(strcmp(object->members[i - 1].key, object->members[i].key) < 0);
}

static void paths_find_and_replace(void **state)
{
    struct fixture *fixture = *state;
    struct arena *arena = &fixture->arena;
    const struct datum *object =
        tagged(fixture, "{\"m\":{\"a.b/c\":\"x\",\"l\":[{\"n\":1},{\"n\":2}]},\"s\":\"t\"}");
    assert_string_equal(datum_text(datum_at(object, "m[\"a.b/c\"]"), ""), "x");
    assert_int_equal(datum_number(datum_at(object, "m.l[1].n"), 0), 2);
    assert_null(datum_at(object, "m.l[2].n"));
    assert_null(datum_at(object, "s.t"));
    assert_null(datum_at(object, "m.l.n"));
    assert_null(datum_at(NULL, "m"));

    const struct datum *seven = datum_integer(arena, 7);
    written_is(fixture, DATUM_TAGGED, datum_with(arena, object, "m.l[0].n", seven),
               "{\"m\":{\"a.b/c\":\"x\",\"l\":[{\"n\":7},{\"n\":2}]},\"s\":\"t\"}");
    written_is(fixture, DATUM_TAGGED, datum_with(arena, object, "m", NULL), "{\"s\":\"t\"}");
    written_is(fixture, DATUM_TAGGED, datum_with(arena, NULL, "a.b[0].c", seven),
               "{\"a\":{\"b\":[{\"c\":7}]}}");
    written_is(fixture, DATUM_TAGGED, datum_with(arena, object, "m.l[0]", NULL),
               "{\"m\":{\"a.b/c\":\"x\",\"l\":[{\"n\":2}]},\"s\":\"t\"}");
    /* What is absent already leaves the object as it is. */
    assert_ptr_equal(datum_with(arena, object, "x.y", NULL), object);
    assert_ptr_equal(datum_with(arena, object, "m", datum_at(object, "m")), object);
}

static void malformed_paths_are_known(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "a.b", "a[0]", "a[0].b", "a[\"x.y\"].b", "[0][1]"};
    static const char *const bad[] = {"", ".", "a.", "a..b", "a[", "a[x]", "a[\"x]", "a[]", ".a"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(datum_path_is_well_formed(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(datum_path_is_well_formed(bad[i]));
}

static void a_real_server_writes_strings(void **state)
{
    struct fixture *fixture = *state;
    const char *json = "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"ownerReferences\":[{"
                       "\"kind\":\"X\",\"name\":\"x\",\"uid\":"
                       "\"00000000-0000-4000-8000-00000000001f\"}],\"resourceVersion\":\"12\","
                       "\"uid\":\"00000000-0000-4000-8000-000000000002\"}}";
    const struct datum *object = read_as(fixture, DATUM_REAL, json);
    assert_int_equal(datum_at(object, "metadata.resourceVersion")->kind, DATUM_VERSION);
    assert_int_equal(datum_at(object, "metadata.resourceVersion")->number, 12);
    assert_int_equal(datum_at(object, "metadata.uid")->kind, DATUM_UID);
    assert_int_equal(datum_at(object, "metadata.ownerReferences[0].uid")->number, 31);
    written_is(fixture, DATUM_REAL, object, json);
    /* What we would not write so stays what it is. */
    const char *foreign = "{\"metadata\":{\"resourceVersion\":\"012\",\"uid\":\"6f0e-x\"}}";
    object = read_as(fixture, DATUM_REAL, foreign);
    assert_string_equal(datum_text(datum_at(object, "metadata.resourceVersion"), ""), "012");
    written_is(fixture, DATUM_REAL, object, foreign);
    /* Items of lists are objects, too. */
    object =
        read_as(fixture, DATUM_REAL, "{\"items\":[{\"metadata\":{\"resourceVersion\":\"4\"}}]}");
    assert_int_equal(datum_at(object, "items[0].metadata.resourceVersion")->kind, DATUM_VERSION);
}

static void malformed_json_is_a_problem(void **state)
{
    struct fixture *fixture = *state;
    static const char *const bad[] = {
        "{\"a\":", "[1,null]", "{\"$rv\":\"x\"}", "{\"$rv\":-1}", "{\"$uid\":1,\"a\":2}",
        "{} {}",   ""};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const uint32_t errors = fixture->problems.errors;
        assert_null(read_as(fixture, DATUM_TAGGED, bad[i]));
        assert_true(fixture->problems.errors > errors);
    }
    const uint32_t errors = fixture->problems.errors;
    assert_null(read_as(fixture, DATUM_TAGGED, "null"));
    assert_int_equal(fixture->problems.errors, errors);
}

static void manifests_become_data(void **state)
{
    struct fixture *fixture = *state;
    const char *yaml = "a: {$rv: 2}\nb: [x, 1, 2.5, true]\nc:\n";
    struct documents documents = {0};
    assert_true(manifest_parse(&fixture->arena, "test", yaml, strlen(yaml), &documents,
                               &fixture->problems));
    written_is(fixture, DATUM_TAGGED,
               datum_of_value(&fixture->arena, &documents.items[0].root, &fixture->problems),
               "{\"a\":{\"$rv\":2},\"b\":[\"x\",1,2.5,true]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_content_is_equal, setup, teardown),
        cmocka_unit_test_setup_teardown(what_differs_is_ordered, setup, teardown),
        cmocka_unit_test_setup_teardown(members_come_in_any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(many_members_come_in_any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(paths_find_and_replace, setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_paths_are_known, setup, teardown),
        cmocka_unit_test_setup_teardown(a_real_server_writes_strings, setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_json_is_a_problem, setup, teardown),
        cmocka_unit_test_setup_teardown(manifests_become_data, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
