/* SPDX-License-Identifier: Apache-2.0 */
/* The next version of a workload: another template, and nothing else. */
#include "setup/next_release.h"

#include "decide/controller/deployment/template_signature.h"
#include "setup/setup_fixture.h"

#define KIND(kind, more)                                                                          \
    "---\napiVersion: apps/v1\nkind: " kind "\nmetadata: {name: web, namespace: shop}\nspec:\n  " \
    "selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    "  \
    "spec: {containers: [{name: c, image: x}]}\n" more

static void expect_rolls(const char *manifest, bool rolls)
{
    struct setup_fixture fixture;
    setup_fixture_read(&fixture, manifest);
    const struct object *object = &fixture.objects.items[0];
    struct objects release = {0};
    assert_int_equal(next_release_rolls(object), rolls);
    assert_true(next_release_add(&fixture.arena, object, &release));
    assert_int_equal(release.count, 1);
    assert_true(same_object(&release.items[0], object));
    assert_int_equal(workload_replicas(&release.items[0]), workload_replicas(object));
    assert_string_not_equal(
        template_signature(&fixture.arena, workload_template_source(&release.items[0])),
        template_signature(&fixture.arena, workload_template_source(object)));
    assert_string_equal(labels_find(&workload_template(&release.items[0])->meta.labels, "app"),
                        "web");
    setup_fixture_release(&fixture);
}

static void test_kinds(void **state)
{
    (void)state;
    expect_rolls(KIND("Deployment", "  replicas: 3\n"), true);
    expect_rolls(KIND("Deployment", "  paused: true\n"), false);
    expect_rolls(KIND("StatefulSet", "  serviceName: web\n"), true);
    expect_rolls(KIND("StatefulSet", "  serviceName: web\n  updateStrategy: {type: OnDelete}\n"),
                 false);
    expect_rolls(KIND("DaemonSet", ""), true);
    expect_rolls(KIND("DaemonSet", "  updateStrategy: {type: OnDelete}\n"), false);
    expect_rolls(KIND("ReplicaSet", ""), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
