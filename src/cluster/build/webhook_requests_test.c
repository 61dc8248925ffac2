/* SPDX-License-Identifier: Apache-2.0 */
/* Which requests a webhook refuses while it is silent, and of which that is left open. */
#include "cluster/observed_fixture.h"
#include "cluster/state/population_model.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/workloads.h"

#define OPTIONS_TEXT(text) \
    CLUSTER(NODES("a", "2", "", ROOMY), text "  intents: [{name: converges}]\n")
#define HOOK(rules, rest)                                                                      \
    "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: default}\nspec: "      \
    "{selector: {app: web}, ports: [{port: 80}]}\n"                                            \
    "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" \
    "metadata: {name: w}\nwebhooks:\n- name: w.example.org\n  clientConfig: {service: "        \
    "{namespace: default, name: s}}\n  rules: [" rules "]\n" rest
#define RULE(group, operations, resources)                                 \
    "{apiGroups: [" group "], apiVersions: [v1], operations: [" operations \
    "], resources: [" resources "]}"
#define EVICTIONS RULE("''", "CREATE", "pods/eviction")
#define BINDINGS  RULE("''", "CREATE", "pods/binding")
#define WEB       DEPLOYMENT("web", "app: web", "")
#define API       DEPLOYMENT("api", "app: api", "")
#define HIGH      DEPLOYMENT("api", "app: api", "      priority: 7\n")
#define OTHER     "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}\n"
#define OF_API    "  objectSelector: {matchLabels: {app: api}}\n"
#define NOT_API \
    "  objectSelector: {matchExpressions: [{key: app, operator: NotIn, values: [api]}]}\n"
#define DESCHEDULED                                                                            \
    "  controllers: {descheduler: {interval: 10m, policy: {apiVersion: descheduler/v1alpha2, " \
    "kind: DeschedulerPolicy, profiles: [{name: p, pluginConfig: [{name: "                     \
    "RemoveDuplicates}], plugins: {balance: {enabled: [RemoveDuplicates]}}}]}}}\n"

enum {
    NONE = 0,
    EVICTION = 1 << REQUEST_EVICTION,
    BINDING = 1 << REQUEST_BINDING,
    SET_CREATE = 1 << REQUEST_SET_CREATE,
    SET_UPDATE = 1 << REQUEST_SET_UPDATE,
};

static const struct row {
    const char *name;
    const char *manifests;
    unsigned of_web; /* what is refused of the one Deployment, and of the other */
    unsigned of_api;
    bool more; /* true if it may refuse other requests, too */
} rows[] = {
    {"new pods", OPTIONS_TEXT("") WEB API HOOK(RULE("''", "CREATE", "pods"), ""), NONE, NONE,
     false},
    {"evictions", OPTIONS_TEXT("") WEB API HOOK(EVICTIONS, ""), EVICTION, EVICTION, false},
    {"evictions, by a star", OPTIONS_TEXT("") WEB API HOOK(RULE("''", "'*'", "pods/eviction"), ""),
     EVICTION, EVICTION, false},
    {"evictions elsewhere", OPTIONS_TEXT("") WEB API HOOK(EVICTIONS, OTHER), NONE, NONE, false},
    {"labels that no eviction has", OPTIONS_TEXT("") WEB API HOOK(EVICTIONS, OF_API), NONE, NONE,
     false},
    {"labels that every eviction lacks", OPTIONS_TEXT("") WEB API HOOK(EVICTIONS, NOT_API),
     EVICTION, EVICTION, false},
    {"another version",
     OPTIONS_TEXT("")
         WEB API HOOK("{apiGroups: [''], apiVersions: [v2], operations: [CREATE], resources: "
                      "[pods/eviction]}",
                      ""),
     NONE, NONE, false},
    {"evictions where minutes count", OPTIONS_TEXT("  time: clocked\n") WEB API HOOK(EVICTIONS, ""),
     NONE, NONE, true},
    {"evictions by the descheduler", OPTIONS_TEXT(DESCHEDULED) WEB API HOOK(EVICTIONS, ""),
     EVICTION, EVICTION, false},
    {"bindings", OPTIONS_TEXT("") WEB API HOOK(BINDINGS, ""), BINDING, BINDING, false},
    {"bindings of pods of different priorities", OPTIONS_TEXT("") WEB HIGH HOOK(BINDINGS, ""), NONE,
     NONE, true},
    {"new ReplicaSets",
     OPTIONS_TEXT("") WEB API HOOK(RULE("apps", "CREATE", "replicasets"), OF_API), NONE, SET_CREATE,
     false},
    {"everything about pods but their statuses",
     OPTIONS_TEXT("") WEB API HOOK(RULE("''", "CREATE", "pods, pods/eviction, pods/binding"), ""),
     EVICTION | BINDING, EVICTION | BINDING, false},
    {"deletions of pods", OPTIONS_TEXT("") WEB API HOOK(RULE("''", "DELETE", "pods"), ""), NONE,
     NONE, true},
    {"statuses of ReplicaSets",
     OPTIONS_TEXT("") WEB API HOOK(RULE("apps", "UPDATE", "replicasets/status"), ""), NONE, NONE,
     true},
};

static const struct population_webhook *only(const struct population *population)
{
    return population->webhooks.count > 0 ? &population->webhooks.items[0] : NULL;
}

static unsigned refused(const struct population *population, const char *app)
{
    const struct population_webhook *webhook = only(population);
    unsigned bits = 0;
    for (uint32_t r = 0; webhook && r < population->revisions.count; r++)
        for (uint32_t i = 0; i < WEBHOOK_REQUEST_COUNT; i++)
            if (strcmp(labels_find(&population->revisions.items[r].pod->meta.labels, "app"), app) ==
                0)
                bits |= (unsigned)webhook->refuses[i][r] << i;
    return bits;
}

static void requests_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fixture fixture;
        const struct population_options options = {.features = features_of_version(26)};
        print_message("%s\n", rows[i].name);
        assert_true(fixture_load(&fixture, rows[i].manifests));
        struct population *population = fixture_population(&fixture, &options);
        assert_int_equal(refused(population, "web"), rows[i].of_web);
        assert_int_equal(refused(population, "api"), rows[i].of_api);
        assert_int_equal(only(population) && only(population)->asks_more, rows[i].more);
        population_free(population);
        fixture_release(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(requests_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
