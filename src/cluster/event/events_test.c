/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do, on clusters so small that the states can be counted by
 * hand. */
#include "verify/verify_fixture.h"

#define SCHEDULABLE "  intents: [{name: podsSchedulable}]\n"

static void holds(const char *manifests, uint64_t states, uint64_t transitions)
{
    const struct outcome outcome = verify(manifests, unlimited());
    assert_int_equal(outcome.verdict, VERDICT_HOLDS);
    assert_int_equal(outcome.states, states);
    assert_int_equal(outcome.transitions, transitions);
}

/* Nothing, the set, waiting, placed; then the only node is down, and as nobody
 * answers nothing is evicted. */
static void the_last_node_is_not_evicted_from(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1"), "  events: [{name: nodeFailure, after: settled}]\n" SCHEDULABLE)
              WEB("1", ""),
          5, 4);
}

/* Nothing, the set, waiting; placed on a or b, then either zone fails. If it is
 * the pod's, it is evicted, replaced and placed. */
static void a_zone_fails_at_once(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1") GROUP("b", "1"),
                "  events: [{name: zoneOutage, topologyKey: group, after: settled}]\n" SCHEDULABLE)
              WEB("1", ""),
          3 + 2 + 2 * (4 + 1), 2 + 2 + 4 + 2 * 3);
}

/* A zone of two nodes is taken as one: both are down by one step. */
static void all_nodes_of_a_zone_fail_together(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "2"),
                "  events: [{name: zoneOutage, topologyKey: group, zone: a}]\n" SCHEDULABLE)
              WEB("0", ""),
          2 + 2, 2 + 2);
}

/* Before the set is made and after it: of k nodes that failed, up to three, some
 * are tainted; the third is not, for then the zone is disrupted: 1 + 2 + 3 + 3
 * states with 6 failures and 3 taints between them. */
static void most_of_a_zone_is_not_tainted(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "4"), "  events: [{name: nodeFailure, atMost: 3}]\n" SCHEDULABLE)
              WEB("0", ""),
          9 + 9, 9 + 9 + 9);
}

/* Cut off from its clients, and back. */
static void a_partition_heals(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1"),
                "  events: [{name: partition, recovers: true, after: settled}]\n" SCHEDULABLE)
              WEB("1", ""),
          4 + 2, 3 + 2);
}

/* One of two loads, or with a load from the start the other one. */
static void a_load_is_one_of_those_given(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1"), "  events: [{name: load, workload: Deployment/default/web, total: "
                                 "[100m, 200m], after: settled}]\n" SCHEDULABLE) WEB("1", ""),
          4 + 2, 3 + 2);
    holds(CHECK(GROUP("a", "1"),
                "  events: [{name: load, workload: Deployment/default/web, "
                "initial: 200m, total: [100m, 200m], after: settled}]\n" SCHEDULABLE) WEB("1", ""),
          4 + 1, 3 + 1);
}

/* Nothing, the set, waiting, placed; then, terminating or gone, and its
 * replacement not made, waiting or placed. */
static void a_deleted_pod_is_replaced(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1"),
                "  events: [{name: delete, object: Pod/web-*, after: settled}]\n" SCHEDULABLE)
              WEB("1", ""),
          4 + 6, 3 + 1 + 7);
}

/* The pod stays until it is collected; another one is made, and fits nowhere
 * (which is a step, too). */
static void a_deleted_node_loses_its_pods(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1"), "  events: [{name: delete, object: Node/a-*, after: settled}]\n"
                                 "  intents: [{name: neverEvicted}]\n") WEB("1", ""),
          4 + 3, 3 + 1 + 2 + 1);
}

/* The pod is deleted, terminates, and is gone. */
static void a_deleted_deployment_ends(void **state)
{
    (void)state;
    holds(CHECK(GROUP("a", "1"),
                "  events: [{name: delete, object: Deployment/web, after: settled}]\n" SCHEDULABLE)
              WEB("1", ""),
          4 + 3, 3 + 1 + 2);
}

#define SERVED(hook)                                                                            \
    CHECK(GROUP("a", "1"), "  events: [{name: scale, workload: Deployment/web, to: [1], "       \
                           "after: settled}]\n  intents: [{name: endpointsLive}]\n")            \
    "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n"                               \
    "spec: {selector: {app: web}, ports: [{port: 80}]}\n"                                       \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n" \
    "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n"  \
    "    spec: {containers: [{name: c, image: x, lifecycle: {preStop: " hook "}}]}\n"

/* Nothing, the set, two waiting; one waits, and one starts or is ready; none
 * waits, and none, one or two are ready. Then one replica, the set scaled, a pod
 * that ends, is no endpoint any more, is gone: in this order if it sleeps. */
static void endpoints_are_removed_before_a_sleeper_stops(void **state)
{
    (void)state;
    holds(SERVED("{exec: {command: [sleep, '5']}}"), 8 + 5, 8 + 5);
    holds(SERVED("{sleep: {seconds: 5}}"), 8 + 5, 8 + 5);
    const struct outcome outcome = verify(SERVED("{exec: {command: [sleep, '4']}}"), unlimited());
    assert_int_equal(outcome.verdict, VERDICT_VIOLATED);
    assert_int_equal(outcome.steps, 6 + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_node_is_not_evicted_from),
        cmocka_unit_test(a_zone_fails_at_once),
        cmocka_unit_test(all_nodes_of_a_zone_fail_together),
        cmocka_unit_test(most_of_a_zone_is_not_tainted),
        cmocka_unit_test(a_partition_heals),
        cmocka_unit_test(a_load_is_one_of_those_given),
        cmocka_unit_test(a_deleted_pod_is_replaced),
        cmocka_unit_test(endpoints_are_removed_before_a_sleeper_stops),
        cmocka_unit_test(a_deleted_node_loses_its_pods),
        cmocka_unit_test(a_deleted_deployment_ends),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
