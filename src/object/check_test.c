/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of objects, intents of the command line, the two tables, and the
 * example of the manual as typed values. Messages and whole checks are data in
 * test/messages and test/defaults.
 */
#include "object/check.h"

#include "manifest/manifest.h"
#include "object/arena_fixture.h"
#include "object/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct problems problems;

static void names_of_objects(void **state)
{
    (void)state;
    struct object_name name;
    assert_true(object_name_parse(&arena, "Deployment/default/web", &name));
    assert_string_equal(name.kind, "Deployment");
    assert_string_equal(name.namespace, "default");
    assert_string_equal(name.name, "web");
    assert_string_equal(object_name_format(&arena, &name), "Deployment/default/web");
    assert_true(object_name_parse(&arena, "Node/n1", &name));
    assert_null(name.namespace);
    assert_string_equal(object_name_format(&arena, &name), "Node/n1");
    static const char *const wrong[] = {"",        "web",  "/web", "Deployment/", "a//b",
                                        "a/b/c/d", "a/b/", "/",    "//"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(object_name_parse(&arena, wrong[i], &name));
}

static struct check_intent parse_intent(const char *text)
{
    struct check_intent intent = {0};
    if (!intent_parse_option(&arena, text, &intent, &problems))
        fail_msg("%s: %s", text, problem_format(&arena, &problems.items[problems.count - 1]));
    return intent;
}

static void intents_of_the_command_line(void **state)
{
    (void)state;
    problems_init(&problems, &arena);
    struct check_intent intent = parse_intent("converges");
    assert_int_equal(intent.kind, INTENT_CONVERGES);
    assert_null(intent.workload.name);
    assert_null(intent.place.file);

    intent = parse_intent("replicasAtLeast=value=desired,workload=Deployment/default/web");
    assert_int_equal(intent.kind, INTENT_REPLICAS_AT_LEAST);
    assert_int_equal(intent.bound, REPLICAS_DESIRED);
    assert_string_equal(intent.workload.name, "web");

    intent = parse_intent("replicasAtMost=value=12");
    assert_int_equal(intent.bound, REPLICAS_NUMBER);
    assert_int_equal(intent.value, 12);

    intent = parse_intent("balanced=topologyKey=topology.kubernetes.io/zone,maxSkew=2,when=always");
    assert_string_equal(intent.topology_key, "topology.kubernetes.io/zone");
    assert_int_equal(intent.max_skew, 2);
    assert_int_equal(intent.when, INTENT_WHEN_ALWAYS);

    intent = parse_intent("onlyOn=nodeSelector={zone: a, disk: ssd}");
    assert_int_equal(intent.node_selector.count, 2);
    assert_string_equal(labels_find(&intent.node_selector, "disk"), "ssd");

    intent = parse_intent("noReplicaSwing");
    assert_int_equal(intent.swing, 1);
}

static void intents_are_written_as_they_are_read(void **state)
{
    (void)state;
    static const char *const options[] = {
        "converges",
        "converges=workload=Deployment/default/web",
        "podsSchedulable=mode=eventually",
        "replicasAtLeast=value=desired,workload=Deployment/default/web",
        "replicasAtLeast=value=desired-1",
        "replicasAtMost=value=12",
        "noReplicaSwing=swing=3",
        "balanced=maxSkew=2,topologyKey=topology.kubernetes.io/zone,when=always",
        "balanced=topologyKey=zone",
        "nodesHealthy=loop=true",
        "onlyOn=nodeSelector={\"disk\":\"ssd\",\"zone\":\"1\"}",
        "trafficBalanced=maxRatio=1.5",
    };
    problems_init(&problems, &arena);
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        const struct check_intent intent = parse_intent(options[i]);
        assert_string_equal(intent_format_option(&arena, &intent), options[i]);
    }
}

static void wrong_intents_of_the_command_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "--intent : required, but missing"},
        {"convergs", "unknown intent \"convergs\", did you mean \"converges\"?"},
        {"converges=", "--intent: expected NAME or NAME=KEY=VALUE,..., found \"converges=\""},
        {"balanced=maxSkew", "--intent: expected NAME or NAME=KEY=VALUE,..."},
        {"balanced=maxSkew=1", "required, but missing"},
        {"converges=swing=1", "unknown parameter of converges"},
        {"noReplicaSwing=swing=0", "expected a number of at least 1, found 0"},
        {"onlyOn=nodeSelector={zone", "--intent onlyOn=nodeSelector={zone: "},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct check_intent intent;
        problems_init(&problems, &arena);
        assert_false(intent_parse_option(&arena, cases[i].text, &intent, &problems));
        assert_true(problems.errors > 0);
        const char *message = problem_format(&arena, &problems.items[0]);
        if (strstr(message, cases[i].message) == NULL)
            fail_msg("%s", message);
    }
}

static void the_tables_are_sound(void **state)
{
    (void)state;
    static const char *const intents[] = {
#define INTENT(constant, class, name, takes, needs, violated) name,
#include "object/intents.def"
#undef INTENT
    };
    static const char *const events[] = {
#define EVENT(constant, descriptor, name, takes, needs, facts, clocks) name,
#include "object/events.def"
#undef EVENT
    };
    for (int i = 0; i < INTENT_KIND_COUNT; i++) {
        assert_string_equal(intent_kind_name((enum intent_kind)i), intents[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(intents[i], intents[j]);
    }
    for (int i = 0; i < EVENT_KIND_COUNT; i++) {
        assert_string_equal(event_kind_name((enum event_kind)i), events[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(events[i], events[j]);
    }
}

static void every_name_is_documented(void **state)
{
    (void)state;
    enum { PAGE_BYTES_MOST = 1 << 16 };
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    assert_non_null(root);
    FILE *file = fopen(arena_printf(&arena, "%s/docs/formats.md", root), "rb");
    assert_non_null(file);
    char *page = arena_allocate(&arena, PAGE_BYTES_MOST);
    assert_true(fread(page, 1, PAGE_BYTES_MOST - 1, file) > 0);
    fclose(file);
    for (int i = 0; i < INTENT_KIND_COUNT; i++)
        if (!strstr(page, arena_printf(&arena, "`%s`", intent_kind_name((enum intent_kind)i))))
            fail_msg("%s is missing in docs/formats.md", intent_kind_name((enum intent_kind)i));
    for (int i = 0; i < EVENT_KIND_COUNT; i++)
        if (!strstr(page, arena_printf(&arena, "`%s`", event_kind_name((enum event_kind)i))))
            fail_msg("%s is missing in docs/formats.md", event_kind_name((enum event_kind)i));
}

static const char example[] =
    "apiVersion: fathom/v1\n"
    "kind: Check\n"
    "metadata: {name: example}\n"
    "spec:\n"
    "  nodeGroups:\n"
    "  - {name: a, count: 3, node: {status: {capacity: {cpu: 4, pods: 110}}}}\n"
    "  - {name: b, count: {max: 6}, node: {status: {allocatable: {cpu: 4, pods: 110}}}}\n"
    "  workloads:\n"
    "  - {name: Deployment/web, replicas: 4}\n"
    "  controllers: {horizontalPodAutoscaler: {}, clusterAutoscaler: {groups: {a: 3}}}\n"
    "  events:\n"
    "  - {name: cpuChange, workload: Deployment/web, levels: [12.5%, 250m]}\n"
    "  - {name: partition, zone: z1}\n"
    "  - {name: kernelPanic, aboveCpu: 98%}\n"
    "  intents:\n"
    "  - {name: nodesHealthy, loop: true}\n";

static void values_are_typed(void **state)
{
    (void)state;
    struct documents documents = {0};
    struct objects objects = {0};
    problems_init(&problems, &arena);
    assert_true(
        manifest_parse(&arena, "check.yaml", example, strlen(example), &documents, &problems));
    assert_true(object_decode(&arena, &documents, NULL, &objects, &problems));
    assert_int_equal(objects.items[0].kind, OBJECT_CHECK);
    const struct check *check = objects.items[0].as.check;

    assert_int_equal(check->start, START_UNSET);
    assert_int_equal(check->node_groups[0].count.min, 3);
    assert_int_equal(check->node_groups[0].count.max, 3);
    assert_int_equal(check->node_groups[1].count.min, 0);
    assert_int_equal(check->node_groups[1].count.max, 6);
    assert_int_equal(check->node_groups[0].node.status.allocatable.count, 2);
    assert_int_equal(check->node_groups[0].node.meta.deletion_time, TIME_NONE);
    assert_null(check->workloads[0].name.namespace);
    assert_true(check->workloads[0].autoscaler_factor == 2);

    assert_null(check->controllers.scheduler);
    assert_int_equal(check->controllers.horizontal_pod_autoscaler->sync_period_ns, 15000000000);
    assert_true(check->controllers.horizontal_pod_autoscaler->tolerance == 0.1);
    assert_int_equal(check->controllers.cluster_autoscaler->unneeded_time_ns, 600000000000);

    const struct check_event *change = &check->events[0];
    assert_int_equal(change->kind, EVENT_CPU_CHANGE);
    assert_int_equal(change->at_most, 1);
    assert_int_equal(change->place.line, 12);
    assert_true(change->levels[0].percent);
    assert_int_equal(quantity_milli_value(change->levels[0].value), 12500);
    assert_false(change->levels[1].percent);
    assert_int_equal(quantity_milli_value(change->levels[1].value), 250);
    assert_string_equal(check->events[1].topology_key, "topology.kubernetes.io/zone");
    assert_int_equal(quantity_value(check->events[2].above_cpu.value), 98);
    assert_true(check->intents[0].loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_objects),
        cmocka_unit_test(intents_of_the_command_line),
        cmocka_unit_test(intents_are_written_as_they_are_read),
        cmocka_unit_test(wrong_intents_of_the_command_line),
        cmocka_unit_test(the_tables_are_sound),
        cmocka_unit_test(every_name_is_documented),
        cmocka_unit_test(values_are_typed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
