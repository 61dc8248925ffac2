/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that is recorded of components has words, and a name of its own for programs. */
#include "report/parts_words.h"

#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_no_name_twice(const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_non_null(names[i]);
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
    }
}

static void every_coupling_has_words(void **state)
{
    const char *names[COUPLING_RULE_COUNT];
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (uint32_t rule = 0; rule < COUPLING_RULE_COUNT; rule++) {
        const struct coupled coupled = {.rule = rule, .namespace = "shop", .name = "front"};
        names[rule] = coupling_rule_name(rule);
        assert_true(strlen(coupling_words(&arena, &coupled)) > 0);
    }
    assert_no_name_twice(names, COUPLING_RULE_COUNT);
    const struct coupled budget = {.rule = COUPLED_BY_BUDGET, .namespace = "shop", .name = "front"};
    assert_string_equal(coupling_words(&arena, &budget), "PodDisruptionBudget/shop/front");
    const struct coupled plugin = {.rule = COUPLED_BY_SCHEDULER, .name = "NodePorts"};
    assert_string_equal(coupling_words(&arena, &plugin), "the scheduler's plugin NodePorts");
    arena_release(&arena);
}

/* With a culprit, without one, and with the component itself as one: whoever is in the way is
 * named, and nobody else. */
static void every_obstacle_has_words(void **state)
{
    const char *names[OBSTACLE_COUNT];
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (uint32_t obstacle = 0; obstacle < OBSTACLE_COUNT; obstacle++) {
        names[obstacle] = obstacle_name(obstacle);
        const char *of_other = obstacle_words(&arena, obstacle, "Deployment/shop/db", false);
        const char *of_nobody = obstacle_words(&arena, obstacle, NULL, false);
        const char *of_itself = obstacle_words(&arena, obstacle, "Deployment/shop/db", true);
        assert_true(of_other || of_nobody || of_itself);
        assert_false(of_other && strstr(of_other, "%s"));
        assert_false(of_nobody && strstr(of_nobody, "Deployment"));
    }
    assert_no_name_twice(names, OBSTACLE_COUNT);
    assert_string_equal(obstacle_words(&arena, OBSTACLE_STAYING, "Deployment/shop/db", false),
                        "pods of Deployment/shop/db may stay on a node that is drained");
    assert_string_equal(obstacle_words(&arena, OBSTACLE_STAYING, NULL, false),
                        "others may stay on a node that is drained");
    assert_string_equal(obstacle_words(&arena, OBSTACLE_STAYING, "Deployment/shop/db", true),
                        "its pods may stay on a node that is drained");
    arena_release(&arena);
}

static void it_is_said_why_all_are_explored_together(void **state)
{
    (void)state;
    assert_null(together_words(TOGETHER_NOT));
    for (uint32_t because = TOGETHER_NOT + 1; because < TOGETHER_COUNT; because++)
        assert_non_null(together_words(because));
}

/* A component of two, of which the second takes an unknown amount of room. */
static void expect_reasons(enum explore_reason reason, const char *of_other, const char *of_itself)
{
    struct memory memory;
    struct arena arena;
    uint32_t workloads[] = {0, 1};
    struct setup_workload named[] = {{.name = "web"}, {.name = "db"}};
    struct decided_part items[] = {
        {.workloads = workloads, .workload_count = 1, .like = UINT32_MAX},
        {.workloads = workloads + 1, .workload_count = 1, .like = UINT32_MAX, .ended_by = reason},
    };
    struct parts parts = {.items = items, .count = 2};
    const struct scope scope = {.workloads = named, .workload_count = 2};
    struct verify_report found = {.parts = &parts};
    const struct report report = {.scope = &scope, .found = &found};
    items[0].culprits[OBSTACLE_UNMEASURED] = items[1].culprits[OBSTACLE_LIMIT] = 1;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    assert_string_equal(report_obstacle(&arena, &report, 0, OBSTACLE_UNMEASURED), of_other);
    assert_string_equal(report_obstacle(&arena, &report, 1, OBSTACLE_LIMIT), of_itself);
    arena_release(&arena);
}

/* There are too many states only if they were why it ended. */
static void ends_have_their_own_reasons(void **state)
{
    (void)state;
    expect_reasons(EXPLORE_STATES, "how much room db takes is not known: too many states",
                   "too many states even without the others (the limit on states was reached)");
    expect_reasons(EXPLORE_TIME, "how much room db takes is not known: the time limit was reached",
                   "the time limit was reached");
    expect_reasons(EXPLORE_INTERRUPTED, "how much room db takes is not known: interrupted",
                   "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_coupling_has_words),
        cmocka_unit_test(every_obstacle_has_words),
        cmocka_unit_test(ends_have_their_own_reasons),
        cmocka_unit_test(it_is_said_why_all_are_explored_together),
    };
    return cmocka_run_group_tests_name("parts_words", tests, NULL, NULL);
}
