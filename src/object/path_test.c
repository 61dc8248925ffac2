/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as people read them, and the places they lead to. */
#include "object/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* spec: {containers: [{name: web}]}, each value in a column of its own */
static const struct member container_members[] = {
    {.key = "name", .value = {.text = "web", .count = 3, .kind = VALUE_STRING, .line = 4}},
};
static const struct value containers[] = {
    {.members = container_members, .count = 1, .kind = VALUE_MAPPING, .line = 3},
};
static const struct member spec_members[] = {
    {.key = "containers",
     .value = {.items = containers, .count = 1, .kind = VALUE_SEQUENCE, .line = 2}},
};
static const struct member root_members[] = {
    {.key = "spec",
     .value = {.members = spec_members, .count = 1, .kind = VALUE_MAPPING, .line = 1}},
};
static const struct value root = {
    .members = root_members, .count = 1, .kind = VALUE_MAPPING, .line = 1};

static void path_reads_like_the_api_servers(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);

    const struct path spec = path_field(&path_root, "spec");
    const struct path list = path_field(&spec, "containers");
    const struct path item = path_item(&list, 0);
    const struct path labels = path_field(&item, "labels");
    const struct path odd = path_field(&labels, "app.kubernetes.io/name");
    assert_string_equal(path_text(&arena, &path_root), "");
    assert_string_equal(path_text(&arena, &spec), "spec");
    assert_string_equal(path_text(&arena, &odd),
                        "spec.containers[0].labels[app.kubernetes.io/name]");
    arena_release(&arena);
}

static void path_leads_to_the_value_or_what_is_around_it(void **state)
{
    (void)state;
    const struct path spec = path_field(&path_root, "spec");
    const struct path list = path_field(&spec, "containers");
    const struct path item = path_item(&list, 0);
    const struct path beyond = path_item(&list, 1);
    const struct path name = path_field(&item, "name");
    const struct path image = path_field(&item, "image");
    const struct path deep = path_field(&image, "tag");
    assert_ptr_equal(path_value(&root, &path_root), &root);
    assert_ptr_equal(path_value(&root, &item), &containers[0]);
    assert_null(path_value(&root, &beyond));
    assert_null(path_value(&root, &deep));
    assert_int_equal(path_place(&root, &name).line, 4);
    assert_int_equal(path_place(&root, &image).line, 3);
    assert_int_equal(path_place(&root, &deep).line, 3);
    assert_int_equal(path_place(&root, &beyond).line, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_reads_like_the_api_servers),
        cmocka_unit_test(path_leads_to_the_value_or_what_is_around_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
