/* SPDX-License-Identifier: Apache-2.0 */
/* The collection of objects: who is found under which name, which namespace
 * objects get, and objects inside other documents. */
#include "object/object.h"

#include "manifest/manifest.h"
#include "object/node.h"
#include "object/path.h"

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
    struct documents documents;
    struct objects objects;
};

static int setup(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof(fixture));
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
    return 0;
}

static void parse(struct fixture *fixture, const char *yaml)
{
    assert_true(manifest_parse(&fixture->arena, "test", yaml, strlen(yaml), &fixture->documents,
                               &fixture->problems));
}

#define POD(meta)                                     \
    "---\napiVersion: v1\nkind: Pod\nmetadata: " meta \
    "\nspec: {containers: [{name: a, image: a}]}\n"

static void objects_are_found_by_kind_namespace_and_name(void **state)
{
    struct fixture *fixture = *state;
    parse(fixture,
          POD("{name: a}") POD("{name: a, namespace: shop}") POD(
              "{generateName: b-}") "---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
                                    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    assert_true(object_decode(&fixture->arena, &fixture->documents, NULL, &fixture->objects,
                              &fixture->problems));
    const struct objects *objects = &fixture->objects;
    assert_int_equal(objects->count, 5);
    assert_ptr_equal(objects_find(objects, OBJECT_POD, "default", "a"), &objects->items[0]);
    assert_ptr_equal(objects_find(objects, OBJECT_POD, "shop", "a"), &objects->items[1]);
    assert_ptr_equal(objects_find(objects, OBJECT_POD, "default", "b-00003"), &objects->items[2]);
    assert_ptr_equal(objects_find(objects, OBJECT_NODE, NULL, "a"), &objects->items[3]);
    assert_null(objects_find(objects, OBJECT_POD, NULL, "a"));
    assert_null(objects_find(objects, OBJECT_SERVICE, "default", "a"));
    assert_int_equal(objects->items[4].kind, OBJECT_OTHER);
    assert_string_equal(objects->items[4].meta->name, "a");
    assert_ptr_equal(objects->items[1].source, &fixture->documents.items[1]);
}

static void the_namespace_option_is_for_objects_that_name_none(void **state)
{
    struct fixture *fixture = *state;
    const struct object_options options = {.namespace = "team"};
    parse(fixture, POD("{name: a}") POD("{name: b, namespace: shop}"));
    assert_true(object_decode(&fixture->arena, &fixture->documents, &options, &fixture->objects,
                              &fixture->problems));
    assert_string_equal(fixture->objects.items[0].meta->namespace, "team");
    assert_string_equal(fixture->objects.items[1].meta->namespace, "shop");
}

static void wrong_objects_are_left_out_and_the_others_stay(void **state)
{
    struct fixture *fixture = *state;
    parse(fixture, POD("{name: A}") POD("{name: b}"));
    assert_false(object_decode(&fixture->arena, &fixture->documents, NULL, &fixture->objects,
                               &fixture->problems));
    assert_int_equal(fixture->problems.errors, 1);
    assert_int_equal(fixture->objects.count, 1);
    assert_non_null(objects_find(&fixture->objects, OBJECT_POD, "default", "b"));
}

static void an_object_inside_a_document_has_its_path(void **state)
{
    struct fixture *fixture = *state;
    parse(fixture, "groups:\n- node: {metadata: {name: n1}, status: {capacity: {cpu: 4}}}\n"
                   "- node: {metadata: {name: n1}, spec: {unschedulable: maybe}}\n"
                   "- node: {kind: Pod}\n");
    const struct value *root = &fixture->documents.items[0].root;
    const struct path groups = path_field(&path_root, "groups");
    struct object object;
    for (uint32_t i = 0; i < 3; i++) {
        const struct path group = path_item(&groups, i);
        const struct path node = path_field(&group, "node");
        const bool good = object_decode_at(&fixture->arena, root, &node, OBJECT_NODE, NULL, &object,
                                           &fixture->problems);
        assert_int_equal(good, i == 0);
        if (good)
            assert_int_equal(quantity_value(object.as.node->status.allocatable.items[0].quantity),
                             4);
    }
    assert_int_equal(fixture->problems.count, 2);
    assert_string_equal(problem_format(&fixture->arena, &fixture->problems.items[0]),
                        "test:3:54: groups[1].node.spec.unschedulable: expected true or false, "
                        "found \"maybe\"");
    assert_string_equal(problem_format(&fixture->arena, &fixture->problems.items[1]),
                        "test:4:16: groups[2].node.kind: expected Node, found \"Pod\"");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(objects_are_found_by_kind_namespace_and_name),
        TEST(the_namespace_option_is_for_objects_that_name_none),
        TEST(wrong_objects_are_left_out_and_the_others_stay),
        TEST(an_object_inside_a_document_has_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
