/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scaling up and down for ever under a constant load, against long runs of random
 * small services: where it is said not to be, every rate must come to rest; where it
 * is shown, it must go on.
 */
#include "slo/hpa_loop.h"

#include "slo/hpa_run.h"
#include "slo/random_service_test.h"
#include "slo/threshold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 300, SETTLED = 400, LONG = 600 };

static struct memory memory;

/* What the autoscaler did after it should have settled. */
static uint64_t late_marks(const struct slo_service *service, uint32_t rate)
{
    struct arena arena;
    struct hpa_run run;
    uint64_t marks = 0;
    arena_init(&arena, &memory);
    hpa_run_init(&run, &arena, service);
    for (uint32_t second = 0; second < LONG; second++) {
        struct slo_second told;
        uint32_t least;
        uint32_t most;
        hpa_run_bounds(&run, &least, &most);
        hpa_run_second(&run, rate < least ? least : rate > most ? most : rate, &told);
        if (second >= SETTLED)
            marks |= told.marks | (told.requests != rate ? SLO_MARK_LOAD_CHANGED : 0);
    }
    arena_release(&arena);
    return marks;
}

static bool swings(uint64_t marks)
{
    return (marks & SLO_MARK_ASKED) && (marks & SLO_MARK_DROPPED) &&
           !(marks & SLO_MARK_LOAD_CHANGED);
}

static void test_random_services(void **state)
{
    (void)state;
    uint32_t counts[3] = {0};
    uint32_t grows = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct drawn drawn;
        struct arena arena;
        struct slo_limits limits;
        struct slo_answer answer;
        dice.state = seed;
        draw_service(&drawn);
        drawn.rates[0] += draw(0, 4); /* more than can be handled, at times */
        if (draw(0, 1)) {
            /* Pods enough to overshoot: several syncs see the same sample. */
            drawn.service.pods_max = draw(drawn.service.pods_min, 12);
            drawn.service.load.positions = 1;
            drawn.service.load.loop_to = 0;
            drawn.rates[0] = draw(8, 20);
            drawn.hpa.resolution = draw(2, 8);
            drawn.hpa.delay = draw(0, drawn.hpa.resolution - 1);
            drawn.hpa.flags.downscale_window = 0;
        }
        arena_init(&arena, &memory);
        slo_limits_init(&limits);
        hpa_loop(&arena, &drawn.service, &limits, &memory, &answer);
        counts[answer.verdict]++;
        grows += strstr(answer.note ? answer.note : "", "grow for ever") != NULL;
        const uint32_t peak = slo_load_peak(&drawn.service.load);
        for (uint32_t rate = 0; answer.verdict == VERDICT_HOLDS && rate <= peak; rate++)
            if (swings(late_marks(&drawn.service, rate)))
                fail_msg("seed %u: said to settle, does not at %u", (unsigned)seed, rate);
        if (answer.verdict == VERDICT_VIOLATED &&
            !swings(late_marks(&drawn.service,
                               answer.timeline.seconds[answer.timeline.count - 1].requests)))
            fail_msg("seed %u: said not to settle, but does", (unsigned)seed);
        arena_release(&arena);
    }
    print_message("%u hold (%u with growing queues), %u violated, %u undecided\n",
                  counts[VERDICT_HOLDS], grows, counts[VERDICT_VIOLATED],
                  counts[VERDICT_UNDECIDED]);
    assert_true(counts[VERDICT_HOLDS] > ROUNDS / 2);
    assert_true(counts[VERDICT_VIOLATED] > 0);
    assert_true(grows > ROUNDS / 10);
}

int main(void)
{
    memory_init(&memory, SIZE_MAX);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_services)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
