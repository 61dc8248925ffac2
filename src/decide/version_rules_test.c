/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules that changed between two releases and that no recording has on both sides: what the last
 * release before the change decides, and what the first one after it does.
 */
#include "decide/scenario_fixture.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Scenarios have ' where JSON has ". */
#define SCENARIO(objects, input) \
    "{'objects': [" objects "], 'input': {'clock': '2026-01-01T12:00:00Z'" input "}}"
#define OWNED(kind)                                                                               \
    "'ownerReferences': [{'apiVersion': 'apps/v1', 'kind': '" kind "', 'name': 'web', 'uid': 'u'" \
    ", 'controller': true}]"
#define SELECTS    "'selector': {'matchLabels': {'app': 'web'}}, "
#define TEMPLATE   "'template': {'metadata': {'labels': {'app': 'web'}}, 'spec': " RUNS("") "}"
#define RUNS(more) "{'containers': [{'name': 'c', 'image': 'i'}]" more "}"
#define READY      "'conditions': [{'type': 'Ready', 'status': 'True', 'lastTransitionTime': " HOUR "}]"
#define HOUR       "'2026-01-01T11:00:00Z'"
#define SIDECAR(more) \
    ", 'initContainers': [{'name': 's', 'image': 'i', 'restartPolicy': 'Always'" more "}]"

/* ---- StatefulSets ---- */

#define STATEFUL_SET(spec, pods)                                                                   \
    SCENARIO(                                                                                      \
        "{'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'metadata': {'name': "                   \
        "'web', 'uid': 'u'}, 'spec': {'replicas': 1, 'serviceName': 'web', " SELECTS spec TEMPLATE \
        "}}" pods,                                                                                 \
        ", 'currentRevision': 'r', 'updateRevision': 'r'")
#define SUCCEEDED                                                                      \
    ", {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'web-0', 'uid': 'p', " \
    "'labels': {'app': 'web', 'controller-revision-hash': 'r'}, " OWNED(               \
        "StatefulSet") "}, "                                                           \
                       "'spec': " RUNS(", 'nodeName': 'n'") ", 'status': {'phase': 'Succeeded'}}"

/* ---- ReplicaSets and Deployments ---- */

#define RESTARTED(list, name, count)                                          \
    "'" list "': [{'name': '" name "', 'ready': true, 'restartCount': " count \
    ", 'image': 'i', 'imageID': ''}]"
#define RANKED(name, sidecar)                                                              \
    ", {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': '" name "', 'uid': '" name \
    "', 'creationTimestamp': " HOUR                                                        \
    ", 'labels': {'app': 'web'}, " OWNED("ReplicaSet") "}, 'spec': " RUNS(                 \
        ", 'nodeName': 'n'" SIDECAR(                                                       \
            "")) ", 'status': {'phase': 'Running', " READY                                 \
                 ", " RESTARTED("containerStatuses", "c",                                  \
                                "0") ", " RESTARTED("initContainerStatuses", "s", sidecar) "}}"
#define REPLICA_SET(pods)                                                                   \
    SCENARIO("{'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'metadata': {'name': 'web', " \
             "'uid': 'u'}, 'spec': {'replicas': 1, " SELECTS TEMPLATE "}}" pods,            \
             ", 'replicaSet': 'web', 'burst': 500")

#define ANNOTATION(name, value) "'deployment.kubernetes.io/" name "': '" value "'"
#define REVISION(name, image, hour, replicas, size)                                                \
    ", {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'metadata': {'name': '" name                \
    "', 'uid': '" name "', 'creationTimestamp': '2026-01-01T" hour                                 \
    ":00:00Z', 'annotations': {" ANNOTATION("desired-replicas", "10") ", " ANNOTATION(             \
        "max-replicas",                                                                            \
        size) "}, 'labels': {'app': 'web'}, " OWNED("Deployment") "}, 'spec': "                    \
                                                                  "{'replicas': " replicas         \
                                                                  ", " SELECTS                     \
                                                                  "'template': {'metadata': "      \
                                                                  "{'labels': {'app': 'web'}}, "   \
                                                                  "'spec': "                       \
                                                                  "{'containers': [{'name': 'c', " \
                                                                  "'image': '" image               \
                                                                  "'}]}}}, 'status': "             \
                                                                  "{'replicas': " replicas ", "    \
                                                                  "'availableReplicas': " replicas \
                                                                  "}}"
/* 10 pods of two revisions while 20 are wanted. */
#define DEPLOYMENT(size)                                                                       \
    SCENARIO("{'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web', "    \
             "'uid': 'u'}, 'spec': {'replicas': 20, 'strategy': {'rollingUpdate': {'maxSurge'" \
             ": 0, 'maxUnavailable': 1}}, " SELECTS TEMPLATE                                   \
             "}}" REVISION("old", "j", "10", "6", size) REVISION("new", "i", "11", "4", size), \
             "")

/* ---- autoscalers ---- */

#define HALF "'resources': {'requests': {'cpu': '100m'}}"
#define AUTOSCALER                                                                                 \
    SCENARIO("{'apiVersion': 'autoscaling/v2', 'kind': 'HorizontalPodAutoscaler', 'metadata': "    \
             "{'name': 'web'}, 'spec': {'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': "      \
             "'Deployment', 'name': 'web'}, 'maxReplicas': 10, 'metrics': [{'type': "              \
             "'Resource', 'resource': {'name': 'cpu', 'target': {'type': 'Utilization', "          \
             "'averageUtilization': 100}}}]}}, {'apiVersion': 'apps/v1', 'kind': 'Deployment',"    \
             " 'metadata': {'name': 'web'}, 'spec': {'replicas': 1, " SELECTS TEMPLATE "}}, "      \
             "{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p', 'labels': {'app': "    \
             "'web'}}, 'spec': {'nodeName': 'n', 'containers': [{'name': 'c', 'image': 'i', " HALF \
             "}]" SIDECAR(", " HALF) "}, 'status': {'phase': 'Running', 'startTime': " HOUR        \
                                     ", " READY                                                    \
                                     "}}, {'apiVersion': 'metrics.k8s.io/v1beta1', 'kind': "       \
                                     "'PodMetrics', 'metadata': {'name': 'p', 'labels': {'app': "  \
                                     "'web'}}, 'timestamp': "                                      \
                                     "'2026-01-01T12:00:00Z', 'window': '30s', 'containers': "     \
                                     "[{'name': 'c', 'usage': "                                    \
                                     "{'cpu': '200m'}}]}",                                         \
             ", 'replicas': 1, 'statusReplicas': 1, 'metrics': {}")

/* ---- the scheduler ---- */

#define SCHEDULER(more)                                                                          \
    "{'nodes': [{'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n1'}, 'status': "     \
    "{'allocatable': {'cpu': '1', 'memory': '1Gi', 'pods': '110'}}}], 'pods': [], 'extra': "     \
    "[], 'pod': {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'new'}, 'spec': "       \
    "{'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '2'}}}]" more \
    "}}}"

/* ---- quotas and LimitRanges ---- */

#define HOLDS_MILLI(cpu) \
    ", 'resources': {'requests': {'cpu': '" cpu "'}, 'limits': {'cpu': '" cpu "'}}"
#define ADMITTED(containers)                                                  \
    "{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p'}, 'spec': " \
    "{'containers': " containers "}}"
#define QUOTA                                                                                  \
    "{'objects': [{'apiVersion': 'v1', 'kind': 'ResourceQuota', 'metadata': {'name': 'q'}, "   \
    "'spec': {'hard': {'cpu': '1'}}, 'status': {'hard': {'cpu': '1'}, 'used': {'cpu': '0'}}}]" \
    ", 'request': {'operation': 'CREATE', 'object': " ADMITTED(                                \
        "[{'name': 'c', 'image': 'i'" HOLDS_MILLI("600m") "}]" SIDECAR(HOLDS_MILLI("500m"))) "}}"
#define LIMIT_RANGE                                                                       \
    "{'objects': [{'apiVersion': 'v1', 'kind': 'LimitRange', 'metadata': {'name': 'l'}, " \
    "'spec': {'limits': [{'type': 'Pod', 'max': {'cpu': '1'}}]}}, " ADMITTED(             \
        "[{'name': 'c', 'image': 'i'" HOLDS_MILLI("500m") "}, {'name': 'd', 'image': "    \
                                                          "'i'}]") "]}"

static const struct {
    const char *rule;
    const char *decider;
    const char *scenario;
    const char *before; /* the last release without the rule */
    const char *decides_before;
    const char *after; /* the first release with it */
    const char *decides_after;
} cases[] = {
    {"a StatefulSet begins at its own ordinal", "statefulset",
     STATEFUL_SET("'ordinals': {'start': 3}, ", ""), "1.26", "'actions':['create web-0 r']",
     "1.27.0", "'actions':['create web-3 r']"},
    {"a succeeded pod is replaced (patched)", "statefulset", STATEFUL_SET("", SUCCEEDED), "1.27.8",
     "'actions':[]", "1.27.9", "'actions':['delete web-0','create web-0 r']"},
    {"a succeeded pod is replaced", "statefulset", STATEFUL_SET("", SUCCEEDED), "1.28.4",
     "'actions':[]", "1.29.0", "'actions':['delete web-0','create web-0 r']"},
    {"a succeeded pod is replaced when it is gone", "statefulset", STATEFUL_SET("", SUCCEEDED),
     "1.30.1", "'actions':['delete web-0','create web-0 r']", "1.30.2",
     "'actions':['delete web-0']"},
    {"restarts of sidecars count", "replicaset", REPLICA_SET(RANKED("a", "0") RANKED("b", "2")),
     "1.31", "'rankingDependsOnInputOrder':true", "1.32.0", "'deleted':['b']"},
    {"a recorded maximum of 0 is as if it were missing", "deployment", DEPLOYMENT("0"), "1.31",
     "'verb':'scale','rs':'new'", "1.32.0", "'verb':'annotate','rs':'new'"},
    {"a sign makes a recorded size none", "deployment", DEPLOYMENT("+10"), "1.31",
     "'rs':'old','from':6,'to':12", "1.32.0", "'rs':'old','from':6,'to':16"},
    {"a sidecar's request counts in utilization", "hpa", AUTOSCALER, "1.28", "'newReplicas':2",
     "1.29.0", "'newReplicas':1"},
    {"a gate keeps the pod out of the queue", "scheduler",
     SCHEDULER(", 'schedulingGates': [{'name': 'g'}]"), "1.26", "'status':{'n1':", "1.27.0",
     "'preEnqueue':{'plugin':'SchedulingGates'"},
    {"the message says that no claims are in the way", "scheduler",
     SCHEDULER(", 'preemptionPolicy': 'Never'"), "1.33", "'preemptionMessage':'preemption: not",
     "1.34.0", "'preemptionMessage':'no new claims to deallocate, preemption: not"},
    {"a quota is charged with sidecars", "quota", QUOTA, "1.28", "'cpu':'600m'", "1.29.0",
     "exceeded quota: q, requested: cpu=1100m"},
    {"a LimitRange adds what some containers name", "limitrange", LIMIT_RANGE, "1.27",
     "maximum cpu usage per Pod is 1.  No limit is specified", "1.28.0",
     "'name':'d','resources':{}}]}}"},
};

static const char *quoted(const char *text)
{
    char *copy = arena_strdup(&arena, text);
    for (char *at = copy; (at = strchr(at, '\'')); at++)
        *at = '"';
    return copy;
}

static void expect(size_t number, const char *version, const char *part)
{
    struct features features;
    assert_true(features_of_text(version, &features));
    const struct decider *decider = decider_find(cases[number].decider);
    assert_non_null(decider);
    const char *answer =
        answer_by(&memory, &arena, decider, &features, quoted(cases[number].scenario));
    if (!strstr(answer, quoted(part)))
        fail_msg("%s: expected %s at %s, found %s", cases[number].rule, part, version, answer);
}

static void test_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        expect(i, cases[i].before, cases[i].decides_before);
        expect(i, cases[i].after, cases[i].decides_after);
    }
}

/* Whatever a scenario is about, a version that is not known is refused. */
static void test_every_decider_reads_the_version(void **state)
{
    (void)state;
    const struct features features = features_of_version(FEATURES_MINOR_LAST);
    for (const struct decider *const *row = decider_registry; *row; row++) {
        const char *answer =
            answer_by(&memory, &arena, *row, &features, "{\"kubernetesVersion\": \"1.99\"}");
        if (!strstr(answer, "expected a version from " FEATURES_RANGE))
            fail_msg("%s: found %s", (*row)->name, answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_sides),
                                       cmocka_unit_test(test_every_decider_reads_the_version)};
    return cmocka_run_group_tests_name("version rules", tests, set_up, tear_down);
}
