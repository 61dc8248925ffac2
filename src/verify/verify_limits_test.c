/* SPDX-License-Identifier: Apache-2.0 */
/* Limits: kept, told, and never a reason for a wrong verdict. (How much memory and time a
 * process really takes is measured by bench/limits.py.) */
#include "verify/whole_report.h"

struct found {
    enum explore_reason ended_by;
    uint64_t states;
    uint32_t count;
    enum verdict verdicts[FIXTURE_INTENTS_MOST];
};

static struct found run(const char *manifests, struct verify_options options)
{
    struct fixture fixture;
    struct verify_report report;
    options.population.features = features_of_version(26);
    options.parallel_from = 1;
    assert_true(fixture_load(&fixture, manifests));
    verify_run(&fixture.arena, &fixture.memory, &fixture.scope, fixture.check->intents,
               fixture.check->intent_count, &options, &report);
    struct found found = {report.ended_by, report.states, report.result_count, {0}};
    for (uint32_t i = 0; i < found.count; i++) {
        found.verdicts[i] = report.results[i].verdict;
        if (report.results[i].verdict == VERDICT_UNDECIDED)
            assert_int_equal(report.results[i].reason, report.ended_by);
    }
    verify_release(&report);
    fixture_release(&fixture);
    return found;
}

static bool undecided(const struct found *found)
{
    for (uint32_t i = 0; i < found->count; i++)
        if (found->verdicts[i] == VERDICT_UNDECIDED)
            return true;
    return false;
}

/* What is decided is decided as without a limit; nothing holds before all states were seen. */
static void assert_right(const struct found *found, const struct found *whole)
{
    for (uint32_t i = 0; i < whole->count; i++) {
        if (found->verdicts[i] != VERDICT_UNDECIDED)
            assert_int_equal(found->verdicts[i], whole->verdicts[i]);
        if (found->ended_by != EXPLORE_DECIDED && found->states < whole->states)
            assert_int_not_equal(found->verdicts[i], VERDICT_HOLDS);
    }
}

/* The state that is one too many ends the run, and is counted, too; unless all intents are
 * decided by then. */
static void the_limit_on_states_is_kept(void **state)
{
    (void)state;
    static const uint64_t limits[] = {1, 7, 30, 100, 170, 600};
    uint32_t reached = 0;
    for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++) {
        const struct found whole = run(whole_checks[c], unlimited());
        for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
            for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
                struct verify_options options = unlimited();
                options.jobs = jobs;
                options.states_most = limits[i];
                const struct found found = run(whole_checks[c], options);
                assert_right(&found, &whole);
                if (whole.states <= limits[i])
                    assert_int_equal(found.states, whole.states);
                assert_true(found.states <= limits[i] + 1);
                assert_int_equal(found.ended_by,
                                 undecided(&found) ? EXPLORE_STATES : EXPLORE_DECIDED);
                if (found.ended_by == EXPLORE_STATES) {
                    assert_int_equal(found.states, limits[i] + 1);
                    reached++;
                }
            }
        }
    }
    assert_true(reached > 20);
}

/* Wherever memory ends: in the search, among the edges, while cycles are looked for,
 * while a setup is built, with others or alone. */
static void want_of_memory_is_no_verdict(void **state)
{
    (void)state;
    uint32_t reached = 0;
    for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++) {
        const struct found whole = run(whole_checks[c], unlimited());
        for (uint32_t jobs = 1; jobs <= 3; jobs += 2) {
            for (size_t most = 10 << 10; most < 6 << 20; most += most / 3) {
                struct verify_options options = unlimited();
                options.jobs = jobs;
                options.memory_most = most;
                const struct found found = run(whole_checks[c], options);
                assert_right(&found, &whole);
                if (found.ended_by != EXPLORE_DECIDED) {
                    assert_int_equal(found.ended_by, EXPLORE_MEMORY);
                    reached++;
                }
            }
        }
    }
    assert_true(reached > 20);
}

static void who_is_interrupted_says_so(void **state)
{
    (void)state;
    const atomic_bool interrupted = true;
    for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++) {
        struct verify_options options = unlimited();
        options.interrupted = &interrupted;
        options.jobs = 1 + c % 3;
        const struct found found = run(whole_checks[c], options);
        assert_int_equal(found.ended_by, EXPLORE_INTERRUPTED);
        for (uint32_t i = 0; i < found.count; i++)
            assert_int_equal(found.verdicts[i], VERDICT_UNDECIDED);
    }
}

static void no_time_at_all_is_too_little(void **state)
{
    (void)state;
    struct verify_options options = unlimited();
    options.time_most_ms = 0;
    const struct found found = run(whole_checks[0], options);
    assert_int_equal(found.ended_by, EXPLORE_TIME);
    assert_int_equal(found.verdicts[0], VERDICT_UNDECIDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_on_states_is_kept),
        cmocka_unit_test(want_of_memory_is_no_verdict),
        cmocka_unit_test(who_is_interrupted_says_so),
        cmocka_unit_test(no_time_at_all_is_too_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
