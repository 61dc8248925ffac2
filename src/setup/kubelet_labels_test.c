/* SPDX-License-Identifier: Apache-2.0 */
/* What kubelets say of their machines, and what is said about it in reports. */
#include "setup/kubelet_labels.h"
#include "setup/setup_fixture.h"

#define CHECK(labels)                                                                 \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: c}\nspec:\n  nodeGroups:\n" \
    "  - {name: g, count: 2, node: {metadata: {labels: {" labels                      \
    "}}, status: {allocatable: {cpu: '4'}}}}\n"
#define WEB(selector)                                                                        \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: " \
    "{matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: " \
    "{nodeSelector: {" selector "}, containers: [{name: c, image: web}]}\n"
#define NODE(name, more)                                                                       \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name more "}\nstatus: {allocatable: " \
    "{cpu: '4'}}\n"

struct expected {
    const char *os, *beta_os, *arch, *beta_arch, *hostname;
};

static void expect_label(const struct labels *labels, const char *key, const char *value)
{
    const char *found = labels_find(labels, key);
    if (value)
        assert_string_equal(found ? found : "none", value);
    else
        assert_null(found);
}

static void expect(const char *manifests, uint32_t group, struct expected expected,
                   const char *assumption)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    assert_true(group < fixture.scope.group_count);
    const struct labels *labels = &fixture.scope.groups[group].node->meta.labels;
    expect_label(labels, "kubernetes.io/os", expected.os);
    expect_label(labels, "beta.kubernetes.io/os", expected.beta_os);
    expect_label(labels, "kubernetes.io/arch", expected.arch);
    expect_label(labels, "beta.kubernetes.io/arch", expected.beta_arch);
    expect_label(labels, LABEL_HOSTNAME, expected.hostname);
    bool said = false;
    for (uint32_t i = 0; i < fixture.scope.assumptions.count; i++) {
        const bool of_labels = strstr(fixture.scope.assumptions.items[i], "kubelets") != NULL;
        if (of_labels && assumption)
            assert_string_equal(fixture.scope.assumptions.items[i], assumption);
        said |= of_labels;
    }
    assert_int_equal(said, assumption != NULL);
    setup_fixture_release(&fixture);
}

static void groups_get_what_they_do_not_write(void **state)
{
    (void)state;
    expect(CHECK("") WEB(""), 0, (struct expected){"linux", "linux", "amd64", "amd64", NULL}, NULL);
    expect(CHECK("kubernetes.io/os: windows, beta.kubernetes.io/arch: arm64") WEB(""), 0,
           (struct expected){"windows", "windows", "arm64", "arm64", NULL}, NULL);
    expect(CHECK("kubernetes.io/os: a, beta.kubernetes.io/os: b") WEB(""), 0,
           (struct expected){"a", "b", "amd64", "amd64", NULL}, NULL);
}

static void a_guess_that_matters_is_said(void **state)
{
    (void)state;
    static const char os[] =
        "nodes without the label kubernetes.io/os get it from their kubelets: linux";
    const struct expected usual = {"linux", "linux", "amd64", "amd64", NULL};
    expect(CHECK("") WEB("kubernetes.io/os: linux"), 0, usual, os);
    expect(CHECK("") WEB("beta.kubernetes.io/os: linux"), 0, usual, os);
    expect(WEB("kubernetes.io/os: linux"), 0, usual, os);
    expect(CHECK("kubernetes.io/os: linux") WEB("kubernetes.io/os: linux"), 0, usual, NULL);
    expect(CHECK("beta.kubernetes.io/os: linux") WEB("kubernetes.io/os: linux"), 0, usual, NULL);
}

/* Of Node objects only what is read is kept, and always the hostname. */
static void nodes_of_manifests_are_registered(void **state)
{
    (void)state;
    static const char arch[] =
        "nodes without the label kubernetes.io/arch get it from their kubelets: amd64";
    expect(WEB("kubernetes.io/arch: amd64") NODE("n1", ""), 0,
           (struct expected){.arch = "amd64", .hostname = "n1"}, arch);
    expect(WEB("kubernetes.io/arch: arm64")
               NODE("n1", ", labels: {kubernetes.io/arch: arm64, kubernetes.io/hostname: host-1}"),
           0, (struct expected){.arch = "arm64", .hostname = "host-1"}, NULL);
}

static void nodes_of_a_dump_have_what_they_have(void **state)
{
    (void)state;
    expect(WEB("kubernetes.io/arch: amd64") NODE("n1", ", uid: u1"), 0, (struct expected){0}, NULL);
    expect(WEB("kubernetes.io/arch: amd64") NODE("n1", ", creationTimestamp: 2024-01-01T00:00:00Z"),
           0, (struct expected){0}, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_get_what_they_do_not_write),
        cmocka_unit_test(a_guess_that_matters_is_said),
        cmocka_unit_test(nodes_of_manifests_are_registered),
        cmocka_unit_test(nodes_of_a_dump_have_what_they_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
