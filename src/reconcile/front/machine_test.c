/* SPDX-License-Identifier: Apache-2.0 */
/* Machines written in YAML: what they do, and what is said of those that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "reconcile/front/front_fixture.h"

static void test_machine(void **state)
{
    (void)state;
    struct front front;
    front_set_up(&front);
    front_open(
        &front, "check.yaml",
        "{customKinds: [Website], machine: {name: site, resources: ["
        "{kind: Secret, name: '{cr: spec.secret}', missing: error, found: keep},"
        "{kind: ConfigMap, name: '{name}-pages', remember: {pages: metadata.resourceVersion},"
        " template: {data: {title: {cr: spec.title}, size: 'n={cr: spec.replicas}',"
        "            brace: '{{x}}', absent: {cr: spec.absent}, raw: {literal: {cr: x}}}}},"
        "{kind: StatefulSet, name: '{name}', ownedOnly: true, update: [spec.replicas],"
        " remember: {ready: status.readyReplicas},"
        " template: {metadata: {annotations: {pages: {remembered: pages}}},"
        "  spec: {replicas: {cr: spec.replicas}, serviceName: '{namespace}-{name}'}}}],"
        " status: {ready: {remembered: ready, otherwise: 0}}, immutable: [spec.secret],"
        " minimum: {spec.replicas: 1}}}");
    assert_string_equal(front_problem(&front), "no problem");
    assert_string_equal(front.controller.name, "site");
    assert_string_equal(front.controller.custom_kinds[0], "Website");
    const char *site = "{\"kind\":\"Website\",\"metadata\":{\"name\":\"w\",\"namespace\":"
                       "\"default\"},\"spec\":{\"secret\":\"s\",\"title\":\"T\",\"replicas\":2}}";
    front_user(&front, API_CREATE, site);
    assert_string_equal(front_round(&front, "Website", "w"), "error");
    front_user(&front, API_CREATE,
               "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\",\"namespace\":\"default\"}}");
    assert_string_equal(front_round(&front, "Website", "w"), "done");
    assert_int_equal(front.writes, 3);
    assert_true(front_matches(&front, "Website", "w"));
    const struct datum *map = front_find(&front, "ConfigMap", "w-pages");
    assert_string_equal(front_write(&front, datum_at(map, "data")),
                        "{\"brace\":\"{x}\",\"raw\":{\"cr\":\"x\"},\"size\":\"n=2\",\"title\":"
                        "\"T\"}");
    const struct datum *set = front_find(&front, "StatefulSet", "w");
    assert_true(datum_equal(datum_at(set, "metadata.annotations.pages"),
                            datum_at(map, "metadata.resourceVersion")));
    assert_string_equal(datum_text(datum_at(set, "spec.serviceName"), ""), "default-w");
    assert_int_equal(datum_number(datum_at(front_find(&front, "Website", "w"), "status.ready"), -1),
                     0);
    /* The pages change: the ConfigMap, then the version that the StatefulSet has. */
    front_user(&front, API_UPDATE,
               "{\"kind\":\"Website\",\"metadata\":{\"name\":\"w\",\"namespace\":\"default\"},"
               "\"spec\":{\"secret\":\"s\",\"title\":\"U\",\"replicas\":2}}");
    assert_false(front_matches(&front, "Website", "w"));
    assert_string_equal(front_round(&front, "Website", "w"), "done");
    assert_int_equal(front.writes, 2);
    assert_true(front_matches(&front, "Website", "w"));
    bool valid = true;
    const char *why = NULL;
    const struct datum *none = front_read(&front, "{\"spec\":{\"replicas\":0,\"secret\":\"t\"}}");
    assert_true(front.controller.validate(&front.controller, &front.arena, none, &valid, &why,
                                          &front.problems));
    assert_false(valid);
    assert_string_equal(why, "spec.replicas: must be at least 1");
    assert_true(front.controller.validate_change(&front.controller, &front.arena, none,
                                                 front_read(&front, site), &valid, &why,
                                                 &front.problems));
    assert_false(valid);
    assert_string_equal(why, "spec.secret: field is immutable");
    front_tear_down(&front);
}

static void test_machines_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        const char *message;
    } cases[] = {
        {"{}", "1:30: spec.controller.machine.resources: "},
        {"{resources: [{kind: Pod, name: a}]}",
         "1:43: spec.controller.machine.resources[0].template: "},
        {"{resources: [{kind: Pod, name: a, template: {}, fuond: keep}]}",
         "1:78: spec.controller.machine.resources[0].fuond: unknown field, did you mean "
         "\"found\"?"},
        {"{resources: [{kind: Pod, name: '{nmae}', template: {}}]}",
         "1:61: spec.controller.machine.resources[0].name: expected {name}, {namespace}, {cr: "
         "PATH} or "
         "{remembered: NAME} (a brace is written twice), found \"{nmae}\""},
        {"{resources: [{kind: Pod, name: 'a}', template: {}}]}",
         "1:61: spec.controller.machine.resources[0].name: a \"}\" that closes nothing in \"a}\" "
         "(a "
         "brace is written twice)"},
        {"{resources: [{kind: Pod, name: a, template: {spec: {x: {cr: spec..y}}}}]}",
         "1:90: spec.controller.machine.resources[0].template.spec.x.cr: expected a path of the "
         "custom "
         "resource, found \"spec..y\""},
        {"{resources: [{kind: Pod, name: a, template: {x: {remembered: v}}}]}",
         "1:91: spec.controller.machine.resources[0].template.x.remembered: no resource before "
         "this one "
         "remembers \"v\""},
        {"{resources: [{kind: Pod, name: a, template: {x: {cr: 5}}}]}",
         "1:83: spec.controller.machine.resources[0].template.x.cr: expected a text, found 5"},
        {"{resources: [{kind: Pod, name: a, template: {}, remember: {at: spec}}]}",
         "1:93: spec.controller.machine.resources[0].remember.at: expected a plain word other than "
         "\"at\" and \"part\" as a name"},
        {"{resources: [{kind: Pod, name: a, template: {}, update: [a..b]}]}",
         "1:87: spec.controller.machine.resources[0].update[0]: expected a path of the template, "
         "found "
         "\"a..b\""},
        {"{resources: [], minimum: {spec.replicas: few}}",
         "1:71: spec.controller.machine.minimum[spec.replicas]: expected a whole number, found "
         "\"few\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        front_set_up(&front);
        assert_false(front_open(&front, "check.yaml",
                                arena_printf(&front.arena, "{machine: %s}", cases[i].machine)));
        const char *expected = arena_printf(&front.arena, "check.yaml:%s", cases[i].message);
        if (strncmp(front_problem(&front), expected, strlen(expected)) != 0)
            assert_string_equal(front_problem(&front), expected);
        front_tear_down(&front);
    }
}

/* Names of which one ends in the other are for two owners, now and then. */
static void test_collisions(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
        const char *warning;
    } cases[] = {
        {"{name}", "{name}-nodes",
         "the Service \"{name}\" of a custom resource x-nodes is the Service \"{name}-nodes\" of a "
         "custom resource x: they would fight for it"},
        {"{name}-client", "{name}-nodes", NULL},
        {"{name}-a-b", "{name}-b",
         "the Service \"{name}-b\" of a custom resource x-a is the Service \"{name}-a-b\" of a "
         "custom resource x: they would fight for it"},
        {"{name}", "x-{name}", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        front_set_up(&front);
        assert_true(front_open(&front, "check.yaml",
                               arena_printf(&front.arena,
                                            "{machine: {resources: [{kind: Service, name: '%s', "
                                            "template: {}}, {kind: Service, name: '%s', template: "
                                            "{}}]}}",
                                            cases[i].one, cases[i].other)));
        assert_int_equal(front.problems.count, cases[i].warning ? 1 : 0);
        if (cases[i].warning)
            assert_string_equal(front.problems.items[0].message, cases[i].warning);
        front_tear_down(&front);
    }
}

static void test_ways(void **state)
{
    (void)state;
    static const struct {
        const char *yaml;
        const char *message;
    } cases[] = {
        {"{}",
         "check.yaml:1:20: spec.controller: expected one of plugin, command and machine, found "
         "none"},
        {"{plugin: a.so, command: [b]}",
         "check.yaml:1:20: spec.controller: expected one of plugin, "
         "command and machine, found several"},
        {"{command: [b], parameters: {x: 1}}", "check.yaml:1:47: spec.controller.parameters: "
                                               "parameters are for plugins; a program has its "
                                               "command"},
        {"{comand: [b]}",
         "check.yaml:1:21: spec.controller.comand: unknown field, did you mean \"command\"?"},
        {"{command: b}", "check.yaml:1:30: spec.controller.command: expected a list, found \"b\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct front front;
        front_set_up(&front);
        assert_false(front_open(&front, "check.yaml", cases[i].yaml));
        assert_string_equal(front_problem(&front), cases[i].message);
        front_tear_down(&front);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_machines_that_are_none),
        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
