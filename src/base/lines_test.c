/* SPDX-License-Identifier: Apache-2.0 */
/* Lines come whole, numbered, the same from plain and packed files. */
#include "base/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char path[] = "/tmp/fathom-lines-XXXXXX";

static int make_name(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 || close(file) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_file(const char *mode, const char *bytes, size_t count)
{
    gzFile file = gzopen(path, mode);
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)count), (int)count);
    assert_int_equal(gzclose(file), Z_OK);
}

static void expect_lines(const char *mode)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct lines lines;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    /* A line longer than the buffer, an empty one, a NUL, no newline at the end. */
    const size_t long_length = 700000;
    char *bytes = malloc(long_length + 32);
    assert_non_null(bytes);
    memset(bytes, 'x', long_length);
    memcpy(bytes + long_length, "\n\na\0b\nlast", 11);
    write_file(mode, bytes, long_length + 10);
    free(bytes);
    assert_true(lines_open(&lines, &memory, path, &problems));
    assert_true(lines_next(&lines, &problems));
    assert_int_equal(lines.text.length, long_length);
    assert_true(lines_next(&lines, &problems));
    assert_int_equal(lines.text.length, 0);
    assert_true(lines_next(&lines, &problems));
    assert_int_equal(lines.text.length, 3);
    assert_memory_equal(lines.text.content, "a\0b", 3);
    assert_true(lines_next(&lines, &problems));
    assert_string_equal(lines.text.content, "last");
    assert_int_equal(lines.number, 4);
    assert_false(lines_next(&lines, &problems));
    assert_int_equal(problems.errors, 0);
    lines_close(&lines);
    arena_release(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

static void plain_and_packed_files_give_the_same_lines(void **state)
{
    (void)state;
    expect_lines("wbT");
    expect_lines("wb");
}

static void a_packed_file_that_is_cut_is_a_problem(void **state)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct lines lines;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    char noise[20000];
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof(noise); i++) {
        random = random * 1664525 + 1013904223;
        noise[i] = (char)(random >> 24);
    }
    write_file("wb", noise, sizeof(noise));
    assert_int_equal(truncate(path, 3000), 0);
    assert_true(lines_open(&lines, &memory, path, &problems));
    while (lines_next(&lines, &problems))
        ;
    assert_int_equal(problems.errors, 1);
    lines_close(&lines);
    arena_release(&arena);
}

static void a_file_that_is_not_there_is_a_problem(void **state)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct lines lines;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    assert_false(lines_open(&lines, &memory, "/nonexistent/file", &problems));
    assert_string_equal(problem_format(&arena, &problems.items[0]),
                        "/nonexistent/file: cannot be read: No such file or directory");
    lines_close(&lines);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_packed_files_give_the_same_lines),
        cmocka_unit_test(a_packed_file_that_is_cut_is_a_problem),
        cmocka_unit_test(a_file_that_is_not_there_is_a_problem),
    };
    return cmocka_run_group_tests(tests, make_name, remove_file);
}
