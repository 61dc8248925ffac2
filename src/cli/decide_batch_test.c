/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The batch of `fathom decide`, with a controller that adds two numbers: order,
 * identifiers, and lines that are wrong among lines that are not.
 */
#include "cli/decide_batch.h"

#include "manifest/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool add_scenario(struct arena *arena, const struct value *scenario,
                         const struct features *features, struct json_out *json,
                         struct problems *problems)
{
    (void)arena;
    (void)features;
    int64_t sum = 0;
    json_object_begin(json, "result");
    VALUE_EACH_MEMBER(scenario, member)
    {
        int64_t number = 0;
        if (strcmp(member->key, "id") == 0)
            continue;
        if (!value_read_integer(&member->value, &number))
            value_expected(problems, &member->value, member->key, "a whole number");
        sum += number;
    }
    if (sum < 0)
        problem_error(problems, (struct place){0}, NULL, "expected a sum of at least 0");
    if (problems->errors)
        return false;
    json_integer(json, "sum", sum);
    json_object_end(json);
    return true;
}

static const struct decider adder = {.name = "adder", .decide_scenario = add_scenario};

/* Runs the lines through the batch; gives what was written, to be freed. */
static char *answers(const char *lines, int *code)
{
    struct session session = {.program = "fathom"};
    memory_init(&session.memory, SIZE_MAX);
    arena_init(&session.arena, &session.memory);
    char *written = NULL;
    size_t length = 0;
    FILE *in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r");
    FILE *out = open_memstream(&written, &length);
    assert_non_null(in);
    assert_non_null(out);
    const struct features features = features_of_version(FEATURES_MINOR_FIRST);
    *code = decide_batch(&session, &adder, &features, in, out);
    fclose(in);
    fclose(out);
    arena_release(&session.arena);
    assert_int_equal(session.memory.used_bytes, 0);
    return written;
}

static void lines_are_answered_in_order(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        int code;
        const char *answers;
    } cases[] = {
        {"\n", EXIT_HOLDS, ""},
        {"{\"id\":\"a\",\"x\":1,\"y\":2}\n", EXIT_HOLDS, "{\"id\":\"a\",\"result\":{\"sum\":3}}\n"},
        {"{\"id\":\"a\"}\n \t\r\n{\"id\":7,\"x\":1}", EXIT_HOLDS,
         "{\"id\":\"a\",\"result\":{\"sum\":0}}\n{\"id\":7,\"result\":{\"sum\":1}}\n"},
        {"{}\r\n", EXIT_HOLDS, "{\"id\":null,\"result\":{\"sum\":0}}\n"},
        {"{\"id\":\"a\"}\n{\"id\":\"b\",\"x\":\"one\"}\n{\"id\":\"c\"}\n", EXIT_INPUT,
         "{\"id\":\"a\",\"result\":{\"sum\":0}}\n"
         "{\"id\":\"b\",\"error\":\"<stdin>:2:15: x: expected a whole number, found "
         "\\\"one\\\"\"}\n"
         "{\"id\":\"c\",\"result\":{\"sum\":0}}\n"},
        {"\n{\"id\":\"a\",\"x\":-1}\n", EXIT_INPUT,
         "{\"id\":\"a\",\"error\":\"<stdin>:2:1: expected a sum of at least 0\"}\n"},
        {"[1]\n{\"id\":\"c\"}\n", EXIT_INPUT,
         "{\"id\":null,\"error\":\"<stdin>:1:1: expected a scenario (a mapping), found a list\"}\n"
         "{\"id\":\"c\",\"result\":{\"sum\":0}}\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int code = -1;
        char *written = answers(cases[i].lines, &code);
        assert_string_equal(written, cases[i].answers);
        assert_int_equal(code, cases[i].code);
        free(written);
    }
}

static void a_line_that_is_no_json_keeps_its_place(void **state)
{
    (void)state;
    int code = -1;
    char *written = answers("{\"id\":\"a\"}\n{\"id\":\n{\"id\":\"c\"}\n", &code);
    assert_int_equal(code, EXIT_INPUT);
    assert_non_null(strstr(written, "\n{\"id\":null,\"error\":\"<stdin>:2:"));
    assert_non_null(strstr(written, "\n{\"id\":\"c\",\"result\""));
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_answered_in_order),
        cmocka_unit_test(a_line_that_is_no_json_keeps_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
