/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published models, against everything that is known of them: all published
 * predictions, and 200 random configurations with exact verdict, second of the
 * first violation and number of states. The predictions alone would let through
 * a third of deliberately wrong rules; the numbers of states do not.
 */
#include "slo/batch.h"
#include "slo/published_rows.h"

#include "model/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
