/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/budget_words.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void expect(struct int_or_percent least, struct int_or_percent most, int64_t pods,
                   int64_t allowed, const char *words)
{
    struct memory memory;
    struct arena arena;
    const struct pod_disruption_budget budget = {.min_available = least, .max_unavailable = most};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    assert_int_equal(budget_allows(&budget, pods), allowed);
    assert_string_equal(budget_words(&arena, &budget, pods), words);
    arena_release(&arena);
}

static void test_words(void **state)
{
    const struct int_or_percent none = {0};
    (void)state;
    expect((struct int_or_percent){true, true, 67}, none, 3, 0,
           "minAvailable 67% of 3 pods is 2.01, rounded up to 3: 0 may be evicted");
    expect((struct int_or_percent){true, true, 50}, none, 4, 2,
           "minAvailable 50% of 4 pods is 2: 2 may be evicted");
    expect((struct int_or_percent){true, false, 1}, none, 1, 0,
           "minAvailable 1 of 1 pod: 0 may be evicted");
    expect((struct int_or_percent){true, false, 5}, none, 3, 0,
           "minAvailable 5 of 3 pods: 0 may be evicted");
    expect(none, (struct int_or_percent){true, false, 0}, 3, 0,
           "maxUnavailable 0 of 3 pods: 0 may be evicted");
    expect(none, (struct int_or_percent){true, true, 10}, 3, 1,
           "maxUnavailable 10% of 3 pods is 0.30, rounded up to 1: 1 may be evicted");
    expect(none, none, 2, 1, "minAvailable is 1 by default, of 2 pods: 1 may be evicted");
}

static void expect_remedy(struct int_or_percent least, struct int_or_percent most, int64_t pods,
                          const char *size_field, const char *remedy)
{
    struct memory memory;
    struct arena arena;
    const struct pod_disruption_budget budget = {.min_available = least, .max_unavailable = most};
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    assert_string_equal(budget_remedy(&arena, &budget, pods, size_field), remedy);
    arena_release(&arena);
}

/* What is advised is what the budget would allow. */
static void test_remedies(void **state)
{
    const struct int_or_percent none = {0};
    const char *down = "maxUnavailable: 1, if the pod may be down while a node is drained";
    (void)state;
    expect_remedy((struct int_or_percent){true, false, 1}, none, 1, "replicas",
                  "replicas: 2 or more; or maxUnavailable: 1, if the pod may be down while a node "
                  "is drained");
    /* 80 % of 2, 3 and 4 are all of them. */
    expect_remedy((struct int_or_percent){true, true, 80}, none, 1, "minReplicas",
                  "minReplicas: 5 or more; or maxUnavailable: 1, if the pod may be down while a "
                  "node is drained");
    expect_remedy((struct int_or_percent){true, "minReplicas", 99}, none, 1, "replicas",
                  "replicas: 100 or more; or maxUnavailable: 1, if the pod may be down while a "
                  "node is drained");
    expect_remedy((struct int_or_percent){true, "minReplicas", 100}, none, 1, "replicas", down);
    expect_remedy(none, (struct int_or_percent){true, false, 0}, 1, "replicas", down);
    expect_remedy(none, (struct int_or_percent){true, false, 0}, 3, "replicas",
                  "maxUnavailable: 1");
    expect_remedy((struct int_or_percent){true, "minReplicas", 67}, none, 3, "replicas",
                  "maxUnavailable: 1, or minAvailable: 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_remedies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
