/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadlock, nonblocking and controllability under the real autoscaler, against
 * runs: random services, random traffic. Every second must have a next one and take
 * all its requests; where the service is said to return to idle it must, from
 * wherever the traffic led; where it is said not to, it must not.
 */
#include "slo/hpa_always.h"

#include "slo/hpa_run.h"
#include "slo/random_service_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 1000, WALK = 60, PATIENCE = 200 };

static struct memory memory;

static void draw_variant(struct drawn *drawn)
{
    draw_service(drawn);
    struct slo_service *service = &drawn->service;
    service->load.low[draw(service->load.loop_to, service->load.positions - 1)] = true;
    if (draw(0, 3) == 0)
        service->load.fall = 1;
    if (draw(0, 4) == 0)
        drawn->hpa.flags.tolerance = 1;
    if (drawn->hpa.scale_down && draw(0, 1))
        drawn->down.select_policy = SCALING_SELECT_DISABLED;
    if (drawn->hpa.scale_up && draw(0, 3) == 0)
        drawn->up.select_policy = SCALING_SELECT_DISABLED;
}

static uint64_t waiting(const struct hpa_run *run)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < run->pod_count; i++)
        sum += run->pods[i].queue;
    return sum;
}

/* As documented, not as the answer computes it. */
static bool is_idle(const struct hpa_run *run)
{
    const struct slo_service *service = run->service;
    return waiting(run) == 0 && hpa_run_ready(run) == run->pod_count &&
           run->pod_count <= service->pods_initial && service->load.low[run->position];
}

enum traffic { LEAST, MOST, ANY };

/* One second, which must be possible and take all that comes. */
static void walk(struct hpa_run *run, enum traffic traffic)
{
    struct slo_second told;
    uint32_t least;
    uint32_t most;
    hpa_run_bounds(run, &least, &most);
    assert_true(least <= most);
    assert_in_range(hpa_run_ready(run), 1, run->service->pods_max);
    const uint64_t before = waiting(run);
    const uint32_t requests = traffic == LEAST ? least : traffic == MOST ? most : draw(least, most);
    hpa_run_second(run, requests, &told);
    uint64_t after = 0;
    for (uint32_t i = 0; i < told.queue_count; i++)
        after += told.queue[i];
    assert_int_equal(after, before + requests);
}

static void check_returns(const struct slo_service *service, uint64_t seed)
{
    struct arena arena;
    struct hpa_run run;
    arena_init(&arena, &memory);
    hpa_run_init(&run, &arena, service);
    for (uint32_t left = draw(0, WALK); left > 0; left--)
        walk(&run, draw(0, 2) ? MOST : ANY);
    uint32_t waited = 0;
    for (; !is_idle(&run) && waited < PATIENCE; waited++)
        walk(&run, LEAST);
    if (waited == PATIENCE)
        fail_msg("seed %u: said to return to idle, but does not", (unsigned)seed);
    arena_release(&arena);
}

/* After the traffic that is shown it never is idle again. */
static void check_stays(const struct slo_service *service, const struct slo_timeline *timeline,
                        uint64_t seed)
{
    struct arena arena;
    struct hpa_run run;
    arena_init(&arena, &memory);
    hpa_run_init(&run, &arena, service);
    assert_true(timeline->count > 0);
    for (uint32_t i = 0; i < timeline->count; i++) {
        uint32_t least;
        uint32_t most;
        hpa_run_bounds(&run, &least, &most);
        assert_in_range(timeline->seconds[i].requests, least, most);
        hpa_run_second(&run, timeline->seconds[i].requests, NULL);
    }
    for (uint32_t i = 0; i < PATIENCE; i++) {
        if (is_idle(&run))
            fail_msg("seed %u: said not to return to idle, but does", (unsigned)seed);
        walk(&run, i < WALK ? ANY : LEAST);
    }
    arena_release(&arena);
}

static struct slo_answer ask(struct arena *arena, const struct slo_service *service,
                             enum slo_question question)
{
    struct slo_answer answer;
    struct slo_limits limits;
    slo_limits_init(&limits);
    slo_ask(arena, service, question, &limits, &memory, &answer);
    assert_int_equal(answer.question, question);
    assert_non_null(answer.note);
    return answer;
}

static void test_random_services(void **state)
{
    (void)state;
    uint32_t counts[3] = {0};
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct drawn drawn;
        struct arena arena;
        dice.state = seed;
        draw_variant(&drawn);
        arena_init(&arena, &memory);
        const struct slo_answer answer = ask(&arena, &drawn.service, SLO_NONBLOCKING);
        counts[answer.verdict]++;
        if (answer.verdict == VERDICT_HOLDS)
            for (uint32_t i = 0; i < 5; i++)
                check_returns(&drawn.service, seed);
        else if (answer.verdict == VERDICT_VIOLATED)
            check_stays(&drawn.service, &answer.timeline, seed);
        assert_int_equal(ask(&arena, &drawn.service, SLO_DEADLOCK).verdict, VERDICT_HOLDS);
        assert_int_equal(ask(&arena, &drawn.service, SLO_CONTROLLABILITY).verdict, VERDICT_HOLDS);
        arena_release(&arena);
    }
    print_message("%u hold, %u violated, %u undecided\n", counts[VERDICT_HOLDS],
                  counts[VERDICT_VIOLATED], counts[VERDICT_UNDECIDED]);
    assert_true(counts[VERDICT_HOLDS] > ROUNDS / 2);
    assert_true(counts[VERDICT_VIOLATED] > ROUNDS / 20);
}

/* ---- by hand ---- */

/* One pod at first, four at most; a busy pod uses 160 % of its request. */
static void make_service(struct drawn *drawn)
{
    memset(drawn, 0, sizeof(*drawn));
    drawn->policies[0] = (struct scaling_policy){SCALING_PODS, 4, 15};
    drawn->up = (struct scaling_rules){.policies = drawn->policies, .policy_count = 1};
    drawn->down = (struct scaling_rules){.policies = drawn->policies, .policy_count = 1};
    drawn->hpa = (struct slo_hpa){.features = features_of_version(33),
                                  .flags = hpa_default_flags(),
                                  .scale_up = &drawn->up,
                                  .scale_down = &drawn->down,
                                  .metric = {.source = METRIC_RESOURCE,
                                             .target = HPA_TARGET_UTILIZATION,
                                             .target_value = 80,
                                             .cpu = true},
                                  .request = {NULL, 25},
                                  .busy_milli = 40,
                                  .sync_period = 15,
                                  .resolution = 15};
    drawn->rates[0] = 200;
    drawn->low[0] = true;
    drawn->service = (struct slo_service){
        .rule = SLO_HORIZONTAL_POD_AUTOSCALER,
        .queue_most = 1000,
        .handled = 100,
        .pods_initial = 1,
        .pods_min = 1,
        .pods_max = 4,
        .startup = 5,
        .balancing = SLO_ROUND_ROBIN,
        .load = {drawn->rates, drawn->low, 1, 0, UINT32_MAX, UINT32_MAX},
        .divisor = 1,
        .hpa = &drawn->hpa,
    };
}

static void expect(const struct drawn *drawn, enum verdict verdict)
{
    struct arena arena;
    arena_init(&arena, &memory);
    const struct slo_answer answer = ask(&arena, &drawn->service, SLO_NONBLOCKING);
    assert_int_equal(answer.verdict, verdict);
    assert_int_equal(answer.timeline.count > 0, verdict == VERDICT_VIOLATED);
    if (verdict == VERDICT_VIOLATED)
        check_stays(&drawn->service, &answer.timeline, 0);
    arena_release(&arena);
}

static void test_pods_that_never_go(void **state)
{
    (void)state;
    struct drawn drawn;
    make_service(&drawn);
    expect(&drawn, VERDICT_HOLDS);
    drawn.down.select_policy = SCALING_SELECT_DISABLED;
    expect(&drawn, VERDICT_VIOLATED);
    /* As many as there can be are there from the start on. */
    drawn.service.pods_initial = 4;
    expect(&drawn, VERDICT_HOLDS);
    drawn.service.pods_initial = 3;
    expect(&drawn, VERDICT_VIOLATED);
    /* It never asks for more either: busy pods are within the tolerance, or just not. */
    drawn.rates[0] = 300;
    drawn.hpa.metric.target_value = 146;
    expect(&drawn, VERDICT_HOLDS);
    drawn.hpa.metric.target_value = 145;
    expect(&drawn, VERDICT_VIOLATED);
    /* Only pods that are busy all the time would be too busy: these handle at once
     * what comes; these not, but have nothing to do in every other second. */
    drawn.rates[0] = 250;
    expect(&drawn, VERDICT_HOLDS);
    drawn.rates[0] = 300;
    drawn.service.load.positions = 2;
    expect(&drawn, VERDICT_UNDECIDED);
}

static void test_tolerance_of_everything(void **state)
{
    (void)state;
    struct drawn drawn;
    make_service(&drawn);
    drawn.hpa.metric.target_value = 50;
    drawn.hpa.flags.tolerance = 0.99;
    expect(&drawn, VERDICT_HOLDS);
    drawn.hpa.flags.tolerance = 1;
    expect(&drawn, VERDICT_VIOLATED);
    drawn.hpa.metric.target_value = 80;
    expect(&drawn, VERDICT_HOLDS);
}

static void test_load_that_stays(void **state)
{
    (void)state;
    struct drawn drawn;
    make_service(&drawn);
    drawn.service.load.fall = 1;
    expect(&drawn, VERDICT_HOLDS);
    drawn.service.load.fall = 0;
    expect(&drawn, VERDICT_UNDECIDED);
    drawn.service.load.fall = 1;
    drawn.low[0] = false;
    expect(&drawn, VERDICT_UNDECIDED);
}

int main(void)
{
    memory_init(&memory, SIZE_MAX);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_services),
        cmocka_unit_test(test_pods_that_never_go),
        cmocka_unit_test(test_tolerance_of_everything),
        cmocka_unit_test(test_load_that_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
