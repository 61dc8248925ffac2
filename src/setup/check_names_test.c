/* SPDX-License-Identifier: Apache-2.0 */
/* A name stands for one object, wherever it is; for several it is refused. */
#include "setup/setup_fixture.h"

#define CHECK(spec) "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n" spec
#define SET(kind, name, namespace)                                                               \
    "---\napiVersion: apps/v1\nkind: " kind "\nmetadata: {name: " name                           \
    ", namespace: " namespace "}\nspec:\n  selector: {matchLabels: {app: x}}\n  template:\n    " \
                              "metadata: {labels: "                                              \
                              "{app: x}}\n    spec: {containers: [{name: c, image: x}]}\n"
#define BUDGET(namespace)                                                           \
    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, " \
    "namespace: " namespace "}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: x}}}\n"
#define TWO_WEBS SET("Deployment", "web", "a") SET("Deployment", "web", "b")

/* `message` NULL: the manifests are right. */
static void expect(const char *manifests, uint32_t line, const char *path, const char *message)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_int_equal(fixture.built, message == NULL);
    if (message) {
        assert_int_equal(fixture.problems.count, 1);
        assert_int_equal(fixture.problems.items[0].place.line, line);
        assert_string_equal(fixture.problems.items[0].path, path);
        assert_string_equal(fixture.problems.items[0].message, message);
    }
    setup_fixture_release(&fixture);
}

static void names_of_several_namespaces_are_refused(void **state)
{
    (void)state;
    static const char two[] = "Deployment/web is ambiguous: there is Deployment/a/web and "
                              "Deployment/b/web; write the namespace";
    expect(CHECK("  intents:\n  - {name: converges}\n"
                 "  - {name: converges, workload: Deployment/web}\n") TWO_WEBS,
           7, "spec.intents[1].workload", two);
    expect(CHECK("  workloads:\n  - {name: Deployment/web, replicas: 2}\n") TWO_WEBS, 6,
           "spec.workloads[0].name", two);
    expect(CHECK("  events:\n  - {name: scale, workload: Deployment/web, to: [2]}\n") TWO_WEBS, 6,
           "spec.events[0].workload", two);
    expect(CHECK("  events:\n  - {name: delete, object: PodDisruptionBudget/web}\n")
               SET("Deployment", "web", "a") BUDGET("a") BUDGET("b"),
           6, "spec.events[0].object",
           "PodDisruptionBudget/web is ambiguous: there is PodDisruptionBudget/a/web and "
           "PodDisruptionBudget/b/web; write the namespace");
    expect(CHECK("  intents: [{name: converges, workload: Deployment/web}]\n")
               SET("Deployment", "web", "default") TWO_WEBS,
           5, "spec.intents[0].workload",
           "Deployment/web is ambiguous: there is Deployment/default/web, Deployment/a/web and "
           "Deployment/b/web; write the namespace");
}

static void pods_are_named_by_their_sets(void **state)
{
    (void)state;
#define TWO_DBS SET("StatefulSet", "db", "a") SET("StatefulSet", "db", "b")
    expect(CHECK("  events: [{name: delete, object: Pod/db-0}]\n") TWO_DBS, 5,
           "spec.events[0].object",
           "Pod/db-0 is ambiguous: there is Pod/a/db-0 and Pod/b/db-0; write the namespace");
    expect(CHECK("  events: [{name: delete, object: Pod/db-*}]\n") TWO_DBS, 0, NULL, NULL);
    expect(CHECK("  events: [{name: delete, object: Pod/b/db-0}]\n") TWO_DBS, 0, NULL, NULL);
    expect(CHECK("  events: [{name: delete, object: Pod/db-0}]\n") SET("StatefulSet", "db", "a")
               SET("StatefulSet", "db-0", "b") SET("Deployment", "db", "b"),
           0, NULL, NULL);
}

static void names_of_one_namespace_are_taken(void **state)
{
    (void)state;
    expect(CHECK("  intents:\n  - {name: converges, workload: Deployment/b/web}\n"
                 "  - {name: converges}\n") TWO_WEBS,
           0, NULL, NULL);
    expect(CHECK("  intents: [{name: converges, workload: Deployment/web}]\n")
               SET("Deployment", "web", "a") SET("Deployment", "api", "b")
                   SET("StatefulSet", "web", "c"),
           0, NULL, NULL);
    expect(CHECK("  workloads: [{name: Deployment/wob, replicas: 2}]\n") TWO_WEBS, 5,
           "spec.workloads", "there is no Deployment/wob among the manifests");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_several_namespaces_are_refused),
        cmocka_unit_test(pods_are_named_by_their_sets),
        cmocka_unit_test(names_of_one_namespace_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
