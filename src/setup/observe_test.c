/* SPDX-License-Identifier: Apache-2.0 */
/* The present state as setups see it: whose pods, where, how far; and what is said about it. */
#include "setup/setup_fixture.h"

#define NODE(name)                                                                              \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name "}\nstatus: {allocatable: {cpu: " \
    "'4', pods: '110'}}\n"
#define TEMPLATE(hash)                                   \
    "  template:\n    metadata: {labels: {app: web" hash \
    "}}\n    spec: {containers: [{name: c, image: web:1, resources: {requests: {cpu: 500m}}}]}\n"
#define WEB                                                                                    \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, uid: web-uid}\nspec:\n" \
    "  replicas: 2\n  selector: {matchLabels: {app: web}}\n" TEMPLATE("")
#define SET(hash, replicas, revision, owner_uid)                                                 \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: web-" hash                   \
    "\n  uid: uid-" hash "\n  annotations: {deployment.kubernetes.io/revision: '" revision       \
    "'}\n  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: " owner_uid \
    ", controller: true}]\nspec:\n  replicas: " replicas                                         \
    "\n  selector: {matchLabels: {app: web, pod-template-hash: " hash                            \
    "}}\n" TEMPLATE(", pod-template-hash: " hash)
#define POD(name, owner, spec, status)                                                             \
    "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: " name "\n" owner                          \
    "  labels: {app: web}\nspec: {" spec                                                           \
    "containers: [{name: c, image: web:1, resources: {requests: {cpu: 500m}}}]}\nstatus: {" status \
    "}\n"
#define OF_SET(hash)                                                              \
    "  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-" hash \
    ", uid: uid-" hash ", controller: true}]\n"
#define READY   "phase: Running, conditions: [{type: Ready, status: 'True'}]"
#define UNREADY "phase: Running, conditions: [{type: Ready, status: 'False'}]"

static bool says(const struct setup_fixture *fixture, const char *part)
{
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        if (strstr(fixture->problems.items[i].message, part))
            return true;
    return false;
}

static bool assumes(const struct setup_fixture *fixture, const char *part)
{
    for (uint32_t i = 0; i < fixture->scope.assumptions.count; i++)
        if (strstr(fixture->scope.assumptions.items[i], part))
            return true;
    return false;
}

/* The only one of this name. */
static const struct observed_pod *find(const struct setup_fixture *fixture, const char *name)
{
    for (uint32_t i = 0; i < fixture->scope.pod_count; i++)
        if (strcmp(fixture->scope.pods[i].object->meta->name, name) == 0)
            return &fixture->scope.pods[i];
    fail_msg("there is no pod %s", name);
    return NULL;
}

static void pods_mean_an_observed_start(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, NODE("n1") WEB);
    assert_int_equal(fixture.scope.start, START_EMPTY);
    setup_fixture_release(&fixture);
    setup_fixture_read(&fixture, NODE("n1") WEB POD("a", "", "nodeName: n1, ", READY));
    assert_int_equal(fixture.scope.start, START_OBSERVED);
    setup_fixture_release(&fixture);
    setup_fixture_read(&fixture,
                       "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec: {start: "
                       "empty}\n" NODE("n1") WEB POD("a", "", "nodeName: n1, ", READY));
    assert_int_equal(fixture.scope.start, START_EMPTY);
    assert_int_equal(fixture.scope.pod_count, 0);
    assert_true(assumes(&fixture, "the Pod objects are left out"));
    setup_fixture_release(&fixture);
}

static void every_stage_is_told(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(
        &fixture,
        NODE("n1") NODE("n2") WEB SET("abc", "2", "1", "web-uid")
            POD("ready", OF_SET("abc"), "nodeName: n2, ", READY)
                POD("starting", OF_SET("abc"), "nodeName: n1, ", UNREADY)
                    POD("waiting", OF_SET("abc"), "", "phase: Pending")
                        POD("going", "  deletionTimestamp: '2026-03-02T09:00:00Z'\n" OF_SET("abc"),
                            "nodeName: n1, ", READY)
                            POD("never-placed",
                                "  deletionTimestamp: '2026-03-02T09:00:00Z'\n" OF_SET("abc"), "",
                                "phase: Pending")
                                POD("failed", OF_SET("abc"), "nodeName: n1, ", "phase: Failed"));
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.pod_count, 4);
    assert_int_equal(fixture.scope.finished_pods, 1);
    assert_int_equal(find(&fixture, "ready")->stage, OBSERVED_READY);
    assert_int_equal(find(&fixture, "ready")->place.node, 1);
    assert_int_equal(find(&fixture, "starting")->stage, OBSERVED_STARTING);
    assert_int_equal(find(&fixture, "waiting")->stage, OBSERVED_WAITING);
    assert_int_equal(find(&fixture, "going")->stage, OBSERVED_TERMINATING);
    assert_int_equal(find(&fixture, "going")->workload, 0);
    assert_true(assumes(&fixture, "4 pods (1 waiting, 1 not ready, 1 terminating)"));
    setup_fixture_release(&fixture);
}

/* The newest set stays even if it has no pods; other history goes. */
static void history_is_left_out(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, NODE("n1") WEB SET("old", "0", "1", "web-uid")
                                     SET("mid", "0", "2", "web-uid") SET("abc", "0", "3", "web-uid")
                                         POD("a", OF_SET("mid"), "nodeName: n1, ", READY));
    assert_int_equal(fixture.scope.workload_count, 1);
    const struct setup_workload *web = &fixture.scope.workloads[0];
    assert_int_equal(web->set_count, 2);
    assert_string_equal(web->sets[0]->meta->name, "web-abc");
    assert_string_equal(web->sets[1]->meta->name, "web-mid");
    assert_ptr_equal(find(&fixture, "a")->set, web->sets[1]);
    setup_fixture_release(&fixture);
}

static void owners_that_are_missing_are_named(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    /* A set of an earlier Deployment of that name is not one of this. */
    setup_fixture_read(&fixture, NODE("n1") WEB SET("abc", "2", "1", "another-uid"));
    assert_int_equal(fixture.scope.start, START_EMPTY);
    setup_fixture_release(&fixture);
    setup_fixture_read(&fixture, NODE("n1") WEB SET("abc", "1", "1", "another-uid")
                                     POD("a", OF_SET("abc"), "nodeName: n1, ", READY));
    assert_int_equal(fixture.scope.workload_count, 2);
    assert_int_equal(fixture.scope.workloads[0].set_count, 0);
    assert_int_equal(find(&fixture, "a")->workload, 1);
    assert_true(says(&fixture, "taken to look after itself"));
    setup_fixture_release(&fixture);
    /* Its Deployment would make the set anew: that would be another cluster. */
    setup_fixture_read(&fixture, NODE("n1") WEB POD("a", OF_SET("abc"), "nodeName: n1, ", READY));
    assert_false(fixture.built);
    assert_true(says(&fixture, "expected ReplicaSet web-abc among the objects"));
    setup_fixture_release(&fixture);
    /* Nobody would. */
    setup_fixture_read(&fixture, NODE("n1") POD("a", OF_SET("abc"), "nodeName: n1, ", READY)
                                     POD("b", OF_SET("abc"), "nodeName: n1, ", READY));
    assert_true(fixture.built);
    assert_int_equal(fixture.problems.count, 1);
    assert_int_equal(find(&fixture, "a")->workload, UINT32_MAX);
    assert_true(assumes(&fixture, "2 of kind ReplicaSet"));
    setup_fixture_release(&fixture);
}

static void nodes_that_are_missing_are_named(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, WEB POD("a", "", "nodeName: n1, ", READY)
                                     POD("b", "", "nodeName: n2, ", READY));
    assert_false(fixture.built);
    assert_int_equal(fixture.problems.errors, 1);
    assert_true(says(&fixture, "expected the Node objects"));
    setup_fixture_release(&fixture);
    setup_fixture_read(&fixture, NODE("n1") WEB POD("a", "", "nodeName: n1, ", READY)
                                     POD("b", "", "nodeName: n2, ", READY));
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.pod_count, 1);
    assert_true(says(&fixture, "node n2 is not among the objects: pod b is taken to be gone"));
    setup_fixture_release(&fixture);
}

/* Replicas that the present pods do not have would be another cluster. */
static void replicas_are_those_of_the_present(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(
        &fixture, "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n"
                  "  workloads: [{name: Deployment/web, replicas: {min: 1, max: 4}}]\n" NODE("n1")
                      WEB POD("a", "", "nodeName: n1, ", READY));
    assert_false(fixture.built);
    assert_true(says(&fixture, "expected the 2 replicas that Deployment/default/web has"));
    setup_fixture_release(&fixture);
}

#define SCALER(status)                                                                            \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"     \
    "spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, " \
    "metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, "               \
    "averageUtilization: 80}}}]}\n" status
#define MEASURED(name, cpu)                                                                       \
    "---\napiVersion: metrics.k8s.io/v1beta1\nkind: PodMetrics\nmetadata: {name: " name           \
    "}\ntimestamp: '2026-03-02T09:00:00Z'\nwindow: 15s\ncontainers: [{name: c, usage: {cpu: " cpu \
    "}}]\n"
#define TWO_PODS                                                                         \
    NODE("n1")                                                                           \
    WEB SET("abc", "2", "1", "web-uid") POD("a", OF_SET("abc"), "nodeName: n1, ", READY) \
        POD("b", OF_SET("abc"), "nodeName: n1, ", READY)

static int64_t load_of(const char *manifests)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    const int64_t load = fixture.scope.workloads[0].load_milli;
    setup_fixture_release(&fixture);
    return load;
}

static void the_load_is_measured_or_seen_or_requested(void **state)
{
    (void)state;
    static const char seen[] =
        SCALER("status: {currentMetrics: [{type: Resource, resource: {name: cpu, current: "
               "{averageUtilization: 60}}}]}\n");
    char text[8192];
    assert_int_equal(load_of(TWO_PODS), 0);
    assert_int_equal(load_of(TWO_PODS SCALER("")), 1000);
    snprintf(text, sizeof(text), "%s%s", TWO_PODS, seen);
    assert_int_equal(load_of(text), 600);
    /* One of the two is measured: the other is taken to be like it. */
    snprintf(text, sizeof(text), "%s%s%s", TWO_PODS, seen, MEASURED("a", "150m"));
    assert_int_equal(load_of(text), 300);
    snprintf(text, sizeof(text), "%s%s%s%s", TWO_PODS, seen, MEASURED("a", "150m"),
             MEASURED("b", "50m"));
    assert_int_equal(load_of(text), 200);
}

#define OTHER(kind, name, rest)                                                          \
    "---\napiVersion: apps/v1\nkind: " kind "\nmetadata: {name: " name "}\nspec:\n" rest \
    "  selector: {matchLabels: {app: web}}\n" TEMPLATE("")
#define BARE(name, labels, meta, spec)                                                            \
    "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: " name "\n  labels: {" labels "}\n" meta  \
    "spec: {" spec "containers: [{name: c, image: web:1, resources: {requests: {cpu: 500m}}}]}\n" \
    "status: {" READY "}\n"

/* The number of the workload that has the only pod of the manifests; UINT32_MAX: nobody has. */
static uint32_t keeper_of(const char *manifests)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.pod_count, 1);
    const uint32_t workload = fixture.scope.pods[0].workload;
    assert_true(workload == UINT32_MAX || assumes(&fixture, "are adopted"));
    setup_fixture_release(&fixture);
    return workload;
}

static void pods_that_are_selected_are_adopted(void **state)
{
    (void)state;
    assert_int_equal(keeper_of(NODE("n1") OTHER("ReplicaSet", "rs", "  replicas: 1\n")
                                   BARE("a", "app: web", "", "nodeName: n1, ")),
                     0);
    assert_int_equal(keeper_of(NODE("n1") OTHER("DaemonSet", "ds", "")
                                   BARE("a", "app: web", "", "nodeName: n1, ")),
                     0);
    assert_int_equal(
        keeper_of(NODE("n1") "---\napiVersion: v1\nkind: ReplicationController\nmetadata: {name: "
                             "rc}\nspec:\n  replicas: 1\n  selector: {app: web}\n" TEMPLATE("")
                                 BARE("a", "app: web", "", "nodeName: n1, ")),
        0);
    /* A Deployment's ReplicaSet asks for the hash, too. */
    assert_int_equal(keeper_of(NODE("n1") WEB SET("abc", "2", "1", "web-uid") BARE(
                         "a", "app: web, pod-template-hash: abc", "", "nodeName: n1, ")),
                     0);
    assert_int_equal(keeper_of(NODE("n1") WEB SET("abc", "2", "1", "web-uid")
                                   BARE("a", "app: web", "", "nodeName: n1, ")),
                     UINT32_MAX);
    /* A StatefulSet asks for its own name and an ordinal. */
    assert_int_equal(keeper_of(NODE("n1") OTHER("StatefulSet", "db", "  replicas: 1\n")
                                   BARE("db-0", "app: web", "", "nodeName: n1, ")),
                     0);
    assert_int_equal(keeper_of(NODE("n1") OTHER("StatefulSet", "db", "  replicas: 1\n")
                                   BARE("a-0", "app: web", "", "nodeName: n1, ")),
                     UINT32_MAX);
}

static void pods_of_others_are_not_adopted(void **state)
{
    (void)state;
    assert_int_equal(keeper_of(NODE("n1") OTHER("ReplicaSet", "rs", "  replicas: 1\n")
                                   BARE("a", "app: other", "", "nodeName: n1, ")),
                     UINT32_MAX);
    assert_int_equal(keeper_of(NODE("n1") OTHER("ReplicaSet", "rs", "  replicas: 1\n")
                                   BARE("a", "app: web", "  namespace: other\n", "nodeName: n1, ")),
                     UINT32_MAX);
    assert_int_equal(
        keeper_of(NODE("n1") OTHER("ReplicaSet", "rs", "  replicas: 1\n") BARE(
            "a", "app: web", "  deletionTimestamp: '2026-03-02T09:00:00Z'\n", "nodeName: n1, ")),
        UINT32_MAX);
    assert_int_equal(keeper_of(NODE("n1") OTHER("ReplicaSet", "rs", "  replicas: 1\n") BARE(
                         "a", "app: web",
                         "  ownerReferences: [{apiVersion: v1, kind: Custom, name: c, uid: u, "
                         "controller: true}]\n",
                         "nodeName: n1, ")),
                     UINT32_MAX);
    /* Which node it is for is not known. */
    assert_int_equal(
        keeper_of(NODE("n1") OTHER("DaemonSet", "ds", "") BARE("a", "app: web", "", "")),
        UINT32_MAX);
}

/* A Job that adopts a pod has begun: how far it has come is not in the objects. */
static void jobs_that_adopt_have_begun(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(
        &fixture, NODE("n1") "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n"
                             "spec:\n  manualSelector: true\n"
                             "  selector: {matchLabels: {app: web}}\n"
                             "  template:\n    metadata: {labels: {app: web}}\n    spec: "
                             "{restartPolicy: Never, containers: [{name: c, image: web:1}]}\n" BARE(
                                 "a", "app: web", "", "nodeName: n1, "));
    assert_true(fixture.built);
    assert_int_equal(fixture.scope.workload_count, 0);
    assert_true(assumes(&fixture, "Jobs that have begun make no more pods"));
    setup_fixture_release(&fixture);
}

static void what_adopts_in_doubt_is_told(void **state)
{
    (void)state;
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, NODE("n1") OTHER("ReplicaSet", "rs", "  replicas: 1\n")
                                     OTHER("DaemonSet", "ds", "")
                                         BARE("a", "app: web", "", "nodeName: n1, "));
    assert_int_equal(find(&fixture, "a")->workload, 0);
    assert_true(assumes(&fixture, "(a by ReplicaSet rs)"));
    assert_true(assumes(&fixture, "(a: not DaemonSet ds)"));
    setup_fixture_release(&fixture);
    setup_fixture_read(&fixture, NODE("n1") WEB BARE("a", "app: web, pod-template-hash: abc", "",
                                                     "nodeName: n1, "));
    assert_true(assumes(&fixture, "pod-template-hash of a pod without a controller (a)"));
    setup_fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_mean_an_observed_start),
        cmocka_unit_test(every_stage_is_told),
        cmocka_unit_test(history_is_left_out),
        cmocka_unit_test(owners_that_are_missing_are_named),
        cmocka_unit_test(nodes_that_are_missing_are_named),
        cmocka_unit_test(replicas_are_those_of_the_present),
        cmocka_unit_test(pods_that_are_selected_are_adopted),
        cmocka_unit_test(pods_of_others_are_not_adopted),
        cmocka_unit_test(jobs_that_adopt_have_begun),
        cmocka_unit_test(what_adopts_in_doubt_is_told),
        cmocka_unit_test(the_load_is_measured_or_seen_or_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
