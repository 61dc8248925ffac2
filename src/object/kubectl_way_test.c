/* SPDX-License-Identifier: Apache-2.0 */
/* Manifests as kubectl takes them, and stand-ins for custom resources. */
#include "object/kubectl_way.h"

#include "manifest/manifest.h"
#include "object/stand_ins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct way_fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents;
};

static void way_read_file(struct way_fixture *fixture, const char *file, const char *text)
{
    *fixture = (struct way_fixture){0};
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&fixture->problems, &fixture->arena);
    assert_true(manifest_parse(&fixture->arena, file, text, strlen(text), &fixture->documents,
                               &fixture->problems));
}

static void way_read(struct way_fixture *fixture, const char *text)
{
    way_read_file(fixture, "a.yaml", text);
}

/* The documents in JSON, one after the other, and the number of warnings. */
static void way_expect(struct way_fixture *fixture, uint32_t warnings, const char *expected)
{
    struct text text;
    text_init(&text, &fixture->memory);
    for (uint32_t i = 0; i < fixture->documents.count; i++) {
        struct json_out json;
        json_out_init(&json, &text, 0);
        value_write_json(&json, NULL, &fixture->documents.items[i].root);
        text_append_char(&text, '\n');
    }
    assert_string_equal(text_content(&text), expected);
    assert_int_equal(fixture->problems.count, warnings);
    assert_int_equal(fixture->problems.errors, 0);
    text_release(&text);
    arena_release(&fixture->arena);
}

#define MAP(name, data) \
    "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: " name "}, data: {a: " data "}}\n"

static void test_last(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture, MAP("m", "x") MAP("k", "x") MAP("m", "x"));
    documents_keep_last(&fixture.arena, &fixture.documents, NULL, &fixture.problems);
    way_expect(
        &fixture, 0,
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"k\"},\"data\":{"
        "\"a\":\"x\"}}\n{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}"
        ",\"data\":{\"a\":\"x\"}}\n");
    way_read(&fixture, MAP("m", "x") MAP("m", "z"));
    documents_keep_last(&fixture.arena, &fixture.documents, NULL, &fixture.problems);
    way_expect(&fixture, 1,
               "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},"
               "\"data\":{\"a\":\"z\"}}\n");
}

/* The namespace that is left out is the one that is given; another group is another kind. */
static void test_names(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture, "{apiVersion: v1, kind: A, metadata: {name: m}}\n---\n"
                       "{apiVersion: v1, kind: A, metadata: {name: m, namespace: shop}}\n---\n"
                       "{apiVersion: example.org/v1, kind: A, metadata: {name: m}}\n");
    documents_keep_last(&fixture.arena, &fixture.documents, "shop", &fixture.problems);
    way_expect(&fixture, 1,
               "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"metadata\":{\"name\":\"m\",\"namespace\":"
               "\"shop\"}}\n{\"apiVersion\":\"example.org/v1\",\"kind\":\"A\",\"metadata\":{"
               "\"name\":\"m\"}}\n");
}

static void test_others(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture, "{replicas: 3}\n---\n{image: b}\n---\n{apiVersion: v1, kind: A}\n---\n"
                       "{kind: Kustomization, apiVersion: kustomize.config.k8s.io/v1beta1}\n");
    documents_drop_others(&fixture.documents, &fixture.problems);
    way_expect(&fixture, 2, "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n");
    /* Somebody who gives nothing else is told what is wrong with it. */
    way_read(&fixture, "{replicas: 3}\n");
    documents_drop_others(&fixture.documents, &fixture.problems);
    way_expect(&fixture, 0, "{\"replicas\":3}\n");
}

/* With --strict a lost manifest is an error; a file without any object is none. */
static void test_remarks(void **state)
{
    static const struct {
        const char *text;
        bool is_remark;
    } cases[] = {
        {"{name: shop, version: 1.0.0, dependencies: {left: 1.0.0}}\n", true},
        {"{compilerOptions: {strict: true}}\n", true},
        {"{title: load, panels: [], metadata: {tags: []}}\n", true},
        {"{services: {web: {image: nginx}}}\n", true},
        {"{metadata: {name: web}, spec: {replicas: 3}}\n", false},
        {"{kind: Kustomization, resources: [a.yaml]}\n", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct way_fixture fixture;
        char text[256];
        snprintf(text, sizeof(text), "%s---\n{apiVersion: v1, kind: A}\n", cases[i].text);
        way_read(&fixture, text);
        documents_drop_others(&fixture.documents, &fixture.problems);
        assert_int_equal(fixture.problems.count, 1);
        assert_int_equal(fixture.problems.items[0].is_remark, cases[i].is_remark);
        way_expect(&fixture, 1, "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n");
    }
    /* Each of them is told, whatever else the file has. */
    struct way_fixture fixture;
    way_read(&fixture, "{image: b}\n---\n{metadata: {name: web}}\n---\n{kind: A}\n");
    documents_drop_others(&fixture.documents, &fixture.problems);
    way_expect(&fixture, 2, "{\"kind\":\"A\"}\n");
}

/* What belongs to a Helm chart has an apiVersion, and is no manifest. */
static void test_charts(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read_file(&fixture, "web/Chart.yaml", "{apiVersion: v2, name: web}\n---\n{kind: A}\n");
    documents_drop_others(&fixture.documents, &fixture.problems);
    way_expect(&fixture, 1, "{\"kind\":\"A\"}\n");
    way_read_file(&fixture, "web/chart.yaml", "{apiVersion: v2, name: web}\n");
    documents_drop_others(&fixture.documents, &fixture.problems);
    way_expect(&fixture, 0, "{\"apiVersion\":\"v2\",\"name\":\"web\"}\n");
}

static void test_harmless(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture,
             MAP("a", "x")
                 MAP("b", "x") "---\n{apiVersion: rbac.authorization.k8s.io/v1, kind: Role}\n---\n"
                               "{apiVersion: example.org/v1, kind: ConfigMap}\n---\n"
                               "{apiVersion: admissionregistration.k8s.io/v1, kind: "
                               "MutatingWebhookConfiguration}\n");
    assert_string_equal(documents_drop_harmless(&fixture.arena, &fixture.documents),
                        "2 ConfigMap, 1 Role");
    way_expect(&fixture, 0,
               "{\"apiVersion\":\"example.org/v1\",\"kind\":\"ConfigMap\"}\n"
               "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":"
               "\"MutatingWebhookConfiguration\"}\n");
}

static void test_stand_ins(void **state)
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
        &fixture, 3,
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"w\"},"
        "\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{"
        "\"spec\":{}}}}\n"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_others),        cmocka_unit_test(test_stand_ins),
        cmocka_unit_test(test_scaled_object), cmocka_unit_test(test_charts),
        cmocka_unit_test(test_harmless),      cmocka_unit_test(test_remarks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
