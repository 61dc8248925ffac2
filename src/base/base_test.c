/* SPDX-License-Identifier: Apache-2.0 */
/* The containers and writers that everything else stands on: what they promise
 * in their headers, at the borders where such code usually breaks. */
#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void memory_counts_every_byte(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, 1000);
    void *a = memory_try_allocate(&memory, 600);
    assert_non_null(a);
    assert_null(memory_try_allocate(&memory, 401));
    void *b = memory_try_allocate(&memory, 400);
    assert_non_null(b);
    assert_int_equal(memory.used_bytes, 1000);
    memory_release(&memory, a, 600);
    b = memory_try_resize(&memory, b, 400, 1000);
    assert_non_null(b);
    assert_null(memory_try_resize(&memory, b, 1000, 1001));
    assert_int_equal(memory.peak_bytes, 1000);
    memory_release(&memory, b, 1000);
    assert_int_equal(memory.used_bytes, 0);
}

static void memory_fails_on_purpose(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    memory.fail_at_call = 2;
    void *a = memory_try_allocate(&memory, 8);
    assert_non_null(a);
    assert_null(memory_try_allocate(&memory, 8));
    assert_null(memory_try_allocate_zeroed(&memory, 8));
    memory_release(&memory, a, 8);
    assert_int_equal(memory.used_bytes, 0);
}

static void memory_may_be_overdrawn_by_what_must_be_served(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, 1000);
    memory.may_overdraw = true;
    void *a = memory_allocate(&memory, 900);
    a = memory_resize(&memory, a, 900, 1100);
    assert_int_equal(memory.used_bytes, 1100);
    assert_null(memory_try_allocate(&memory, 1));
    memory_release(&memory, a, 1100);
    assert_int_equal(memory.used_bytes, 0);
}

static void memory_counts_what_is_claimed(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, 1000);
    assert_true(memory_try_claim(&memory, 700));
    assert_false(memory_try_claim(&memory, 301));
    assert_null(memory_try_allocate(&memory, 301));
    memory_unclaim(&memory, 700);
    assert_int_equal(memory.used_bytes, 0);
    assert_int_equal(memory.peak_bytes, 700);
}

static void escape_when_exhausted(void *context, size_t wanted_bytes)
{
    (void)wanted_bytes;
    longjmp(*(jmp_buf *)context, 1);
}

static void memory_calls_the_hook_when_exhausted(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, 64);
    jmp_buf escape;
    memory.exhausted = escape_when_exhausted;
    memory.exhausted_context = &escape;
    if (setjmp(escape) == 0) {
        memory_allocate(&memory, 65);
        fail_msg("the hook was not called");
    }
    assert_int_equal(memory.used_bytes, 0);
}

static void arena_aligns_and_zeroes(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        unsigned char *at = arena_allocate(&arena, bytes);
        assert_int_equal((uintptr_t)at % 16, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(at[i], 0);
        memset(at, 0xff, bytes);
        arena_strndup(&arena, "x", 1);
    }
    char *large = arena_allocate(&arena, 5 << 20);
    large[(5 << 20) - 1] = 1;
    arena_release(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

static void arena_rewinds_to_a_mark(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    const struct arena_mark empty = arena_mark(&arena);
    char *kept = arena_strdup(&arena, "kept");
    const struct arena_mark mark = arena_mark(&arena);
    const size_t used = memory.used_bytes;
    for (int i = 0; i < 1000; i++)
        arena_printf(&arena, "scratch %d", i);
    arena_rewind(&arena, mark);
    assert_int_equal(memory.used_bytes, used);
    assert_string_equal(kept, "kept");
    arena_rewind(&arena, empty);
    assert_int_equal(memory.used_bytes, 0);
    assert_string_equal(arena_strdup(&arena, "again"), "again");
    arena_release(&arena);
}

static void arena_stays_within_what_is_reserved(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    arena_reserve(&arena, 10000);
    const size_t reserved = memory.used_bytes;
    const struct arena_mark mark = arena_mark(&arena);
    assert_true(reserved >= 10000);
    for (int i = 0; i < 3; i++) {
        arena_allocate(&arena, 6000);
        arena_allocate(&arena, 4000);
        assert_int_equal(memory.used_bytes, reserved);
        arena_rewind(&arena, mark);
        assert_int_equal(memory.used_bytes, reserved);
    }
    arena_reserve(&arena, 10000);
    assert_int_equal(memory.used_bytes, reserved);
    arena_reserve(&arena, 100000);
    assert_true(memory.used_bytes >= reserved + 100000);
    arena_release(&arena);
    assert_int_equal(memory.used_bytes, 0);
}

static void vectors_grow_and_maps_keep_their_order(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    VEC(uint64_t) numbers = {0};
    struct map map;
    map_init(&map, &arena);
    assert_null(map_get(&map, "nothing"));
    for (uintptr_t i = 0; i < 5000; i++) {
        VEC_PUSH(&arena, &numbers, i * i);
        map_put(&map, arena_printf(&arena, "key-%zu", (size_t)i))->value = (void *)(i + 1);
    }
    for (uintptr_t i = 0; i < 5000; i++) {
        assert_int_equal(numbers.items[i], i * i);
        assert_int_equal((uintptr_t)map_get(&map, arena_printf(&arena, "key-%zu", (size_t)i)),
                         i + 1);
        assert_int_equal((uintptr_t)map.entries[i].value, i + 1);
    }
    map_put(&map, "key-17")->value = NULL;
    assert_int_equal(map.count, 5000);
    assert_null(map_get(&map, "key-17"));
    assert_null(map_get(&map, "key-5000"));
    arena_release(&arena);
}

static void interned_texts_share_one_pointer(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    struct map names;
    map_init(&names, &arena);
    const char *app = map_intern(&names, "app=web", 3);
    assert_string_equal(app, "app");
    assert_ptr_equal(app, map_intern(&names, "app", 3));
    assert_ptr_not_equal(app, map_intern(&names, "ap", 2));
    assert_ptr_not_equal(app, map_intern(&names, "apps", 4));
    assert_string_equal(map_intern(&names, "", 0), "");
    arena_release(&arena);
}

static void json_is_valid_whatever_the_text(void **state)
{
    (void)state;
    struct memory memory;
    struct text text;
    struct json_out json;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "quote\"d", "a\\b\n\t\x01\x7f");
    json_string(&json, "utf8", "h\xC3\xA9 \xF0\x9F\x90\xB3 \xFF\xC3");
    json_array_begin(&json, "numbers");
    json_integer(&json, NULL, INT64_MIN);
    json_unsigned(&json, NULL, UINT64_MAX);
    json_number(&json, NULL, 0.1);
    json_number(&json, NULL, 1e300);
    json_number(&json, NULL, 1000);
    json_number(&json, NULL, -1.5e-7);
    json_number(&json, NULL, 123456789.125);
    json_boolean(&json, NULL, true);
    json_null(&json, NULL);
    json_array_end(&json);
    json_object_begin(&json, "empty");
    json_object_end(&json);
    json_object_end(&json);
    assert_string_equal(text_content(&text),
                        "{\"quote\\\"d\":\"a\\\\b\\n\\t\\u0001\x7f\","
                        "\"utf8\":\"h\xC3\xA9 \xF0\x9F\x90\xB3 \xEF\xBF\xBD\xEF\xBF\xBD\","
                        "\"numbers\":[-9223372036854775808,18446744073709551615,0.1,1e+300,1000,-1."
                        "5e-07,123456789.125,"
                        "true,null],\"empty\":{}}");
    text_reset(&text);
    json_out_init(&json, &text, 2);
    json_array_begin(&json, NULL);
    json_object_begin(&json, NULL);
    json_string(&json, "a", "b");
    json_object_end(&json);
    json_array_end(&json);
    assert_string_equal(text_content(&text), "[\n  {\n    \"a\": \"b\"\n  }\n]");
    text_release(&text);
    assert_int_equal(memory.used_bytes, 0);
}

static void utf8_is_strict(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t valid;
    } cases[] = {
        {"plain ascii text, longer than a word", 36},
        {"\xC3\xA9", 2},
        {"ab\xC0\x80", 2},       /* overlong NUL */
        {"\xE0\x80\x80", 0},     /* overlong */
        {"\xED\xA0\x80", 0},     /* surrogate */
        {"\xF4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"12345678\xF0\x9F\x90\xB3", 12},
        {"12345678\xF0\x9F\x90", 8}, /* cut short */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(utf8_valid_prefix(cases[i].bytes, strlen(cases[i].bytes)), cases[i].valid);
}

static void problems_say_where_and_what(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct problems problems;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    const struct place place = {"deploy.yaml", 14, 9};
    problem_error(&problems, place, "spec.replicas", "expected a number, found \"%s\"", "three");
    problem_warning(&problems, (struct place){"a.yaml", 0, 0}, NULL, "empty file");
    assert_int_equal(problems.errors, 1);
    assert_int_equal(problems.count, 2);
    assert_string_equal(problem_format(&arena, &problems.items[0]),
                        "deploy.yaml:14:9: spec.replicas: expected a number, found \"three\"");
    assert_string_equal(problem_format(&arena, &problems.items[1]), "a.yaml: warning: empty file");
    arena_release(&arena);
}

static void problems_are_sorted_by_file_and_place(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct problems problems;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    problems_sort(&problems);
    static const struct {
        struct place place;
        const char *message;
    } found[] = {
        {{"b.yaml", 7, 1}, "3"}, {{"a.yaml", 9, 9}, "6"}, {{"b.yaml", 2, 5}, "2"},
        {{NULL, 0, 0}, "7"},     {{"b.yaml", 2, 4}, "1"}, {{"a.yaml", 9, 1}, "4"},
        {{"a.yaml", 9, 1}, "5"}, {{NULL, 0, 0}, "8"},
    };
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
        problem_error(&problems, found[i].place, NULL, "%s", found[i].message);
    problems_sort(&problems);
    for (uint32_t i = 0; i < problems.count; i++)
        assert_int_equal(problems.items[i].message[0], '1' + (int)i);
    arena_release(&arena);
}

static void warnings_that_say_the_same_are_folded(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct problems problems;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    for (uint32_t line = 1; line <= 3; line++) {
        problem_warning(&problems, (struct place){"a.yaml", line, 1}, "kind", "left out");
        problem_error(&problems, (struct place){"a.yaml", line, 1}, "kind", "wrong");
    }
    problem_warning(&problems, (struct place){"a.yaml", 4, 1}, "spec", "left out");
    problems_fold(&problems);
    assert_int_equal(problems.count, 5);
    assert_int_equal(problems.errors, 3);
    assert_string_equal(problem_format(&arena, &problems.items[0]),
                        "a.yaml:1:1: warning: kind: left out (and 2 more)");
    assert_string_equal(problem_format(&arena, &problems.items[4]),
                        "a.yaml:4:1: warning: spec: left out");
    arena_release(&arena);
}

static void hashes_are_the_published_ones(void **state)
{
    (void)state;
    /* XXH3_64bits of the empty input, from its specification. */
    assert_true(hash_bytes("", 0) == UINT64_C(0x2d06800538d394c2));
    assert_true(hash_bytes_seeded("", 0, 1) != hash_bytes("", 0));
}

static void base64_both_ways(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    static const struct {
        const char *plain;
        const char *encoded;
    } pairs[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        size_t count = 0;
        assert_string_equal(base64_encode(&arena, pairs[i].plain, strlen(pairs[i].plain)),
                            pairs[i].encoded);
        assert_string_equal(base64_decode(&arena, pairs[i].encoded, &count), pairs[i].plain);
        assert_int_equal(count, strlen(pairs[i].plain));
    }
    size_t count = 0;
    assert_string_equal(base64_decode(&arena, " Zm\n9v\n", &count), "foo");
    static const char *const wrong[] = {"Z", "Zm9", "Zg=a", "Z===", "Zm9v=", "Zm-v", "===="};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        assert_null(base64_decode(&arena, wrong[i], &count));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_counts_every_byte),
        cmocka_unit_test(memory_fails_on_purpose),
        cmocka_unit_test(memory_may_be_overdrawn_by_what_must_be_served),
        cmocka_unit_test(memory_counts_what_is_claimed),
        cmocka_unit_test(memory_calls_the_hook_when_exhausted),
        cmocka_unit_test(arena_aligns_and_zeroes),
        cmocka_unit_test(arena_rewinds_to_a_mark),
        cmocka_unit_test(arena_stays_within_what_is_reserved),
        cmocka_unit_test(vectors_grow_and_maps_keep_their_order),
        cmocka_unit_test(interned_texts_share_one_pointer),
        cmocka_unit_test(json_is_valid_whatever_the_text),
        cmocka_unit_test(utf8_is_strict),
        cmocka_unit_test(problems_say_where_and_what),
        cmocka_unit_test(problems_are_sorted_by_file_and_place),
        cmocka_unit_test(warnings_that_say_the_same_are_folded),
        cmocka_unit_test(hashes_are_the_published_ones),
        cmocka_unit_test(base64_both_ways),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
