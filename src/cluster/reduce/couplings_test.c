/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule couples two workloads, and without what it is about they are not coupled. */
#include "cluster/observed_fixture.h"
#include "cluster/reduce/couplings.h"
#include "cluster/state/population_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CONVERGES     "  intents: [{name: converges}]\n"
#define ON_NODES      NODES("a", "2", "", ROOMY)
#define QUIET         CLUSTER(ON_NODES, CONVERGES)
#define WEB_WITH(pod) DEPLOYMENT("web", "app: web", pod)
#define WEB           WEB_WITH("")
#define API           DEPLOYMENT("api", "app: api", "")

#define TERM(rest)   "{topologyKey: kubernetes.io/hostname" rest "}"
#define SELECTS(app) ", labelSelector: {matchLabels: {app: " app "}}"
#define REQUIRED(kind, rest) \
    "      affinity: {" kind \
    ": {requiredDuringSchedulingIgnoredDuringExecution: [" TERM(rest) "]}}\n"
#define PREFERRED(kind, rest)                                                                  \
    "      affinity: {" kind                                                                   \
    ": {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: " TERM( \
        rest) "}]}}\n"
#define SPREAD(app, unsatisfiable)                                                         \
    "      topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, " \
    "whenUnsatisfiable: " unsatisfiable                                                    \
    SELECTS(app) "}]\n"
#define CLAIM(name)                                                                          \
    "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: " name               \
    ", namespace: default}\nspec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: " \
    "{storage: 1Gi}}\n  volumeName: vol-" name                                               \
    "\n---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: vol-" name              \
    "}\nspec:\n  capacity: {storage: 1Gi}\n  accessModes: [ReadWriteOnce]\n  claimRef: "     \
    "{namespace: default, name: " name "}\n  csi: {driver: d, volumeHandle: h-" name "}\n"
#define USES(claim) "      volumes: [{name: v, persistentVolumeClaim: {claimName: " claim "}}]\n"
#define WITH_PORT(name, port)                                                                      \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name ", namespace: default}\n" \
    "spec:\n  selector: {matchLabels: {app: " name "}}\n  template:\n    metadata: {labels: "      \
    "{app: " name                                                                                  \
    "}}\n    spec: {containers: [{name: c, image: x, ports: [{containerPort: 80" port "}]}]}\n"
#define ON_HOST(name)                                                                              \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name ", namespace: default}\n" \
    "spec:\n  selector: {matchLabels: {app: " name "}}\n  template:\n    metadata: {labels: "      \
    "{app: " name "}}\n    spec: {hostNetwork: true, containers: [{name: c, image: x, ports: "     \
    "[{containerPort: 80, hostPort: 80}]}]}\n"
#define IN_ANOTHER_NAMESPACE                                                                   \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: other}\n"    \
    "spec:\n  selector: {matchLabels: {app: api}}\n  template:\n    metadata: {labels: {app: " \
    "api}}\n    spec: {containers: [{name: c, image: x}]}\n"
#define QUOTA(rest)                              \
    "---\napiVersion: v1\nkind: ResourceQuota\n" \
    "metadata: {name: q, namespace: default}\nspec: {hard: {pods: 9}" rest "}\n"
#define WEBHOOK(rest)                                                                          \
    "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" \
    "metadata: {name: w}\nwebhooks:\n- name: w.example.org\n  clientConfig: {service: "        \
    "{namespace: default, name: s}}\n  rules: [{apiGroups: [''], apiVersions: [v1], "          \
    "operations: [CREATE], resources: [pods]}]\n" rest
#define ASKED(operation, resource)                                                      \
    "- name: b.example.org\n  clientConfig: {service: {namespace: default, name: s}}\n" \
    "  rules: [{apiGroups: [''], apiVersions: [v1], operations: [" operation            \
    "], resources: [" resource "]}]\n"
#define BINDINGS ASKED("CREATE", "pods/binding")
#define SERVICE(selector)                                                                 \
    "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: default}\nspec: " \
    "{selector: {" selector "}, ports: [{port: 80}]}\n"
#define OF_A_TIER(name) DEPLOYMENT(name, "app: " name ", tier: front", "")
#define EVENT(event)    CLUSTER(ON_NODES, "  events: [{" event "}]\n" CONVERGES)
#define PROFILE(plugins)                                                                        \
    CLUSTER(ON_NODES, "  controllers: {scheduler: {configuration: {profiles: [{schedulerName: " \
                      "default-scheduler" plugins "}]}}}\n" CONVERGES)
#define DESCHEDULED                                                                             \
    CLUSTER(ON_NODES,                                                                           \
            "  controllers: {descheduler: {interval: 10m, policy: {apiVersion: "                \
            "descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, "              \
            "pluginConfig: [{name: PodLifeTime, args: {maxPodLifeTimeSeconds: 60}}], plugins: " \
            "{deschedule: {enabled: [PodLifeTime]}}}]}}}\n" CONVERGES)

#define DUMP                     \
    OBSERVED("")                 \
    NODE("n1", "a")              \
    SET("web", "1", "cpu: 300m") \
    SET("db", "1", "cpu: 300m")  \
    POD("web-1", "web", "n1", "cpu: 300m") POD("db-1", "db", "n1", "cpu: 300m")
/* A pod that wants no pod of web beside it. */
#define APART_FROM_WEB                                                                    \
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare, namespace: default}\nspec:\n" \
    "  nodeName: n1\n  affinity: {podAntiAffinity: "                                      \
    "{requiredDuringSchedulingIgnoredDuringExecution: [" TERM(                            \
        SELECTS("web")) "]}}\n"                                                           \
                        "  containers: [{name: c, image: x}]\nstatus: {phase: Running, "  \
                        "conditions: [{type: "                                            \
                        "Ready, status: 'True'}]}\n"
#define ZONES(event)                                                                          \
    CLUSTER(NODES("a", "2", "metadata: {labels: {topology.kubernetes.io/zone: z}}, ", ROOMY), \
            "  events: [" event "]\n" CONVERGES)

/* The number of components where the quotas of `tied` couple, and which of them are shared. */
static uint32_t components_with(const char *manifests, uint64_t tied, uint64_t *shared)
{
    struct fixture fixture;
    struct components components;
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_NEVER};
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    population_components(&fixture.arena, population, tied, &components);
    *shared = components.shared_quotas;
    population_free(population);
    fixture_release(&fixture);
    return components.count;
}

static uint32_t components_of(const char *manifests, uint32_t *of, uint32_t most)
{
    struct fixture fixture;
    struct components components;
    const struct population_options options = {.features = features_of_version(26),
                                               .reductions = REDUCTIONS_NEVER};
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    population_components(&fixture.arena, population, UINT64_MAX, &components);
    for (uint32_t w = 0; w < most; w++)
        of[w] = components.of[w];
    population_free(population);
    fixture_release(&fixture);
    return components.count;
}

struct pair {
    const char *name;
    const char *manifests; /* of two workloads */
    bool coupled;
};

static const struct pair pairs[] = {
    {"two that share nothing", QUIET WEB API, false},
    {"affinity", QUIET WEB_WITH(REQUIRED("podAffinity", SELECTS("api"))) API, true},
    {"affinity to itself", QUIET WEB_WITH(REQUIRED("podAffinity", SELECTS("web"))) API, false},
    {"anti-affinity", QUIET WEB_WITH(REQUIRED("podAntiAffinity", SELECTS("api"))) API, true},
    {"anti-affinity of the second",
     QUIET DEPLOYMENT("api", "app: api", "") WEB_WITH(REQUIRED("podAntiAffinity", SELECTS("api"))),
     true},
    {"affinity if possible", QUIET WEB_WITH(PREFERRED("podAffinity", SELECTS("api"))) API, true},
    {"affinity in another namespace",
     QUIET WEB_WITH(REQUIRED("podAffinity", SELECTS("api") ", namespaces: [other]")) API, false},
    {"affinity in its own namespace",
     QUIET WEB_WITH(REQUIRED("podAffinity", SELECTS("api"))) IN_ANOTHER_NAMESPACE, false},
    {"affinity in any namespace",
     QUIET WEB_WITH(REQUIRED("podAffinity", SELECTS("api") ", namespaceSelector: {}")) API, true},
    {"spreading over both", QUIET WEB_WITH(SPREAD("api", "DoNotSchedule")) API, true},
    {"spreading over both if possible", QUIET WEB_WITH(SPREAD("api", "ScheduleAnyway")) API, true},
    {"spreading of its own", QUIET WEB_WITH(SPREAD("web", "DoNotSchedule")) API, false},
    {"a port of the node",
     QUIET WITH_PORT("web", ", hostPort: 80") WITH_PORT("api", ", hostPort: 80"), true},
    {"different ports of the node",
     QUIET WITH_PORT("web", ", hostPort: 80") WITH_PORT("api", ", hostPort: 81"), false},
    {"a port of the network of the node", QUIET ON_HOST("web") WITH_PORT("api", ", hostPort: 80"),
     true},
    {"the network of the node of both", QUIET ON_HOST("web") ON_HOST("api"), true},
    {"the network of the node of one", QUIET ON_HOST("web") WITH_PORT("api", ""), false},
    {"a port of the pod", QUIET WITH_PORT("web", "") WITH_PORT("api", ""), false},
    {"a claim of both",
     QUIET CLAIM("data") WEB_WITH(USES("data")) DEPLOYMENT("api", "app: api", USES("data")), true},
    {"a claim and an empty directory",
     QUIET CLAIM("data") WEB_WITH(USES("data"))
         DEPLOYMENT("api", "app: api", "      volumes: [{name: v, emptyDir: {}}]\n"),
     false},
    {"claims that are bound to different volumes",
     QUIET CLAIM("data") CLAIM("more") WEB_WITH(USES("data"))
         DEPLOYMENT("api", "app: api", USES("more")),
     false},
    {"a claim that is not there",
     QUIET CLAIM("data") WEB_WITH(USES("data")) DEPLOYMENT("api", "app: api", USES("more")), true},
    {"a claim of one", QUIET CLAIM("data") WEB_WITH(USES("data")) API, false},
    {"ConfigMaps",
     QUIET WEB_WITH("      volumes: [{name: v, configMap: {name: m}}]\n")
         DEPLOYMENT("api", "app: api", "      volumes: [{name: v, configMap: {name: m}}]\n"),
     false},
    {"a budget", QUIET OF_A_TIER("web") OF_A_TIER("api") BUDGET("b", "tier: front"), true},
    {"a quota", QUIET WEB API QUOTA(""), true},
    {"a quota for other pods", QUIET WEB API QUOTA(", scopes: [Terminating]"), false},
    {"a webhook", QUIET WEB API WEBHOOK("") SERVICE("app: web"), true},
    {"a webhook of other pods",
     QUIET WEB API WEBHOOK("  objectSelector: {matchLabels: {app: web}}\n") SERVICE("app: web"),
     false},
    {"a webhook of other requests, too",
     QUIET WEB API WEBHOOK("  objectSelector: {matchLabels: {app: web}}\n" BINDINGS)
         SERVICE("app: web"),
     true},
    {"a webhook of evictions",
     QUIET WEB API WEBHOOK("  objectSelector: {matchLabels: {app: web}}\n" ASKED(
         "CREATE", "pods/eviction")) SERVICE("app: web"),
     true},
    {"a webhook of requests that are left open",
     QUIET WEB API WEBHOOK("  objectSelector: {matchLabels: {app: web}}\n" ASKED("DELETE", "pods"))
         SERVICE("app: web"),
     true},
    {"a webhook that fails open",
     QUIET WEB API WEBHOOK("  failurePolicy: Ignore\n") SERVICE("app: web"), false},
    {"a webhook of nobody", QUIET WEB API WEBHOOK("") SERVICE("app: other"), false},
    {"a budget of one", QUIET OF_A_TIER("web") OF_A_TIER("api") BUDGET("b", "app: web"), false},
    /* By default pods spread over those that their own set selects, too. */
    {"an autoscaler that sees both",
     QUIET WEB DEPLOYMENT("api", "app: web, tier: back", "") AUTOSCALER("web"), true},
    {"an autoscaler of one", QUIET WEB API AUTOSCALER("web"), false},
    {"a Service",
     CLUSTER(ON_NODES, "  intents: [{name: trafficBalanced, maxRatio: 2}]\n") OF_A_TIER("web")
         OF_A_TIER("api") SERVICE("tier: front"),
     true},
    {"a Service of one",
     CLUSTER(ON_NODES, "  intents: [{name: trafficBalanced, maxRatio: 2}]\n") OF_A_TIER("web")
         OF_A_TIER("api") SERVICE("app: web"),
     false},
    {"a Service that no intent is about",
     QUIET OF_A_TIER("web") OF_A_TIER("api") SERVICE("tier: front"), false},
    {"a descheduler", DESCHEDULED WEB API, true},
    {"pressure", EVENT("name: nodePressure, condition: DiskPressure, atMost: 1") WEB API, true},
    {"kernel panics", EVENT("name: kernelPanic, aboveCpu: 70%") WEB API, true},
    {"drains", EVENT("name: maintenance, atMost: 1") WEB API, false},
    {"failures", EVENT("name: nodeFailure, atMost: 1") WEB API, false},
    {"a workload is deleted",
     EVENT("name: delete, object: Deployment/default/web, atMost: 1") WEB API, false},
    {"a node is deleted", EVENT("name: delete, object: Node/a-*, atMost: 1") WEB API, true},
    {"kubelets check what the scheduler does not",
     PROFILE(", plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}") WEB API, true},
    {"the scheduler checks everything", PROFILE("") WEB API, false},
};

static void each_rule_couples_whom_it_is_about(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        uint32_t of[2];
        const uint32_t count = components_of(pairs[i].manifests, of, 2);
        if (count != (pairs[i].coupled ? 1U : 2U) || (of[0] == of[1]) != pairs[i].coupled)
            fail_msg("%s: %u components", pairs[i].name, count);
    }
}

static void who_is_coupled_to_a_third_is_coupled(void **state)
{
    uint32_t of[5];
    (void)state;
    static const char manifests[] =
        QUIET DEPLOYMENT("a", "app: a, tier: one", "") DEPLOYMENT("b", "app: b, tier: two", "")
            DEPLOYMENT("c", "app: c", "") DEPLOYMENT("d", "app: d, tier: two", "")
                DEPLOYMENT("e", "app: e, tier: one", REQUIRED("podAntiAffinity", SELECTS("d")))
                    BUDGET("one", "tier: one") BUDGET("two", "tier: two");
    assert_int_equal(components_of(manifests, of, 5), 2);
    for (uint32_t w = 0; w < 5; w++)
        assert_int_equal(of[w], w == 2 ? 1 : 0);
}

/* One is coupled to two that are not coupled before. */
static void who_is_coupled_to_two_couples_them(void **state)
{
    uint32_t of[3];
    (void)state;
    static const char manifests[] =
        QUIET DEPLOYMENT("a", "app: a, tier: one", "") DEPLOYMENT("b", "app: b, tier: one", "")
            DEPLOYMENT("c", "app: c",
                       REQUIRED("podAntiAffinity", ", labelSelector: {matchLabels: {tier: one}}"));
    assert_int_equal(components_of(manifests, of, 3), 1);
}

/* The number of components if an event applies new images to both. */
static uint32_t components_of_apply(const char *manifests, const char *event)
{
    char path[] = "/tmp/fathom-couplings-XXXXXX";
    char text[4096];
    uint32_t of[2];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, manifests, strlen(manifests)), strlen(manifests));
    close(file);
    snprintf(text, sizeof(text), "%s  events: [{name: apply, manifests: [%s]%s}]\n%s",
             CLUSTER(ON_NODES, ""), path, event, CONVERGES WEB API);
    const uint32_t count = components_of(text, of, 2);
    unlink(path);
    return count;
}

/* What is applied once to each of them could as well be two events. */
static void what_is_applied_to_both_couples_them(void **state)
{
    static const char both[] = DEPLOYMENT("web", "app: web", "      hostPID: true\n")
        DEPLOYMENT("api", "app: api", "      hostPID: true\n");
    static const char one[] = DEPLOYMENT("web", "app: web", "      hostPID: true\n");
    (void)state;
    assert_int_equal(components_of_apply(both, ", atMost: 1"), 2);
    assert_int_equal(components_of_apply(both, ", repeats: true"), 1);
    assert_int_equal(components_of_apply(both, ", atMost: 1, recovers: true"), 1);
    assert_int_equal(components_of_apply(one, ", repeats: true"), 2);
}

/* Pods without a workload are in every component, and so is what they are coupled to. */
static void who_is_coupled_to_a_pod_of_nobody_is_coupled_to_all(void **state)
{
    uint32_t of[2];
    (void)state;
    assert_int_equal(components_of(DUMP BARE("bare", "n1", "cpu: 100m"), of, 2), 2);
    assert_int_equal(components_of(DUMP APART_FROM_WEB, of, 2), 1);
}

/* Ten names of which none is about pods. */
#define TEN_NAMES(digit)                                                                           \
    "    count/a" digit ": 1\n    count/b" digit ": 1\n    count/c" digit ": 1\n    count/d" digit \
    ": 1\n    count/e" digit ": 1\n    count/f" digit ": 1\n    count/g" digit                     \
    ": 1\n    count/h" digit ": 1\n    count/i" digit ": 1\n    count/j" digit ": 1\n"
#define MANY_NAMES                                                              \
    "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: many}\nspec:\n" \
    "  hard:\n" TEN_NAMES("1") TEN_NAMES("2") TEN_NAMES("3") "    count/k: 1\n    count/l: 1\n"

static void components_share_quotas_that_are_not_tied(void **state)
{
    uint64_t shared;
    (void)state;
    assert_int_equal(components_with(QUIET WEB API QUOTA(""), 0, &shared), 2);
    assert_int_equal(shared, 1);
    assert_int_equal(components_with(QUIET WEB API QUOTA(""), 1, &shared), 1);
    assert_int_equal(shared, 0);
    assert_int_equal(components_with(QUIET WEB API QUOTA(""), 2, &shared), 2);
    /* A pod without a workload is in every component. */
    assert_int_equal(components_with(DUMP BARE("bare", "n1", "cpu: 100m") QUOTA(""), 0, &shared),
                     1);
    assert_int_equal(shared, 0);
    /* What pods are charged is measured of so many names. */
    assert_int_equal(components_with(QUIET WEB API MANY_NAMES QUOTA(""), 0, &shared), 1);
    assert_int_equal(shared, 0);
}

static uint32_t nodes_back(const char *manifests)
{
    struct fixture fixture;
    struct components components;
    const struct population_options options = {.features = features_of_version(26)};
    assert_true(fixture_load(&fixture, manifests));
    struct population *population = fixture_population(&fixture, &options);
    population_components(&fixture.arena, population, UINT64_MAX, &components);
    population_free(population);
    fixture_release(&fixture);
    return components.nodes_back;
}

static void nodes_come_back_that_events_take(void **state)
{
    (void)state;
    assert_int_equal(nodes_back(QUIET WEB API), 0);
    assert_int_equal(nodes_back(EVENT("name: nodeFailure, atMost: 2") WEB API), 2);
    assert_int_equal(
        nodes_back(EVENT("name: nodeFailure, atMost: 2}, {name: maintenance, atMost: 1") WEB API),
        3);
    assert_int_equal(
        nodes_back(EVENT("name: scale, workload: Deployment/default/web, to: [2], atMost: 2")
                       WEB API),
        0);
    assert_int_equal(nodes_back(ZONES("{name: zoneOutage, atMost: 1}") WEB API), UINT32_MAX);
}

struct reason {
    const char *name;
    const char *manifests; /* of two workloads that are coupled */
    enum coupling_rule rule;
    const char *by; /* the name; NULL: none */
};

static const struct reason reasons[] = {
    {"affinity", QUIET WEB_WITH(REQUIRED("podAffinity", SELECTS("api"))) API, COUPLED_BY_SCHEDULER,
     "InterPodAffinity"},
    {"affinity of the second", QUIET API WEB_WITH(REQUIRED("podAffinity", SELECTS("api"))),
     COUPLED_BY_SCHEDULER, "InterPodAffinity"},
    {"spreading", QUIET WEB_WITH(SPREAD("api", "DoNotSchedule")) API, COUPLED_BY_SCHEDULER,
     "PodTopologySpread"},
    {"a port", QUIET WITH_PORT("web", ", hostPort: 80") WITH_PORT("api", ", hostPort: 80"),
     COUPLED_BY_SCHEDULER, "NodePorts"},
    {"a budget", QUIET OF_A_TIER("web") OF_A_TIER("api") BUDGET("b", "tier: front"),
     COUPLED_BY_BUDGET, "b"},
    {"a quota", QUIET WEB API QUOTA(""), COUPLED_BY_QUOTA, "q"},
    {"a webhook", QUIET WEB API WEBHOOK("") SERVICE("app: web"), COUPLED_BY_WEBHOOK, "w"},
    {"two budgets, of which one is enough",
     QUIET OF_A_TIER("web") OF_A_TIER("api") BUDGET("b", "tier: front") BUDGET("c", "tier: front"),
     COUPLED_BY_BUDGET, "b"},
    {"a Service",
     CLUSTER(ON_NODES, "  intents: [{name: trafficBalanced, maxRatio: 2}]\n") OF_A_TIER("web")
         OF_A_TIER("api") SERVICE("tier: front"),
     COUPLED_BY_SERVICE, "s"},
    {"a descheduler", DESCHEDULED WEB API, COUPLED_BY_DESCHEDULER, NULL},
    {"pressure", EVENT("name: nodePressure, condition: DiskPressure, atMost: 1") WEB API,
     COUPLED_BY_PRESSURE, NULL},
    {"kernel panics", EVENT("name: kernelPanic, aboveCpu: 70%") WEB API, COUPLED_BY_PANIC, NULL},
    {"a node is deleted", EVENT("name: delete, object: Node/a-*, atMost: 1") WEB API,
     COUPLED_BY_DELETE, NULL},
    {"the condition of an event",
     EVENT("name: nodeFailure, when: 'pods.all(p, p.ready)', atMost: 1") WEB API,
     COUPLED_BY_CONDITION, NULL},
    {"kubelets check what the scheduler does not",
     PROFILE(", plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}") WEB API,
     COUPLED_BY_ADMISSION, NULL},
};

/* Reports say by what, and name one coupling for each workload that comes to a component. */
static void it_is_known_what_couples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
        const struct reason *reason = &reasons[i];
        struct fixture fixture;
        struct components components;
        const struct population_options options = {.features = features_of_version(26),
                                                   .reductions = REDUCTIONS_NEVER};
        assert_true(fixture_load(&fixture, reason->manifests));
        struct population *population = fixture_population(&fixture, &options);
        population_components(&fixture.arena, population, UINT64_MAX, &components);
        population_free(population);
        const struct coupled *coupled = &components.couplings[0];
        if (components.coupling_count != 1 || coupled->rule != reason->rule ||
            (coupled->name == NULL) != (reason->by == NULL) ||
            (reason->by && strcmp(coupled->name, reason->by) != 0) || coupled->one != 0 ||
            coupled->other != 1)
            fail_msg("%s: %u couplings, the first by rule %d, %s", reason->name,
                     components.coupling_count, (int)coupled->rule,
                     coupled->name ? coupled->name : "no name");
        fixture_release(&fixture);
    }
}

static void priorities_and_resources_are_those_of_all(void **state)
{
    struct fixture fixture;
    struct components components;
    const struct population_options options = {.features = features_of_version(26)};
    (void)state;
    assert_true(fixture_load(
        &fixture,
        QUIET "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: low}\n"
              "value: -5\n---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
              "metadata: {name: high}\nvalue: 7\n" API WEB_WITH("      priorityClassName: low\n")
                  WORKLOAD("Deployment", "gpu", "app: gpu", "example.org/gpu: 1",
                           "      priorityClassName: high\n")));
    struct population *population = fixture_population(&fixture, &options);
    population_components(&fixture.arena, population, UINT64_MAX, &components);
    assert_true(components.lowest_rank == priority_rank(-5));
    assert_true(components.highest_rank == priority_rank(7));
    assert_int_equal(components.resource_count, 1);
    assert_string_equal(components.resources[0], "example.org/gpu");
    population_free(population);
    fixture_release(&fixture);
}

/* Nodes come back one by one, or by zones of one label. */
static void it_is_known_which_nodes_come_back(void **state)
{
    static const struct {
        const char *manifests;
        uint32_t nodes;
        struct zones_back zones;
    } cases[] = {
        {QUIET API, 0, {0}},
        {EVENT("name: nodeFailure, atMost: 3") API, 3, {0}},
        {EVENT("name: zoneOutage, atMost: 2}, {name: nodeFailure, atMost: 3") API,
         UINT32_MAX,
         {"topology.kubernetes.io/zone", 2, 3}},
        {EVENT("name: zoneOutage}, {name: zoneOutage, recovers: true") API,
         UINT32_MAX,
         {"topology.kubernetes.io/zone", 2, 0}},
        {EVENT("name: zoneOutage}, {name: zoneOutage, topologyKey: rack") API, UINT32_MAX, {0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fixture fixture;
        struct components components;
        const struct population_options options = {.features = features_of_version(26)};
        assert_true(fixture_load(&fixture, cases[i].manifests));
        struct population *population = fixture_population(&fixture, &options);
        population_components(&fixture.arena, population, UINT64_MAX, &components);
        assert_int_equal(components.nodes_back, cases[i].nodes);
        assert_int_equal(components.zones_back.zones, cases[i].zones.zones);
        assert_int_equal(components.zones_back.nodes, cases[i].zones.nodes);
        assert_int_equal(components.zones_back.key != NULL, cases[i].zones.key != NULL);
        if (cases[i].zones.key)
            assert_string_equal(components.zones_back.key, cases[i].zones.key);
        population_free(population);
        fixture_release(&fixture);
    }
}

#define OF_CLASS(name, class) DEPLOYMENT(name, "app: " name, "      priorityClassName: " class "\n")
#define HIGH                                                                               \
    "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\n" \
    "value: 10\n"
#define NEVER                                                                               \
    "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: never}\n" \
    "value: 20\npreemptionPolicy: Never\n"

static struct components find_components(struct fixture *fixture, const char *manifests,
                                         struct population_options options)
{
    struct components components;
    assert_true(fixture_load(fixture, manifests));
    struct population *population = fixture_population(fixture, &options);
    population_components(&fixture->arena, population, UINT64_MAX, &components);
    population_free(population);
    return components;
}

static void it_is_known_who_preempts(void **state)
{
    const struct population_options options = {.features = features_of_version(26)};
    struct fixture fixture;
    (void)state;
    const struct components apart = find_components(
        &fixture, QUIET HIGH NEVER OF_CLASS("web", "high") OF_CLASS("api", "never"), options);
    assert_int_equal(apart.count, 2);
    assert_int_equal(apart.ranks[0].lowest, priority_rank(10));
    assert_int_equal(apart.ranks[0].highest, priority_rank(10));
    assert_true(apart.ranks[0].preempts);
    assert_int_equal(apart.ranks[1].lowest, priority_rank(20));
    assert_false(apart.ranks[1].preempts);
    fixture_release(&fixture);
    const struct components coupled = find_components(
        &fixture,
        QUIET HIGH DEPLOYMENT("db", "app: db", PREFERRED("podAffinity", SELECTS("web")))
            API BUDGET("b", "app: api") OF_CLASS("web", "high"),
        options);
    assert_int_equal(coupled.count, 2);
    assert_int_equal(coupled.ranks[0].lowest, priority_rank(0));
    assert_int_equal(coupled.ranks[0].highest, priority_rank(10));
    assert_true(coupled.preempts_apart);
    fixture_release(&fixture);
    const struct components disabled = find_components(
        &fixture, PROFILE(", plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}") API,
        options);
    assert_false(disabled.ranks[0].preempts);
    fixture_release(&fixture);
}

/* Where it is not known that preemption ends, or who sees it, it is none of others. */
static void preemption_is_not_always_apart(void **state)
{
    static const char *const two =
        CLUSTER(ON_NODES,
                "  controllers: {scheduler: {separate: true, configuration: {profiles: ["
                "{schedulerName: default-scheduler}, {schedulerName: other}]}}}\n" CONVERGES)
            API WEB_WITH("      schedulerName: other\n");
    struct population_options options = {.features = features_of_version(26)};
    struct fixture fixture;
    (void)state;
    assert_true(find_components(&fixture, QUIET WEB API, options).preempts_apart);
    fixture_release(&fixture);
    assert_false(find_components(&fixture, two, options).preempts_apart);
    fixture_release(&fixture);
    assert_false(find_components(&fixture,
                                 QUIET OF_A_TIER("web") OF_A_TIER("api") BUDGET("b", "tier: front"),
                                 options)
                     .preempts_apart);
    fixture_release(&fixture);
    options.sets_lag = true;
    assert_false(find_components(&fixture, QUIET WEB API, options).preempts_apart);
    fixture_release(&fixture);
}

/* From 1.27 on a pod waits only for pods that were preempted, and states with clocks do not say who
 * was. */
static void preemption_is_apart_where_victims_are_known(void **state)
{
    static const char *const clocked = CLUSTER(ON_NODES, "  time: clocked\n" CONVERGES) WEB API;
    static const int versions[] = {26, 27, 33, 36};
    struct fixture fixture;
    (void)state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        const struct population_options options = {.features = features_of_version(versions[i])};
        assert_true(find_components(&fixture, QUIET WEB API, options).preempts_apart);
        fixture_release(&fixture);
        assert_int_equal(find_components(&fixture, clocked, options).preempts_apart,
                         versions[i] == 26);
        fixture_release(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_couples_whom_it_is_about),
        cmocka_unit_test(who_is_coupled_to_a_third_is_coupled),
        cmocka_unit_test(who_is_coupled_to_two_couples_them),
        cmocka_unit_test(what_is_applied_to_both_couples_them),
        cmocka_unit_test(who_is_coupled_to_a_pod_of_nobody_is_coupled_to_all),
        cmocka_unit_test(components_share_quotas_that_are_not_tied),
        cmocka_unit_test(nodes_come_back_that_events_take),
        cmocka_unit_test(it_is_known_what_couples),
        cmocka_unit_test(priorities_and_resources_are_those_of_all),
        cmocka_unit_test(it_is_known_which_nodes_come_back),
        cmocka_unit_test(it_is_known_who_preempts),
        cmocka_unit_test(preemption_is_not_always_apart),
        cmocka_unit_test(preemption_is_apart_where_victims_are_known),
    };
    return cmocka_run_group_tests_name("couplings", tests, NULL, NULL);
}
