/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes beyond what fits or suffices: those at numbers that somebody counts by, and what
 * the report says of the others. */
#include "setup/setup_fixture.h"
#include "setup/size_marks.h"
#include "setup/sizes.h"

/* Two pods fit on the node. */
#define CHECK(replicas, more)                                                              \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n"      \
    "  - {name: node, count: 1, node: {status: {allocatable: {cpu: '2', pods: '110'}}}}\n" \
    "  workloads: [{name: Deployment/web, replicas: {" replicas "}}]\n" more
#define WEB(spec, pod)                                                                           \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  " spec          \
    "\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" \
    "    spec:\n" pod "      containers: [{name: c, image: web, resources: {requests: {cpu: "    \
    "'1'}}}]\n"
#define RECREATE WEB("strategy: {type: Recreate}", "")
#define ROLLING(surge, unavailable) \
    WEB("strategy: {rollingUpdate: {maxSurge: " surge ", maxUnavailable: " unavailable "}}", "")
#define BUDGET(namespace, app, spec)                                              \
    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b, " \
    "namespace: " namespace "}\nspec: {selector: {matchLabels: {app: " app "}}, " spec "}\n"
#define AUTOSCALER(target, behavior)                                                          \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n" \
    "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: " target            \
    "}, minReplicas: 20, maxReplicas: 40" behavior "}\n"

/* "1-6 8 9" */
static void format(const struct sizes *sizes, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%d-%d", sizes->least, sizes->dense);
    for (uint32_t i = 0; i < sizes->further_count; i++)
        length += (size_t)snprintf(text + length, size - length, " %d", sizes->further[i]);
}

/* With the one group that there is. */
static void expect(const char *manifests, const char *expected)
{
    struct setup_fixture fixture;
    struct sizing sizing;
    char text[256];
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.group_count, 1);
    const int32_t nodes[] = {fixture.scope.groups[0].most};
    sizing_init(&fixture.arena, &fixture.scope, &sizing);
    sizing_choose(&sizing, nodes);
    format(&sizing.workloads[0].sizes, text, sizeof(text));
    assert_string_equal(text, expected);
    setup_fixture_release(&fixture);
}

#define TO_50 "min: 1, max: 50"

static void pods_that_only_wait_are_left_out(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "") RECREATE, "1-6");
    expect(CHECK("min: 1, max: 4", "") RECREATE, "1-4");
    expect(CHECK("min: 10, max: 50", "") RECREATE, "10-10");
    expect(CHECK(TO_50, "  scale: {mode: exact}\n") RECREATE, "1-50");
    expect(CHECK(TO_50, "  scale: {mode: incremental}\n") ROLLING("20", "0"), "1-23");
    expect(CHECK(TO_50, "") ROLLING("900%", "0"), "1-30");
}

static void numbers_of_intents_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "  intents: [{name: replicasAtMost, value: 8}]\n") RECREATE, "1-6 8 9");
    expect(CHECK(TO_50, "  intents: [{name: replicasAtLeast, value: 8}]\n") RECREATE, "1-6 8 9");
    expect(CHECK(TO_50, "  intents: [{name: noReplicaSwing, swing: 9}]\n") RECREATE, "1-6 9 10");
    expect(CHECK(TO_50, "  intents: [{name: replicasAtLeast, value: desired-8}]\n") RECREATE,
           "1-6 8 9");
    expect(CHECK(TO_50,
                 "  intents: [{name: balanced, topologyKey: kubernetes.io/hostname, maxSkew: 9}]\n")
               RECREATE,
           "1-6 10");
    expect(CHECK(TO_50, "  intents: [{name: replicasAtMost, value: 60}]\n") RECREATE, "1-6");
    expect(CHECK(TO_50, "  intents: [{name: replicasAtMost, value: 8, workload: Deployment/api}]\n")
               RECREATE,
           "1-6");
}

static void a_skew_counts_for_each_node(void **state)
{
    (void)state;
    expect("apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n"
           "  - {name: node, count: 2, node: {status: {allocatable: {cpu: '2'}}}}\n"
           "  workloads: [{name: Deployment/web, replicas: {" TO_50 "}}]\n  intents: [{name: "
           "balanced, topologyKey: kubernetes.io/hostname, maxSkew: 9}]\n" RECREATE,
           "1-6 10 20");
}

static void numbers_of_events_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "  events: [{name: scale, workload: Deployment/web, to: [20, 30]}]\n")
               RECREATE,
           "1-6 20 21 30 31");
    expect(CHECK(TO_50, "  events: [{name: nodeFailure, atMost: 7}]\n") RECREATE, "1-8");
}

static void bounds_of_autoscalers_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "") RECREATE AUTOSCALER("web", ""), "1-6 20 21 40 41");
    expect(CHECK(TO_50, "") RECREATE AUTOSCALER("api", ""), "1-6");
    expect(CHECK(TO_50, "") RECREATE AUTOSCALER(
               "web", ", behavior: {scaleUp: {policies: [{type: Pods, value: 8, periodSeconds: "
                      "60}]}, scaleDown: {policies: [{type: Percent, value: 10, periodSeconds: "
                      "60}]}}"),
           "1-6 8 9 10 11 20 21 40 41");
}

/* A share of 10 % is one pod from 10 replicas on, and rounded up two from 11 on; with two
 * pods that fit, it is all of them from 20 or 21 on. */
#define QUOTA(namespace, hard)                                                                     \
    "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: " namespace "}\nspe" \
                                                                                          "c: "    \
                                                                                          "{hard:" \
                                                                                          " "      \
                                                                                          "{" hard \
                                                                                          "}}\n"

static void quotas_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "") RECREATE QUOTA("default", "pods: 7"), "1-8");
    expect(CHECK(TO_50, "") RECREATE QUOTA("default", "cpu: 7500m"), "1-8");
    expect(CHECK(TO_50, "") RECREATE QUOTA("default", "limits.cpu: 7"), "1-6");
    expect(CHECK(TO_50, "") RECREATE QUOTA("other", "pods: 7"), "1-6");
}

static void budgets_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "") RECREATE BUDGET("default", "web", "maxUnavailable: 10%"),
           "1-6 10 11 20 21");
    expect(CHECK(TO_50, "") RECREATE BUDGET("default", "web", "minAvailable: 90%"),
           "1-6 10 11 20 21");
    expect(CHECK(TO_50, "") RECREATE BUDGET("default", "web", "minAvailable: 7"), "1-8 10");
    expect(CHECK(TO_50, "") RECREATE BUDGET("other", "web", "minAvailable: 7"), "1-6");
    expect(CHECK(TO_50, "") RECREATE BUDGET("default", "api", "minAvailable: 7"), "1-6");
    expect(CHECK(TO_50, "  intents: [{name: replicasAtLeast, value: desired-3}]\n")
               RECREATE BUDGET("default", "web", "maxUnavailable: 10%"),
           "1-6 10 11 20 21 30 31 40 41");
}

static void rules_of_the_workload_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "") ROLLING("0", "10%"), "1-6 10 11 20 21");
    expect(CHECK(TO_50, "") ROLLING("1", "9"), "1-6 9 10 12");
    expect(CHECK(TO_50, "") WEB("strategy: {type: Recreate}",
                                "      topologySpreadConstraints:\n"
                                "      - {maxSkew: 8, topologyKey: zone, whenUnsatisfiable: "
                                "DoNotSchedule, labelSelector: {}}\n"),
           "1-6 9");
}

/* An event applies ten times as many pods of a fifth of the size, which surge by five. */
static void what_is_applied_counts(void **state)
{
    (void)state;
    const struct scope_options options = {0};
    const int32_t nodes[] = {1};
    struct setup_fixture fixture;
    struct setup_fixture later;
    struct sizing sizing;
    char text[256];
    setup_fixture_read(&fixture, CHECK(TO_50, "  events: [{name: nodeFailure}]\n") RECREATE);
    setup_fixture_read(&later,
                       "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
                       "spec:\n  replicas: 30\n  strategy: {rollingUpdate: {maxSurge: 5}}\n"
                       "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: "
                       "{labels: {app: web}}\n    spec: {containers: [{name: c, image: web, "
                       "resources: {requests: {cpu: 200m}}}]}\n");
    fixture.scope.applied[0] = later.objects;
    fixture.scope.workloads[0].marks = size_marks_collect(
        &fixture.arena, &fixture.scope, size_marks_index(&fixture.arena, &fixture.scope),
        &fixture.scope.workloads[0], &options);
    sizing_init(&fixture.arena, &fixture.scope, &sizing);
    sizing_choose(&sizing, nodes);
    format(&sizing.workloads[0].sizes, text, sizeof(text));
    assert_string_equal(text, "1-16 30 31 40 41");
    setup_fixture_release(&later);
    setup_fixture_release(&fixture);
}

#define CHECK_OF(kind, more)                                                               \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n"      \
    "  - {name: node, count: 1, node: {status: {allocatable: {cpu: '2', pods: '110'}}}}\n" \
    "  workloads: [{name: " kind "/web, replicas: {min: 1, max: 50}}]\n" more

static void rules_of_other_kinds_count(void **state)
{
    (void)state;
    expect(CHECK_OF("StatefulSet", "") "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: "
                                       "{name: web}\nspec:\n  serviceName: web\n  updateStrategy: "
                                       "{rollingUpdate: {partition: 8}}\n  selector: {matchLabels: "
                                       "{app: web}}\n  template:\n    metadata: {labels: {app: "
                                       "web}}\n    spec: {containers: [{name: c, image: web, "
                                       "resources: {requests: {cpu: '1'}}}]}\n",
           "1-6 8 9");
    expect(
        CHECK_OF("Job", "") "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\n"
                            "spec:\n  completions: 20\n  backoffLimit: 8\n  template:\n    spec: "
                            "{restartPolicy: Never, containers: [{name: c, image: web, "
                            "resources: {requests: {cpu: '1'}}}]}\n",
        "1-6 8 9 20 21");
    expect(
        CHECK_OF("Job", "") "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\n"
                            "spec:\n  completions: 20\n  backoffLimit: 8\n  completionMode: "
                            "Indexed\n  maxFailedIndexes: 10\n  successPolicy: {rules: "
                            "[{succeededIndexes: '13-15', succeededCount: 1}]}\n  template:\n    "
                            "spec: {restartPolicy: Never, containers: [{name: c, image: web, "
                            "resources: {requests: {cpu: '1'}}}]}\n",
        "1-6 8 9 10 11 13 14 16 17 20 21");
}

static void limits_of_the_descheduler_count(void **state)
{
    (void)state;
    expect(CHECK(TO_50,
                 "  controllers:\n    descheduler:\n      policy: {maxNoOfPodsToEvictPerNode: "
                 "8, maxNoOfPodsToEvictPerNamespace: 20, profiles: []}\n") RECREATE,
           "1-6 9 20 21");
}

/* With a sufficient scale, numbers count that have nothing to do with what fits. */
static void a_sufficient_scale_is_passed_at_numbers(void **state)
{
    (void)state;
    expect(CHECK(TO_50, "  scale: {sufficient: {podsPerNode: 2}}\n"
                        "  intents: [{name: replicasAtMost, value: 8}]\n")
               RECREATE BUDGET("default", "web", "maxUnavailable: 10%"),
           "1-2 8 9 10 11");
}

/* ---- what the report says ---- */

static void expect_sentences(const char *manifests, const char *first, const char *second)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    const struct string_list told = sizes_left_out(&fixture.arena, &fixture.scope);
    assert_int_equal(told.count, (first != NULL) + (second != NULL));
    if (first)
        assert_string_equal(told.items[0], first);
    if (second)
        assert_string_equal(told.items[1], second);
    setup_fixture_release(&fixture);
}

#define BEGIN(least, most)             \
    "sizes: of the " least " to " most \
    " replicas of Deployment/default/web these are not explored: "
#define END    "; what only they violate is not found (--scale exact explores them)"
#define WAIT   " (more pods than fit only wait)" END
#define BOTH   " (6 pods per node are taken to be enough, and more pods than fit only wait)" END
#define ENOUGH " (1 pod per node is taken to be enough)" END

static void sizes_that_are_left_out_are_said(void **state)
{
    (void)state;
    expect_sentences(CHECK("min: 1, max: 6", "") RECREATE, NULL, NULL);
    expect_sentences(CHECK(TO_50, "  scale: {mode: exact}\n") RECREATE, NULL, NULL);
    expect_sentences(CHECK("min: 1, max: 7", "") RECREATE, BEGIN("1", "7") "7 with 1 node" WAIT,
                     NULL);
    expect_sentences(CHECK(TO_50, "") RECREATE, BEGIN("1", "50") "7 to 50 with 1 node" WAIT, NULL);
    expect_sentences(CHECK("min: 1, max: 21", "")
                         RECREATE BUDGET("default", "web", "maxUnavailable: 10%"),
                     BEGIN("1", "21") "7 to 19, but for 10 and 11, with 1 node" WAIT, NULL);
    expect_sentences(CHECK("min: 1, max: 5", "  scale: {sufficient: {podsPerNode: 1}}\n") RECREATE,
                     BEGIN("1", "5") "2 to 5 with 1 node" ENOUGH, NULL);
}

#define GROUPS(count, workload)                                                                    \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n"              \
    "  - {name: a, count: {min: 0, max: " count "}, node: {status: {allocatable: {cpu: '16'}}}}\n" \
    "  - {name: b, count: {min: 0, max: 1}, node: {status: {allocatable: {cpu: '2'}}}}\n"          \
    "  workloads: [{name: Deployment/web, " workload "}]\n"

/* With one node the choice that explores the least is the small one. */
static void sizes_are_told_by_the_number_of_nodes(void **state)
{
    (void)state;
    expect_sentences(GROUPS("1", "replicas: {min: 1, max: 20}") RECREATE,
                     BEGIN("1", "20") "7 to 20 with 1 node and 20 with 2 nodes" BOTH, NULL);
    expect_sentences(GROUPS("4", "replicas: {min: 1, max: 40}") RECREATE,
                     BEGIN("1", "40") "7 to 40 with 1 node, 13 to 40 with 2 nodes, and so on to "
                                      "25 to 40 with 4 nodes" BOTH,
                     NULL);
}

/* One large node and a small one hold less than two large ones. */
static void of_as_many_nodes_the_least_is_told(void **state)
{
    (void)state;
    expect_sentences(
        GROUPS("2",
               "replicas: {min: 1, max: 40}") "  scale: {sufficient: {podsPerNode: 10}}\n" RECREATE,
        BEGIN("1", "40") "11 to 40 with 1 node, 20 to 40 with 2 nodes and 31 to 40 "
                         "with 3 nodes (10 pods per node are taken to be enough, and "
                         "more pods than fit only wait)" END,
        NULL);
}

static void limits_of_autoscalers_are_said(void **state)
{
    (void)state;
    static const char follow[] =
        "follow: the autoscaler of Deployment/default/web asks for no more pods than the nodes "
        "hold; what it does beyond is not found (--scale exact lifts this)";
    expect_sentences(GROUPS("1", "replicas: 2, autoscaler: {follow: true, factor: 2}")
                         RECREATE AUTOSCALER("web", ""),
                     follow, NULL);
    expect_sentences(GROUPS("1", "replicas: 2, autoscaler: {follow: true, factor: 1}")
                         RECREATE AUTOSCALER("web", ""),
                     NULL, NULL);
    expect_sentences(GROUPS("1", "replicas: 1, autoscaler: {follow: true, factor: 2}")
                         RECREATE AUTOSCALER("web", ""),
                     NULL, NULL);
    expect_sentences(GROUPS("1", "replicas: {min: 1, max: 20}, autoscaler: {follow: true}")
                         RECREATE AUTOSCALER("web", ""),
                     BEGIN("1", "20") "7 to 20 with 1 node and 20 with 2 nodes" BOTH, follow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_that_only_wait_are_left_out),
        cmocka_unit_test(numbers_of_intents_count),
        cmocka_unit_test(a_skew_counts_for_each_node),
        cmocka_unit_test(numbers_of_events_count),
        cmocka_unit_test(bounds_of_autoscalers_count),
        cmocka_unit_test(quotas_count),
        cmocka_unit_test(budgets_count),
        cmocka_unit_test(rules_of_the_workload_count),
        cmocka_unit_test(what_is_applied_counts),
        cmocka_unit_test(rules_of_other_kinds_count),
        cmocka_unit_test(limits_of_the_descheduler_count),
        cmocka_unit_test(a_sufficient_scale_is_passed_at_numbers),
        cmocka_unit_test(sizes_that_are_left_out_are_said),
        cmocka_unit_test(sizes_are_told_by_the_number_of_nodes),
        cmocka_unit_test(of_as_many_nodes_the_least_is_told),
        cmocka_unit_test(limits_of_autoscalers_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
