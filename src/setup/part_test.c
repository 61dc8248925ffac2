/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of a scope in one of its parts. */
#include "cluster/workloads_fixture.h"
#include "setup/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SPEC(events) CLUSTER(NODES("a", "2", "", ROOMY), events "  intents: [{name: converges}]\n")
#define WEB          DEPLOYMENT("web", "app: web", "")
#define API          DEPLOYMENT("api", "app: api", "")
#define DB                                                                                         \
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\n"      \
    "spec:\n  serviceName: db\n  replicas: 3\n  selector: {matchLabels: {app: db}}\n  template:\n" \
    "    metadata: {labels: {app: db}}\n    spec: {containers: [{name: c, image: x}]}\n"
#define SERVICE(name, selector)                                                                  \
    "---\napiVersion: v1\nkind: Service\nmetadata: {name: " name ", namespace: default}\nspec: " \
    "{selector: {" selector "}, ports: [{port: 80}]}\n"

struct parted {
    struct fixture fixture;
    struct scope_part part;
    bool in[8];
};

/* The part with the one workload. */
static void part_of(struct parted *parted, const char *manifests, uint32_t workload)
{
    *parted = (struct parted){0};
    assert_true(fixture_load(&parted->fixture, manifests));
    parted->in[workload] = true;
    scope_part(&parted->fixture.arena, &parted->fixture.scope, parted->in, &parted->part);
}

static bool has_object(const struct scope_part *part, const char *kind, const char *name)
{
    for (uint32_t i = 0; i < part->scope.objects->count; i++) {
        const struct object *object = &part->scope.objects->items[i];
        if (object->kind_name && strcmp(object->kind_name, kind) == 0 &&
            strcmp(object->meta->name, name) == 0)
            return true;
    }
    return false;
}

static void objects_of_others_are_left_out(void **state)
{
    struct parted parted;
    (void)state;
    part_of(
        &parted,
        SPEC("") WEB AUTOSCALER("web") API AUTOSCALER("api") SERVICE("web", "app: web")
            SERVICE("api", "app: api") BUDGET("web", "app: web") BUDGET(
                "api", "app: api") "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
                                   "metadata: {name: high}\nvalue: 1000\n",
        1);
    static const char *const kinds[] = {"Deployment", "HorizontalPodAutoscaler", "Service",
                                        "PodDisruptionBudget"};
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
        assert_true(has_object(&parted.part, kinds[k], "api"));
        assert_false(has_object(&parted.part, kinds[k], "web"));
    }
    assert_true(has_object(&parted.part, "PriorityClass", "high"));
    assert_int_equal(parted.part.scope.workload_count, 1);
    assert_int_equal(parted.part.workloads[0], 1);
    assert_string_equal(parted.part.scope.workloads[0].name, "Deployment/default/api");
    fixture_release(&parted.fixture);
}

static void what_belongs_to_all_is_owned_by_none(void **state)
{
    struct parted parted;
    (void)state;
    part_of(&parted,
            SPEC("") WEB AUTOSCALER("web") BUDGET("web", "app: web")
                BUDGET("all", "") "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
                                  "metadata: {name: high}\nvalue: 1000\n",
            0);
    for (uint32_t i = 0; i < parted.part.scope.objects->count; i++) {
        const struct object *object = &parted.part.scope.objects->items[i];
        if (object->kind != OBJECT_CHECK)
            assert_int_equal(scope_part_owns(&parted.part, object),
                             strcmp(object->meta->name, "web") == 0);
    }
    fixture_release(&parted.fixture);
}

/* Whether the part with one of web and db keeps a budget with the selector. */
static bool keeps(const char *selector, uint32_t workload, const char *labels_of_web)
{
    char text[4096];
    struct parted parted;
    snprintf(text, sizeof(text),
             "%s---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: "
             "default}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: "
             "{labels: {app: web%s}}\n    spec: {containers: [{name: c, image: x}]}\n%s"
             "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b, "
             "namespace: default}\nspec: {maxUnavailable: 0, selector: {%s}}\n",
             SPEC(""), labels_of_web, DB, selector);
    part_of(&parted, text, workload);
    const bool kept = has_object(&parted.part, "PodDisruptionBudget", "b");
    fixture_release(&parted.fixture);
    return kept;
}

static void budgets_go_by_labels_that_controllers_add(void **state)
{
    enum { WEB_ONLY, DB_ONLY };
    (void)state;
    static const char by_name[] = "matchLabels: {statefulset.kubernetes.io/pod-name: db-0}";
    /* Nobody's template has the label: it may be anybody's. */
    assert_true(keeps(by_name, DB_ONLY, ""));
    /* That of web has it, which says nothing of db. */
    assert_true(keeps(by_name, DB_ONLY, ", statefulset.kubernetes.io/pod-name: none"));
    /* A controller overwrites what the template says. */
    assert_true(keeps("matchLabels: {pod-template-hash: abc}", WEB_ONLY, ", pod-template-hash: x"));
    assert_true(keeps("matchLabels: {batch.kubernetes.io/job-name: abc}", WEB_ONLY,
                      ", batch.kubernetes.io/job-name: x"));
    assert_true(keeps("matchExpressions: [{key: pod-template-hash, operator: In, values: [abc]}]",
                      WEB_ONLY, ", pod-template-hash: x"));
    /* Who knows who adds another label? */
    assert_true(keeps("matchLabels: {team: x}", WEB_ONLY, ""));
    assert_true(keeps("matchExpressions: [{key: team, operator: Exists}]", WEB_ONLY, ""));
    assert_false(keeps("matchLabels: {team: x}", WEB_ONLY, ", team: z"));
    /* But one label that does not match suffices. */
    assert_false(keeps("matchLabels: {app: web, pod-template-hash: abc}", DB_ONLY, ""));
    assert_false(keeps("matchLabels: {app: db}", WEB_ONLY, ""));
    assert_true(keeps("matchLabels: {app: db}", DB_ONLY, ""));
    assert_false(
        keeps("matchExpressions: [{key: app, operator: NotIn, values: [web]}]", WEB_ONLY, ""));
    assert_true(
        keeps("matchExpressions: [{key: app, operator: NotIn, values: [web]}]", DB_ONLY, ""));
    assert_true(keeps("", WEB_ONLY, ""));
}

/* Loads the manifests with an event that applies the others; false: the file cannot be made. */
static void part_of_apply(struct parted *parted, const char *events, const char *rest,
                          const char *applied, uint32_t workload)
{
    char path[] = "/tmp/fathom-part-XXXXXX";
    char text[8192];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, applied, strlen(applied)), strlen(applied));
    close(file);
    snprintf(text, sizeof(text),
             "%s  events:\n%s  - {name: apply, manifests: [%s], atMost: 1}\n"
             "  intents: [{name: converges}]\n%s",
             CLUSTER(NODES("a", "2", "", ROOMY), ""), events, path, rest);
    part_of(parted, text, workload);
    unlink(path);
}

static void events_of_others_are_left_out(void **state)
{
    static const char events[] =
        "  - {name: scale, workload: Deployment/default/web, to: [2], atMost: 1}\n"
        "  - {name: maintenance, atMost: 1}\n"
        "  - {name: scale, workload: Deployment/default/api, to: [2], atMost: 1}\n";
    struct parted parted;
    (void)state;
    /* The change of both brings the part its own half. */
    part_of_apply(&parted, events, WEB API,
                  DEPLOYMENT("web", "app: web", "      hostPID: true\n")
                      DEPLOYMENT("api", "app: api", "      hostPID: true\n"),
                  1);
    static const uint32_t numbers[] = {1, 2, 3};
    assert_int_equal(parted.part.check.event_count, 3);
    for (uint32_t e = 0; e < 3; e++)
        assert_int_equal(parted.part.events[e], numbers[e]);
    assert_int_equal(parted.part.scope.applied[0].count, 0);
    assert_int_equal(parted.part.scope.applied[2].count, 1);
    assert_string_equal(parted.part.scope.applied[2].items[0].meta->name, "api");
    assert_ptr_equal(parted.part.scope.check, &parted.part.check);
    fixture_release(&parted.fixture);
    part_of_apply(&parted, events, WEB API, DEPLOYMENT("web", "app: web", "      hostPID: true\n"),
                  1);
    assert_int_equal(parted.part.check.event_count, 2);
    fixture_release(&parted.fixture);
}

#define OF_TIER(tier)                                                                          \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"  \
    "spec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: " \
    "web, tier: " tier "}}\n    spec: {containers: [{name: c, image: x}]}\n"

/* What an event brings may have the labels that a budget looks for. */
static void budgets_go_by_labels_that_events_bring(void **state)
{
    struct parted parted;
    (void)state;
    part_of_apply(&parted, "", OF_TIER("old") API BUDGET("b", "tier: new"), OF_TIER("new"), 0);
    assert_true(has_object(&parted.part, "PodDisruptionBudget", "b"));
    fixture_release(&parted.fixture);
}

#define NODE                                                                               \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {" ROOMY \
    "}, conditions: [{type: Ready, status: 'True'}]}\n"
#define SET(name)                                                                          \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: " name                   \
    ", namespace: default, uid: u-" name "}\nspec:\n  selector: {matchLabels: {app: " name \
    "}}\n  template:\n    metadata: {labels: {app: " name                                  \
    "}}\n    spec: {containers: [{name: c, image: x}]}\n"
#define POD(name, owner, references)                                                             \
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " name ", namespace: default, labels: "    \
    "{app: " owner "}" references "}\nspec: {nodeName: n1, containers: [{name: c, image: x}]}\n" \
    "status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}\n"
#define OF(name)                                                                               \
    ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: " name ", uid: u-" name \
    ", controller: true}]"

static void pods_of_others_are_left_out(void **state)
{
    struct parted parted;
    (void)state;
    part_of(&parted,
            "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"
            "  intents: [{name: converges}]\n" NODE SET("web") SET("api")
                POD("web-1", "web", OF("web")) POD("alone", "none", "")
                    POD("api-1", "api", OF("api")) BUDGET("b", "app: web"),
            1);
    assert_int_equal(parted.fixture.scope.pod_count, 3);
    assert_int_equal(parted.part.scope.pod_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct observed_pod *pod = &parted.part.scope.pods[i];
        const bool alone = strcmp(pod->object->meta->name, "alone") == 0;
        assert_string_equal(pod->object->meta->name, alone ? "alone" : "api-1");
        assert_int_equal(pod->workload, alone ? UINT32_MAX : 0);
    }
    /* It may be about the pod that is nobody's. */
    assert_true(has_object(&parted.part, "PodDisruptionBudget", "b"));
    fixture_release(&parted.fixture);
}

static void setups_have_the_numbers_of_the_part(void **state)
{
    struct parted parted;
    struct setups setups = {0};
    (void)state;
    part_of(&parted, SPEC("") WEB DB API AUTOSCALER("api"), 2);
    struct fixture *fixture = &parted.fixture;
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    parted.in[1] = true;
    scope_part(&fixture->arena, &fixture->scope, parted.in, &parted.part);
    const struct setup *setup = setup_part(&fixture->arena, &parted.part, &setups.items[0]);
    assert_int_equal(setup->replicas[0], 3);
    assert_int_equal(setup->replicas[1], 1);
    assert_int_equal(setup->autoscaler_max[0], 0);
    assert_int_equal(setup->autoscaler_min[1], 1);
    assert_int_equal(setup->autoscaler_max[1], 2);
    assert_int_equal(setup->total_pods, 4);
    assert_int_equal(setup->total_nodes, 2);
    assert_int_equal(setup->nodes[0], 2);
    fixture_release(fixture);
}

/* A placement of all is none that a part can come to by itself. */
static void the_canonical_start_is_any(void **state)
{
    static const enum check_start starts[][2] = {{START_CANONICAL, START_SETTLED},
                                                 {START_SETTLED, START_SETTLED},
                                                 {START_EMPTY, START_EMPTY}};
    struct parted parted;
    (void)state;
    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
        part_of(&parted, SPEC("") WEB API, 0);
        parted.fixture.scope.start = starts[i][0];
        scope_part(&parted.fixture.arena, &parted.fixture.scope, parted.in, &parted.part);
        assert_int_equal(parted.part.scope.start, starts[i][1]);
        fixture_release(&parted.fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_others_are_left_out),
        cmocka_unit_test(what_belongs_to_all_is_owned_by_none),
        cmocka_unit_test(budgets_go_by_labels_that_controllers_add),
        cmocka_unit_test(events_of_others_are_left_out),
        cmocka_unit_test(budgets_go_by_labels_that_events_bring),
        cmocka_unit_test(pods_of_others_are_left_out),
        cmocka_unit_test(setups_have_the_numbers_of_the_part),
        cmocka_unit_test(the_canonical_start_is_any),
    };
    return cmocka_run_group_tests_name("part", tests, NULL, NULL);
}
