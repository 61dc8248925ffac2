/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every wrong manifest has its exact messages.
 *
 * A case is two files here: NAME.yaml, the manifest (or NAME.json), and
 * NAME.expected, the messages, one a line, warnings included. The manifest goes
 * the whole way: reading, decoding, admission. To add a case, write the
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

enum { CASES_LEAST = 40, FILE_BYTES_MOST = 1 << 16 };

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

/* What is said about the manifest, one message a line. */
static const char *messages_about(struct arena *arena, const char *name, const char *content)
{
    struct problems problems;
    struct documents documents = {0};
    struct objects objects = {0};
    problems_init(&problems, arena);
    if (manifest_parse(arena, name, content, strlen(content), &documents, &problems) &&
        object_decode(arena, &documents, NULL, &objects, &problems))
        objects_admit(arena, &objects, NULL, &problems);
    const char *text = "";
    for (uint32_t i = 0; i < problems.count; i++)
        text = arena_printf(arena, "%s%s\n", text, problem_format(arena, &problems.items[i]));
    return text;
}

/* False if the messages are not the expected ones. */
static bool check_case(struct arena *arena, const char *folder, const char *name)
{
    const char *manifest_path = arena_printf(arena, "%s/%s", folder, name);
    const size_t stem = (size_t)(strrchr(name, '.') - name);
    const char *expected_path = arena_printf(arena, "%s/%.*s.expected", folder, (int)stem, name);
    const char *found = messages_about(arena, name, read_file(arena, manifest_path));
    const char *expected = read_file(arena, expected_path);
    if (getenv("FATHOM_UPDATE"))
        write_file(expected_path, found);
    else if (!expected || strcmp(found, expected) != 0) {
        print_message("%s\nexpected:\n%sfound:\n%s", name, expected ? expected : "(no file)\n",
                      found);
        return false;
    }
    return true;
}

static int is_manifest(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".json") == 0);
}

static void messages_are_as_expected(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct dirent **entries = NULL;
    char folder[4096];
    memory_init(&memory, SIZE_MAX);
    snprintf(folder, sizeof(folder), "%s/test/messages", getenv("FATHOM_SOURCE_ROOT"));
    const int count = scandir(folder, &entries, is_manifest, alphasort);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        arena_init(&arena, &memory);
        wrong += !check_case(&arena, folder, entries[i]->d_name);
        arena_release(&arena);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(wrong, 0);
    assert_true(count >= CASES_LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_as_expected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
