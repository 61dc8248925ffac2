/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocked time on random small setups:
 *
 * - Ticks are fine enough: with time in halves and thirds of a tick every
 *   verdict is the same (docs/fidelity.md says why).
 * - Whatever may happen by the clock may happen if order alone counts, as long
 *   as the premise of the latter is kept: settling takes no time.
 */
#include "cluster/build/random_clocked.h"
#include "verify/verify_fixture.h"

/* With sanitizers a part of the setups: what else there is would run the same code. */
#ifdef __SANITIZE_ADDRESS__
enum { PART = 5 };
#else
enum { PART = 1 };
#endif
enum { SETUPS = 80 / PART, MORE_SETUPS = 1000 / PART, STATES_MOST = 15000 };

static void finer_ticks_find_the_same(void **state)
{
    (void)state;
    struct memory memory;
    struct text text;
    uint32_t compared = 0;
    uint32_t violated = 0;
    uint64_t states = 0;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    for (uint64_t seed = 0; seed < SETUPS; seed++) {
        struct dice dice = {seed};
        struct verify_options options = unlimited();
        text_reset(&text);
        write_setup(&text, &dice, "clocked");
        options.states_most = STATES_MOST;
        const struct outcome whole = verify(text_content(&text), options);
        states += whole.states;
        /* The grace period of nodes is 40 s, of which no part of a third is whole. */
        const uint32_t most = strstr(text_content(&text), "nodeFailure") ? 2 : 3;
        for (options.population.tick_parts = 2; options.population.tick_parts <= most;
             options.population.tick_parts++) {
            const struct outcome parts = verify(text_content(&text), options);
            for (int i = 0; i < FIXTURE_INTENTS_MOST - 1; i++) {
                if (whole.verdicts[i] == VERDICT_UNDECIDED ||
                    parts.verdicts[i] == VERDICT_UNDECIDED)
                    continue;
                if (whole.verdicts[i] != parts.verdicts[i])
                    print_message("seed %d, intent %d, 1/%u ticks\n%s", (int)seed, i,
                                  options.population.tick_parts, text_content(&text));
                assert_int_equal(whole.verdicts[i], parts.verdicts[i]);
                compared++;
                violated += whole.verdicts[i] == VERDICT_VIOLATED;
            }
        }
    }
    text_release(&text);
    print_message("%u verdicts compared, %u of them violated; %llu states in whole ticks\n",
                  compared, violated, (unsigned long long)states);
    assert_true(compared > 500 / PART && violated > 100 / PART && violated < compared - 100 / PART);
}

/* Pods that take their time to start, nodes that fail unnoticed, ages and waves
 * are what clocks are for. */
static bool settles_at_once(const char *manifests)
{
    return !strstr(manifests, "readinessProbe") && !strstr(manifests, "nodeFailure") &&
           !strstr(manifests, "PodLifeTime") && !strstr(manifests, "loadPattern");
}

static void clocks_bring_nothing_new(void **state)
{
    (void)state;
    struct memory memory;
    struct text text;
    uint32_t compared = 0;
    uint32_t only_without = 0;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    for (uint64_t seed = 0; seed < MORE_SETUPS; seed++) {
        struct dice dice = {seed};
        struct verify_options options = unlimited();
        text_reset(&text);
        write_setup(&text, &dice, "clocked");
        if (!settles_at_once(text_content(&text)))
            continue;
        options.states_most = STATES_MOST;
        const struct outcome by_clock = verify(text_content(&text), options);
        dice = (struct dice){seed};
        text_reset(&text);
        write_setup(&text, &dice, "asynchronous");
        const struct outcome by_order = verify(text_content(&text), options);
        for (int i = 0; i < FIXTURE_INTENTS_MOST - 1; i++) {
            if (by_clock.verdicts[i] == VERDICT_UNDECIDED ||
                by_order.verdicts[i] == VERDICT_UNDECIDED)
                continue;
            if (by_clock.verdicts[i] == VERDICT_VIOLATED &&
                by_order.verdicts[i] != VERDICT_VIOLATED)
                fail_msg("seed %d, intent %d: violated by the clock only\n%s", (int)seed, i,
                         text_content(&text));
            compared++;
            only_without += by_clock.verdicts[i] != by_order.verdicts[i];
        }
    }
    text_release(&text);
    print_message("%u verdicts compared, %u violated without clocks only\n", compared,
                  only_without);
    assert_true(compared > 1000 / PART && only_without > 10 / PART);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finer_ticks_find_the_same),
        cmocka_unit_test(clocks_bring_nothing_new),
    };
    return cmocka_run_group_tests_name("clock_ticks", tests, NULL, NULL);
}
