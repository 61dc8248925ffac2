/* SPDX-License-Identifier: Apache-2.0 */
/* The API server behind the descheduler is of a version of Kubernetes, and that
 * version's eviction rules decide: for objects that were written down and for
 * a population alike. */
#include "decide/descheduler/descheduler_fixture.h"

#define NODE(name)                                                          \
    "---\n{apiVersion: v1, kind: Node, metadata: {name: " name ", labels: " \
    "{kubernetes.io/hostname: " name "}}, status: {allocatable: {cpu: '1', pods: '10'}}}\n"
#define NODES NODE("n1") NODE("n2") /* with one alone the descheduler does nothing */
#define POD(ready)                                                                                \
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, labels: {app: "     \
    "web}, creationTimestamp: '1970-01-01T00:00:00Z', ownerReferences: [{apiVersion: apps/v1, "   \
    "kind: ReplicaSet, name: web, uid: u}]}, spec: {nodeName: n1, containers: [{name: c, image: " \
    "i}]}, status: {phase: Running, conditions: [{type: Ready, status: '" ready "'}]}}\n"
#define BUDGET(name, selector, more)                                                 \
    "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: " name \
    ", namespace: default}, spec: {minAvailable: 1, selector: " selector more        \
    "}, status: {currentHealthy: 0, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0}}\n"
#define POLICY                                                                               \
    "---\n{apiVersion: descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, " \
    "pluginConfig: [{name: DefaultEvictor, args: {}}, {name: PodLifeTime, args: "            \
    "{maxPodLifeTimeSeconds: 10}}], plugins: {deschedule: {enabled: [PodLifeTime]}}}]}\n"
#define WEB "{matchLabels: {app: web}}"

enum { NEVER = 99 };

/* Whether the pod goes in the minor versions from `first` to `last`, and by which
 * rule in the others. */
static const struct version_case {
    const char *name;
    const char *manifest;
    int first;
    int last;
    enum eviction_rule elsewhere;
} version_cases[] = {
    {"nobody guards", NODES POD("True") POLICY, 26, FEATURES_MINOR_LAST, EVICTION_RULE_COUNT},
    {"an exhausted budget", NODES POD("True") BUDGET("b", WEB, "") POLICY, NEVER, NEVER,
     EVICTION_BUDGET_EXHAUSTED},
    {"an empty selector guards from 1.27 on", NODES POD("True") BUDGET("b", "{}", "") POLICY, 26,
     26, EVICTION_BUDGET_EXHAUSTED},
    {"and beside another budget it is one too many from 1.27 on",
     NODES POD("True") BUDGET("b", "{}", "") BUDGET("c", "{}", "") POLICY, 26, 26,
     EVICTION_SEVERAL_BUDGETS},
    {"AlwaysAllow lets go of who is not ready from 1.27 on",
     NODES POD("False") BUDGET("b", WEB, ", unhealthyPodEvictionPolicy: AlwaysAllow") POLICY, 27,
     FEATURES_MINOR_LAST, EVICTION_BUDGET_EXHAUSTED},
    {"AlwaysAllow does not let go of who is",
     NODES POD("True") BUDGET("b", WEB, ", unhealthyPodEvictionPolicy: AlwaysAllow") POLICY, NEVER,
     NEVER, EVICTION_BUDGET_EXHAUSTED},
};

static struct cluster *population_of(struct arena *arena, const struct features *features,
                                     const struct objects *objects)
{
    struct catalog *catalog = catalog_create(arena, features);
    catalog_surround(catalog, objects);
    struct view view = view_of_objects(arena, catalog, objects);
    return cluster_of_view(arena, &view);
}

static void expect(struct arena *arena, const struct version_case *a_case, int minor,
                   const struct descheduler_setup *setup, struct cluster *cluster)
{
    const bool goes = minor >= a_case->first && minor <= a_case->last;
    struct descheduler_result result;
    descheduler_run(arena, setup, cluster, false, &result);
    if (result.evicted.count != (goes ? 1 : 0) || result.rejected.count != (goes ? 0 : 1))
        fail_msg("%s: %u evicted in 1.%d", a_case->name, result.evicted.count, minor);
    if (!goes && result.rejected.items[0].rule != a_case->elsewhere)
        fail_msg("%s: refused in 1.%d as %s", a_case->name, minor,
                 eviction_rule_text(result.rejected.items[0].rule));
}

static void the_api_server_has_a_version(void **state)
{
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (size_t i = 0; i < sizeof(version_cases) / sizeof(version_cases[0]); i++) {
        struct objects objects = {0};
        struct descheduler_setup setup = {
            .features = descheduler_features_of_version(DESCHEDULER_MINOR_FIRST),
            .objects = &objects,
            .now = (int64_t)3600 * NANOSECONDS_PER_SECOND};
        read_manifests(&arena, version_cases[i].manifest, &objects);
        setup.policy = find_policy(&objects);
        const struct kind_readers readers = descheduler_readers(setup.policy, setup.features);
        for (int minor = FEATURES_MINOR_FIRST; minor <= FEATURES_MINOR_LAST; minor++) {
            const struct features features = features_of_version(minor);
            expect(&arena, &version_cases[i], minor, &setup,
                   cluster_of_objects(&arena, &features, &objects, readers, false));
            expect(&arena, &version_cases[i], minor, &setup,
                   population_of(&arena, &features, &objects));
        }
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_api_server_has_a_version)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
