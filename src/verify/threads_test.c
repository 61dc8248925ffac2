/* SPDX-License-Identifier: Apache-2.0 */
/* However many threads there are, and whether they share setups or each has one of
 * its own, the report is the same to the last step. */
#include "verify/whole_report.h"

static void report_with(const char *manifests, uint32_t jobs, bool exhaustive, bool full,
                        struct memory *memory, struct text *text)
{
    struct fixture fixture;
    struct verify_report report;
    struct verify_options options = unlimited();
    options.jobs = jobs;
    options.parallel_from = 1;
    options.exhaustive = exhaustive;
    options.population.interleaving = full ? INTERLEAVING_FULL : INTERLEAVING_SETTLED;
    options.population.features = features_of_version(26);
    assert_true(fixture_load(&fixture, manifests));
    verify_run(&fixture.arena, &fixture.memory, &fixture.scope, fixture.check->intents,
               fixture.check->intent_count, &options, &report);
    whole_text(&report, memory, text);
    verify_release(&report);
    fixture_release(&fixture);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++) {
        for (int variant = 0; variant < 4; variant++) {
            struct text alone, together;
            report_with(whole_checks[c], 1, variant & 1, variant & 2, &memory, &alone);
            for (uint32_t jobs = 2; jobs <= 4; jobs += 2) {
                report_with(whole_checks[c], jobs, variant & 1, variant & 2, &memory, &together);
                assert_string_equal(text_content(&alone), text_content(&together));
                text_release(&together);
            }
            text_release(&alone);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
