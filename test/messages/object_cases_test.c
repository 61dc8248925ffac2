/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of manifests, as data: nobody needs C to add a case.
 *
 *   test/messages  wrong manifests, and the exact messages, warnings included
 *   test/defaults  right manifests, and the objects as the API server would
 *                  have stored them, in JSON
 *
 * A case is two files: NAME.yaml (or NAME.json) and NAME.expected. The manifest
 * goes the whole way: reading, decoding, admission. To add a case, write the
 * manifest, run this test with FATHOM_UPDATE=1 to have the other file written,
 * and read what it says.
 */
#include "manifest/manifest.h"
#include "object/admission.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILE_BYTES_MOST = 1 << 16 };

static char *read_file(struct arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *content = arena_allocate(arena, FILE_BYTES_MOST);
    const size_t bytes = fread(content, 1, FILE_BYTES_MOST - 1, file);
    assert_true(bytes < FILE_BYTES_MOST - 1);
    fclose(file);
    return content;
}

static void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

/* Reads the manifest into objects. */
static void read_objects(struct arena *arena, const char *name, const char *content,
                         struct objects *objects, struct problems *problems)
{
    struct documents documents = {0};
    problems_init(problems, arena);
    if (manifest_parse(arena, name, content, strlen(content), &documents, problems) &&
        object_decode(arena, &documents, NULL, objects, problems))
        objects_admit(arena, objects, NULL, problems);
}

/* One message a line. */
static void tell_messages(struct arena *arena, const struct problems *problems, struct text *text)
{
    for (uint32_t i = 0; i < problems->count; i++)
        text_printf(text, "%s\n", problem_format(arena, &problems->items[i]));
}

static void tell_objects(struct arena *arena, const struct objects *objects, struct text *text)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        struct json_out json;
        json_out_init(&json, text, 2);
        object_encode(arena, &json, NULL, &objects->items[i]);
        text_append_char(text, '\n');
    }
}

/* False if what is told is not what is expected. */
static bool check_case(struct arena *arena, const char *folder, const char *name, struct text *told)
{
    const char *manifest_path = arena_printf(arena, "%s/%s", folder, name);
    const size_t stem = (size_t)(strrchr(name, '.') - name);
    const char *expected_path = arena_printf(arena, "%s/%.*s.expected", folder, (int)stem, name);
    const char *expected = read_file(arena, expected_path);
    struct objects objects = {0};
    struct problems problems;
    read_objects(arena, name, read_file(arena, manifest_path), &objects, &problems);
    tell_messages(arena, &problems, told);
    if (strstr(folder, "defaults"))
        tell_objects(arena, &objects, told);
    if (getenv("FATHOM_UPDATE")) {
        write_file(expected_path, text_content(told));
    } else if (!expected || strcmp(text_content(told), expected) != 0) {
        print_message("%s\nexpected:\n%sfound:\n%s", name, expected ? expected : "(no file)\n",
                      text_content(told));
        return false;
    }
    return true;
}

static int is_manifest(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".json") == 0);
}

static void check_folder(const char *name, int cases_least)
{
    struct memory memory;
    struct dirent **entries = NULL;
    char folder[4096];
    memory_init(&memory, SIZE_MAX);
    snprintf(folder, sizeof(folder), "%s/test/%s", getenv("FATHOM_SOURCE_ROOT"), name);
    const int count = scandir(folder, &entries, is_manifest, alphasort);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        struct arena arena;
        struct text told;
        arena_init(&arena, &memory);
        text_init(&told, &memory);
        wrong += !check_case(&arena, folder, entries[i]->d_name, &told);
        text_release(&told);
        arena_release(&arena);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(wrong, 0);
    assert_true(count >= cases_least);
}

static void wrong_manifests_get_their_messages(void **state)
{
    (void)state;
    check_folder("messages", 40);
}

static void right_manifests_get_their_defaults(void **state)
{
    (void)state;
    check_folder("defaults", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_manifests_get_their_messages),
        cmocka_unit_test(right_manifests_get_their_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
