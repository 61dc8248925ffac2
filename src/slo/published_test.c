/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published models, against everything that is known of them: all published
 * predictions, and 200 random configurations with exact verdict, second of the
 * first violation and number of states. The predictions alone would let through
 * a third of deliberately wrong rules; the numbers of states do not.
 */
#include "slo/batch.h"
#include "slo/published_rows.h"

#include "decide/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct memory memory;
static struct arena arena;

static int setup(void **state)
{
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

struct tally {
    uint32_t rows, agree;
    uint64_t states; /* of the rows that hold: all there are */
    uint64_t states_most;
};

static struct tally judge_rows(enum published_model model, int64_t processing_ms,
                               int64_t queue_limit)
{
    struct tally tally = {0};
    struct published_row row;
    struct slo_limits limits;
    struct problems problems;
    slo_limits_init(&limits);
    problems_init(&problems, &arena);
    FILE *file = published_rows_open(getenv("FATHOM_SOURCE_ROOT"), model);
    while (published_row_read(file, model, &row)) {
        struct slo_service service;
        if (processing_ms > 0)
            row.parameters.processing_ms = processing_ms;
        if (queue_limit > 0)
            row.parameters.queue_limit = queue_limit;
        assert_true(published_service(&arena, model, &row.parameters, (struct place){0}, &service,
                                      &problems));
        const struct slo_verdict found = slo_judge(&service, false, &limits, &memory);
        assert_int_not_equal(found.verdict, VERDICT_UNDECIDED);
        tally.rows++;
        tally.agree += (found.verdict == VERDICT_HOLDS) == row.predicted;
        if (found.verdict != VERDICT_HOLDS)
            continue;
        tally.states += found.states;
        tally.states_most = found.states > tally.states_most ? found.states : tally.states_most;
    }
    fclose(file);
    return tally;
}

static void test_published_predictions(void **state)
{
    (void)state;
    const struct tally nginx = judge_rows(PUBLISHED_NGINX, 0, 0);
    assert_int_equal(nginx.rows, 132);
    assert_int_equal(nginx.agree, 132);
    assert_int_equal(nginx.states, 5204);
    assert_int_equal(nginx.states_most, 924);
    const struct tally nodejs = judge_rows(PUBLISHED_NODEJS, 0, 0);
    assert_int_equal(nodejs.rows, 228);
    assert_int_equal(nodejs.agree, 228);
    assert_int_equal(nodejs.states_most, 7561);
}

/* The abstraction of the published NGINX model does not change a verdict from a
 * limit of 50 on. */
static void test_without_divisor(void **state)
{
    (void)state;
    assert_int_equal(judge_rows(PUBLISHED_NGINX, 0, 100).agree, 132);
    assert_int_equal(judge_rows(PUBLISHED_NGINX, 0, 200).agree, 132);
}

/* ---- the table of docs/slo.md ---- */

/* Predicted and measured: met means that at least half of the trials met it. */
struct confusion {
    uint32_t true_yes, false_yes, true_no, false_no;
};

static struct confusion confuse(enum published_model model, int64_t processing_ms,
                                int64_t queue_limit)
{
    struct confusion confusion = {0};
    struct published_row row;
    struct slo_limits limits;
    struct problems problems;
    slo_limits_init(&limits);
    problems_init(&problems, &arena);
    FILE *file = published_rows_open(getenv("FATHOM_SOURCE_ROOT"), model);
    while (published_row_read(file, model, &row)) {
        struct slo_service service;
        if (processing_ms > 0)
            row.parameters.processing_ms = processing_ms;
        if (queue_limit > 0)
            row.parameters.queue_limit = queue_limit;
        assert_true(published_service(&arena, model, &row.parameters, (struct place){0}, &service,
                                      &problems));
        const bool says = slo_judge(&service, false, &limits, &memory).verdict == VERDICT_HOLDS;
        const bool met = 2 * row.trials_met >= row.trials;
        confusion.true_yes += says && met;
        confusion.false_yes += says && !met;
        confusion.true_no += !says && !met;
        confusion.false_no += !says && met;
    }
    fclose(file);
    return confusion;
}

static void write_row(struct text *text, const char *name, struct confusion confusion)
{
    const uint32_t right = confusion.true_yes + confusion.true_no;
    const uint32_t all = right + confusion.false_yes + confusion.false_no;
    text_printf(text, "| %s | %u | %u | %u | %u | %.1f %% |\n", name, confusion.true_yes,
                confusion.false_yes, confusion.true_no, confusion.false_no, 100.0 * right / all);
}

static char *read_manual(void)
{
    FILE *file = fopen(arena_printf(&arena, "%s/docs/slo.md", getenv("FATHOM_SOURCE_ROOT")), "r");
    assert_non_null(file);
    char *content = arena_allocate(&arena, 1 << 17);
    assert_in_range(fread(content, 1, (1 << 17) - 1, file), 1, (1 << 17) - 2);
    fclose(file);
    return content;
}

/* Shown with FATHOM_UPDATE=1, to be copied there. */
static void test_table_in_the_manual(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum published_model model;
        int64_t processing_ms, queue_limit;
    } rows[] = {
        {"NGINX, 6 ms, limit 50 (as published)", PUBLISHED_NGINX, 6, 50},
        {"NGINX, 8 ms", PUBLISHED_NGINX, 8, 50},
        {"NGINX, 9 ms", PUBLISHED_NGINX, 9, 50},
        {"NGINX, 10 ms", PUBLISHED_NGINX, 10, 50},
        {"NGINX, 12 ms", PUBLISHED_NGINX, 12, 50},
        {"NGINX, 14 ms", PUBLISHED_NGINX, 14, 50},
        {"NGINX, 6 ms, limit 12", PUBLISHED_NGINX, 6, 12},
        {"NGINX, 6 ms, limit 25", PUBLISHED_NGINX, 6, 25},
        {"NGINX, 6 ms, limit 200", PUBLISHED_NGINX, 6, 200},
        {"Node.js (as published)", PUBLISHED_NODEJS, 0, 0},
    };
    struct text text;
    text_init(&text, &memory);
    text_append_string(&text,
                       "| model | yes, met | yes, not met | no, not met | no, met | right |\n"
                       "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        write_row(&text, rows[i].name,
                  confuse(rows[i].model, rows[i].processing_ms, rows[i].queue_limit));
    if (getenv("FATHOM_UPDATE"))
        print_message("%s", text_content(&text));
    assert_non_null(strstr(read_manual(), text_content(&text)));
    text_release(&text);
}

static bool decide_scenario(struct arena *scratch, const struct value *scenario,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    (void)features;
    struct slo_limits limits;
    enum verdict verdict = VERDICT_UNDECIDED;
    slo_limits_init(&limits);
    return slo_answer_line(scratch, scenario, &limits, &verdict, json, problems);
}

static const struct decider slo_decider = {
    .name = "slo",
    .decide_scenario = decide_scenario,
};

static void test_recorded_lines(void **state)
{
    (void)state;
    const struct conformance_count count = conformance_run(&slo_decider, "slo-open.jsonl.gz", NULL);
    assert_int_equal(count.records, 200);
    assert_int_equal(count.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_published_predictions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_divisor, setup, teardown),
        cmocka_unit_test(test_recorded_lines),
        cmocka_unit_test_setup_teardown(test_table_in_the_manual, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
