/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording tells of its control plane, case by case: a scenario, and the lines of a watch.
 */
#include "recording/control_plane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define NODE(version) \
    "{\"object\":{\"status\":{\"nodeInfo\":{\"kubeletVersion\":\"" version "\"}}}}"

struct told {
    const char *name;
    const char *scenario; /* NULL: there is none */
    const char *nodes[2];
    const char *problem; /* NULL: it makes sense */
    int minor;
    bool told;
    bool has_flags;
    bool preempts_later;
    int64_t initialization_s;
    int64_t readiness_ms;
    int64_t window_s;
    double tolerance;
    double monitor_s;
};

#define UPSTREAM 300, 30000, 300, 0.1, 5.0

static const struct told cases[] = {
    {"nothing is told", NULL, {NULL}, NULL, 26, false, false, false, UPSTREAM},
    {"a scenario of before", "{\"steps\":[]}", {NULL}, NULL, 26, false, false, false, UPSTREAM},
    {"a version",
     "{\"controlPlane\":{\"kubernetes\":\"v1.36.4\"}}",
     {NULL},
     NULL,
     36,
     true,
     false,
     true,
     UPSTREAM},
    {"a version that nobody knows",
     "{\"controlPlane\":{\"kubernetes\":\"v2.0.0\"}}",
     {NULL},
     "expected a version from 1.26 to 1.36, found \"v2.0.0\"",
     26,
     true,
     false,
     false,
     UPSTREAM},
    {"flags of the controller manager",
     "{\"controlPlane\":{\"kubernetes\":\"v1.32.1\",\"kube-controller-manager\":["
     "\"--node-monitor-period=1s\",\"--horizontal-pod-autoscaler-cpu-initialization-period=10s\","
     "\"--horizontal-pod-autoscaler-initial-readiness-delay=1500ms\","
     "\"--horizontal-pod-autoscaler-tolerance=0.25\","
     "\"--horizontal-pod-autoscaler-downscale-stabilization=1m\"]}}",
     {NULL},
     NULL,
     32,
     true,
     true,
     false,
     10,
     1500,
     60,
     0.25,
     1.0},
    {"a flag that is no duration",
     "{\"controlPlane\":{\"kube-controller-manager\":[\"--node-monitor-period=often\"]}}",
     {NULL},
     "expected a duration, found \"often\"",
     26,
     false,
     true,
     false,
     UPSTREAM},
    {"a gate that is on",
     "{\"controlPlane\":{\"kubernetes\":\"v1.32.0\",\"kube-scheduler\":["
     "\"--feature-gates=Unheard=true,SchedulerAsyncPreemption=true\"]}}",
     {NULL},
     NULL,
     32,
     true,
     false,
     true,
     UPSTREAM},
    {"a gate that is off",
     "{\"controlPlane\":{\"kubernetes\":\"v1.36.4\",\"kube-scheduler\":["
     "\"--feature-gates=SchedulerAsyncPreemption=false\"]}}",
     {NULL},
     NULL,
     36,
     true,
     false,
     false,
     UPSTREAM},
    {"flags that are no list",
     "{\"controlPlane\":{\"kube-scheduler\":{\"a\":1},\"kubernetes\":7}}",
     {NULL},
     NULL,
     26,
     false,
     false,
     false,
     UPSTREAM},
    {"kubelets of two versions",
     NULL,
     {NODE("v1.33.2"), NODE("v1.31.9")},
     NULL,
     33,
     true,
     false,
     true,
     UPSTREAM},
    {"the control plane is newer than its kubelets",
     "{\"controlPlane\":{\"kubernetes\":\"v1.34.0\"}}",
     {NODE("v1.32.2"), NULL},
     NULL,
     34,
     true,
     false,
     true,
     UPSTREAM},
};

static const struct value *parse(struct manifest_reader *reader, struct arena *arena,
                                 const char *text)
{
    struct problems problems;
    problems_init(&problems, arena);
    const struct document *document = manifest_reader_parse_json(
        reader, arena, (struct place){"test", 1, 1}, text, strlen(text), &problems);
    assert_non_null(document);
    return &document->root;
}

static void add_node(struct recording *recording, const struct value *line)
{
    struct thing *node = ARENA_NEW(recording->arena, struct thing);
    struct version *version = ARENA_NEW(recording->arena, struct version);
    *node = (struct thing){.kind = "Node", .name = "n"};
    *version = (struct version){.line = line, .thing = node};
    VEC_PUSH(recording->arena, &recording->order, version);
}

static void test_what_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct told *told = &cases[i];
        struct memory memory;
        struct arena arena;
        struct problems problems;
        struct control_plane plane;
        memory_init(&memory, SIZE_MAX);
        arena_init(&arena, &memory);
        problems_init(&problems, &arena);
        struct manifest_reader *reader = manifest_reader_create(&memory);
        struct recording recording = {.arena = &arena};
        recording.scenario = told->scenario ? parse(reader, &arena, told->scenario) : NULL;
        for (size_t n = 0; n < 2 && told->nodes[n]; n++)
            add_node(&recording, parse(reader, &arena, told->nodes[n]));
        const bool good = control_plane_read(&recording, NULL, &plane, &problems);
        if (good != !told->problem || (!good && !strstr(problems.items[0].message, told->problem)))
            fail_msg("%s: %s", told->name, good ? "no problem" : problems.items[0].message);
        assert_int_equal(plane.features.minor, told->minor);
        assert_int_equal(plane.told, told->told);
        assert_int_equal(plane.has_flags, told->has_flags);
        assert_int_equal(plane.features.async_preemption, told->preempts_later);
        assert_int_equal(plane.autoscaler.cpu_initialization / 1000000000, told->initialization_s);
        assert_int_equal(plane.autoscaler.initial_readiness_delay / 1000000, told->readiness_ms);
        assert_int_equal(plane.autoscaler.downscale_window / 1000000000, told->window_s);
        assert_true(plane.autoscaler.tolerance == told->tolerance);
        assert_true(plane.node_monitor_seconds == told->monitor_s);
        manifest_reader_free(reader);
        arena_release(&arena);
    }
}

/* What is given takes the place of what is told, but for the flags. */
static void test_what_is_given(void **state)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct control_plane plane;
    const struct features given = features_of_version(30);
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    struct recording recording = {.arena = &arena};
    recording.scenario = parse(reader, &arena,
                               "{\"controlPlane\":{\"kubernetes\":\"v2.0.0\",\"kube-scheduler\":["
                               "\"--feature-gates=SchedulerAsyncPreemption=true\"],"
                               "\"kube-controller-manager\":[\"--node-monitor-period=2s\"]}}");
    assert_true(control_plane_read(&recording, &given, &plane, &problems));
    assert_int_equal(plane.features.minor, 30);
    assert_false(plane.features.async_preemption);
    assert_true(plane.node_monitor_seconds == 2.0);
    manifest_reader_free(reader);
    arena_release(&arena);
}

/* What the API server told in the run comes before what the scenario says of all runs. */
static void test_what_the_server_told(void **state)
{
    static const char *const scenarios[] = {"{}", "{\"controlPlane\":{\"kubernetes\":\"v1.30.1\"}}",
                                            "{\"controlPlane\":{\"kubernetes\":\"v2.0.0\"}}"};
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++) {
        struct problems problems;
        struct control_plane plane;
        problems_init(&problems, &arena);
        struct recording recording = {
            .arena = &arena,
            .scenario = parse(reader, &arena, scenarios[i]),
            .version = parse(reader, &arena,
                             "{\"major\":\"1\",\"minor\":\"36+\",\"gitVersion\":\"v1.36.4-eks\"}"),
        };
        assert_true(control_plane_read(&recording, NULL, &plane, &problems));
        assert_int_equal(plane.features.minor, 36);
        recording.version = parse(reader, &arena, "{\"gitVersion\":\"v1.25.0\"}");
        assert_false(control_plane_read(&recording, NULL, &plane, &problems));
        assert_string_equal(problems.items[0].message,
                            "expected a version from 1.26 to 1.36, found \"v1.25.0\"");
    }
    manifest_reader_free(reader);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_told),
        cmocka_unit_test(test_what_the_server_told),
        cmocka_unit_test(test_what_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
