/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/tolerated_taints.h"

#include "setup/setup_fixture.h"

#define WEB(name, tolerations)                                                          \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " name                \
    "}\nspec:\n  selector: {matchLabels: {app: " name "}}\n  template:\n    metadata: " \
    "{labels: {app: " name "}}\n    spec: {tolerations: [" tolerations                  \
    "], containers: [{name: c, image: x}]}\n"

static void expect(const char *manifests, const char *taints)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifests);
    assert_true(fixture.built);
    const char *found = tolerated_taints(&fixture.arena, &fixture.objects);
    if (taints)
        assert_string_equal(found, taints);
    else
        assert_null(found);
    setup_fixture_release(&fixture);
}

static void test_taints(void **state)
{
    (void)state;
    expect(WEB("a", ""), NULL);
    expect(WEB("a", "{key: node.kubernetes.io/not-ready, operator: Exists}"), NULL);
    expect(WEB("a", "{operator: Exists}"), "any taint");
    /* What two workloads tolerate is told once. */
    expect(WEB("a", "{key: dedicated, value: gpu, effect: NoSchedule}")
               WEB("b", "{key: spot, operator: Exists}, {key: dedicated, value: gpu, effect: "
                        "NoSchedule}, {key: spot, operator: Exists, effect: NoExecute}"),
           "dedicated=gpu:NoSchedule, spot, spot:NoExecute");
    expect(WEB("a", "{key: a}, {key: b}, {key: c}, {key: d}, {key: e}, {key: f}, {key: g}, "
                    "{key: h}"),
           "a, b, c, d, e, f and 2 more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_taints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
