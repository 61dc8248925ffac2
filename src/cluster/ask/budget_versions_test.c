/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets in whole verifications, by the rules of every version: whom a drain and the
 * descheduler may evict (cluster/ask/budgets.h). */
#include "verify/verify_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TWO_NODES GROUP("node", "2")
#define DRAIN                                                                     \
    "  events: [{name: maintenance, concurrent: 1, atMost: 1, after: settled}]\n" \
    "  intents: [{name: drainCompletes}]\n"
#define LIFE_TIME                                                                              \
    "  controllers: {descheduler: {interval: 10m, policy: {apiVersion: descheduler/v1alpha2, " \
    "kind: DeschedulerPolicy, profiles: [{name: p, pluginConfig: [{name: PodLifeTime, args: "  \
    "{maxPodLifeTimeSeconds: 86400}}], plugins: {deschedule: {enabled: [PodLifeTime]}}}]}}}\n" \
    "  intents: [{name: noEvictionLoop}]\n"
#define BUDGET(name, spec)                                                           \
    "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: " name \
    ", namespace: default}, spec: {" spec "}}\n"
#define OF_WEB      "selector: {matchLabels: {app: web}}"
#define OF_EVERYONE "selector: {}"
#define NEVER_READY(name)                                                                      \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name                       \
    ", namespace: default}\nspec: {replicas: 1, selector: {matchLabels: {app: " name           \
    "}}, template: {metadata: {labels: {app: " name                                            \
    "}, annotations: {fathom.dev/never-ready: 'true'}}, spec: {containers: [{name: c, image: " \
    "x, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}}\n"

enum { NEVER = 99 };

/* The first intent holds in the minor versions from `first` to `last`. */
static const struct version_case {
    const char *name;
    const char *manifests;
    int first;
    int last;
} version_cases[] = {
    {"an exhausted budget keeps a drain waiting",
     CHECK(TWO_NODES, DRAIN) WEB("1", "") BUDGET("b", "minAvailable: 1, " OF_WEB), NEVER, NEVER},
    {"one with an empty selector does from 1.27 on",
     CHECK(TWO_NODES, DRAIN) WEB("1", "") BUDGET("b", "minAvailable: 1, " OF_EVERYONE), 26, 26},
    {"its disruptions are spent from 1.27 on, and so its pods go one after the other",
     CHECK(TWO_NODES, DRAIN) WEB("2", "") BUDGET("b", "minAvailable: 1, " OF_EVERYONE), 26,
     FEATURES_MINOR_LAST},
    {"beside another budget it is one too many from 1.27 on",
     CHECK(TWO_NODES, DRAIN) WEB("2", "") BUDGET("b", "minAvailable: 1, " OF_WEB)
         BUDGET("c", "minAvailable: 1, " OF_EVERYONE),
     26, 26},
    {"a budget of another namespace guards nobody here",
     CHECK(TWO_NODES, DRAIN) WEB("1", "") "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, "
                                          "metadata: {name: b, namespace: "
                                          "other}, spec: {minAvailable: 1, selector: {}}}\n",
     26, FEATURES_MINOR_LAST},
    {"a budget without a selector guards nobody",
     CHECK(TWO_NODES, DRAIN) WEB("1", "") BUDGET("b", "minAvailable: 1"), 26, FEATURES_MINOR_LAST},
    {"who is not ready stays without AlwaysAllow",
     CHECK(TWO_NODES, DRAIN) NEVER_READY("web") BUDGET("b", "minAvailable: 1, " OF_WEB), NEVER,
     NEVER},
    {"with it he goes from 1.27 on",
     CHECK(TWO_NODES, DRAIN) NEVER_READY("web")
         BUDGET("b", "minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, " OF_WEB),
     27, FEATURES_MINOR_LAST},
    {"the descheduler evicts for ever while nobody keeps it from that",
     CHECK(TWO_NODES, LIFE_TIME) WEB("1", ""), NEVER, NEVER},
    {"a budget does",
     CHECK(TWO_NODES, LIFE_TIME) WEB("1", "") BUDGET("b", "minAvailable: 1, " OF_WEB), 26,
     FEATURES_MINOR_LAST},
    {"one with an empty selector does from 1.27 on, too",
     CHECK(TWO_NODES, LIFE_TIME) WEB("1", "") BUDGET("b", "minAvailable: 1, " OF_EVERYONE), 27,
     FEATURES_MINOR_LAST},
    {"it keeps the descheduler from pods that never become ready",
     CHECK(TWO_NODES, LIFE_TIME) NEVER_READY("web") BUDGET("b", "minAvailable: 1, " OF_WEB), 26,
     FEATURES_MINOR_LAST},
    {"but not from 1.27 on with AlwaysAllow",
     CHECK(TWO_NODES, LIFE_TIME) NEVER_READY("web")
         BUDGET("b", "minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, " OF_WEB),
     26, 26},
    {"nor as long as enough others are healthy",
     CHECK(TWO_NODES, LIFE_TIME) WEB("1", "") NEVER_READY("stuck") BUDGET(
         "b", "minAvailable: 1, selector: {matchExpressions: [{key: app, operator: Exists}]}"),
     NEVER, NEVER},
};

static void every_version_has_its_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(version_cases) / sizeof(version_cases[0]); i++) {
        const struct version_case *a_case = &version_cases[i];
        for (int minor = FEATURES_MINOR_FIRST; minor <= FEATURES_MINOR_LAST; minor++) {
            const bool holds = minor >= a_case->first && minor <= a_case->last;
            struct verify_options options = unlimited();
            options.population.features = features_of_version(minor);
            const struct outcome outcome = verify(a_case->manifests, options);
            if (outcome.verdict != (holds ? VERDICT_HOLDS : VERDICT_VIOLATED))
                fail_msg("%s: in 1.%d the intent %s", a_case->name, minor,
                         holds ? "does not hold" : "is not violated");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_version_has_its_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
