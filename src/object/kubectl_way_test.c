/* SPDX-License-Identifier: Apache-2.0 */
/* Manifests as kubectl takes them. */
#include "object/kubectl_way.h"

#include "object/way_fixture.h"

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

/* A folder of variants gives much again: each file is told once. */
static void test_variants(void **state)
{
    struct way_fixture fixture;
    (void)state;
    way_read(&fixture,
             MAP("a", "x") MAP("b", "x") MAP("c", "x") MAP("a", "z") MAP("b", "z") MAP("c", "x"));
    documents_keep_last(&fixture.arena, &fixture.documents, NULL, &fixture.problems);
    assert_non_null(strstr(problem_format(&fixture.arena, &fixture.problems.items[0]),
                           "with kubectl apply (and 1 more of this file)"));
    way_expect(&fixture, 1,
               "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
               "\"data\":{\"a\":\"z\"}}\n"
               "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"b\"},"
               "\"data\":{\"a\":\"z\"}}\n"
               "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\"},"
               "\"data\":{\"a\":\"x\"}}\n");
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
        {"{apiVersion: 1, datasources: []}\n", true},
        {"{apiVersion: v2, name: shop}\n", true},
        {"{kind: Cluster, nodes: []}\n", true},
        {"{kind: 3}\n", true},
        {"{metadata: {name: web}, spec: {replicas: 3}}\n", false},
        {"{apiVersion: v1, metadata: {name: web}}\n", false},
        {"{kind: Cluster, metadata: {name: web}}\n", false},
        {"{kind: Service, spec: {ports: [{port: 80}]}}\n", false},
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
    way_read(&fixture,
             "{image: b}\n---\n{metadata: {name: web}}\n---\n{apiVersion: v1, kind: A}\n");
    documents_drop_others(&fixture.documents, &fixture.problems);
    way_expect(&fixture, 2, "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last),     cmocka_unit_test(test_names),
        cmocka_unit_test(test_variants), cmocka_unit_test(test_others),
        cmocka_unit_test(test_charts),   cmocka_unit_test(test_harmless),
        cmocka_unit_test(test_remarks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
