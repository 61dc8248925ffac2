/* SPDX-License-Identifier: Apache-2.0 */
/* The table of output formats is in order: every result has a format for people first, and
 * every row is complete and found by its name. */
#include "report/formats.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_row_is_complete_and_found(void **state)
{
    (void)state;
    for (const struct format *format = format_table; format->name; format++) {
        assert_int_not_equal(format->result, RESULT_NONE);
        assert_non_null(format->write);
        assert_true(*format->what != '\0');
        assert_ptr_equal(format_find(format->result, format->name), format);
    }
}

/* The default comes first, the others follow by name. */
static void results_begin_with_text(void **state)
{
    (void)state;
    for (int result = RESULT_NONE + 1; result < RESULT_KIND_COUNT; result++) {
        const struct format *first = format_default((enum result_kind)result);
        assert_string_equal(first->name, "text");
        for (const struct format *row = first + 1; row->name && row->result == first->result; row++)
            if (row - 1 != first)
                assert_true(strcmp(row[-1].name, row->name) < 0);
    }
}

/* A result's rows stand together, so that its names come in the order of the table. */
static void rows_of_a_result_stand_together(void **state)
{
    (void)state;
    for (const struct format *row = format_table + 1; row->name; row++)
        assert_true(row->result == row[-1].result || row->result == row[-1].result + 1);
}

static void names_are_listed_and_unknown_ones_are_not_found(void **state)
{
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    assert_string_equal(format_names(&arena, RESULT_OBJECTIVE), "text|json|svg");
    assert_string_equal(format_names(&arena, RESULT_NONE), "");
    assert_null(format_find(RESULT_OBJECTIVE, "sarif"));
    assert_null(format_find(RESULT_NONE, "text"));
    assert_null(format_find(RESULT_OBJECTIVE, ""));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete_and_found),
        cmocka_unit_test(results_begin_with_text),
        cmocka_unit_test(rows_of_a_result_stand_together),
        cmocka_unit_test(names_are_listed_and_unknown_ones_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
