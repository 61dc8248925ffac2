/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens when something runs out: a limit is a verdict with its reason,
 * a refused allocation anywhere in a run is neither a crash nor a leak nor a
 * wrong answer, and lossy modes never say `holds` without a caveat.
 */
#include "explore/zoo/zoo_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* One run of a model with all its properties; the caller frees the result. */
static struct exploration *run(struct bench *bench, const char *line,
                               const struct explore_options *options)
{
    const struct model *model = bench_model(bench, line);
    assert_non_null(model);
    return explore_run(model, options, &bench->memory);
}

static void expect_undecided(const char *line, const struct explore_options *options,
                             size_t limit_bytes, enum explore_reason reason)
{
    struct bench bench;
    bench_init(&bench);
    const struct model *model = bench_model(&bench, line);
    assert_non_null(model);
    struct memory memory;
    memory_init(&memory, limit_bytes);
    struct exploration *result = explore_run(model, options, &memory);
    assert_non_null(result);
    if (result->verdict != VERDICT_UNDECIDED || result->reason != reason)
        fail_msg("%s: %s, %s", line, verdict_name(result->verdict),
                 explore_reason_text(result->reason));
    assert_false(result->complete);
    for (uint32_t i = 0; i < result->property_count; i++) {
        assert_int_not_equal(result->properties[i].verdict, VERDICT_HOLDS_PROBABLY);
        if (result->properties[i].verdict == VERDICT_HOLDS)
            assert_true(result->properties[i].has_path);
    }
    explore_free(result);
    assert_int_equal(atomic_load(&memory.used_bytes), 0);
    assert_int_equal(bench_release(&bench), 0);
}

static void every_limit_is_a_verdict_with_its_reason(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct explore_options options;
        explore_options_init(&options);
        options.threads = threads;
        options.parallel_from = 1;

        struct explore_options limited = options;
        limited.states_most = 1000;
        expect_undecided("token_ring n=10", &limited, SIZE_MAX, EXPLORE_STATES);

        limited = options;
        limited.depth_most = 5;
        expect_undecided("token_ring n=10", &limited, SIZE_MAX, EXPLORE_DEPTH);

        limited = options;
        limited.time_most_ms = 0;
        expect_undecided("token_ring n=14", &limited, SIZE_MAX, EXPLORE_TIME);

        const atomic_bool raised = true;
        limited = options;
        limited.interrupted = &raised;
        expect_undecided("token_ring n=14", &limited, SIZE_MAX, EXPLORE_INTERRUPTED);

        expect_undecided("scramble n=1000000", &options, 8 << 20, EXPLORE_MEMORY);
    }
}

/* Not one state more or less, whichever thread comes first: every thread takes ids in
 * blocks larger than the smaller limits. */
static void the_limit_on_states_is_exact(void **state)
{
    (void)state;
    static const uint64_t limits[] = {0, 1, 2, 17, 100, 193, 1000, 5000};
    for (uint32_t threads = 1; threads <= 8; threads++) {
        for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
            struct explore_options options;
            explore_options_init(&options);
            options.threads = threads;
            options.parallel_from = 1;
            options.states_most = limits[i];
            struct bench bench;
            bench_init(&bench);
            struct exploration *result = run(&bench, "token_ring n=10", &options);
            assert_int_equal(result->reason, EXPLORE_STATES);
            assert_int_equal(result->statistics.states, limits[i] + 1);
            explore_free(result);
            assert_int_equal(bench_release(&bench), 0);
        }
    }
}

static void a_limit_that_is_not_reached_changes_nothing(void **state)
{
    (void)state;
    struct explore_options options;
    explore_options_init(&options);
    options.states_most = 20;
    options.depth_most = 7;
    struct bench bench;
    bench_init(&bench);
    struct exploration *result = run(&bench, "peterson n=2", &options);
    assert_int_equal(result->statistics.states, 20);
    assert_int_equal(result->verdict, VERDICT_HOLDS);
    assert_true(result->complete);
    explore_free(result);
    assert_int_equal(bench_release(&bench), 0);
}

static void a_violation_within_the_limit_is_found(void **state)
{
    (void)state;
    struct explore_options options;
    explore_options_init(&options);
    options.depth_most = 7;
    struct bench bench;
    bench_init(&bench);
    struct exploration *result = run(&bench, "hanoi n=3", &options);
    assert_int_equal(result->properties[0].verdict, VERDICT_VIOLATED);
    assert_int_equal(result->properties[0].path.step_count, 7);
    explore_free(result);
    assert_int_equal(bench_release(&bench), 0);
}

/* Refuses the n-th and every later allocation, for every n until the run gets
 * by without that many. What is said must be true or `undecided`. */
static void fail_everywhere(const char *line, const struct explore_options *options)
{
    struct bench bench;
    bench_init(&bench);
    const struct model *model = bench_model(&bench, line);
    assert_non_null(model);
    struct exploration *truth = explore_run(model, options, &bench.memory);
    bool failed = true;
    for (uint64_t call = 1; failed; call++) {
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        memory.fail_at_call = call;
        struct exploration *result = explore_run(model, options, &memory);
        failed = atomic_load(&memory.calls) >= call;
        for (uint32_t i = 0; result && i < result->property_count; i++) {
            const struct property_result *judged = &result->properties[i];
            if (judged->verdict != VERDICT_UNDECIDED || !failed)
                assert_int_equal(judged->verdict, truth->properties[i].verdict);
        }
        if (result && result->verdict == VERDICT_UNDECIDED && failed)
            assert_int_equal(result->reason, EXPLORE_MEMORY);
        if (!result)
            assert_true(failed);
        explore_free(result);
        assert_int_equal(atomic_load(&memory.used_bytes), 0);
    }
    explore_free(truth);
    assert_int_equal(bench_release(&bench), 0);
}

static void refused_memory_is_never_a_crash_or_a_leak(void **state)
{
    (void)state;
    static const char *const models[] = {"philosophers n=3",
                                         "token_ring n=3",
                                         "peterson n=2",
                                         "fairness_zoo start=7",
                                         "queens n=5",
                                         "hanoi n=3",
                                         "stabilising_ring n=4 values=2",
                                         "leader_election n=3"};
    for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
        struct explore_options options;
        explore_options_init(&options);
        options.all = true;
        fail_everywhere(models[i], &options);
        options.threads = 2;
        options.parallel_from = 1;
        fail_everywhere(models[i], &options);
    }
}

static void refused_memory_in_lossy_modes(void **state)
{
    (void)state;
    static const enum explore_mode modes[] = {EXPLORE_HASH_COMPACT, EXPLORE_BITSTATE};
    for (size_t i = 0; i < 2; i++) {
        struct explore_options options;
        explore_options_init(&options);
        options.mode = modes[i];
        options.bitstate_bytes = 1 << 12;
        fail_everywhere("philosophers n=3", &options);
    }
}

static void lossy_modes_never_simply_hold(void **state)
{
    (void)state;
    static const char *const models[] = {"peterson n=3", "token_ring n=6", "hanoi n=4",
                                         "queens n=3", "philosophers n=4"};
    static const enum explore_mode modes[] = {EXPLORE_HASH_COMPACT, EXPLORE_BITSTATE};
    for (size_t i = 0; i < 2 * sizeof(models) / sizeof(*models); i++) {
        struct explore_options options;
        explore_options_init(&options);
        options.mode = modes[i % 2];
        options.all = true;
        options.bitstate_bytes = 1 << 14;
        struct bench bench;
        bench_init(&bench);
        struct exploration *result = run(&bench, models[i / 2], &options);
        assert_int_not_equal(result->verdict, VERDICT_HOLDS);
        bool caveat = false;
        for (uint32_t k = 0; k < result->property_count; k++) {
            const struct property_result *judged = &result->properties[k];
            assert_true(judged->verdict != VERDICT_HOLDS || judged->has_path);
            caveat |= judged->verdict == VERDICT_HOLDS_PROBABLY;
        }
        if (caveat) {
            assert_true(result->omission_probability > 0);
            assert_true(result->omission_probability <= 1);
        }
        explore_free(result);
        assert_int_equal(bench_release(&bench), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_is_a_verdict_with_its_reason),
        cmocka_unit_test(the_limit_on_states_is_exact),
        cmocka_unit_test(a_limit_that_is_not_reached_changes_nothing),
        cmocka_unit_test(a_violation_within_the_limit_is_found),
        cmocka_unit_test(refused_memory_is_never_a_crash_or_a_leak),
        cmocka_unit_test(refused_memory_in_lossy_modes),
        cmocka_unit_test(lossy_modes_never_simply_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
