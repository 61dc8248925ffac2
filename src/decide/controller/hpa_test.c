/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler beyond the recorded syncs: what differs between
 * releases, that folding equal pods into classes changes nothing, and that the
 * bounded memory decides as the exact one does, for ever.
 */
#include "decide/controller/hpa.h"

#include "decide/controller/hpa_memory.h"
#include "decide/controller/random_test.h"
#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

enum { METRICS_MOST = 3, CLASSES_MOST = 8, PODS_MOST = 64 };

/* A steady pod: running, ready and started long ago. */
static struct hpa_pod_class steady_pods(int64_t count, const struct hpa_sample *samples,
                                        const struct hpa_request *requests)
{
    return (struct hpa_pod_class){
        .count = count,
        .phase = POD_RUNNING,
        .readiness = HPA_READY_TRUE,
        .started = true,
        .start_age = SECONDS(3600),
        .ready_age = SECONDS(3500),
        .name = "web",
        .samples = samples,
        .requests = requests,
    };
}

static struct hpa_input plain_input(int minor, int32_t replicas)
{
    struct hpa_input input = {
        .features = version(minor),
        .flags = hpa_default_flags(),
        .spec_replicas = replicas,
        .status_replicas = replicas,
        .min_replicas = 1,
        .max_replicas = 1000,
    };
    hpa_input_set_tolerance(&input);
    return input;
}

static struct hpa_proposal propose(const struct hpa_input *input)
{
    struct hpa_proposal proposal;
    hpa_propose(input, 0, &proposal);
    return proposal;
}

/* What an input makes of ten pods that use so much of a target of 100. */
static int32_t propose_for_usage(struct hpa_input input, int64_t usage)
{
    const struct hpa_sample sample = {HPA_SAMPLE_VALUE, usage, 0, 0};
    const struct hpa_request request = {NULL, 100};
    const struct hpa_pod_class pods = steady_pods(10, &sample, &request);
    const struct hpa_metric metric = {
        .source = METRIC_PODS, .target = HPA_TARGET_AVERAGE, .target_value = 100};
    input.metrics = &metric;
    input.metric_count = 1;
    input.pods = &pods;
    input.pod_count = 1;
    return propose(&input).replicas;
}

/* Ten pods that use 110 % of their target: upstream's comparison of 0.1 with
 * 1.1 - 1 said "scale", until the comparison was turned round. */
static void test_edge_of_tolerance_differs_by_release(void **state)
{
    (void)state;
    static const struct {
        int minor;
        int64_t usage;
        int32_t replicas;
    } cases[] = {
        {26, 110, 11}, {32, 110, 11}, {33, 110, 10}, {26, 90, 10},
        {33, 90, 10},  {26, 89, 9},   {33, 89, 9},   {33, 111, 12},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct hpa_input input = plain_input(cases[i].minor, 10);
        assert_int_equal(propose_for_usage(input, cases[i].usage), cases[i].replicas);
    }
}

static void test_tolerance_can_be_configured_from_35_on(void **state)
{
    (void)state;
    static const struct {
        int minor;
        int64_t usage;
        int32_t replicas;
    } cases[] = {{32, 104, 10}, {34, 104, 10}, {35, 104, 11}, {35, 98, 10},
                 {34, 80, 8},   {35, 80, 10},  {35, 79, 8}};
    const struct quantity up = {.nanos = 30000000};    /* 0.03 */
    const struct quantity down = {.nanos = 200000000}; /* 0.2 */
    const struct scaling_rules scale_up = {.tolerance = (struct quantity *)&up};
    const struct scaling_rules scale_down = {.tolerance = (struct quantity *)&down};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct hpa_input input = plain_input(cases[i].minor, 10);
        input.scale_up = &scale_up;
        input.scale_down = &scale_down;
        hpa_input_set_tolerance(&input);
        assert_int_equal(propose_for_usage(input, cases[i].usage), cases[i].replicas);
    }
}

/* A value that asks for more replicas than there are numbers: it became negative, and is
 * the largest number from 1.35 on, as an External average of each pod is from 1.34 on. */
static void test_proposals_are_capped(void **state)
{
    (void)state;
    static const struct {
        int minor;
        enum metric_source source;
        enum hpa_target target;
        int32_t replicas;
    } cases[] = {
        {33, METRIC_EXTERNAL, HPA_TARGET_AVERAGE, INT32_MIN},
        {34, METRIC_EXTERNAL, HPA_TARGET_AVERAGE, INT32_MAX},
        {36, METRIC_OBJECT, HPA_TARGET_AVERAGE, INT32_MIN},
        {34, METRIC_EXTERNAL, HPA_TARGET_VALUE, INT32_MIN},
        {35, METRIC_EXTERNAL, HPA_TARGET_VALUE, INT32_MAX},
        {35, METRIC_OBJECT, HPA_TARGET_VALUE, INT32_MAX},
    };
    const struct hpa_pod_class pods = {
        .count = 10, .phase = POD_RUNNING, .readiness = HPA_READY_TRUE};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct hpa_input input = plain_input(cases[i].minor, 10);
        const struct hpa_metric metric = {
            .source = cases[i].source,
            .target = cases[i].target,
            .target_value = 1,
            .value_found = true,
            .value_milli = INT64_C(1) << 40,
        };
        struct hpa_proposal proposal;
        input.metrics = &metric;
        input.metric_count = 1;
        input.pods = &pods;
        input.pod_count = 1;
        hpa_propose(&input, 0, &proposal);
        assert_int_equal(proposal.replicas, cases[i].replicas);
    }
}

/* With minReplicas 0 an autoscaler scaled from 0, until 1.36 made that the business of a
 * gate which is off. */
static void test_nothing_scales_from_zero(void **state)
{
    (void)state;
    for (int minor = 35; minor <= 36; minor++) {
        struct hpa_input input = plain_input(minor, 0);
        struct hpa_memory memory = {0};
        struct hpa_decision decision;
        struct hpa_proposal proposal;
        const struct hpa_metric metric = {
            .source = METRIC_EXTERNAL,
            .target = HPA_TARGET_VALUE,
            .target_value = 1000,
            .value_found = true,
            .value_milli = 2500,
        };
        input.min_replicas = 0;
        input.metrics = &metric;
        input.metric_count = 1;
        hpa_decide(&input, &memory, &proposal, &decision);
        assert_int_equal(decision.outcome, minor == 35 ? HPA_BY_METRICS : HPA_SCALING_DISABLED);
        assert_int_equal(decision.replicas, minor == 35 ? 3 : 0);
    }
}

/* Five pods exactly at their target, five without a sample. */
static void test_missing_pods_at_the_target(void **state)
{
    (void)state;
    static const struct {
        int minor;
        enum hpa_target target;
        int32_t replicas;
    } cases[] = {
        {26, HPA_TARGET_AVERAGE, 5},      {27, HPA_TARGET_AVERAGE, 5},
        {28, HPA_TARGET_AVERAGE, 10},     {26, HPA_TARGET_UTILIZATION, 10},
        {28, HPA_TARGET_UTILIZATION, 10},
    };
    const struct hpa_sample samples[] = {{HPA_SAMPLE_VALUE, 100, 0, 0}, {HPA_SAMPLE_NONE, 0, 0, 0}};
    const struct hpa_request request = {NULL, 100};
    const struct hpa_pod_class pods[] = {steady_pods(5, &samples[0], &request),
                                         steady_pods(5, &samples[1], &request)};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct hpa_metric metric = {
            .source = METRIC_RESOURCE, .target = cases[i].target, .target_value = 100};
        struct hpa_input input = plain_input(cases[i].minor, 10);
        input.metrics = &metric;
        input.metric_count = 1;
        input.pods = pods;
        input.pod_count = 2;
        assert_int_equal(propose(&input).replicas, cases[i].replicas);
    }
}

static void test_absent_container_fails_the_metric_until_32(void **state)
{
    (void)state;
    const struct hpa_sample samples[] = {{HPA_SAMPLE_VALUE, 300, 0, 0},
                                         {HPA_SAMPLE_NO_CONTAINER, 0, 0, 0}};
    const struct hpa_request request = {NULL, 100};
    const struct hpa_pod_class pods[] = {steady_pods(2, &samples[0], &request),
                                         steady_pods(2, &samples[1], &request)};
    const struct hpa_metric metric = {
        .source = METRIC_CONTAINER_RESOURCE, .target = HPA_TARGET_UTILIZATION, .target_value = 100};
    const int last_failure = 32;
    for (int minor = FEATURES_MINOR_FIRST; minor <= FEATURES_MINOR_LAST; minor++) {
        struct hpa_input input = plain_input(minor, 4);
        input.metrics = &metric;
        input.metric_count = 1;
        input.pods = pods;
        input.pod_count = 2;
        const struct hpa_proposal proposal = propose(&input);
        assert_int_equal(proposal.failure, minor <= last_failure ? HPA_CONTAINER_ABSENT : HPA_OK);
        if (minor > last_failure)
            assert_int_equal(proposal.replicas, 6);
    }
}

/* A value per pod while the status has no replica yet: 0/0 is close enough for
 * the older comparison, but not for the newer. */
static void test_value_per_pod_without_replicas(void **state)
{
    (void)state;
    static const struct {
        int minor;
        int64_t value;
        int32_t replicas;
        enum hpa_proposal_rule rule;
    } cases[] = {{26, 0, 0, HPA_WITHIN_TOLERANCE},
                 {33, 0, 0, HPA_PER_POD},
                 {26, 700, 7, HPA_PER_POD},
                 {33, 700, 7, HPA_PER_POD}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct hpa_metric metric = {.source = METRIC_EXTERNAL,
                                          .target = HPA_TARGET_AVERAGE,
                                          .target_value = 100,
                                          .value_found = true,
                                          .value_milli = cases[i].value};
        struct hpa_input input = plain_input(cases[i].minor, 0);
        input.metrics = &metric;
        input.metric_count = 1;
        const struct hpa_proposal proposal = propose(&input);
        assert_int_equal(proposal.failure, HPA_OK);
        assert_int_equal(proposal.replicas, cases[i].replicas);
        assert_int_equal(proposal.rule, cases[i].rule);
        assert_int_equal(proposal.usage, INT64_MIN);
    }
}

/* ---- folding ---- */

struct random_case {
    struct hpa_input input;
    struct hpa_metric metrics[METRICS_MOST];
    struct hpa_pod_class classes[CLASSES_MOST];
    struct hpa_sample samples[CLASSES_MOST][METRICS_MOST];
    struct hpa_request requests[CLASSES_MOST][METRICS_MOST];
    struct hpa_pod_class pods[PODS_MOST]; /* the classes, pod by pod */
    uint32_t pod_count;
    struct scaling_policy policies[2][3];
    struct scaling_rules rules[2];
};

static void roll_metric(struct dice *dice, struct hpa_metric *metric)
{
    *metric = (struct hpa_metric){
        .source = (enum metric_source)dice_roll(dice, 5),
        .target_value = dice_between(dice, 1, 12) * 20,
        .cpu = dice_hit(dice, 2),
        .value_found = !dice_hit(dice, 8),
        .value_milli = dice_roll(dice, 3000),
    };
    if (metric->source == METRIC_OBJECT || metric->source == METRIC_EXTERNAL)
        metric->target = dice_hit(dice, 2) ? HPA_TARGET_AVERAGE : HPA_TARGET_VALUE;
    else if (metric->source == METRIC_PODS)
        metric->target = HPA_TARGET_AVERAGE;
    else
        metric->target = dice_hit(dice, 2) ? HPA_TARGET_AVERAGE : HPA_TARGET_UTILIZATION;
}

static void roll_class(struct dice *dice, struct random_case *a_case, uint32_t index)
{
    struct hpa_pod_class *class = &a_case->classes[index];
    *class = (struct hpa_pod_class){
        .count = dice_between(dice, 1, 7),
        .vanished = dice_hit(dice, 10),
        .terminating = dice_hit(dice, 10),
        .phase = dice_hit(dice, 4) ? (enum pod_phase)dice_roll(dice, 6) : POD_RUNNING,
        .readiness = dice_hit(dice, 3) ? (enum hpa_readiness)dice_roll(dice, 4) : HPA_READY_TRUE,
        .started = !dice_hit(dice, 8),
        .start_age = SECONDS(dice_roll(dice, 40) * 15),
        .ready_age = SECONDS(dice_roll(dice, 40) * 15),
        .name = "pod",
        .samples = a_case->samples[index],
        .requests = a_case->requests[index],
    };
    for (uint32_t i = 0; i < METRICS_MOST; i++) {
        a_case->samples[index][i] = (struct hpa_sample){
            .state =
                dice_hit(dice, 4) ? (enum hpa_sample_state)dice_roll(dice, 4) : HPA_SAMPLE_VALUE,
            .milli = dice_roll(dice, 400),
            .age = SECONDS(dice_roll(dice, 5) * 15),
            .window = SECONDS(dice_roll(dice, 3) * 15),
        };
        a_case->requests[index][i] = (struct hpa_request){
            .missing_in = dice_hit(dice, 40) ? "app" : NULL,
            .milli = dice_roll(dice, 5) * 50,
        };
    }
}

static void roll_behavior(struct dice *dice, struct random_case *a_case)
{
    for (int i = 0; i < 2; i++) {
        struct scaling_rules *rules = &a_case->rules[i];
        *rules = (struct scaling_rules){
            .select_policy = (enum scaling_select)dice_roll(dice, dice_hit(dice, 4) ? 3 : 2),
            .stabilization_window_seconds = {!dice_hit(dice, 4), dice_roll(dice, 8) * 15},
            .policies = a_case->policies[i],
            .policy_count = (uint32_t)dice_between(dice, 1, 3),
        };
        for (uint32_t p = 0; p < rules->policy_count; p++)
            rules->policies[p] = (struct scaling_policy){
                .type = dice_hit(dice, 2) ? SCALING_PODS : SCALING_PERCENT,
                .value = (int32_t)dice_between(dice, 1, dice_hit(dice, 2) ? 5 : 150),
                .period_seconds = (int32_t)dice_between(dice, 1, 8) * 15,
            };
    }
    if (dice_hit(dice, 2)) {
        a_case->input.scale_up = &a_case->rules[0];
        a_case->input.scale_down = &a_case->rules[1];
    }
}

static void roll_case(struct dice *dice, struct random_case *a_case)
{
    a_case->input = plain_input((int)dice_between(dice, 26, 33), (int32_t)dice_roll(dice, 25));
    struct hpa_input *input = &a_case->input;
    input->status_replicas =
        dice_hit(dice, 4) ? (int32_t)dice_roll(dice, 25) : input->spec_replicas;
    input->min_replicas = (int32_t)dice_roll(dice, 4);
    input->max_replicas = input->min_replicas + (int32_t)dice_between(dice, 1, 25);
    input->metric_count = (uint32_t)dice_between(dice, 1, METRICS_MOST);
    input->metrics = a_case->metrics;
    input->pods = a_case->classes;
    input->pod_count = (uint32_t)dice_roll(dice, CLASSES_MOST + 1);
    roll_behavior(dice, a_case);
    for (uint32_t i = 0; i < input->metric_count; i++)
        roll_metric(dice, &a_case->metrics[i]);
    for (uint32_t i = 0; i < input->pod_count; i++)
        roll_class(dice, a_case, i);
}

/* One class a pod, in any order. */
static void unfold(struct dice *dice, struct random_case *a_case)
{
    a_case->pod_count = 0;
    for (uint32_t i = 0; i < a_case->input.pod_count; i++) {
        for (int64_t n = 0; n < a_case->classes[i].count; n++) {
            struct hpa_pod_class pod = a_case->classes[i];
            const int64_t at = dice_roll(dice, a_case->pod_count + 1);
            pod.count = 1;
            a_case->pods[a_case->pod_count++] = a_case->pods[at];
            a_case->pods[at] = pod;
        }
    }
}

static bool same_proposal(const struct hpa_proposal *a, const struct hpa_proposal *b)
{
    return a->failure == b->failure && a->rule == b->rule && a->replicas == b->replicas &&
           a->usage == b->usage && a->utilization == b->utilization &&
           a->ready_pods == b->ready_pods && a->unready_pods == b->unready_pods &&
           a->missing_pods == b->missing_pods && a->ignored_pods == b->ignored_pods;
}

static bool same_decision(const struct hpa_decision *a, const struct hpa_decision *b)
{
    return a->outcome == b->outcome && a->rescale == b->rescale && a->replicas == b->replicas &&
           a->metric == b->metric && a->proposed == b->proposed && a->stabilized == b->stabilized &&
           a->stabilization == b->stabilization && a->limit == b->limit && a->limited == b->limited;
}

static void test_folding_changes_nothing(void **state)
{
    (void)state;
    static struct random_case a_case;
    const struct hpa_memory memory = {.started = true};
    int rescales = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct dice dice = {seed};
        struct hpa_proposal folded[METRICS_MOST];
        struct hpa_proposal unfolded[METRICS_MOST];
        struct hpa_decision folded_decision;
        struct hpa_decision unfolded_decision;
        roll_case(&dice, &a_case);
        unfold(&dice, &a_case);
        struct hpa_input input = a_case.input;
        input.pods = a_case.pods;
        input.pod_count = a_case.pod_count;
        hpa_decide(&a_case.input, &memory, folded, &folded_decision);
        hpa_decide(&input, &memory, unfolded, &unfolded_decision);
        bool same = same_decision(&folded_decision, &unfolded_decision);
        for (uint32_t i = 0; i < input.metric_count; i++)
            same = same && same_proposal(&folded[i], &unfolded[i]);
        if (!same)
            fail_msg("seed %llu: folded and unfolded pods are decided differently",
                     (unsigned long long)seed);
        rescales += folded_decision.rescale ? 1 : 0;
    }
    assert_true(rescales > 2000); /* the cases are not all dull */
}

/* ---- memory ---- */

/* One sync with a given proposal; the current replicas follow the decision. */
static struct hpa_decision run_sync(struct arena *arena, struct hpa_input *input, int32_t proposed,
                                    struct hpa_memory *memory)
{
    struct hpa_decision decision = {.outcome = HPA_BY_METRICS, .proposed = proposed};
    if (input->spec_replicas > input->max_replicas)
        decision =
            (struct hpa_decision){.outcome = HPA_ABOVE_MAXIMUM, .replicas = input->max_replicas};
    else if (input->spec_replicas < input->min_replicas)
        decision =
            (struct hpa_decision){.outcome = HPA_BELOW_MINIMUM, .replicas = input->min_replicas};
    else
        hpa_normalize(input, memory, &decision);
    decision.rescale = decision.replicas != input->spec_replicas;
    hpa_memory_record(arena, memory, input, &decision);
    return decision;
}

static void follow_one_life(struct arena *arena, uint64_t seed, uint32_t *longest)
{
    static struct random_case a_case;
    struct dice dice = {seed};
    struct hpa_memory exact = {0};
    struct hpa_memory bounded = {0};
    roll_case(&dice, &a_case);
    struct hpa_input *input = &a_case.input;
    if (input->spec_replicas > input->max_replicas)
        input->spec_replicas = input->max_replicas;
    for (int step = 0; step < 60; step++) {
        const int32_t proposed = (int32_t)dice_roll(&dice, input->max_replicas + 5);
        const int64_t passed = SECONDS(dice_between(&dice, 1, 4) * 15);
        const struct hpa_decision first = run_sync(arena, input, proposed, &exact);
        const struct hpa_decision second = run_sync(arena, input, proposed, &bounded);
        hpa_memory_bound(&bounded, input);
        if (first.replicas != second.replicas || first.limit != second.limit)
            fail_msg("seed %llu, step %d: %d and %d replicas", (unsigned long long)seed, step,
                     first.replicas, second.replicas);
        const uint32_t length =
            bounded.recommendations.count + bounded.scale_ups.count + bounded.scale_downs.count;
        if (length > *longest)
            *longest = length;
        input->spec_replicas = first.replicas;
        if (dice_hit(&dice, 12)) /* somebody scales by hand */
            input->spec_replicas = (int32_t)dice_roll(&dice, input->max_replicas + 3);
        hpa_memory_age(&exact, passed);
        hpa_memory_age(&bounded, passed);
        hpa_memory_bound(&bounded, input);
    }
}

static void test_bounded_memory_decides_as_the_exact_one(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    uint32_t longest = 0;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    const struct arena_mark mark = arena_mark(&arena);
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        follow_one_life(&arena, seed, &longest);
        arena_rewind(&arena, mark);
    }
    arena_release(&arena);
    /* 300 s of syncs would be 20 recommendations and as many changes. */
    assert_true(longest <= 25);
}

static void test_bounded_memory_forgets(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct hpa_memory remembered = {0};
    struct hpa_input input = plain_input(26, 5);
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (int step = 0; step < 40; step++) {
        run_sync(&arena, &input, 5, &remembered);
        hpa_memory_bound(&remembered, &input);
        /* Equal recommendations leave one step of the staircase. */
        assert_int_equal(remembered.recommendations.count, 1);
        hpa_memory_age(&remembered, SECONDS(15));
    }
    hpa_memory_age(&remembered, SECONDS(286));
    hpa_memory_bound(&remembered, &input);
    assert_int_equal(remembered.recommendations.count, 0);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge_of_tolerance_differs_by_release),
        cmocka_unit_test(test_tolerance_can_be_configured_from_35_on),
        cmocka_unit_test(test_proposals_are_capped),
        cmocka_unit_test(test_nothing_scales_from_zero),
        cmocka_unit_test(test_missing_pods_at_the_target),
        cmocka_unit_test(test_absent_container_fails_the_metric_until_32),
        cmocka_unit_test(test_value_per_pod_without_replicas),
        cmocka_unit_test(test_folding_changes_nothing),
        cmocka_unit_test(test_bounded_memory_decides_as_the_exact_one),
        cmocka_unit_test(test_bounded_memory_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
