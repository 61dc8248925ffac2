/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes: one without a writer is given up, one with a writer is read, none is opened again. */
#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void in_folder(char *folder)
{
    strcpy(folder, "/tmp/input-file-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static void leave(const char *folder)
{
    assert_int_equal(unlink("name"), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_pipe_with_writer(void **state)
{
    char folder[64];
    char got[8] = "";
    (void)state;
    in_folder(folder);
    assert_int_equal(mkfifo("name", 0600), 0);
    const int both = open("name", O_RDWR);
    assert_int_equal(write(both, "some", 4), 4);
    const int reader = input_open("name");
    assert_true(reader >= 0);
    assert_int_equal(read(reader, got, sizeof(got)), 4);
    assert_string_equal(got, "some");
    assert_int_equal(fcntl(reader, F_GETFL) & O_NONBLOCK, 0);
    assert_null(input_reopen("name"));
    close(reader);
    close(both);
    leave(folder);
}

static void test_file(void **state)
{
    char folder[64];
    (void)state;
    in_folder(folder);
    assert_int_equal(input_open("name"), -1);
    assert_int_equal(errno, ENOENT);
    FILE *file = fopen("name", "w");
    assert_int_equal(fclose(file), 0);
    const int reader = input_open("name");
    assert_true(reader >= 0);
    close(reader);
    file = input_reopen("name");
    assert_non_null(file);
    fclose(file);
    leave(folder);
}

static void test_why(void **state)
{
    (void)state;
    assert_string_equal(input_why(ETIMEDOUT), "no program writes to this pipe");
    assert_string_equal(input_why(ENOENT), strerror(ENOENT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipe_with_writer),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
