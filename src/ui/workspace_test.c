/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a page gives to manifests stay inside of their folder. */
#include "ui/workspace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void names_stay_inside(void **state)
{
    (void)state;
    static const char *const good[] = {"a.yaml",  "dir/a.yaml",    "a..b",
                                       ".hidden", "\xd0\xb6.yaml", "<script>.yaml"};
    static const char *const bad[] = {"",     "/etc/passwd", "../a", "a/../b", "a/..", ".",
                                      "a//b", "a/",          "-o",   "a\nb",   "./a"};
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        assert_true(workspace_name_is_safe(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_false(workspace_name_is_safe(bad[i]));
}

static void files_are_written_once(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct text text;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&text, &memory);
    const char *folder = workspace_create(&arena);
    cJSON *files = cJSON_Parse("[{\"name\": \"a/b.yaml\", \"text\": \"kind: Pod\\n\"}]");
    assert_non_null(folder);
    assert_null(workspace_write(&arena, folder, files));
    assert_true(workspace_read(folder, "a/b.yaml", 1000, &text));
    assert_string_equal(text_content(&text), "kind: Pod\n");
    assert_non_null(workspace_write(&arena, folder, files)); /* it is there already */
    cJSON_Delete(files);
    files = cJSON_Parse("[{\"name\": \"../b.yaml\", \"text\": \"\"}]");
    assert_non_null(workspace_write(&arena, folder, files));
    cJSON_Delete(files);
    workspace_remove(folder);
    assert_false(workspace_read(folder, "a/b.yaml", 1000, &text));
    text_release(&text);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_inside),
        cmocka_unit_test(files_are_written_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
