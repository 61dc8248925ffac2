/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict under the real autoscaler against brute force: random small
 * services, every traffic of a few seconds played through, one by one. A verdict
 * of holds must survive all of them, a violation must be real, and one that is
 * called shortest must be. Further, what the ranges rest on: proposals grow with
 * usage.
 */
#include "slo/hpa_judge.h"

#include "slo/hpa_population.h"
#include "slo/hpa_run.h"
#include "slo/random_service_test.h"
#include "slo/threshold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SECONDS = 8 };

/* How many services of each kind are drawn; FATHOM_TEST_ROUNDS says otherwise. Few
 * with sanitizers, under which it would take minutes. */
#ifdef __SANITIZE_ADDRESS__
enum { ROUNDS = 30, LARGER = 12 };
#else
enum { ROUNDS = 300, LARGER = 100 };
#endif

static uint32_t rounds_of(uint32_t usual)
{
    const char *given = getenv("FATHOM_TEST_ROUNDS");
    const unsigned long count = given ? strtoul(given, NULL, 10) : 0;
    return count > 0 ? (uint32_t)count : usual;
}

static struct memory memory;

/* ---- brute force ---- */

/* Plays the traffic; the second in which the objective is broken, or 0. False in
 * `allowed` if the load does not allow it. */
static uint32_t play(const struct slo_service *service, const uint32_t *traffic, uint32_t count,
                     bool *allowed)
{
    struct arena arena;
    struct hpa_run run;
    uint32_t broken = 0;
    arena_init(&arena, &memory);
    hpa_run_init(&run, &arena, service);
    *allowed = true;
    for (uint32_t i = 0; i < count && !broken && *allowed; i++) {
        uint32_t least;
        uint32_t most;
        hpa_run_bounds(&run, &least, &most);
        *allowed = traffic[i] >= least && traffic[i] <= most;
        if (*allowed && hpa_run_second(&run, traffic[i], NULL))
            broken = i + 1;
    }
    arena_release(&arena);
    return broken;
}

static uint32_t brute_force(const struct slo_service *service)
{
    uint32_t first = 0;
    uint32_t traffic[SECONDS] = {0};
    for (;;) {
        bool allowed;
        const uint32_t broken = play(service, traffic, first ? first - 1 : SECONDS, &allowed);
        if (allowed && broken > 0)
            first = broken;
        uint32_t digit = 0;
        while (digit < SECONDS && traffic[digit] == DRAWN_RATE_MOST)
            traffic[digit++] = 0;
        if (digit == SECONDS || first == 1)
            return first;
        traffic[digit]++;
    }
}

/* Long traffic at random: stretches of none, all or something. */
static uint32_t random_traffic(const struct slo_service *service)
{
    enum { TRAFFICS = 60, LONG = 80 };
    uint32_t traffic[LONG];
    for (uint32_t i = 0; i < TRAFFICS; i++) {
        struct arena arena;
        struct hpa_run run;
        uint32_t broken = 0;
        uint32_t left = 0;
        uint32_t kind = 0;
        arena_init(&arena, &memory);
        hpa_run_init(&run, &arena, service);
        for (uint32_t second = 0; second < LONG && !broken; second++) {
            uint32_t least;
            uint32_t most;
            hpa_run_bounds(&run, &least, &most);
            if (left-- == 0) {
                left = draw(0, 12);
                kind = draw(0, 2);
            }
            traffic[second] = kind == 0 ? least : kind == 1 ? most : draw(least, most);
            broken = hpa_run_second(&run, traffic[second], NULL) ? second + 1 : 0;
        }
        arena_release(&arena);
        if (broken)
            return broken;
    }
    return 0;
}

static void check_timeline(const struct slo_service *service, const struct slo_timeline *timeline)
{
    uint32_t traffic[4096];
    bool allowed;
    assert_in_range(timeline->count, 1, 4096);
    for (uint32_t i = 0; i < timeline->count; i++)
        traffic[i] = timeline->seconds[i].requests;
    assert_int_equal(play(service, traffic, timeline->count, &allowed), timeline->count);
    assert_true(allowed);
}

/* ---- the population by itself ---- */

/* Where a real run breaks the objective, the population must suspect it, however
 * coarse it is. (The verdict as a whole would not show it: traffic that is found by
 * other means is believed anyway.) */
static void check_population(const struct slo_service *service, uint64_t seed)
{
    static const struct property property = {
        .name = "objective", .kind = PROPERTY_STEP_INVARIANT, .marks = SLO_MARK_VIOLATED};
    for (uint32_t i = 0; i < 4; i++) {
        struct hpa_population population;
        struct explore_options options;
        explore_options_init(&options);
        options.states_most = 5000;
        assert_true(hpa_population_init(&population, service, 1 + i / 2 * 3, 0, i % 2));
        population.model.properties = &property;
        population.model.property_count = 1;
        struct exploration *found = explore_run(&population.model, &options, &memory);
        assert_non_null(found);
        if (found->verdict == VERDICT_HOLDS)
            fail_msg("seed %u: the population does not see a violation", (unsigned)seed);
        explore_free(found);
    }
}

static void test_random_services(void **state)
{
    (void)state;
    const uint32_t rounds = rounds_of(ROUNDS);
    uint32_t counts[3] = {0};
    uint32_t shortest = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct drawn drawn;
        struct arena arena;
        struct slo_limits limits;
        struct slo_timeline timeline = {0};
        dice.state = seed;
        draw_service(&drawn);
        arena_init(&arena, &memory);
        slo_limits_init(&limits);
        limits.states_most = 50000;
        const struct slo_verdict found =
            hpa_judge(&arena, &drawn.service, &limits, &memory, &timeline);
        const uint32_t first = brute_force(&drawn.service);
        counts[found.verdict]++;
        shortest += found.shortest;
        if (found.verdict == VERDICT_HOLDS && first > 0)
            fail_msg("seed %u: said to hold, broken in second %u", (unsigned)seed, first);
        if (found.verdict == VERDICT_HOLDS && random_traffic(&drawn.service) > 0)
            fail_msg("seed %u: said to hold, broken by long traffic", (unsigned)seed);
        if (found.verdict == VERDICT_VIOLATED) {
            check_timeline(&drawn.service, &timeline);
            check_population(&drawn.service, seed);
            if (first > 0 && found.second < first)
                fail_msg("seed %u: second %u, but %u", (unsigned)seed, found.second, first);
            if (found.shortest && (first > 0 ? found.second != first : found.second <= SECONDS))
                fail_msg("seed %u: shortest %u, but %u", (unsigned)seed, found.second, first);
        }
        arena_release(&arena);
    }
    print_message("%u hold, %u violated (%u shown shortest), %u undecided\n", counts[VERDICT_HOLDS],
                  counts[VERDICT_VIOLATED], shortest, counts[VERDICT_UNDECIDED]);
    assert_true(counts[VERDICT_HOLDS] > rounds / 20);
    assert_true(counts[VERDICT_VIOLATED] > rounds / 6);
    assert_true(counts[VERDICT_UNDECIDED] < rounds / 3);
}

/* ---- larger services ---- */

/* Services large enough that a request more or less does not matter. */
static void draw_larger_service(struct drawn *drawn)
{
    draw_service(drawn);
    struct slo_service *service = &drawn->service;
    service->handled = draw(20, 60);
    service->queue_most = service->handled * draw(2, 8);
    service->pods_max = draw(service->pods_min, 6);
    service->startup = draw(0, 8);
    service->load.positions = 1;
    service->load.loop_to = 0;
    drawn->rates[0] = service->handled * service->pods_max * draw(30, 120) / 100;
    drawn->hpa.sync_period = draw(2, 8);
    drawn->hpa.resolution = draw(2, 8);
    drawn->hpa.delay = draw(0, drawn->hpa.resolution - 1);
}

static void test_population_suspects_all(void **state)
{
    (void)state;
    const uint32_t rounds = rounds_of(LARGER);
    uint32_t violated = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct drawn drawn;
        struct arena arena;
        struct slo_limits limits;
        dice.state = seed;
        draw_larger_service(&drawn);
        arena_init(&arena, &memory);
        slo_limits_init(&limits);
        limits.states_most = 5000;
        const struct slo_verdict found = hpa_judge(&arena, &drawn.service, &limits, &memory, NULL);
        if (found.verdict == VERDICT_VIOLATED) {
            violated++;
            check_population(&drawn.service, seed);
        } else if (found.verdict == VERDICT_HOLDS && random_traffic(&drawn.service) > 0) {
            fail_msg("seed %u: said to hold, broken by long traffic", (unsigned)seed);
        }
        arena_release(&arena);
    }
    assert_in_range(violated, rounds / 8, rounds - rounds / 8);
}

/* The service of examples/slo-nginx: at 222 requests a second it takes traffic that
 * begins in the middle of a window, so that the first sync sees too little. */
static void test_a_sync_that_sees_too_little(void **state)
{
    (void)state;
    static const struct {
        uint32_t rate;
        enum verdict verdict;
    } cases[] = {{200, VERDICT_HOLDS},
                 {220, VERDICT_HOLDS},
                 {222, VERDICT_VIOLATED},
                 {230, VERDICT_VIOLATED}};
    /* Those close to the limit take most of the time: all, or the first and the last. */
    const size_t count = sizeof(cases) / sizeof(cases[0]);
    const size_t stride = rounds_of(ROUNDS) < 100 ? count - 1 : 1;
    for (size_t i = 0; i < count; i += stride) {
        struct arena arena;
        struct slo_limits limits;
        struct drawn drawn;
        dice.state = 1;
        draw_service(&drawn);
        drawn.hpa = (struct slo_hpa){.features = features_of_version(26),
                                     .flags = hpa_default_flags(),
                                     .metric = {.source = METRIC_RESOURCE,
                                                .target = HPA_TARGET_UTILIZATION,
                                                .target_value = 80,
                                                .cpu = true},
                                     .request = {NULL, 25},
                                     .busy_milli = 40,
                                     .sync_period = 15,
                                     .resolution = 15};
        drawn.rates[0] = cases[i].rate;
        drawn.service = (struct slo_service){
            .rule = SLO_HORIZONTAL_POD_AUTOSCALER,
            .queue_most = 1666,
            .handled = 166,
            .pods_initial = 1,
            .pods_min = 1,
            .pods_max = 4,
            .startup = 5,
            .balancing = SLO_ROUND_ROBIN,
            .load = {drawn.rates, drawn.low, 1, 0, UINT32_MAX, UINT32_MAX},
            .divisor = 1,
            .hpa = &drawn.hpa,
        };
        arena_init(&arena, &memory);
        slo_limits_init(&limits);
        const struct slo_verdict found = hpa_judge(&arena, &drawn.service, &limits, &memory, NULL);
        assert_int_equal(found.verdict, cases[i].verdict);
        if (found.verdict == VERDICT_VIOLATED)
            check_population(&drawn.service, 0);
        arena_release(&arena);
    }
}

/* ---- what the ranges rest on ---- */

static void test_proposals_grow_with_usage(void **state)
{
    (void)state;
    enum { CLASSES = 3, TRIALS = 3000 };
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        struct drawn drawn;
        struct hpa_pod_class classes[CLASSES];
        struct hpa_sample samples[CLASSES];
        dice.state = seed;
        draw_service(&drawn);
        int32_t last = 0;
        uint32_t replicas = 0;
        for (uint32_t i = 0; i < CLASSES; i++) {
            const uint32_t kind = draw(i == 0 ? 2 : 0, 2); /* starts, not sampled, sampled */
            samples[i] = (struct hpa_sample){
                .state = kind == 2 ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NONE,
                .window = INT64_C(15000000000),
            };
            classes[i] = (struct hpa_pod_class){
                .count = draw(1, 5),
                .phase = kind == 0 ? POD_PENDING : POD_RUNNING,
                .readiness = kind == 0 ? HPA_READY_FALSE : HPA_READY_TRUE,
                .started = kind > 0,
                .start_age = INT64_C(60000000000),
                .ready_age = i > 0 && draw(0, 1) ? INT64_C(5000000000) : INT64_C(60000000000),
                .samples = &samples[i],
                .requests = &drawn.hpa.request,
            };
            replicas += (uint32_t)classes[i].count;
        }
        drawn.service.pods_max = 100;
        for (int64_t usage = 0; usage <= 300; usage += 5) {
            struct hpa_input input = slo_hpa_input(&drawn.service, replicas);
            struct hpa_proposal proposal;
            for (uint32_t i = 0; i < CLASSES; i++)
                samples[i].milli = usage;
            input.pods = classes;
            input.pod_count = CLASSES;
            hpa_propose(&input, 0, &proposal);
            if (proposal.failure != HPA_OK)
                break;
            if (proposal.replicas < last)
                fail_msg("seed %u: %d after %d at %d", (unsigned)seed, proposal.replicas, last,
                         (int)usage);
            last = proposal.replicas;
        }
    }
}

int main(void)
{
    memory_init(&memory, SIZE_MAX);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proposals_grow_with_usage),
        cmocka_unit_test(test_random_services),
        cmocka_unit_test(test_population_suspects_all),
        cmocka_unit_test(test_a_sync_that_sees_too_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
