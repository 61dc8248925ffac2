/* SPDX-License-Identifier: Apache-2.0 */
/* Each hint, and that there is none where nothing is wrong. */
#include "setup/hints.h"

#include "setup/setup_fixture.h"

#define WEB(replicas, spec)                                                                      \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  "               \
    "replicas: " replicas "\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: " \
    "{labels: {app: web}}\n    "                                                                 \
    "spec: {" spec "containers: [{name: c, image: x, resources: {requests: {cpu: 100m}}}]}\n"
#define WEB_OF_SHOP                                                                           \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"    \
    "spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, " \
    "spec: {containers: [{name: c, image: x}]}}}\n"
#define BUDGET(name, rest)                                                          \
    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: " name \
    "}\nspec: {" rest "}\n"
#define OF_WEB "selector: {matchLabels: {app: web}}"
#define SCALER(name, target, rest)                                                           \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: " name \
    "}\nspec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, "     \
    "name: " target "}" rest "}\n"
#define SERVICE(rest)                                                                            \
    "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]" rest \
    "}\n"
#define NODE(labels)                                                                         \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: one, labels: {" labels "}}\nstatus: " \
    "{allocatable: {cpu: '4'}}\n"

#define DATABASE                                                                             \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\n"                    \
    "spec: {replicas: 3, selector: {matchLabels: {app: db}}, template: {metadata: {labels: " \
    "{app: db}}, spec: {containers: [{name: c, image: x}]}}}\n"
#define OTHER(version, kind, meta) \
    "---\napiVersion: " version "\nkind: " kind "\nmetadata: {name: other, " meta "}\n"

/* `text` is in the only hint; NULL: there is none. */
static void expect(const char *manifests, const char *text)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    const struct hints hints = hints_find(&fixture.arena, &fixture.objects);
    for (uint32_t i = 0; i < hints.count; i++)
        print_message("%s\n", hint_format(&fixture.arena, &hints.items[i]));
    assert_int_equal(hints.count, text != NULL);
    if (text)
        assert_non_null(strstr(hints.items[0].text, text));
    setup_fixture_release(&fixture);
}

static void expect_remedy(const char *manifests, const char *remedy)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    const struct hints hints = hints_find(&fixture.arena, &fixture.objects);
    assert_int_equal(hints.count, 1);
    if (remedy)
        assert_string_equal(hints.items[0].remedy, remedy);
    else
        assert_null(hints.items[0].remedy);
    setup_fixture_release(&fixture);
}

static void expect_count(const char *manifests, uint32_t count)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_int_equal(hints_find(&fixture.arena, &fixture.objects).count, count);
    setup_fixture_release(&fixture);
}

static void test_budgets(void **state)
{
    (void)state;
    expect(WEB("3", "") BUDGET("b", "minAvailable: 2, " OF_WEB), NULL);
    expect(WEB("3", "") BUDGET("b", "minAvailable: 3, " OF_WEB), "minAvailable 3 of 3 pods: 0");
    expect(WEB("3", "") BUDGET("b", "maxUnavailable: 0, " OF_WEB), "maxUnavailable 0 of 3");
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1, selector: {matchLabels: {app: www}}"),
           "selects no pod");
    /* Other manifests do not matter to a budget without a selector. */
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1"), "b selects no pod, because it has no");
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1, selector: "), "because it has no selector");
    expect(BUDGET("b", "minAvailable: 1"), "b selects no pod, because it has no");
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1, selector: {}"), NULL);
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1, " OF_WEB)
               BUDGET("a", "maxUnavailable: 1, " OF_WEB),
           "PodDisruptionBudgets b and a both select");
    /* The autoscaler decides how few pods there may be. */
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1, " OF_WEB) SCALER("s", "web", ""),
           "minAvailable 1 of 1 pod: 0 may be evicted, while HorizontalPodAutoscaler s wants "
           "minReplicas 1");
    expect(WEB("3", "") BUDGET("b", "minAvailable: 1, " OF_WEB)
               SCALER("s", "web", ", minReplicas: 2"),
           NULL);
}

static void test_autoscalers(void **state)
{
    (void)state;
    expect(WEB("1", "") SCALER("s", "web", ""), NULL);
    expect(WEB("1", "") SCALER("s", "shop", ""), "there is no Deployment/shop");
    expect(WEB("1", "") SCALER("s", "web", "") SCALER("r", "web", ""),
           "s and HorizontalPodAutoscaler r both scale");
    expect_count(WEB("1", "") SCALER("s", "web", "") SCALER("r", "web", "") SCALER("t", "web", "")
                     SCALER("u", "web", ""),
                 3); /* one for each beside the first, not one for each pair */
    expect(WEB("1", "") SCALER("s", "web",
                               ", metrics: [{type: Resource, resource: {name: memory, target: "
                               "{type: Utilization, averageUtilization: 80}}}]"),
           "a percentage of the memory request");
}

static void test_services(void **state)
{
    (void)state;
    expect(WEB("1", "") SERVICE(", selector: {app: web}"), NULL);
    expect(WEB("1", "") SERVICE(", selector: {app: www}"), "selects no pod");
    expect(WEB("1", "") SERVICE(""), NULL);
    /* Pods may come from elsewhere: other manifests, or the controller of a custom resource. */
    expect(SERVICE(", selector: {app: www}"), NULL);
    expect(WEB("1", "") SERVICE(", selector: {app: www}")
               OTHER("example.org/v1", "Database", "namespace: default"),
           NULL);
    expect(WEB("1", "") SERVICE(", selector: {app: www}")
               OTHER("example.org/v1", "Database", "namespace: shop"),
           "selects no pod");
    expect(WEB("1", "") SERVICE(", selector: {app: www}") OTHER("v1", "ConfigMap", ""),
           "selects no pod");
    expect(WEB("1", "") SERVICE(", selector: {app: www}")
               OTHER("monitoring.coreos.com/v1", "ServiceMonitor", ""),
           "selects no pod");
}

/* Labels that pods have although no manifest has them. */
static void test_labels_of_pods(void **state)
{
    (void)state;
    expect(DATABASE SERVICE(", selector: {statefulset.kubernetes.io/pod-name: db-1}"), NULL);
    expect(DATABASE SERVICE(", selector: {app: db, apps.kubernetes.io/pod-index: '0'}"), NULL);
    expect(DATABASE SERVICE(", selector: {statefulset.kubernetes.io/pod-name: db2-1}"),
           "selects no pod");
    expect(DATABASE SERVICE(", selector: {statefulset.kubernetes.io/pod-name: db-x}"),
           "selects no pod");
    expect(WEB("1", "") SERVICE(", selector: {statefulset.kubernetes.io/pod-name: web-1}"),
           "selects no pod");
    /* The program may mark one of its pods. */
    expect(DATABASE SERVICE(", selector: {app: db, role: primary}"), NULL);
    expect(DATABASE SERVICE(", selector: {example.com/role: primary}"), NULL);
    expect(DATABASE SERVICE(", selector: {role: primary}"), "selects no pod");
    expect(DATABASE SERVICE(", selector: {app.kubernetes.io/name: db}"), "selects no pod");
    expect(DATABASE SERVICE(", selector: {app: web, role: primary}"), "selects no pod");
}

static void test_namespaces(void **state)
{
    (void)state;
    expect(WEB_OF_SHOP SERVICE(", selector: {app: web}"), "are in namespace shop");
    expect(WEB_OF_SHOP BUDGET("b", "minAvailable: 1, " OF_WEB), "are in namespace shop");
    expect(WEB_OF_SHOP SCALER("s", "web", ""), "Deployment/web is in namespace shop");
    expect(WEB_OF_SHOP SERVICE(", selector: {app: www}"), NULL);
    expect(WEB_OF_SHOP SCALER("s", "www", ""), NULL);
    /* Such a budget selects all pods of its namespace, and of no other. */
    expect(WEB_OF_SHOP BUDGET("b", "minAvailable: 1, selector: {}"), NULL);
}

static void test_pods(void **state)
{
    (void)state;
    expect(WEB("1", "tolerations: [{operator: Exists}], "), "tolerates cordoned nodes");
    expect(WEB("1", "tolerations: [{operator: Exists, effect: NoExecute}], "), NULL);
    expect(WEB("1", "tolerations: [{key: pool, operator: Exists}], "), NULL);
    expect(NODE("rack: a") WEB("1", "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, "
                                    "whenUnsatisfiable: ScheduleAnyway, labelSelector: {}}], "),
           NULL);
    expect(NODE("row: a") WEB("1", "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, "
                                   "whenUnsatisfiable: ScheduleAnyway, labelSelector: {}}], "),
           "a label that no node has");
}

#define SPREAD(key, when)                                                 \
    WEB("3", "topologySpreadConstraints: [{maxSkew: 1, topologyKey: " key \
             ", whenUnsatisfiable: " when ", labelSelector: {matchLabels: {app: web}}}], ")

/* Without nodes only what looks like a mistake is told, and what is told nowhere else. */
static void test_spread_without_nodes(void **state)
{
    (void)state;
    expect(SPREAD("topology.kubernetes.io/zone", "DoNotSchedule"), NULL);
    expect(SPREAD("node.kubernetes.io/instance-type", "ScheduleAnyway"), NULL);
    expect(SPREAD("example.org/rack", "DoNotSchedule"), NULL);
    expect(SPREAD("rack", "DoNotSchedule"), NULL);
    expect(SPREAD("example.org/rack", "ScheduleAnyway"), NULL);
    expect(SPREAD("rack", "ScheduleAnyway"), "its pods may all be on one");
    expect_remedy(SPREAD("topology.kubernetes.io/zones", "DoNotSchedule"),
                  "did you mean topology.kubernetes.io/zone?");
    expect_remedy(SPREAD("topology.kuberntes.io/zone", "ScheduleAnyway"),
                  "did you mean topology.kubernetes.io/zone?");
    expect_remedy(SPREAD("topology.kubernetes.io/hostname", "ScheduleAnyway"),
                  "did you mean kubernetes.io/hostname?");
    expect_remedy(SPREAD("zone", "DoNotSchedule"), "did you mean topology.kubernetes.io/zone?");
    expect(SPREAD("topology.kubernetes.io/rack", "DoNotSchedule"), "its pods find no node");
    expect(SPREAD("node-role.kubernetes.io/worker", "DoNotSchedule"), NULL);
    /* Only what the given nodes have is a remedy. */
    expect_remedy(NODE("topology.kubernetes.io/zone: a") SPREAD("zone", "DoNotSchedule"),
                  "did you mean topology.kubernetes.io/zone?");
    expect_remedy(NODE("row: a") SPREAD("zone", "DoNotSchedule"), NULL);
    /* The manifests ask for nodes with the label. */
    expect(WEB("3", "nodeSelector: {zone: a}, topologySpreadConstraints: [{maxSkew: 1, "
                    "topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}], "),
           NULL);
}

#define ROLLED(replicas, update)                                                        \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  "      \
    "replicas: " replicas "\n  strategy: {rollingUpdate: {" update                      \
    "}}\n  selector: {matchLabels: {app: web}}\n  template: {metadata: {labels: {app: " \
    "web}}, spec: {containers: [{name: c, image: x}]}}\n"

static void test_rollouts(void **state)
{
    (void)state;
    expect(ROLLED("9", "maxSurge: 0, maxUnavailable: 10%"), "10% of 9, rounded down, is 0");
    expect(ROLLED("10", "maxSurge: 0, maxUnavailable: 10%"), NULL);
    expect(ROLLED("9", "maxSurge: 1%, maxUnavailable: 10%"), NULL);
    expect(ROLLED("0", "maxSurge: 0, maxUnavailable: 10%"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets),    cmocka_unit_test(test_autoscalers),
        cmocka_unit_test(test_services),   cmocka_unit_test(test_labels_of_pods),
        cmocka_unit_test(test_namespaces), cmocka_unit_test(test_pods),
        cmocka_unit_test(test_rollouts),   cmocka_unit_test(test_spread_without_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
