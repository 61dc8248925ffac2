/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known models, known answers: states, transitions, depth, verdicts and the
 * length of the shortest counterexample, for one, two and four threads. Where a
 * formula gives the count it is in the model's file; SPIN and Rumur count the
 * rest alike (test/referee).
 */
#include "explore/zoo/zoo_known.h"
#include "explore/zoo/zoo_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const uint32_t thread_counts[] = {1, 2, 4};

static struct exploration *run(struct bench *bench, const struct model *model, uint32_t threads)
{
    struct explore_options options;
    explore_options_init(&options);
    options.threads = threads;
    options.all = true;
    return explore_run(model, &options, &bench->memory);
}

static void known_models_have_known_counts(void **state)
{
    (void)state;
    for (size_t i = 0; zoo_counts[i].model; i++) {
        for (size_t t = 0; t < sizeof(thread_counts) / sizeof(*thread_counts); t++) {
            struct bench bench;
            bench_init(&bench);
            const struct model *model = bench_model(&bench, zoo_counts[i].model);
            assert_non_null(model);
            /* With nothing to judge, nothing ends the search early. */
            model = zoo_with_property(&bench.arena, model, NULL, false);
            struct exploration *result = run(&bench, model, thread_counts[t]);
            const struct statistics *found = &result->statistics;
            if (found->states != zoo_counts[i].states || found->depth != zoo_counts[i].depth ||
                found->transitions != zoo_counts[i].transitions || !result->complete)
                fail_msg("%s, %u threads: %lu states, %lu transitions, depth %lu",
                         zoo_counts[i].model, thread_counts[t], (unsigned long)found->states,
                         (unsigned long)found->transitions, (unsigned long)found->depth);
            explore_free(result);
            assert_int_equal(bench_release(&bench), 0);
        }
    }
}

static void judge(const char *line, const char *property, bool unfair, enum verdict expected,
                  int length)
{
    for (size_t t = 0; t < sizeof(thread_counts) / sizeof(*thread_counts); t++) {
        struct bench bench;
        bench_init(&bench);
        const struct model *model = bench_model(&bench, line);
        assert_non_null(model);
        model = zoo_with_property(&bench.arena, model, property, unfair);
        assert_non_null(model);
        struct exploration *result = run(&bench, model, thread_counts[t]);
        const struct property_result *judged = &result->properties[0];
        if (judged->verdict != expected || result->verdict != expected)
            fail_msg("%s: %s%s: %s", line, property, unfair ? " without fairness" : "",
                     verdict_name(judged->verdict));
        if (length != ZOO_ANY_LENGTH) {
            assert_true(judged->has_path);
            assert_int_equal(judged->path.step_count, length);
        }
        explore_free(result);
        assert_int_equal(bench_release(&bench), 0);
    }
}

static void known_models_have_known_verdicts(void **state)
{
    (void)state;
    for (size_t i = 0; zoo_verdicts[i].model; i++) {
        judge(zoo_verdicts[i].model, zoo_verdicts[i].property, false, zoo_verdicts[i].fair,
              zoo_verdicts[i].length);
        judge(zoo_verdicts[i].model, zoo_verdicts[i].property, true, zoo_verdicts[i].unfair,
              zoo_verdicts[i].length);
    }
}

static void the_fairness_zoo_is_judged_as_by_hand(void **state)
{
    (void)state;
    for (size_t cage = 0; zoo_cages[cage].model; cage++)
        for (size_t form = 0; zoo_forms[form]; form++)
            for (size_t unfair = 0; unfair < 2; unfair++)
                judge(zoo_cages[cage].model, zoo_forms[form], unfair,
                      zoo_cages[cage].expected[3 * form + unfair] == 'H' ? VERDICT_HOLDS
                                                                         : VERDICT_VIOLATED,
                      ZOO_ANY_LENGTH);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    assert_null(bench_model(&bench, "no_such_model"));
    assert_null(bench_model(&bench, "hanoi m=3"));
    assert_null(bench_model(&bench, "hanoi n=0"));
    assert_null(bench_model(&bench, "hanoi n=3x"));
    assert_null(bench_model(&bench, "hanoi n"));
    assert_int_equal(bench_release(&bench), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_models_have_known_counts),
        cmocka_unit_test(known_models_have_known_verdicts),
        cmocka_unit_test(the_fairness_zoo_is_judged_as_by_hand),
        cmocka_unit_test(wrong_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
