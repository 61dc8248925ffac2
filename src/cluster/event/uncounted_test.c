/* SPDX-License-Identifier: Apache-2.0 */
/* Beside others, states do not say how often an event has come that may come often: it costs no
 * states, and no run counts in which it comes for ever. */
#include "cluster/explored_fixture.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"

#define CHECK_OF(events)                                                                      \
    CLUSTER(NODES("a", "2", "", ROOMY),                                                       \
            "  events:\n" events "  intents: [{name: converges}, {name: podsSchedulable}]\n") \
    DEPLOYMENT("web", "app: web", "")
#define DRAINS(rest) "  - {name: maintenance" rest "}\n"
#define SCALES(rest) "  - {name: scale, workload: Deployment/default/web, to: [1, 2]" rest "}\n"

static struct explored explore(const char *manifests, bool uncounted)
{
    const struct others others = {.leave_drained_nodes = true, .uncounted = uncounted};
    return explore_manifests(manifests, (struct population_options){.others = &others});
}

static bool is_counted(const char *manifests)
{
    return !explore(manifests, true).findings.uncounted;
}

static void more_of_it_costs_no_states(void **state)
{
    const struct explored few = explore(CHECK_OF(DRAINS(", atMost: 3")), true);
    const struct explored many = explore(CHECK_OF(DRAINS(", atMost: 100")), true);
    (void)state;
    assert_true(few.findings.uncounted && many.findings.uncounted);
    assert_int_equal(many.states, few.states);
    assert_true(few.states < explore(CHECK_OF(DRAINS(", atMost: 3")), false).states);
    assert_int_equal(explore(CHECK_OF(DRAINS(", atMost: 1")), false).states, few.states);
}

/* Drained again and again, web would never be there for good. */
static void it_does_not_come_for_ever(void **state)
{
    (void)state;
    assert_int_equal(explore(CHECK_OF(DRAINS(", atMost: 9")), true).verdict, VERDICT_HOLDS);
}

static void what_is_worth_it_is_counted(void **state)
{
    (void)state;
    assert_true(is_counted(CHECK_OF(DRAINS(", atMost: 2"))));
    assert_false(is_counted(CHECK_OF(DRAINS(", atMost: 3, concurrent: 2"))));
    /* How many nodes are away at a time, how many pods terminate. */
    assert_true(is_counted(CHECK_OF(DRAINS(", atMost: 3, concurrent: 3"))));
    assert_true(is_counted(CHECK_OF(SCALES(", atMost: 3"))));
    assert_true(is_counted(CHECK_OF("  - {name: nodeFailure, recovers: true, atMost: 3}\n")));
    assert_false(explore(CHECK_OF(DRAINS(", atMost: 3")), false).findings.uncounted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_of_it_costs_no_states),
        cmocka_unit_test(it_does_not_come_for_ever),
        cmocka_unit_test(what_is_worth_it_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
