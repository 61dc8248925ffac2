/* SPDX-License-Identifier: Apache-2.0 */
/* Which Checks questions are made of: events, intents, sizes. */
#include "verify/questions.h"

#include "setup/setup_fixture.h"

#define NODE \
    "apiVersion: v1\nkind: Node\nmetadata: {name: one}\nstatus: {allocatable: {cpu: '4'}}\n"
#define WORKLOAD(kind, name, more)                                                                 \
    "---\napiVersion: apps/v1\nkind: " kind "\nmetadata: {name: " name                             \
    ", namespace: shop}\nspec:\n  selector: {matchLabels: {app: " name "}}\n  template:\n    "     \
    "metadata: {labels: {app: " name "}}\n    spec: {containers: [{name: c, image: x, resources: " \
    "{requests: {cpu: 100m}}}]}\n" more
#define POD(more)                                                                               \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: shop}\nspec: "  \
    "{selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {" more \
    ", containers: [{name: c, image: x}]}}}\n"
#define NAMED            POD("nodeName: one")
#define TOLERANT(taints) POD("tolerations: [" taints "]")
#define SCALER(metrics)                                                                       \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, "  \
    "namespace: shop}\nspec: {minReplicas: 2, maxReplicas: 20, scaleTargetRef: {apiVersion: " \
    "apps/v1, kind: Deployment, name: web}" metrics "}\n"
#define BY_QUEUE                                                                               \
    ", metrics: [{type: External, external: {metric: {name: q}, target: {type: AverageValue, " \
    "averageValue: 5}}}]"

struct asked_fixture {
    struct setup_fixture setup;
    struct questions questions;
};

static void ask_how(struct asked_fixture *fixture, const char *manifests, enum question_topic topic,
                    struct question_options how)
{
    const struct input_unit unit = {.name = "manifests"};
    *fixture = (struct asked_fixture){0};
    setup_fixture_read(&fixture->setup, manifests);
    questions_add(&fixture->setup.arena, topic, &unit, &fixture->setup.objects, &how,
                  &(struct scope_options){0}, &fixture->questions);
    for (uint32_t i = 0; i < fixture->questions.count; i++)
        assert_true(fixture->questions.items[i].made);
}

static void ask(struct asked_fixture *fixture, const char *manifests, enum question_topic topic)
{
    ask_how(fixture, manifests, topic, (struct question_options){0});
}

static const struct check *check_of(const struct asked_fixture *fixture)
{
    assert_int_equal(fixture->questions.count, 1);
    return fixture->questions.items[0].plan.check;
}

/* One event of this kind, once everything is ready, and so many intents. */
static void expect(const char *manifests, enum question_topic topic, enum event_kind kind,
                   uint32_t intents)
{
    struct asked_fixture fixture;
    ask(&fixture, manifests, topic);
    const struct check *check = check_of(&fixture);
    assert_int_equal(check->event_count, 1);
    assert_int_equal(check->events[0].kind, kind);
    assert_true(check->events[0].after_settled);
    assert_int_equal(check->events[0].at_most, 1);
    assert_int_equal(check->intent_count, intents);
    setup_fixture_release(&fixture.setup);
}

static void test_events(void **state)
{
    (void)state;
    expect(NODE WORKLOAD("Deployment", "web", ""), QUESTION_DRAIN, EVENT_MAINTENANCE, 3);
    /* A drain leaves the pods of DaemonSets alone, so none waits for them. */
    expect(NODE WORKLOAD("DaemonSet", "agent", ""), QUESTION_DRAIN, EVENT_MAINTENANCE, 2);
    /* Pods that name their node come back to it; so do those that tolerate cordoned nodes. */
    expect(NODE NAMED, QUESTION_DRAIN, EVENT_MAINTENANCE, 4);
    expect(NODE TOLERANT("{operator: Exists, effect: NoSchedule}"), QUESTION_DRAIN,
           EVENT_MAINTENANCE, 4);
    expect(NODE TOLERANT("{operator: Exists, effect: NoExecute}"), QUESTION_DRAIN,
           EVENT_MAINTENANCE, 3);
    expect(NODE WORKLOAD("Deployment", "web", ""), QUESTION_NODE_FAILURE, EVENT_NODE_FAILURE, 2);
    expect(NODE WORKLOAD("Deployment", "web", ""), QUESTION_ROLLOUT, EVENT_APPLY, 1);
    /* Only one of them replaces its pods by itself. */
    expect(NODE WORKLOAD("Deployment", "web", "") WORKLOAD("Deployment", "old", "  paused: true\n"),
           QUESTION_ROLLOUT, EVENT_APPLY, 1);
    expect(NODE WORKLOAD("Deployment", "web", "") SCALER(""), QUESTION_LOAD, EVENT_LOAD, 3);
    expect(NODE WORKLOAD("Deployment", "web", "") SCALER(BY_QUEUE), QUESTION_LOAD, EVENT_SCALE, 2);
}

/* Without its autoscaler a workload has the fewest pods that are allowed, or the most. */
static void test_sizes(void **state)
{
    struct asked_fixture fixture;
    (void)state;
    ask(&fixture, NODE WORKLOAD("Deployment", "web", "  replicas: 7\n") SCALER(""), QUESTION_DRAIN);
    const struct scope *scope = &fixture.questions.items[0].plan.scope;
    assert_null(scope->workloads[0].autoscaler);
    assert_int_equal(scope->workloads[0].least, 2);
    assert_int_equal(scope->workloads[0].most, 2);
    setup_fixture_release(&fixture.setup);
    ask_how(&fixture, NODE WORKLOAD("Deployment", "web", "  replicas: 7\n") SCALER(""),
            QUESTION_DRAIN, (struct question_options){.at_most = true});
    assert_int_equal(fixture.questions.items[0].plan.scope.workloads[0].least, 20);
    assert_int_equal(fixture.questions.items[0].plan.scope.workloads[0].most, 20);
    setup_fixture_release(&fixture.setup);
    ask(&fixture, NODE WORKLOAD("Deployment", "web", "  replicas: 7\n") SCALER(""), QUESTION_LOAD);
    assert_non_null(fixture.questions.items[0].plan.scope.workloads[0].autoscaler);
    setup_fixture_release(&fixture.setup);
}

/* The most replicas that an autoscaler by other metrics chooses. */
static int32_t most_replicas(const char *manifests, bool room_for_all)
{
    const struct input_unit unit = {.name = "manifests"};
    struct asked_fixture fixture = {0};
    setup_fixture_read(&fixture.setup, manifests);
    questions_add(&fixture.setup.arena, QUESTION_LOAD, &unit, &fixture.setup.objects,
                  &(struct question_options){.room_for_all = room_for_all},
                  &(struct scope_options){0}, &fixture.questions);
    const struct check_event *event = &check_of(&fixture)->events[0];
    const int32_t most = event->to[event->to_count - 1];
    setup_fixture_release(&fixture.setup);
    return most;
}

#define QUOTA(namespace)                                                                           \
    "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: " namespace "}\n"    \
                                                                                          "spec: " \
                                                                                          "{hard:" \
                                                                                          " {"     \
                                                                                          "pods: " \
                                                                                          "'12'}}" \
                                                                                          "\n"

/* All pods that are allowed count where room or a quota may be too small for them. */
static void test_replicas(void **state)
{
    (void)state;
    assert_int_equal(most_replicas(NODE WORKLOAD("Deployment", "web", "") SCALER(BY_QUEUE), true),
                     10);
    assert_int_equal(most_replicas(NODE WORKLOAD("Deployment", "web", "") SCALER(BY_QUEUE), false),
                     20);
    assert_int_equal(
        most_replicas(NODE WORKLOAD("Deployment", "web", "") SCALER(BY_QUEUE) QUOTA("shop"), true),
        20);
    assert_int_equal(
        most_replicas(NODE WORKLOAD("Deployment", "web", "") SCALER(BY_QUEUE) QUOTA("bank"), true),
        10);
}

/* No pods, nothing to ask. */
static void test_nothing(void **state)
{
    struct asked_fixture fixture;
    (void)state;
    ask(&fixture, NODE WORKLOAD("Deployment", "web", "  replicas: 0\n"), QUESTION_DRAIN);
    assert_int_equal(fixture.questions.count, 0);
    setup_fixture_release(&fixture.setup);
}

static void test_option(void **state)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    unsigned asked = 0;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    assert_true(questions_read("drain,load", &asked, &problems));
    assert_int_equal(asked, 1U << QUESTION_START | 1U << QUESTION_DRAIN | 1U << QUESTION_LOAD);
    assert_true(questions_read("all", &asked, &problems));
    assert_int_equal(asked, (1U << QUESTION_COUNT) - 1);
    assert_false(questions_read("drain,", &asked, &problems));
    assert_false(questions_read("start", &asked, &problems));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),   cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_replicas), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
