/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whom a kubelet admits, and whom a critical pod drives away.
 *
 * A case is manifests: the node, pods on it, and the pod `new`; and what is
 * decided, in one line. Cases that are upstream's own name their test
 * (predicate_test.go: TestGeneralPredicates; preemption_test.go:
 * TestGetPodsToPreempt; eviction_manager_test.go: Admit).
 */
#include "decide/controller/kubelet.h"

#include "decide/controller/random_test.h"
#include "decide/pod_qos.h"
#include "manifest/manifest.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define END "\n---\n"
#define NODE(rest) \
    "{apiVersion: v1, kind: Node, metadata: {name: one, labels: {disk: ssd}}, " rest "}" END
#define ROOM "status: {allocatable: {cpu: 10m, memory: '20', ephemeral-storage: '30', pods: '32'}}"
#define POD(name, resources, rest)                                                              \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name                                        \
    "}, spec: {nodeName: one, containers: [{name: c, image: i, resources: " resources "}]" rest \
    "}}" END
#define ASKS(cpu, memory) "{requests: {cpu: " cpu ", memory: '" memory "'}}"
#define BOTH(cpu, memory)                                                                          \
    "{requests: {cpu: " cpu ", memory: '" memory "'}, limits: {cpu: " cpu ", memory: '" memory "'" \
    "}"                                                                                            \
    "}"
#define CRITICAL ", priority: 2000000000"
#define UNKNOWN_OF_INIT                                                                         \
    NODE("status: {allocatable: {pods: '9'}}")                                                  \
    POD("new", "{}",                                                                            \
        ", initContainers: [{name: s, image: i, resources: {requests: {example.com/gpu: '1'}, " \
        "limits: {example.com/gpu: '1'}}}]")
#define NODE_CRITICAL ", priority: 2000000100"

struct test_case {
    const char *name;
    int minor;
    uint32_t pressures;
    const char *manifests;
    const char *expected;
};

static void read_objects(const char *manifests, struct objects *objects)
{
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, &arena);
    assert_true(
        manifest_parse(&arena, "case", manifests, strlen(manifests), &documents, &problems));
    object_decode(&arena, &documents, NULL, objects, &problems);
    for (uint32_t i = 0; i < problems.count; i++)
        fail_msg("%s: %s", problems.items[i].path, problems.items[i].message);
}

struct station {
    struct kubelet_node node;
    VEC(struct pod_count) pods;
    const struct pod_class *comes;
};

static void build(const struct objects *objects, int minor, struct station *station)
{
    const struct features features = features_of_version(minor);
    struct catalog *catalog = catalog_create(&arena, &features);
    *station = (struct station){.node.catalog = catalog};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_NODE) {
            const uint32_t template = catalog_add_named_node(catalog, object->as.node);
            station->node.template = catalog->templates.items[template];
            continue;
        }
        const uint32_t class = catalog_add_pod(catalog, object->as.pod);
        if (strcmp(object->meta->name, "new") == 0) {
            station->comes = catalog->pods.items[class];
        } else {
            const struct pod_count one = {class, 1};
            VEC_PUSH(&arena, &station->pods, one);
        }
    }
    station->node.pods = station->pods.items;
    station->node.pod_entry_count = station->pods.count;
}

static const char *summarise(const struct station *station, const struct kubelet_admission *result)
{
    const char *line = result->admitted ? "admitted" : "refused:";
    for (uint32_t i = 0; !result->admitted && i < result->reasons.count; i++)
        line = arena_printf(&arena, "%s %s", line,
                            kubelet_reason_name(&arena, &result->reasons.items[i]));
    for (uint32_t p = 0; result->preempted && p < station->pods.count; p++)
        if (result->preempted[p] > 0)
            line = arena_printf(
                &arena, "%s -%s", line,
                station->node.catalog->pods.items[station->pods.items[p].pod]->pod->meta.name);
    return line;
}

static void check_cases(const struct test_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct objects objects = {0};
        struct station station;
        struct kubelet_admission result;
        read_objects(cases[i].manifests, &objects);
        build(&objects, cases[i].minor, &station);
        station.node.pressures = cases[i].pressures;
        kubelet_admit(&arena, &station.node, station.comes, &result);
        const char *found = summarise(&station, &result);
        if (strcmp(found, cases[i].expected) != 0)
            fail_msg("%s: expected '%s', found '%s'", cases[i].name, cases[i].expected, found);
    }
}

static void test_predicates(void **state)
{
    (void)state;
    static const struct test_case cases[] = {
        {"no resources/port/host requested always fits", 26, 0,
         NODE(ROOM) POD("a", ASKS("9m", "19"), "") POD("new", "{}", ""), "admitted"},
        {"not enough cpu and memory resource", 26, 0,
         NODE(ROOM) POD("a", ASKS("5m", "19"), "") POD("new", ASKS("8m", "10"), ""),
         "refused: OutOfcpu OutOfmemory"},
        {"exactly what is left fits", 26, 0,
         NODE(ROOM) POD("a", ASKS("5m", "10"), "") POD("new", ASKS("5m", "10"), ""), "admitted"},
        {"host not match", 26, 0,
         NODE(ROOM) "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {nodeName: two, "
                    "containers: [{name: c, image: i}]}}",
         "refused: NodeName"},
        {"hostport conflict", 26, 0,
         NODE(ROOM) POD("a", "{}, ports: [{containerPort: 1, hostPort: 123}]", "")
             POD("new", "{}, ports: [{containerPort: 2, hostPort: 123}]", ""),
         "refused: NodePorts"},
        {"the same port of another protocol", 26, 0,
         NODE(ROOM) POD("a", "{}, ports: [{containerPort: 1, hostPort: 123}]", "")
             POD("new", "{}, ports: [{containerPort: 2, hostPort: 123, protocol: UDP}]", ""),
         "admitted"},
        {"the same port of another address", 26, 0,
         NODE(ROOM) POD("a", "{}, ports: [{containerPort: 1, hostPort: 123, hostIP: 1.1.1.1}]", "")
             POD("new", "{}, ports: [{containerPort: 2, hostPort: 123, hostIP: 1.1.1.2}]", ""),
         "admitted"},
        {"the same port of every address", 26, 0,
         NODE(ROOM) POD("a", "{}, ports: [{containerPort: 1, hostPort: 123, hostIP: 1.1.1.1}]", "")
             POD("new", "{}, ports: [{containerPort: 2, hostPort: 123}]", ""),
         "refused: NodePorts"},
        {"taint/toleration match", 26, 0,
         NODE(ROOM ", spec: {taints: [{key: foo, effect: NoSchedule}]}")
             POD("new", "{}", ", tolerations: [{key: foo}]"),
         "admitted"},
        {"NoSchedule taint/toleration not match", 26, 0,
         NODE(ROOM ", spec: {taints: [{key: foo, effect: NoSchedule}]}") POD("new", "{}", ""),
         "admitted"},
        {"NoExecute taint/toleration not match", 26, 0,
         NODE(ROOM ", spec: {taints: [{key: foo, effect: NoExecute}]}") POD("new", "{}", ""),
         "refused: TaintToleration"},
        {"static pods ignore taints", 26, 0,
         NODE(ROOM ", spec: {taints: [{key: foo, effect: NoExecute}]}")
             POD("new, annotations: {kubernetes.io/config.source: file}", "{}", ""),
         "admitted"},
        {"too many pods", 26, 0,
         NODE("status: {allocatable: {cpu: '1', pods: '1'}}") POD("a", "{}", "")
             POD("new", "{}", ""),
         "refused: OutOfpods"},
        {"node selector", 26, 0, NODE(ROOM) POD("new", "{}", ", nodeSelector: {disk: hdd}"),
         "refused: NodeAffinity"},
        {"every reason, in order", 26, 0,
         NODE("status: {allocatable: {cpu: 1m, pods: '0'}}, spec: {taints: [{key: a, effect: "
              "NoExecute}]}") POD("new", ASKS("2m", "0"), ", nodeSelector: {disk: hdd}"),
         "refused: OutOfpods OutOfcpu NodeAffinity TaintToleration"},
        {"an extended resource that the node does not know", 26, 0,
         NODE(ROOM)
             POD("new", "{requests: {example.com/gpu: '1'}, limits: {example.com/gpu: '1'}}", ""),
         "admitted"},
        {"one that an init container requests counts", 30, 0, UNKNOWN_OF_INIT,
         "refused: OutOfexample.com/gpu"},
        {"and not since 1.31", 31, 0, UNKNOWN_OF_INIT, "admitted"},
        {"an extended resource that is used up", 26, 0,
         NODE("status: {allocatable: {pods: '9', example.com/gpu: '1'}}")
             POD("a", "{requests: {example.com/gpu: '1'}, limits: {example.com/gpu: '1'}}", "") POD(
                 "new", "{requests: {example.com/gpu: '1'}, limits: {example.com/gpu: '1'}}", ""),
         "refused: OutOfexample.com/gpu"},
        {"overcommitted memory stops a pod that asks for cpu alone, until 1.27", 26, 0,
         NODE(ROOM) POD("a", ASKS("1m", "25"), "") POD("new", "{requests: {cpu: 1m}}", ""),
         "refused: OutOfmemory"},
        {"and not from 1.28 on", 28, 0,
         NODE(ROOM) POD("a", ASKS("1m", "25"), "") POD("new", "{requests: {cpu: 1m}}", ""),
         "admitted"},
        {"a sidecar in 1.28, which is an init container like any other", 28, 0,
         NODE(ROOM)
             POD("new", "{}", ", initContainers: [{name: s, image: i, restartPolicy: Always}]"),
         "admitted"},
        {"a sidecar in 1.29", 29, 0,
         NODE(ROOM)
             POD("new", "{}", ", initContainers: [{name: s, image: i, restartPolicy: Always}]"),
         "admitted"},
    };
    check_cases(cases, sizeof(cases) / sizeof(*cases));
}

static void test_pressure(void **state)
{
    (void)state;
    static const struct test_case cases[] = {
        {"memory pressure refuses best effort", 26, KUBELET_MEMORY_PRESSURE,
         NODE(ROOM) POD("new", "{}", ""), "refused: Evicted"},
        {"memory pressure admits burstable", 26, KUBELET_MEMORY_PRESSURE,
         NODE(ROOM) POD("new", ASKS("1m", "1"), ""), "admitted"},
        {"memory pressure admits who tolerates it", 26, KUBELET_MEMORY_PRESSURE,
         NODE(ROOM) POD("new", "{}",
                        ", tolerations: [{key: node.kubernetes.io/memory-pressure, operator: "
                        "Exists, effect: NoSchedule}]"),
         "admitted"},
        {"disk pressure refuses all", 26, KUBELET_DISK_PRESSURE,
         NODE(ROOM) POD("new", BOTH("1m", "1"), ""), "refused: Evicted"},
        {"memory and disk pressure refuse all", 26, KUBELET_DISK_PRESSURE | KUBELET_MEMORY_PRESSURE,
         NODE(ROOM) POD("new", BOTH("1m", "1"), ""), "refused: Evicted"},
        {"critical pods are admitted", 26, KUBELET_DISK_PRESSURE,
         NODE(ROOM) POD("new", "{}", CRITICAL), "admitted"},
        {"just below critical is not critical", 26, KUBELET_DISK_PRESSURE,
         NODE(ROOM) POD("new", "{}", ", priority: 1999999999"), "refused: Evicted"},
    };
    check_cases(cases, sizeof(cases) / sizeof(*cases));
}

/* Upstream's pods; the numbers are what is missing of cpu, memory and pods. */
#define NEW_CRITICAL(cpu, memory) POD("new", ASKS(cpu, memory), CRITICAL)
#define BEST_EFFORT               POD("best-effort", "{}", "")
#define BURSTABLE                 POD("burstable", ASKS("100m", "100"), "")
#define HIGH_BURSTABLE            POD("high-burstable", ASKS("300m", "300"), "")
#define GUARANTEED                POD("guaranteed", BOTH("100m", "100"), "")
#define HIGH_GUARANTEED           POD("high-guaranteed", BOTH("300m", "300"), "")
#define OFFERS(cpu, memory, pods) \
    NODE("status: {allocatable: {cpu: " cpu ", memory: '" memory "', pods: '" pods "'}}")

static void test_preemption(void **state)
{
    (void)state;
    static const struct test_case cases[] = {
        {"no pods", 26, 0, OFFERS("1", "1", "0") NEW_CRITICAL("0", "0"),
         "refused: UnexpectedAdmissionError"},
        {"equal pods and resources requirements", 26, 0,
         OFFERS("100m", "100", "1") BURSTABLE NEW_CRITICAL("100m", "100"), "admitted -burstable"},
        {"higher requirements than pod requests", 26, 0,
         OFFERS("100m", "100", "1") BURSTABLE NEW_CRITICAL("200m", "200"),
         "refused: UnexpectedAdmissionError"},
        {"choose between bestEffort and burstable", 26, 0,
         OFFERS("1", "1000", "2") BURSTABLE BEST_EFFORT NEW_CRITICAL("0", "0"),
         "admitted -best-effort"},
        {"choose between burstable and guaranteed", 26, 0,
         OFFERS("1", "1000", "2") BURSTABLE GUARANTEED NEW_CRITICAL("0", "0"),
         "admitted -burstable"},
        {"choose lower request burstable if it meets requirements", 26, 0,
         OFFERS("400m", "400", "9")
             BEST_EFFORT HIGH_BURSTABLE BURSTABLE NEW_CRITICAL("100m", "100"),
         "admitted -burstable"},
        {"choose higher request burstable if lower does not meet requirements", 26, 0,
         OFFERS("400m", "400", "9")
             BEST_EFFORT BURSTABLE HIGH_BURSTABLE NEW_CRITICAL("150m", "150"),
         "admitted -high-burstable"},
        {"multiple pods required", 26, 0,
         OFFERS("800m", "800", "9")
             BEST_EFFORT BURSTABLE HIGH_BURSTABLE GUARANTEED HIGH_GUARANTEED NEW_CRITICAL("350m",
                                                                                          "350"),
         "admitted -burstable -high-burstable"},
        {"evict guaranteed when we have to, and dont evict the extra burstable", 26, 0,
         OFFERS("9", "800", "9")
             BEST_EFFORT BURSTABLE HIGH_BURSTABLE GUARANTEED HIGH_GUARANTEED NEW_CRITICAL("0",
                                                                                          "550"),
         "admitted -high-burstable -high-guaranteed"},
        {"evict cluster critical pod for node critical pod", 26, 0,
         OFFERS("100m", "900", "9") POD("cluster", ASKS("100m", "100"), CRITICAL)
             POD("new", ASKS("100m", "100"), NODE_CRITICAL),
         "admitted -cluster"},
        {"can not evict node critical pod for cluster critical pod", 26, 0,
         OFFERS("100m", "900", "9") POD("node", ASKS("100m", "100"), NODE_CRITICAL)
             NEW_CRITICAL("100m", "100"),
         "refused: UnexpectedAdmissionError"},
        {"nobody is driven away for a pod that cannot stay anyway", 26, 0,
         NODE("status: {allocatable: {cpu: 100m, pods: '9'}}, spec: {taints: [{key: a, effect: "
              "NoExecute}]}") BURSTABLE NEW_CRITICAL("100m", "0"),
         "refused: TaintToleration"},
        {"pods that are not critical drive nobody away", 26, 0,
         OFFERS("100m", "100", "1") BURSTABLE POD("new", ASKS("100m", "100"), ", priority: 1000"),
         "refused: OutOfpods OutOfcpu OutOfmemory"},
    };
    check_cases(cases, sizeof(cases) / sizeof(*cases));
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        int minor;
        struct kubelet_reason reason;
        const char *message;
    } cases[] = {
        {26,
         {.rejection = KUBELET_OUT_OF,
          .resource = "cpu",
          .requested = 800,
          .used = 500,
          .capacity = 1000},
         "Pod was rejected: Node didn't have enough resource: cpu, requested: 800, used: 500, "
         "capacity: 1000"},
        {26,
         {.rejection = KUBELET_TAINT_TOLERATION},
         "Pod was rejected: Predicate TaintToleration failed"},
        {31,
         {.rejection = KUBELET_TAINT_TOLERATION},
         "Pod was rejected: Predicate TaintToleration failed: node(s) had taints that the pod "
         "didn't tolerate"},
        {26,
         {.rejection = KUBELET_UNDER_PRESSURE,
          .pressures = KUBELET_MEMORY_PRESSURE | KUBELET_PID_PRESSURE},
         "Pod was rejected: The node had condition: [MemoryPressure PIDPressure]. "},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct features features = features_of_version(cases[i].minor);
        assert_string_equal(kubelet_reason_message(&arena, &features, &cases[i].reason),
                            cases[i].message);
    }
}

static void test_quality_of_service(void **state)
{
    (void)state;
    static const struct {
        const char *manifest;
        enum pod_qos qos;
        int minor; /* 0: any */
    } cases[] = {
        {POD("new", "{}", ", resources: {requests: {cpu: '1'}}"), POD_BEST_EFFORT, 33},
        {POD("new", "{}", ", resources: {requests: {cpu: '1'}}"), POD_BURSTABLE, 34},
        {POD("new", "{}", ", resources: {limits: {cpu: '1'}}"), POD_BURSTABLE, 34},
        {POD("new", "{}", ", resources: {limits: {cpu: '1', memory: 1Gi}}"), POD_GUARANTEED, 34},
        {POD("new", BOTH("1m", "1"), ", resources: {limits: {cpu: '1', memory: 1Gi}}"),
         POD_BURSTABLE, 34},
        {POD("new", BOTH("1m", "1"), ", resources: {}"), POD_GUARANTEED, 33},
        {POD("new", BOTH("1m", "1"), ", resources: {}"), POD_BEST_EFFORT, 34},
        {POD("new", "{}", ""), POD_BEST_EFFORT},
        {POD("new", "{requests: {cpu: '0'}}", ""), POD_BEST_EFFORT},
        {POD("new", "{requests: {ephemeral-storage: 1Gi}}", ""), POD_BEST_EFFORT},
        {POD("new", ASKS("1m", "1"), ""), POD_BURSTABLE},
        {POD("new", "{limits: {cpu: '1'}}", ""), POD_BURSTABLE},
        {POD("new", "{limits: {cpu: '1', memory: 1Gi}}", ""), POD_GUARANTEED},
        {POD("new", BOTH("1m", "1"), ", initContainers: [{name: s, image: i}]"), POD_BURSTABLE},
        {POD("new", "{requests: {cpu: 1m}, limits: {cpu: '1', memory: 1Gi}}", ""), POD_BURSTABLE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct objects objects = {0};
        read_objects(cases[i].manifest, &objects);
        const struct features features =
            features_of_version(cases[i].minor ? cases[i].minor : FEATURES_MINOR_LAST);
        assert_int_equal(pod_qos_of(&features, &objects.items[0].as.pod->spec), cases[i].qos);
    }
}

/* Equal pods as one class with a count decide as one by one; whom a critical
 * pod drives away is then the same number of each kind, if nothing is tied. */
static void test_folding(void **state)
{
    (void)state;
    enum { ROUNDS = 3000, KINDS = 4 };
    struct objects objects = {0};
    struct station station;
    read_objects(OFFERS("1", "1000", "20")
                     BEST_EFFORT BURSTABLE HIGH_GUARANTEED GUARANTEED NEW_CRITICAL("300m", "350"),
                 &objects);
    build(&objects, 26, &station);
    if (!station.node.template || !station.pods.items) {
        fail_msg("the manifests have no node or no pods");
        return;
    }
    struct node_template template = *station.node.template;
    station.node.template = &template;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct dice dice = {seed};
        struct pod_count folded[KINDS];
        struct pod_count single[KINDS * 5];
        uint32_t singles = 0;
        for (uint32_t k = 0; k < KINDS; k++) {
            folded[k] =
                (struct pod_count){station.pods.items[k].pod, (uint32_t)dice_between(&dice, 1, 5)};
            for (uint32_t c = 0; c < folded[k].count; c++)
                single[singles++] = (struct pod_count){folded[k].pod, 1};
        }
        template.allocatable.cpu_milli = dice_between(&dice, 0, 30) * 100;
        template.allocatable.memory = dice_between(&dice, 0, 30) * 100;
        template.allocatable_pods = dice_between(&dice, 1, 22);
        struct kubelet_admission a;
        struct kubelet_admission b;
        const struct arena_mark mark = arena_mark(&arena);
        station.node.pods = folded;
        station.node.pod_entry_count = KINDS;
        kubelet_admit(&arena, &station.node, station.comes, &a);
        station.node.pods = single;
        station.node.pod_entry_count = singles;
        kubelet_admit(&arena, &station.node, station.comes, &b);
        bool same = a.admitted == b.admitted && !a.preempted == !b.preempted &&
                    a.reasons.count == b.reasons.count;
        for (uint32_t k = 0; same && a.preempted && k < KINDS; k++) {
            uint32_t gone = 0;
            for (uint32_t s = 0; s < singles; s++)
                gone += single[s].pod == folded[k].pod ? b.preempted[s] : 0;
            same = gone == a.preempted[k];
        }
        if (!same)
            fail_msg("seed %llu: folding changes the decision", (unsigned long long)seed);
        arena_rewind(&arena, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predicates),         cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_preemption),         cmocka_unit_test(test_messages),
        cmocka_unit_test(test_quality_of_service), cmocka_unit_test(test_folding),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
