/* SPDX-License-Identifier: Apache-2.0 */
/* Lines come whole, numbered, the same from plain and packed files; and one by one from streams. */
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

/* Lines of every length around that of a chunk, with NULs in them and with nothing at their end. */
static void a_stream_is_read_line_by_line(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 4092, 4093, 4094, 4095, 4096, 4097, 8187, 8190, 9000};
    const size_t count = sizeof(lengths) / sizeof(*lengths);
    struct memory memory;
    struct text line;
    bool too_long;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    text_init(&line, &memory);
    for (int filler = 'x'; filler >= 0; filler -= 'x') {
        FILE *stream = tmpfile();
        assert_non_null(stream);
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 0; k < lengths[i]; k++)
                fputc(filler, stream);
            if (i + 1 < count)
                fputc('\n', stream);
        }
        rewind(stream);
        for (size_t i = 0; i < count; i++) {
            assert_true(line_read(stream, 10000, &line, &too_long));
            assert_false(too_long);
            assert_int_equal(line.length, lengths[i]);
            for (size_t k = 0; k < lengths[i]; k++)
                assert_int_equal(line.content[k], filler);
        }
        assert_false(line_read(stream, 10000, &line, &too_long));
        assert_false(too_long);
        assert_int_equal(fclose(stream), 0);
    }
    text_release(&line);
}

static void a_line_that_is_too_long_is_cut(void **state)
{
    static const struct {
        const char *text;
        size_t most, length;
        bool too_long;
    } rows[] = {
        {"abc\n", 3, 3, false}, {"abc", 3, 3, false},   {"abcd\n", 3, 3, true},
        {"abcd", 3, 3, true},   {"abcdef", 3, 3, true},
    };
    struct memory memory;
    struct text line;
    bool too_long;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    text_init(&line, &memory);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        FILE *stream = tmpfile();
        assert_non_null(stream);
        assert_true(fputs(rows[i].text, stream) >= 0);
        rewind(stream);
        assert_true(line_read(stream, rows[i].most, &line, &too_long));
        assert_int_equal(line.length, rows[i].length);
        assert_int_equal(too_long, rows[i].too_long);
        assert_int_equal(fclose(stream), 0);
    }
    text_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_packed_files_give_the_same_lines),
        cmocka_unit_test(a_packed_file_that_is_cut_is_a_problem),
        cmocka_unit_test(a_file_that_is_not_there_is_a_problem),
        cmocka_unit_test(a_stream_is_read_line_by_line),
        cmocka_unit_test(a_line_that_is_too_long_is_cut),
    };
    return cmocka_run_group_tests(tests, make_name, remove_file);
}
