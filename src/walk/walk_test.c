/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through a cluster of one node and one pod that it can tell everything of:
 * forwards, back, and what they say of the intents. */
#include "cluster/threads/crew.h"
#include "setup/scope_fixture.h"
#include "walk/walk.h"

#include <string.h>

static const char manifests[] =
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n"
    "  nodeGroups: [{name: a, count: 1, node: {status: {allocatable: {cpu: '4', memory: 8Gi, "
    "pods: '9'}}}}]\n"
    "  events: [{name: maintenance, atMost: 1}]\n"
    "  intents: [{name: neverEvicted}, {name: converges}]\n"
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\nspec:\n"
    "  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n"
    "    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n";

struct walked {
    struct fixture fixture;
    struct crew *crew;
    struct walk *walk;
};

static void begin_with(struct walked *walked, const char *text)
{
    struct setups setups;
    const struct population_options options = {.features = features_of_version(26),
                                               .tick_parts = 3};
    assert_true(fixture_load(&walked->fixture, text));
    scope_enumerate(&walked->fixture.arena, &walked->fixture.scope, &setups);
    assert_int_equal(setups.count, 1);
    walked->crew =
        crew_create(NULL, &walked->fixture.memory, &walked->fixture.scope, &setups.items[0],
                    walked->fixture.check->intents, walked->fixture.check->intent_count, &options,
                    &walked->fixture.problems);
    assert_non_null(walked->crew);
    walked->walk = walk_create(&walked->fixture.arena, crew_worker(walked->crew), true);
}

static void begin(struct walked *walked)
{
    begin_with(walked, manifests);
}

static void end(struct walked *walked)
{
    crew_free(walked->crew);
    fixture_release(&walked->fixture);
}

/* Takes the step whose sentence begins like this. */
static void take(struct walk *walk, const char *sentence)
{
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        struct story_step told;
        walk_peek(walk, walk->arena, i, &told);
        if (strncmp(told.detail, sentence, strlen(sentence)) != 0)
            continue;
        walk_take(walk, i);
        /* What was promised is what is told. */
        assert_string_equal(walk->steps.items[walk->steps.count - 1].told.detail, told.detail);
        return;
    }
    fail_msg("no step \"%s\"", sentence);
}

static void take_pod_to_its_node(struct walk *walk)
{
    take(walk, "Deployment web creates");
    take(walk, "ReplicaSet web-1 creates");
    take(walk, "the scheduler binds");
    take(walk, "pod web-1-1 becomes ready");
}

static void intents_are_judged_on_the_way(void **state)
{
    struct walked walked;
    (void)state;
    begin(&walked);
    assert_false(walk_rests(walked.walk));
    take_pod_to_its_node(walked.walk);
    assert_true(walk_rests(walked.walk));
    assert_int_equal(walk_rest_violates(walked.walk), 0);
    assert_string_equal(walk_refutes(walked.walk, 0, false, false, 0),
                        "its last step violates nothing any more");
    take(walked.walk, "maintenance begins");
    take(walked.walk, "the drain evicts");
    assert_int_equal(walked.walk->steps.items[5].violated, 1);
    assert_null(walk_refutes(walked.walk, 0, false, false, 0));
    end(&walked);
}

static void a_step_back_is_as_if_it_had_not_been(void **state)
{
    struct walked walked;
    (void)state;
    begin(&walked);
    assert_false(walk_back(walked.walk));
    take_pod_to_its_node(walked.walk);
    const uint32_t choices = walked.walk->choices.count;
    take(walked.walk, "maintenance begins");
    assert_true(walk_back(walked.walk));
    assert_int_equal(walked.walk->steps.count, 4);
    assert_int_equal(walked.walk->choices.count, choices);
    assert_true(walk_rests(walked.walk));
    take(walked.walk, "maintenance begins");
    end(&walked);
}

/* A run that could go on is no proof of anything, nor is a loop that is none. */
static void what_is_no_counterexample_is_not_taken_for_one(void **state)
{
    struct walked walked;
    (void)state;
    begin(&walked);
    take(walked.walk, "Deployment web creates");
    assert_string_equal(walk_refutes(walked.walk, 1, true, true, 0),
                        "the cluster does not rest in its last state any more");
    assert_string_equal(walk_refutes(walked.walk, 1, true, false, 0),
                        "it does not come back to where its loop began");
    assert_int_equal(walk_came_back(walked.walk), UINT32_MAX);
    end(&walked);
}

static void causes_are_told(void **state)
{
    struct walked walked;
    (void)state;
    begin(&walked);
    take_pod_to_its_node(walked.walk);
    take(walked.walk, "maintenance begins");
    take(walked.walk, "the drain evicts");
    const struct story_causes *causes = &walked.walk->steps.items[5].told.causes;
    assert_int_equal(causes->count, 2); /* the pod is there and ready; the node is drained */
    assert_int_equal(causes->items[0], 4);
    assert_int_equal(causes->items[1], 5);
    assert_int_equal(walked.walk->steps.items[4].told.causes.items[0], 0);
    end(&walked);
}

/* By the clock, an autoscaler begins with its first sync at any time within a period. */
static void walks_begin_where_they_are_told_to(void **state)
{
    static const char clocked[] =
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, "
        "namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, "
        "name: web}\n  minReplicas: 1\n  maxReplicas: 2\n  behavior: {scaleUp: "
        "{stabilizationWindowSeconds: 20}}\n  metrics: [{type: Resource, resource: {name: cpu, "
        "target: {type: Utilization, averageUtilization: 50}}}]\n";
    struct walked walked;
    struct text text;
    (void)state;
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    const char *spec = strstr(manifests, "  nodeGroups");
    text_printf(&text, "%.*s  time: clocked\n%s%s", (int)(spec - manifests), manifests, spec,
                clocked);
    begin_with(&walked, text_content(&text));
    uint32_t count = 0;
    struct walk *walk;
    uint32_t length;
    while ((walk = walk_create_at(walked.walk->arena, crew_worker(walked.crew), count, false)) !=
           NULL) {
        const uint32_t *words = walk_state_at(walk, 0, &length);
        assert_int_equal(count == 0,
                         length == walked.walk->initial_length &&
                             memcmp(words, walked.walk->initial, length * sizeof(*words)) == 0);
        count++;
    }
    assert_int_equal(count, 3); /* parts of a tick of 15 s */
    end(&walked);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intents_are_judged_on_the_way),
        cmocka_unit_test(a_step_back_is_as_if_it_had_not_been),
        cmocka_unit_test(what_is_no_counterexample_is_not_taken_for_one),
        cmocka_unit_test(causes_are_told),
        cmocka_unit_test(walks_begin_where_they_are_told_to),
    };
    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
