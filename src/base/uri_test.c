/* SPDX-License-Identifier: Apache-2.0 */
/* What an address may not have is encoded, and names of files stay names of files. */
#include "base/uri.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(const char *found, const char *expected)
{
    assert_string_equal(found, expected);
}

static void test_segments(void **unused)
{
    (void)unused;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    check(uri_segment(&arena, "web-0.a_b~c"), "web-0.a_b~c");
    check(uri_segment(&arena, "a/b c%"), "a%2Fb%20c%25");
    check(uri_segment(&arena, "\xc3\xa9"), "%C3%A9");
    check(uri_segment(&arena, ""), "");
    arena_release(&arena);
}

static void test_files(void **unused)
{
    (void)unused;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    check(uri_of_file(&arena, "app/web.yaml"), "app/web.yaml");
    check(uri_of_file(&arena, "../my app/a#b?.yaml"), "../my%20app/a%23b%3F.yaml");
    check(uri_of_file(&arena, "c:d.yaml"), "c%3Ad.yaml"); /* not a scheme */
    check(uri_of_file(&arena, "/srv/a b.yaml"), "file:///srv/a%20b.yaml");
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
