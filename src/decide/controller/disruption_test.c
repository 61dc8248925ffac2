/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets and evictions beyond the recorded syncs: every rule of the eviction
 * API by name, and that folding equal pods into classes changes nothing. */
#include "decide/controller/disruption.h"

#include "decide/controller/eviction.h"
#include "decide/controller/random_test.h"
#include "decide/features_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CLASSES_MOST = 6, PODS_MOST = 40, SCALES = 3 };

static const struct eviction_pod healthy = {POD_RUNNING, false, true};
static const struct eviction_pod unready = {POD_RUNNING, false, false};

static struct eviction_budget budget_of(int32_t healthy_pods, int32_t desired, int32_t allowed)
{
    return (struct eviction_budget){.current_healthy = healthy_pods,
                                    .desired_healthy = desired,
                                    .disruptions_allowed = allowed,
                                    .observed = true};
}

static void test_every_rule_of_the_eviction_api(void **state)
{
    (void)state;
    struct eviction_budget outdated = budget_of(3, 2, 1);
    struct eviction_budget lenient = budget_of(1, 2, 0);
    struct eviction_budget crowded = budget_of(3, 2, 1);
    struct eviction_budget full = budget_of(3, 2, 1);
    outdated.observed = false;
    lenient.unhealthy_eviction_policy = UNHEALTHY_ALWAYS_ALLOW;
    crowded.disrupted_pod_count = 2001;
    full.disrupted_pod_count = 2000;
    const struct {
        const char *name;
        int minor;
        struct eviction_pod pod;
        struct eviction_budget budget;
        uint32_t budget_count;
        enum eviction_rule rule;
        int http_code;
    } cases[] = {
        {"no budget", 26, healthy, {0}, 0, EVICTION_NO_BUDGET, 201},
        {"pending",
         26,
         {POD_PENDING, false, false},
         budget_of(0, 1, 0),
         1,
         EVICTION_POD_FINISHED,
         201},
        {"failed",
         26,
         {POD_FAILED, false, false},
         budget_of(0, 1, 0),
         1,
         EVICTION_POD_FINISHED,
         201},
        {"terminating",
         26,
         {POD_RUNNING, true, true},
         budget_of(0, 1, 0),
         1,
         EVICTION_POD_FINISHED,
         201},
        {"unknown phase is guarded",
         26,
         {POD_UNKNOWN, false, true},
         budget_of(1, 1, 0),
         1,
         EVICTION_BUDGET_EXHAUSTED,
         429},
        {"two budgets", 26, healthy, budget_of(3, 1, 2), 2, EVICTION_SEVERAL_BUDGETS, 500},
        {"two budgets, pending",
         26,
         {POD_PENDING, false, false},
         budget_of(3, 1, 2),
         2,
         EVICTION_POD_FINISHED,
         201},
        {"allowed", 26, healthy, budget_of(3, 2, 1), 1, EVICTION_BUDGET_SPENT, 201},
        {"exhausted", 26, healthy, budget_of(2, 2, 0), 1, EVICTION_BUDGET_EXHAUSTED, 429},
        {"negative", 26, healthy, budget_of(2, 2, -1), 1, EVICTION_BUDGET_NEGATIVE, 403},
        {"outdated", 26, healthy, outdated, 1, EVICTION_NOT_OBSERVED, 429},
        {"too many unconfirmed", 26, healthy, crowded, 1, EVICTION_TOO_MANY_UNCONFIRMED, 403},
        {"just not too many", 26, healthy, full, 1, EVICTION_BUDGET_SPENT, 201},
        {"unready, others suffice", 26, unready, budget_of(2, 2, 0), 1,
         EVICTION_UNHEALTHY_BUDGET_WHOLE, 201},
        {"unready, outdated, others suffice", 26, unready, outdated, 1,
         EVICTION_UNHEALTHY_BUDGET_WHOLE, 201},
        {"unready, too few others", 26, unready, budget_of(1, 2, 0), 1, EVICTION_BUDGET_EXHAUSTED,
         429},
        {"unready, nothing desired", 26, unready, budget_of(1, 0, 1), 1, EVICTION_BUDGET_SPENT,
         201},
        {"unready, AlwaysAllow is unknown", 26, unready, lenient, 1, EVICTION_BUDGET_EXHAUSTED,
         429},
        {"unready, AlwaysAllow", 27, unready, lenient, 1, EVICTION_UNHEALTHY_ALWAYS, 201},
        {"ready, AlwaysAllow", 27, healthy, lenient, 1, EVICTION_BUDGET_EXHAUSTED, 429},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct eviction_budget budgets[] = {cases[i].budget, cases[i].budget};
        const enum eviction_rule rule =
            eviction_decide(version(cases[i].minor), &cases[i].pod, budgets, cases[i].budget_count);
        if (rule != cases[i].rule || eviction_http_code(rule) != cases[i].http_code)
            fail_msg("%s: %s", cases[i].name, eviction_rule_text(rule));
        assert_int_equal(eviction_allowed(rule), cases[i].http_code == 201);
    }
}

static void test_spending_a_budget(void **state)
{
    (void)state;
    struct eviction_budget budget = budget_of(4, 2, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(eviction_decide(version(26), &healthy, &budget, 1), EVICTION_BUDGET_SPENT);
        eviction_spend(&budget);
    }
    assert_int_equal(eviction_decide(version(26), &healthy, &budget, 1), EVICTION_BUDGET_EXHAUSTED);
    assert_int_equal(budget.disrupted_pod_count, 2);
}

static void test_empty_selectors_guard(void **state)
{
    (void)state;
    const struct label_selector everything = {0};
    const struct labels labels = {0};
    struct pod_disruption_budget budget = {.selector = (struct label_selector *)&everything};
    static const struct {
        const char *version;
        bool guards;
    } cases[] = {{"1.26", false},  {"1.27.6", false}, {"1.27.7", true}, {"1.28.2", false},
                 {"1.28.3", true}, {"1.28", true},    {"1.29.0", true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct features features;
        assert_true(features_of_text(cases[i].version, &features));
        if (eviction_budget_selects(&features, &budget, &labels) != cases[i].guards)
            fail_msg("%s", cases[i].version);
    }
    budget.selector = NULL;
    assert_false(eviction_budget_selects(version(33), &budget, &labels));
}

static void test_age_of_a_disruption(void **state)
{
    (void)state;
    const int64_t timeout = INT64_C(120) * NANOSECONDS_PER_SECOND;
    assert_true(budget_disruption_pending(timeout - 1));
    assert_false(budget_disruption_pending(timeout));
    assert_true(budget_disruption_kept(timeout));
    assert_false(budget_disruption_kept(timeout + 1));
    assert_false(budget_disruption_kept(BUDGET_NOT_DISRUPTED));
    assert_false(budget_disruption_pending(BUDGET_NOT_DISRUPTED));
}

static void roll_budget(struct dice *dice, struct pod_disruption_budget *budget)
{
    const struct int_or_percent amount = {
        .set = true, .percent = dice_hit(dice, 2), .value = dice_roll(dice, 12) * 9};
    *budget = (struct pod_disruption_budget){0};
    if (dice_hit(dice, 2))
        budget->min_available = amount;
    else
        budget->max_unavailable = amount;
}

static void roll_class(struct dice *dice, struct budget_pod_class *class)
{
    static const uint32_t owners[] = {0, 1, 2, BUDGET_UNMANAGED, BUDGET_UNKNOWN_OWNER};
    *class = (struct budget_pod_class){
        .count = dice_between(dice, 1, 6),
        .owner = owners[dice_roll(dice, dice_hit(dice, 6) ? 5 : 4)],
        .ready = !dice_hit(dice, 4),
        .terminating = dice_hit(dice, 6),
        .disruption_age = dice_hit(dice, 4) ? dice_roll(dice, 5) * 60 * NANOSECONDS_PER_SECOND
                                            : BUDGET_NOT_DISRUPTED,
    };
}

static void test_folding_changes_nothing(void **state)
{
    (void)state;
    static const int32_t scales[SCALES] = {3, 10, 25};
    int allowed = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct dice dice = {seed};
        struct pod_disruption_budget budget;
        struct budget_pod_class classes[CLASSES_MOST];
        struct budget_pod_class pods[PODS_MOST] = {0};
        struct budget_status folded = {.current_healthy = 7};
        struct budget_status unfolded = {.current_healthy = 7};
        uint32_t pod_count = 0;
        const uint32_t class_count = (uint32_t)dice_roll(&dice, CLASSES_MOST + 1);
        roll_budget(&dice, &budget);
        for (uint32_t i = 0; i < class_count; i++) {
            roll_class(&dice, &classes[i]);
            for (int64_t n = 0; n < classes[i].count; n++) {
                const int64_t at = dice_roll(&dice, pod_count + 1);
                pods[pod_count++] = pods[at];
                pods[at] = classes[i];
                pods[at].count = 1;
            }
        }
        budget_decide(&budget, classes, class_count, scales, SCALES, &folded);
        budget_decide(&budget, pods, pod_count, scales, SCALES, &unfolded);
        if (folded.rule != unfolded.rule || folded.current_healthy != unfolded.current_healthy ||
            folded.desired_healthy != unfolded.desired_healthy ||
            folded.expected_pods != unfolded.expected_pods ||
            folded.disruptions_allowed != unfolded.disruptions_allowed)
            fail_msg("seed %llu: folded and unfolded pods differ", (unsigned long long)seed);
        allowed += folded.disruptions_allowed > 0 ? 1 : 0;
    }
    assert_true(allowed > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule_of_the_eviction_api),
        cmocka_unit_test(test_spending_a_budget),
        cmocka_unit_test(test_empty_selectors_guard),
        cmocka_unit_test(test_age_of_a_disruption),
        cmocka_unit_test(test_folding_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
