/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: files, folders and standard input are read as kubectl reads them, and
 * what cannot be read is told. Method: a folder made for each case. */
#include "manifest/manifest.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "manifest/manifest_fixture.h"

/* The tests work inside a folder of their own, so that messages are short. */
static int enter_folder(void **state)
{
    char *folder = strdup("/tmp/fathom-load-XXXXXX");
    *state = folder;
    return folder && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -rf '%s'", (const char *)*state);
    free(*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void check_load(const char *const *paths, bool recursive, const char *expected)
{
    struct fixture fixture;
    set_up(&fixture);
    struct manifest_paths given = {.items = paths, .recursive = recursive};
    while (paths[given.count])
        given.count++;
    const bool good = manifest_load(&fixture.arena, &given, &fixture.documents, &fixture.problems);
    assert_string_equal(tell(&fixture), expected);
    assert_int_equal(good, fixture.problems.errors == 0);
    tear_down(&fixture);
}

#define CHECK_LOAD(recursive, expected, ...) \
    check_load((const char *const[]){__VA_ARGS__, NULL}, recursive, expected)

static void files_are_read_in_the_order_given(void **state)
{
    (void)state;
    write_file("b.yaml", "b: 1\n---\nb: 2\n");
    write_file("a.txt", "{\"a\": 1}");
    CHECK_LOAD(false, "{\"b\":1}\n{\"b\":2}\n{\"a\":1}\n", "b.yaml", "a.txt");
    CHECK_LOAD(false, "{\"a\":1}\n{\"a\":1}\n", "a.txt", "./a.txt");
}

static void folders_are_read_by_name(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0755), 0);
    assert_int_equal(mkdir("d/m.yaml", 0755), 0);
    write_file("d/z.yml", "z: 1");
    write_file("d/a.json", "{\"a\": 1}");
    write_file("d/b.yaml", "# empty");
    write_file("d/readme.md", "no: manifest");
    write_file("d/m.yaml/x.yaml", "x: 1");
    write_file("d/Upper.yaml", "u: 1");
    CHECK_LOAD(false, "{\"u\":1}\n{\"a\":1}\n{\"z\":1}\n", "d");
    CHECK_LOAD(true, "{\"u\":1}\n{\"a\":1}\n{\"x\":1}\n{\"z\":1}\n", "d//");
}

static void links_to_folders_are_not_followed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0755), 0);
    write_file("d/a.yaml", "a: 1");
    assert_int_equal(symlink(".", "d/circle"), 0);
    assert_int_equal(symlink("a.yaml", "d/b.yaml"), 0);
    CHECK_LOAD(true, "{\"a\":1}\n{\"a\":1}\n", "d");
    assert_int_equal(symlink("nowhere", "d/c.yaml"), 0);
    CHECK_LOAD(true, "d/c.yaml: cannot be read: No such file or directory\n", "d");
}

static void standard_input_is_read(void **state)
{
    (void)state;
    write_file("in", "a: 1\nb: [\n");
    const int saved = dup(STDIN_FILENO);
    const int in = open("in", O_RDONLY);
    assert_true(in >= 0 && dup2(in, STDIN_FILENO) >= 0);
    CHECK_LOAD(false, "<stdin>:3:1: expected a value\n", "-");
    assert_true(dup2(saved, STDIN_FILENO) >= 0);
    close(in);
    close(saved);
}

static void what_cannot_be_read_is_told(void **state)
{
    (void)state;
    write_file("empty.yaml", "");
    write_file("comment.yaml", "# nothing\n---\n");
    write_file("bad.yaml", "a: b: c\n");
    write_file("twice.json", "{\"a\":1,\"a\":2}");
    assert_int_equal(mkdir("none", 0755), 0);
    write_file("none/readme.md", "");
    assert_int_equal(mkdir("empty", 0755), 0);
    write_file("empty/a.yaml", "");
    CHECK_LOAD(false, "missing.yaml: cannot be read: No such file or directory\n", "missing.yaml");
    CHECK_LOAD(false, "expected the name of a file or folder, found \"\"\n", "");
    CHECK_LOAD(false, "empty.yaml: contains no objects\n", "empty.yaml");
    CHECK_LOAD(false, "comment.yaml: contains no objects\n", "comment.yaml");
    CHECK_LOAD(false, "none: no manifests (.yaml, .yml, .json) in this folder\n", "none/");
    assert_int_equal(mkdir("outer", 0755), 0);
    assert_int_equal(mkdir("outer/inner", 0755), 0);
    write_file("outer/inner/a.yaml", "a: 1\n");
    CHECK_LOAD(false,
               "outer: no manifests (.yaml, .yml, .json) in this folder; -R reads the folders "
               "inside it, too\n",
               "outer");
    CHECK_LOAD(false, "empty: contains no objects\n", "empty");
    CHECK_LOAD(false,
               "missing: cannot be read: No such file or directory\n"
               "bad.yaml:1:5: a mapping cannot start here; check the indentation, or quote the "
               "text before ':'\n"
               "twice.json:1:8: a: duplicate key, already given in line 1\n",
               "missing", "bad.yaml", "twice.json");
    if (geteuid() != 0) {
        assert_int_equal(chmod("bad.yaml", 0), 0);
        CHECK_LOAD(false, "bad.yaml: cannot be read: Permission denied\n", "bad.yaml");
    }
}

/* A file with a hole: a gigabyte that takes no space. */
static void files_beyond_the_limit_are_not_read(void **state)
{
    (void)state;
    write_file("huge.yaml", "a: ");
    assert_int_equal(truncate("huge.yaml", (off_t)1 << 30), 0);
    CHECK_LOAD(false, "huge.yaml: larger than 512 MiB, the most that is read\n", "huge.yaml");
}

static void standard_input_without_end_is_not_read_on(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    const int saved = dup(STDIN_FILENO);
    const int zeros = open("/dev/zero", O_RDONLY);
    assert_true(zeros >= 0 && dup2(zeros, STDIN_FILENO) >= 0);
    const char *const path = "-";
    const struct manifest_paths paths = {.items = &path, .count = 1, .bytes_most = 3 << 20};
    assert_false(manifest_load(&fixture.arena, &paths, &fixture.documents, &fixture.problems));
    assert_string_equal(tell(&fixture), "<stdin>: larger than 3 MiB, the most that is read\n");
    assert_true(fixture.memory.peak_bytes < 16 << 20);
    assert_true(dup2(saved, STDIN_FILENO) >= 0);
    close(zeros);
    close(saved);
    tear_down(&fixture);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(files_are_read_in_the_order_given),
        IN_FOLDER(folders_are_read_by_name),
        IN_FOLDER(links_to_folders_are_not_followed),
        IN_FOLDER(standard_input_is_read),
        IN_FOLDER(what_cannot_be_read_is_told),
        IN_FOLDER(files_beyond_the_limit_are_not_read),
        IN_FOLDER(standard_input_without_end_is_not_read_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
