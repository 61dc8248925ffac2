/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions are applied only if every intent says that it cannot see them: one of which
 * nothing but a mark is known gets none. */
#include "cluster/intent_class.h"
#include "cluster/reduce/focus.h"
#include "cluster/reduce/focus_anywhere.h"
#include "cluster/reduce/readiness.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/workloads_fixture.h"

/* All reductions can be applied to it. */
static const char manifests[] =
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  scale: {mode: exact}\n"
    "  nodeGroups: [{name: a, count: 3, node: {status: {allocatable: {cpu: '4', memory: 16Gi, "
    "pods: '110'}}}}]\n"
    "  events: [{name: nodeFailure, group: a}]\n  intents: [{name: neverEvicted}]\n---\n"
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec:\n"
    "  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: "
    "{app: web}}\n    spec: {containers: [{name: c, image: x}]}\n---\n"
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: default}\nspec:\n"
    "  replicas: 1\n  selector: {matchLabels: {app: api}}\n  template:\n    metadata: {labels: "
    "{app: api}}\n    spec: {containers: [{name: c, image: x}]}\n";

static bool mark(const struct judged *judged)
{
    (void)judged;
    return false;
}

/* Which of them are applied, as bits: in the order of enum intent_ignores. */
static unsigned applied(struct population *population)
{
    reductions_choose(population);
    return (readiness_is_read(population) ? 0 : IGNORES_READINESS) |
           (population->ready_at_once ? IGNORES_STARTING : 0U) |
           (population->creates_first ? IGNORES_CREATION_ORDER : 0U) |
           (population->may_focus ? IGNORES_OTHER_WORKLOADS : 0U) |
           (places_are_alike(population->maker, population->initial) ? IGNORES_PLACES : 0U);
}

static void only_what_every_intent_ignores_is_left_out(void **state)
{
    enum { ALL = IGNORES_PLACES * 2 - 1 };
    struct fixture fixture;
    struct setups setups = {0};
    (void)state;
    assert_true(fixture_load(&fixture, manifests));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_ALWAYS};
    struct population *population =
        population_create(&fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                          fixture.check->intent_count, &options, &fixture.problems);
    assert_int_equal(applied(population), ALL);
    for (unsigned ignores = 0; ignores <= ALL; ignores++) {
        const struct intent_class class = {.mark = mark, .ignores = ignores};
        population->intents.items[0].class = &class;
        assert_int_equal(applied(population), ignores);
    }
    population_free(population);
    fixture_release(&fixture);
}

/* An autoscaler whose target is this use of CPU; pods use what they request. */
#define AUTOSCALED(target, more)                                                                 \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"                        \
    "  scale: {mode: exact}\n"                                                                   \
    "  nodeGroups: [{name: a, count: 3, node: {status: {allocatable: {cpu: '4', memory: 16Gi, "  \
    "pods: '110'}}}}]\n"                                                                         \
    "  events: [" more "]\n  intents: [{name: neverEvicted}]\n---\n"                             \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec:\n"  \
    "  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: " \
    "{app: web}}\n    spec: {containers: [{name: c, image: x, resources: {requests: {cpu: "      \
    "100m}}}]}\n---\n"                                                                           \
    "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"                                \
    "metadata: {name: web, namespace: default}\nspec:\n"                                         \
    "  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"                     \
    "  minReplicas: 1\n  maxReplicas: 4\n  metrics: [{type: Resource, resource: {name: cpu, "    \
    "target: " target "}}]\n"

/* Are reductions made that an autoscaler in a hurry does not allow? */
static bool is_reduced(const char *text)
{
    struct fixture fixture;
    struct setups setups = {0};
    assert_true(fixture_load(&fixture, text));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    const struct population_options options = {.features = features_of_version(26),
                                               .interleaving = INTERLEAVING_CONTROLLERS,
                                               .reductions = REDUCTIONS_ALWAYS};
    struct population *population =
        population_create(&fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                          fixture.check->intent_count, &options, &fixture.problems);
    const bool reduced = population->creates_first;
    assert_true(population->remembers_quiet == !reduced);
    population_free(population);
    fixture_release(&fixture);
    return reduced;
}

#define UTILIZATION(percent) "{type: Utilization, averageUtilization: " percent "}"
#define FAILURE              "{name: nodeFailure, group: a}"

static void an_autoscaler_that_never_acts_is_in_no_hurry(void **state)
{
    (void)state;
    assert_true(is_reduced(AUTOSCALED(UTILIZATION("100"), FAILURE)));
    assert_true(is_reduced(AUTOSCALED(UTILIZATION("95"), FAILURE)));
    assert_false(is_reduced(AUTOSCALED(UTILIZATION("50"), FAILURE)));
    assert_false(is_reduced(AUTOSCALED(UTILIZATION("200"), FAILURE)));
    assert_false(is_reduced(AUTOSCALED("{type: AverageValue, averageValue: 100m}", FAILURE)));
    assert_false(is_reduced(AUTOSCALED(
        UTILIZATION("100"), "{name: cpuChange, workload: Deployment/default/web, levels: [50%]}")));
    assert_false(is_reduced(AUTOSCALED(
        UTILIZATION("100"), "{name: load, workload: Deployment/default/web, total: [200m]}")));
}

/* ---- the pool ---- */

#define ON_NODES(rest) NODES("a", "2", rest, ROOMY)
#define SPEC(rest)     CLUSTER(ON_NODES(""), rest)
#define CONVERGES      "  intents: [{name: converges}]\n"
#define WEB            DEPLOYMENT("web", "app: web", "")
#define WEB_WITH(pod)  SPEC(CONVERGES) DEPLOYMENT("web", "app: web", pod)
#define TERM           "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]"
#define SPREAD(unsatisfiable)                                                              \
    "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, " \
    "whenUnsatisfiable: " unsatisfiable ", labelSelector: {matchLabels: {app: web}}}]\n"
#define VOLUME(source) "      volumes: [{name: v, " source "}]\n"

struct pooled {
    const char *name;
    const char *manifests;
    bool pools;
};

static const struct pooled pooled[] = {
    {"a Deployment", SPEC(CONVERGES) WEB, true},
    {"a ReplicaSet", SPEC(CONVERGES) WORKLOAD("ReplicaSet", "web", "app: web", "cpu: 1", ""), true},
    {"a DaemonSet", SPEC(CONVERGES) WORKLOAD("DaemonSet", "web", "app: web", "cpu: 1", ""), false},
    {"a StatefulSet", SPEC(CONVERGES) WORKLOAD("StatefulSet", "web", "app: web", "cpu: 1", ""),
     true},
    {"a StatefulSet with claims",
     SPEC(CONVERGES) WORKLOAD(
         "StatefulSet", "web", "app: web", "cpu: 1",
         "") "  volumeClaimTemplates: [{metadata: {name: d}, spec: {accessModes: [ReadWriteMany], "
             "resources: {requests: {storage: 1Gi}}}}]\n",
     false},
    {"a Job",
     SPEC(CONVERGES) "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: web, namespace: "
                     "default}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: "
                     "c, image: x}]}}}\n",
     true},
    {"an intent about places",
     SPEC("  intents: [{name: balanced, topologyKey: kubernetes.io/hostname}]\n") WEB, false},
    {"clocks", SPEC("  time: clocked\n" CONVERGES) WEB, false},
    {"a descheduler",
     SPEC("  controllers: {descheduler: {interval: 10m, policy: {apiVersion: "
          "descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, plugins: "
          "{balance: {enabled: [RemoveDuplicates]}}}]}}}\n" CONVERGES) WEB,
     false},
    {"nodes that evict",
     CLUSTER(ON_NODES("spec: {taints: [{key: k, effect: NoExecute}]}, "), CONVERGES) WEB, false},
    {"nodes with another taint",
     CLUSTER(ON_NODES("spec: {taints: [{key: k, effect: NoSchedule}]}, "), CONVERGES) WEB, true},
    {"drains", SPEC("  events: [{name: maintenance, atMost: 1}]\n" CONVERGES) WEB, true},
    {"outages of zones",
     CLUSTER(ON_NODES("metadata: {labels: {rack: one}}, "),
             "  events: [{name: zoneOutage, topologyKey: rack, zone: one}]\n" CONVERGES) WEB,
     true},
    {"kernel panics", SPEC("  events: [{name: kernelPanic, aboveCpu: 90%}]\n" CONVERGES) WEB,
     false},
    {"required affinity",
     WEB_WITH("      affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " TERM
              "}}\n"),
     false},
    {"required anti-affinity",
     WEB_WITH("      affinity: {podAntiAffinity: "
              "{requiredDuringSchedulingIgnoredDuringExecution: " TERM "}}\n"),
     false},
    {"spreading", WEB_WITH(SPREAD("DoNotSchedule")), false},
    {"spreading if possible", WEB_WITH(SPREAD("ScheduleAnyway")), true},
    {"an empty directory", WEB_WITH(VOLUME("emptyDir: {}")), true},
    {"a ConfigMap", WEB_WITH(VOLUME("configMap: {name: m}")), true},
    {"a disk", WEB_WITH(VOLUME("gcePersistentDisk: {pdName: d}")), false},
    {"a directory of the node", WEB_WITH(VOLUME("hostPath: {path: /d}")), false},
    {"a port of the node",
     SPEC(CONVERGES) "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: "
                     "default}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    "
                     "metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: x, "
                     "ports: [{containerPort: 80, hostPort: 80}]}]}\n",
     false},
    {"a node by name", WEB_WITH("      nodeName: a-1\n"), false},
    {"traffic",
     SPEC("  intents: [{name: trafficBalanced, maxRatio: 2}]\n") WEB
     "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: default}\nspec: "
     "{selector: {app: web}, ports: [{port: 80}]}\n",
     false},
};

static bool is_pooled(const char *text, struct population_options options, enum check_start start)
{
    struct fixture fixture;
    assert_true(fixture_load(&fixture, text));
    if (start != START_UNSET)
        fixture.scope.start = start;
    options.features = features_of_version(26);
    struct population *population = fixture_population(&fixture, &options);
    const bool result = population->pools;
    population_free(population);
    fixture_release(&fixture);
    return result;
}

static void pods_are_pooled_where_nothing_asks_for_their_nodes(void **state)
{
    const struct others others = {.pools = true, .unknown = true};
    (void)state;
    for (size_t i = 0; i < sizeof(pooled) / sizeof(*pooled); i++)
        if (is_pooled(pooled[i].manifests, (struct population_options){.others = &others},
                      START_UNSET) != pooled[i].pools)
            fail_msg("%s", pooled[i].name);
}

static void pods_are_pooled_only_beside_others(void **state)
{
    static const char quiet[] = SPEC(CONVERGES) WEB;
    const struct others others = {.pools = true, .unknown = true};
    const struct others with_nodes = {.unknown = true};
    struct population_options options = {0};
    (void)state;
    assert_false(is_pooled(quiet, options, START_UNSET));
    options.others = &with_nodes;
    assert_false(is_pooled(quiet, options, START_UNSET));
    options.others = &others;
    assert_true(is_pooled(quiet, options, START_UNSET));
    assert_false(is_pooled(quiet, options, START_OBSERVED));
    options.nodes = NODES_ONE_DISTINGUISHED;
    assert_false(is_pooled(quiet, options, START_UNSET));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_every_intent_ignores_is_left_out),
        cmocka_unit_test(an_autoscaler_that_never_acts_is_in_no_hurry),
        cmocka_unit_test(pods_are_pooled_where_nothing_asks_for_their_nodes),
        cmocka_unit_test(pods_are_pooled_only_beside_others),
    };
    return cmocka_run_group_tests_name("reductions", tests, NULL, NULL);
}
