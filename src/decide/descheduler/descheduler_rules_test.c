/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the descheduler that are no plugin's: limits and budgets. The tables of the plugins
 * stand beside them (plugin/x_test.c); all are one program. */
#include "decide/descheduler/descheduler_fixture.h"
#include "decide/descheduler/eviction_cases.h"

static const struct eviction_case cycle_cases[] = {
    {"a limit of none evicts none",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) POD("w1", "web", "n1", PLAIN, SPREAD("zone"))
         POD("w2", "web", "n1", PLAIN, SPREAD("zone")) POD("w3", "web", "n1", PLAIN, SPREAD("zone"))
             TOPOLOGY_SPREAD("maxNoOfPodsToEvictPerNode: 0, ") NAMESPACE,
     27, "", 1},
    {"a budget that selects everything guards nothing at 1.26",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         EVERYTHING_IS_GUARDED POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                      "podRestartThreshold: 3", "", ""),
     27, "w1 ", 1, 26},
    {"and from 1.27.7 on it does",
     NODE("n1", "a", PLAIN) NODE("n2", "b", PLAIN) RESTARTED("w1", "Running")
         EVERYTHING_IS_GUARDED POLICY("deschedule", "RemovePodsHavingTooManyRestarts",
                                      "podRestartThreshold: 3", "", ""),
     27, "", 1, 27},
};

/* Overhead is moved with a request, and not without one. */
static void overhead_needs_a_request(void **state)
{
    struct memory memory;
    struct arena arena;
    struct objects objects = {0};
    struct resource_names names;
    struct pod_kind kind;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    read_manifests(&arena, POD("w1", "web", "n1", PLAIN, "overhead: {cpu: 50m, memory: 1Ki}"),
                   &objects);
    resource_names_init(&names, &arena);
    if (!objects.items)
        bug("there is no pod");
    pod_kind_init(&arena, &names, objects.items[0].as.pod, &kind);
    assert_int_equal(kind.request_count, 2);
    assert_int_equal(kind.requests[0].amount, 250);
    assert_int_equal(kind.requests[0].moved, 250);
    assert_int_equal(kind.requests[1].amount, 1024);
    assert_int_equal(kind.requests[1].moved, 0);
    arena_release(&arena);
}

/* A table for each plugin: one that has none is an error of the linker. */
#define TYPE(plugin, name) extern const struct eviction_table evictions_of_##name;
#include "decide/descheduler/descheduler_types.def"
#undef TYPE

#define TYPE(plugin, name) \
    {#name, eviction_table_check, NULL, NULL, (void *)(uintptr_t)&evictions_of_##name},

int main(void)
{
    static const struct eviction_table evictions_of_cycle = EVICTION_TABLE(cycle_cases);
    const struct CMUnitTest tests[] = {
#include "decide/descheduler/descheduler_types.def"
        TYPE(NONE, cycle) cmocka_unit_test(overhead_needs_a_request),
    };
    return cmocka_run_group_tests_name("descheduler rules", tests, NULL, NULL);
}
