/* SPDX-License-Identifier: Apache-2.0 */
/* Stand-ins for custom resources. */
#include "object/stand_ins.h"

#include "object/as_written.h"
#include "object/way_fixture.h"

static void test_alike(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(
        &fixture,
        "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: w}, spec: "
        "{replicas: 2, strategy: {canary: {}}, selector: {matchLabels: {a: b}}, template: "
        "{spec: {}}}}\n---\n"
        "{apiVersion: apps.openshift.io/v1, kind: DeploymentConfig, metadata: {name: c}, spec: "
        "{triggers: [], selector: {a: b}, template: {spec: {}}}}\n---\n"
        "{apiVersion: apps.openshift.io/v1, kind: DeploymentConfig, metadata: {name: d}, spec: "
        "{template: {metadata: {labels: {c: d}}}}}\n---\n"
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {scaleTargetRef: "
        "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: w}}}\n---\n"
        "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, spec: "
        "{workloadRef: {name: x}}}\n");
    stand_ins_put(&fixture.arena, &fixture.documents, &fixture.problems);
    way_expect(
        &fixture, 4,
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"w\"},"
        "\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{"
        "\"spec\":{}},\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{}}}}\n"
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"c\"},"
        "\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"spec\":{}}}}\n"
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"d\"},"
        "\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"c\":\"d\"}}},\"selector\":{"
        "\"matchLabels\":{\"c\":\"d\"}}}}\n"
        "{\"apiVersion\":\"autoscaling/v2\",\"kind\":\"HorizontalPodAutoscaler\",\"spec\":{"
        "\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"w\"}}}\n"
        "{\"apiVersion\":\"argoproj.io/v1alpha1\",\"kind\":\"Rollout\",\"metadata\":{\"name\":"
        "\"r\"},\"spec\":{\"workloadRef\":{\"name\":\"x\"}}}\n");
}

static void test_scaled_object(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture, "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: w}, "
                       "spec: {scaleTargetRef: {name: w}, minReplicaCount: 0, triggers: []}}\n");
    stand_ins_put(&fixture.arena, &fixture.documents, &fixture.problems);
    way_expect(&fixture, 1,
               "{\"apiVersion\":\"autoscaling/v2\",\"kind\":\"HorizontalPodAutoscaler\","
               "\"metadata\":{\"name\":\"w\"},\"spec\":{\"scaleTargetRef\":{\"name\":\"w\","
               "\"kind\":\"Deployment\",\"apiVersion\":\"apps/v1\"},\"maxReplicas\":100,"
               "\"metrics\":[{\"type\":\"External\",\"external\":{\"metric\":{\"name\":\"any\"},"
               "\"target\":{\"type\":\"AverageValue\",\"averageValue\":\"1\"}}}]}}\n");
}

#define DEPLOYMENT(name, replicas)                                        \
    "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: " name \
    "}, spec: {replicas: " replicas ", selector: {matchLabels: {a: b}}, template: {t: t}}}\n"
#define ROLLOUT(name, rest)                                                         \
    "---\n{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: " name \
    "}, spec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web" rest "}}\n"

static const char *root_json(struct way_fixture *fixture, uint32_t number, struct text *text)
{
    struct json_out json;
    text_init(text, &fixture->memory);
    json_out_init(&json, text, 0);
    value_write_json(&json, NULL, &fixture->documents.items[number].root);
    return text_content(text);
}

/* `made` is the spec of document number 1, and `left` the replicas that the Deployment before it
 * keeps; `told` is in the warning. */
static void expect_rollout(const char *manifests, const char *made, int64_t left, const char *told)
{
    struct way_fixture fixture;
    struct text text;
    int64_t replicas = -1;
    way_read(&fixture, manifests);
    stand_ins_put(&fixture.arena, &fixture.documents, &fixture.problems);
    assert_non_null(strstr(root_json(&fixture, 1, &text), made));
    const struct value *first = &fixture.documents.items[0].root;
    value_read_integer(value_find(value_find(first, "spec"), "replicas"), &replicas);
    assert_int_equal(replicas, left);
    assert_int_equal(fixture.problems.count, 1);
    assert_non_null(strstr(fixture.problems.items[0].message, told));
    text_release(&text);
    arena_release(&fixture.arena);
}

static void test_workload_ref(void **state)
{
    (void)state;
    /* It keeps its pods unless it is said that it is scaled down. */
    expect_rollout(DEPLOYMENT("web", "3") ROLLOUT("r", "}, replicas: 2"),
                   "\"kind\":\"Deployment\",\"metadata\":{\"name\":\"r\"},\"spec\":{"
                   "\"replicas\":2,\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{"
                   "\"t\":\"t\"}",
                   3, "Deployment web keeps its 3 pods (scaleDown: never)");
    expect_rollout(DEPLOYMENT("web", "3") ROLLOUT("r", ", scaleDown: never}"), "\"t\":\"t\"", 3,
                   "keeps its 3 pods");
    expect_rollout(DEPLOYMENT("web", "3") ROLLOUT("r", ", scaleDown: onsuccess}"), "\"t\":\"t\"", 0,
                   "Deployment web is scaled down (scaleDown)");
    expect_rollout(DEPLOYMENT("web", "3") ROLLOUT("r", ", scaleDown: progressively}"),
                   "\"t\":\"t\"", 0, "is scaled down");
    expect_rollout(DEPLOYMENT("web", "0") ROLLOUT("r", "}"), "\"t\":\"t\"", 0,
                   "without the steps of its strategy");
    /* A selector of its own counts. */
    expect_rollout(DEPLOYMENT("web", "0") ROLLOUT("r", "}, selector: {matchLabels: {c: d}}"),
                   "\"selector\":{\"matchLabels\":{\"c\":\"d\"}}", 0, "is taken to be");
    expect_rollout(DEPLOYMENT("www", "1") ROLLOUT("r", "}"), "\"kind\":\"Rollout\"", 1,
                   "not among the manifests");
    /* Two objects of one kind and name would be one. */
    expect_rollout(DEPLOYMENT("web", "0") ROLLOUT("web", "}"),
                   "\"metadata\":{\"name\":\"web-rollout\"}", 0, "is taken to be");
}

#define STRATEGY(rest)                                                                   \
    DEPLOYMENT("x", "1")                                                                 \
    "---\n{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, spec: " \
    "{template: "                                                                        \
    "{t: t}, strategy: {" rest "}}}\n"

static void test_strategies(void **state)
{
    static const char twice[] = "\"rollingUpdate\":{\"maxSurge\":\"100%\",\"maxUnavailable\":0}";
    (void)state;
    expect_rollout(STRATEGY("canary: {maxSurge: 1, maxUnavailable: 0, steps: []}"),
                   "\"rollingUpdate\":{\"maxSurge\":1,\"maxUnavailable\":0}", 1, "");
    expect_rollout(STRATEGY("canary: {steps: []}"), "\"rollingUpdate\":{}", 1, "");
    expect_rollout(STRATEGY("blueGreen: {activeService: s}"), twice, 1, "");
    expect_rollout(STRATEGY("canary: {maxSurge: 1, trafficRouting: {nginx: {}}}"), twice, 1, "");
}

/* The Job that stands for a ScaledJob with this template; NULL: none does. */
static void expect_job(const char *template, const char *job)
{
    struct way_fixture fixture;
    struct text text;
    char manifest[512];
    snprintf(manifest, sizeof(manifest),
             "{apiVersion: keda.sh/v1alpha1, kind: ScaledJob, metadata: {name: w}, spec: "
             "{jobTargetRef: {backoffLimit: 2, template: %s}, maxReplicaCount: 5}}\n",
             template);
    way_read(&fixture, manifest);
    stand_ins_put(&fixture.arena, &fixture.documents, &fixture.problems);
    assert_int_equal(fixture.problems.count, job != NULL);
    const char *found = root_json(&fixture, 0, &text);
    if (job) {
        assert_non_null(strstr(fixture.problems.items[0].message, "up to 5 at once"));
        assert_string_equal(found, job);
    } else {
        assert_non_null(strstr(found, "ScaledJob"));
    }
    text_release(&text);
    arena_release(&fixture.arena);
}

#define JOB(policy)                                                                          \
    "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"w\"},\"spec\":{" \
    "\"backoffLimit\":2,\"template\":{\"spec\":{\"restartPolicy\":\"" policy "\"}}}}"

static void test_scaled_job(void **state)
{
    (void)state;
    expect_job("{spec: {restartPolicy: Never}}", JOB("Never"));
    /* KEDA writes a policy that a Job may have. */
    expect_job("{spec: {}}", JOB("OnFailure"));
    /* Nothing is known of such pods, and KEDA could not make them. */
    expect_job("null", NULL);
    expect_job("{}", NULL);
    expect_job("{spec: {restartPolicy: Always}}", NULL);
}

/* An autoscaler follows its Rollout, whatever the name of what stands for it. */
static void test_followed(void **state)
{
    struct way_fixture fixture;
    struct text text;
    (void)state;
    way_read(&fixture, "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: s}, "
                       "spec: {scaleTargetRef: {apiVersion: argoproj.io/v1alpha1, kind: Rollout, "
                       "name: web}}}\n" DEPLOYMENT("web", "1") ROLLOUT("web", "}"));
    stand_ins_put(&fixture.arena, &fixture.documents, &fixture.problems);
    assert_non_null(strstr(root_json(&fixture, 0, &text),
                           "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":"
                           "\"web-rollout\"}"));
    text_release(&text);
    arena_release(&fixture.arena);
}

/* Messages have the names that the user wrote. */
static void test_as_written(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture, "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: s}, "
                       "spec: {scaleTargetRef: {name: web}}}\n" DEPLOYMENT("web", "1"));
    stand_ins_put(&fixture.arena, &fixture.documents, &fixture.problems);
    struct object_meta meta = {.name = "s", .namespace = "shop"};
    struct object object = {.kind_name = "HorizontalPodAutoscaler",
                            .source = &fixture.documents.items[0],
                            .meta = &meta};
    assert_string_equal(written_words(&fixture.arena, &object), "ScaledObject shop/s");
    assert_string_equal(written_path(&fixture.arena, &object, "spec.minReplicas"),
                        "spec.minReplicaCount");
    assert_string_equal(written_path(&fixture.arena, &object, "spec.metrics[0].type"),
                        "spec.triggers[0].type");
    assert_string_equal(written_path(&fixture.arena, &object, "spec.scaleTargetRef"),
                        "spec.scaleTargetRef");
    assert_string_equal(written_field(&fixture.arena, &object, "spec.maxReplicas"),
                        "maxReplicaCount");
    /* What is a kind of Kubernetes has its own. */
    object.source = &fixture.documents.items[1];
    assert_string_equal(written_field(&fixture.arena, &object, "spec.minReplicas"), "minReplicas");
    assert_string_equal(written_object(&fixture.arena, &object), "HorizontalPodAutoscaler/shop/s");
    arena_release(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),      cmocka_unit_test(test_scaled_object),
        cmocka_unit_test(test_scaled_job), cmocka_unit_test(test_workload_ref),
        cmocka_unit_test(test_strategies), cmocka_unit_test(test_followed),
        cmocka_unit_test(test_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
