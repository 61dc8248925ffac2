/* SPDX-License-Identifier: Apache-2.0 */
/* Which fields a version drops, and that each is told once. */
#include "decide/dropped_fields.h"

#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POD(name, spec)                                                                      \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name "}, spec: {containers: [{name: c, " \
    "image: i}]" spec "}}\n---\n"
#define POD_OF(container) \
    "{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [" container "]}}\n---\n"
#define DEPLOYMENT(spec)                                                                    \
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: "        \
    "{matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: " \
    "[{name: c, image: i}]" spec "}}}}\n---\n"
#define JOB_TEMPLATE "template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}"
#define JOB(spec)                                                                           \
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {" spec ", " JOB_TEMPLATE \
    "}}\n---\n"
#define KEYS(kind, how) ", affinity: {" kind ": {" how "}}"
#define TERM            "topologyKey: zone, labelSelector: {}, mismatchLabelKeys: [v]"

static const struct {
    const char *manifests;
    const char *path;
    int last; /* minor version that drops it */
} cases[] = {
    {POD("a", ", schedulingGates: [{name: g}]"), "schedulingGates", 26},
    {POD("a", ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
              "DoNotSchedule, minDomains: 2}]"),
     "topologySpreadConstraints.minDomains", 26},
    {POD("a", ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
              "DoNotSchedule, matchLabelKeys: [v]}]"),
     "topologySpreadConstraints.matchLabelKeys", 26},
    {POD("a", ", initContainers: [{name: s, image: i, restartPolicy: Always}]")
         DEPLOYMENT(", initContainers: [{name: s, image: i, restartPolicy: Always}]"),
     "initContainers.restartPolicy", 28},
    {POD("a", KEYS("podAffinity", "requiredDuringSchedulingIgnoredDuringExecution: [{" TERM "}]")),
     "affinity.matchLabelKeys", 30},
    {POD("a",
         KEYS("podAntiAffinity", "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                                 "podAffinityTerm: {" TERM "}}]")),
     "affinity.matchLabelKeys", 30},
    {DEPLOYMENT(", resources: {requests: {cpu: 1}}"), "resources", 33},
    {POD("a", "") POD_OF("{name: c, image: i, restartPolicy: "
                         "Never, restartPolicyRules: "
                         "[{action: Restart}]}"),
     "containers.restartPolicyRules", 34},
    {"{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {serviceName: s, "
     "ordinals: {start: 3}, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: "
     "a}}, spec: {containers: [{name: c, image: i}]}}}}\n",
     "ordinals.start", 26},
    {"{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: {}, "
     "minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow}}\n",
     "unhealthyPodEvictionPolicy", 26},
    {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: "
     "{scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}, maxReplicas: 2, behavior: "
     "{scaleDown: {tolerance: 0.2}}}}\n",
     "behavior.tolerance", 34},
    {JOB("managedBy: example.org/other"), "managedBy", 31},
    {JOB("podReplacementPolicy: Failed"), "podReplacementPolicy", 28},
    {JOB("completionMode: Indexed, completions: 2, backoffLimitPerIndex: 1"),
     "backoffLimitPerIndex", 28},
    {JOB("completionMode: Indexed, completions: 2, maxFailedIndexes: 1"), "backoffLimitPerIndex",
     28},
    {JOB("completionMode: Indexed, completions: 2, successPolicy: {rules: [{succeededCount: 1}]}"),
     "successPolicy", 30},
    {"{apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {schedule: '* * * * *', "
     "jobTemplate: {spec: {podReplacementPolicy: Failed, " JOB_TEMPLATE "}}}}\n",
     "podReplacementPolicy", 28},
};

static void check(size_t number, int minor, bool dropped)
{
    struct memory memory;
    struct arena arena;
    struct documents documents = {0};
    struct objects objects = {0};
    struct problems problems;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    const char *manifests = cases[number].manifests;
    assert_true(
        manifest_parse(&arena, "case", manifests, strlen(manifests), &documents, &problems));
    assert_true(object_decode(&arena, &documents, NULL, &objects, &problems));
    assert_int_equal(problems.count, 0);
    const struct features features = features_of_version(minor);
    dropped_fields_warn(&features, &objects, &problems);
    assert_int_equal(problems.count, dropped);
    assert_int_equal(problems.errors, 0);
    if (dropped)
        assert_non_null(strstr(problem_format(&arena, &problems.items[0]), cases[number].path));
    arena_release(&arena);
}

static void test_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check(i, cases[i].last, true);
        check(i, cases[i].last + 1, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields)};
    return cmocka_run_group_tests_name("dropped fields", tests, NULL, NULL);
}
