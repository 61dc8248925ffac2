/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding loses nothing and adds nothing: on random clusters of few kinds of nodes, with loops
 * between which pods and nodes change, the autoscaler decides and remembers the same as one that
 * takes every node by itself.
 */
#include "decide/autoscaler/autoscaler_case.h"
#include "decide/autoscaler/result_json.h"
#include "decide/controller/random_test.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 400, LOOPS = 5, KINDS = 5 };

/* What a kind of pods asks for beside cpu. */
static const char *const demands[] = {
    "",
    ", \"topologySpreadConstraints\": [{\"maxSkew\": 1, \"topologyKey\": "
    "\"kubernetes.io/hostname\", \"whenUnsatisfiable\": \"DoNotSchedule\", \"labelSelector\": "
    "{\"matchLabels\": {\"app\": \"w1\"}}}]",
    ", \"affinity\": {\"podAntiAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": "
    "[{\"topologyKey\": \"kubernetes.io/hostname\", \"labelSelector\": {\"matchLabels\": {\"app\": "
    "\"w2\"}}}]}}",
    ", \"priority\": -20",
    ", \"nodeSelector\": {\"zone\": \"a\"}",
};

static void put_node(struct text *text, struct dice *dice, uint32_t number, uint32_t groups)
{
    const char zone = (char)('a' + number % groups);
    const bool labelled = !dice_hit(dice, 20);
    text_printf(
        text,
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n%02u\", "
        "\"annotations\": {\"example.org/group\": \"%c\"%s}, \"labels\": {%s%.*u%s\"zone\": "
        "\"%c\"}}, \"spec\": {\"providerID\": \"n%02u\"%s%s}, \"status\": {\"allocatable\": "
        "{\"cpu\": \"4\", \"memory\": \"8Gi\", \"pods\": \"20\"}, \"capacity\": {\"cpu\": "
        "\"4\", \"memory\": \"8Gi\", \"pods\": \"20\"}, \"conditions\": [{\"type\": "
        "\"Ready\", \"status\": \"%s\"}]}}",
        number, zone,
        dice_hit(dice, 9) ? ", \"cluster-autoscaler.kubernetes.io/scale-down-disabled\": \"true\""
                          : "",
        labelled ? "\"kubernetes.io/hostname\": \"n" : "\"x\": \"", 2,
        labelled && !dice_hit(dice, 15) ? number : 99, "\", ", zone, number,
        dice_hit(dice, 12) ? ", \"unschedulable\": true" : "",
        dice_hit(dice, 9) ? ", \"taints\": [{\"key\": "
                            "\"DeletionCandidateOfClusterAutoscaler\", \"value\": "
                            "\"1709294400\", \"effect\": \"PreferNoSchedule\"}]"
                          : "",
        dice_hit(dice, 12) ? "False" : "True");
}

/* On the node of this number; on none if it is negative. */
static void put_pod(struct text *text, struct dice *dice, uint32_t number, int64_t node)
{
    const int64_t kind = dice_roll(dice, KINDS);
    text_printf(text,
                "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p%03u\", "
                "\"namespace\": \"default\", \"uid\": \"p%03u\", \"creationTimestamp\": "
                "\"2024-03-01T11:00:00Z\", \"labels\": {\"app\": \"w%lld\"}, \"annotations\": {%s}",
                number, number, (long long)kind,
                dice_hit(dice, 12) ? "\"cluster-autoscaler.kubernetes.io/safe-to-evict\": \"false\""
                                   : "");
    if (!dice_hit(dice, 25))
        text_printf(text,
                    ", \"ownerReferences\": [{\"apiVersion\": \"apps/v1\", \"kind\": \"%s\", "
                    "\"name\": \"w%lld\", \"uid\": \"w%lld\", \"controller\": true}]",
                    dice_hit(dice, 8) ? "DaemonSet" : "ReplicaSet", (long long)kind,
                    (long long)kind);
    text_printf(text, "}, \"spec\": {");
    if (node >= 0)
        text_printf(text, "\"nodeName\": \"n%02lld\", ", (long long)node);
    text_printf(
        text,
        "\"containers\": [{\"name\": \"c\", \"image\": \"i\", \"resources\": {\"requests\": "
        "{\"cpu\": \"%lld00m\", \"memory\": \"256Mi\"}}}]%s}, \"status\": {%s}}",
        2 + 3 * (long long)kind + (node < 0 ? 20 : 0), demands[kind],
        node >= 0 ? "\"phase\": \"Running\""
                  : "\"phase\": \"Pending\", \"conditions\": [{\"type\": \"PodScheduled\", "
                    "\"status\": \"False\", \"reason\": \"Unschedulable\"}]");
}

static void put_controllers(struct text *text)
{
    for (uint32_t i = 0; i < KINDS; i++)
        text_printf(text,
                    ", {\"kind\": \"ReplicaSet\", \"metadata\": {\"name\": \"w%u\", \"namespace\": "
                    "\"default\"}, \"spec\": {\"replicas\": 3}}",
                    i);
    text_printf(text, ", {\"apiVersion\": \"policy/v1\", \"kind\": \"PodDisruptionBudget\", "
                      "\"metadata\": {\"name\": \"b\", \"namespace\": \"default\"}, \"spec\": "
                      "{\"selector\": {\"matchLabels\": {\"app\": \"w0\"}}}, \"status\": "
                      "{\"disruptionsAllowed\": 2}}");
}

static void make_scenario(struct text *text, struct dice *dice)
{
    const uint32_t nodes = (uint32_t)dice_between(dice, 4, 24);
    const uint32_t groups = (uint32_t)dice_between(dice, 1, 3);
    const uint32_t pods = nodes * (uint32_t)dice_between(dice, 1, 3);
    text_printf(text,
                "{\"id\": \"x\", \"now\": \"2024-03-01T12:00:00Z\", \"options\": "
                "{\"parallel-drain\": %s, \"scale-down-unneeded-time\": 200, "
                "\"balance-similar-node-groups\": %s}, \"groups\": [",
                dice_hit(dice, 2) ? "true" : "false", dice_hit(dice, 2) ? "true" : "false");
    for (uint32_t i = 0; i < groups; i++)
        text_printf(text, "%s{\"id\": \"%c\", \"min\": 0, \"max\": %u, \"target\": %u}",
                    i > 0 ? ", " : "", 'a' + i, nodes,
                    nodes / groups + (i < nodes % groups) + (uint32_t)dice_hit(dice, 3));
    text_append_string(text, "], \"objects\": [");
    for (uint32_t i = 0; i < nodes; i++) {
        put_node(text, dice, i, groups);
        text_append_string(text, ", ");
    }
    for (uint32_t i = 0; i < pods; i++) {
        put_pod(text, dice, i, dice_hit(dice, 6) ? -1 : dice_roll(dice, nodes + 1));
        text_append_string(text, i + 1 < pods ? ", " : "");
    }
    put_controllers(text);
    text_append_string(text, "], \"loops\": [{\"at\": 0}");
    for (uint32_t loop = 1; loop < LOOPS; loop++) {
        text_printf(text, ", {\"at\": %u, \"set\": [", 250 * loop);
        put_pod(text, dice, (uint32_t)dice_roll(dice, pods), dice_roll(dice, nodes));
        text_append_string(text, ", ");
        put_pod(text, dice, pods + loop, dice_hit(dice, 2) ? -1 : dice_roll(dice, nodes));
        text_append_string(text, ", ");
        put_node(text, dice, (uint32_t)dice_roll(dice, nodes), groups);
        text_printf(text, "], \"delete\": [\"Pod/default/p%03u\"%s]}", loop - 1 + pods,
                    loop == 2 ? ", \"Node/n00\"" : "");
        if (loop == 1) /* There is no such pod yet. */
            text->length -= strlen(", \"delete\": [\"Pod/default/p000\"]}");
        if (loop == 1)
            text_append_string(text, "}");
    }
    text_append_string(text, "]}");
}

/* All results, one after the other. */
static void decide(struct arena *arena, const struct value *scenario, bool unfolded,
                   struct text *text)
{
    const struct features features = features_of_version(26);
    struct autoscaler_case given = {0};
    struct problems problems;
    problems_init(&problems, arena);
    bool good = autoscaler_case_read(arena, scenario, &features, &given, &problems);
    given.autoscaler.unfolded = unfolded;
    for (uint32_t i = 0; good && i < LOOPS; i++) {
        struct loop_result result;
        struct json_out json;
        int64_t now;
        good = autoscaler_case_advance(&given, i, &now, &problems);
        if (!good)
            break;
        given.autoscaler.loop_arena = arena;
        autoscaler_loop(&given.autoscaler, now, &result);
        json_out_init(&json, text, 0);
        json_object_begin(&json, NULL);
        loop_result_write(&json, &given.autoscaler, &result);
        json_object_end(&json);
    }
    if (!good)
        fail_msg("%s", problem_format(arena, &problems.items[0]));
}

static void folded_nodes_decide_alike(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    struct text scenario;
    struct text folded;
    struct text unfolded;
    uint32_t deletions = 0;
    uint32_t increases = 0;
    memory_init(&memory, SIZE_MAX);
    text_init(&scenario, &memory);
    text_init(&folded, &memory);
    text_init(&unfolded, &memory);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        const struct place start = {"scenario", 1, 1};
        struct dice dice = {seed};
        struct problems problems;
        arena_init(&arena, &memory);
        problems_init(&problems, &arena);
        text_reset(&scenario);
        text_reset(&folded);
        text_reset(&unfolded);
        make_scenario(&scenario, &dice);
        const struct document *document = manifest_reader_parse_json(
            reader, &arena, start, text_content(&scenario), scenario.length, &problems);
        if (!document)
            fail_msg("seed %llu: %s", (unsigned long long)seed,
                     problem_format(&arena, &problems.items[0]));
        decide(&arena, &document->root, false, &folded);
        decide(&arena, &document->root, true, &unfolded);
        if (strcmp(text_content(&folded), text_content(&unfolded)) != 0)
            fail_msg("seed %llu differs\n%s\n%s\n%s", (unsigned long long)seed,
                     text_content(&scenario), text_content(&folded), text_content(&unfolded));
        deletions += strstr(text_content(&folded), "\"deleteDrain\":[\"") != NULL;
        increases += strstr(text_content(&folded), "\"increase\":[{") != NULL;
        arena_release(&arena);
    }
    printf("%d clusters; %u in which a node is drained, %u in which a group grows\n", CASES,
           deletions, increases);
    assert_true(deletions > CASES / 20);
    assert_true(increases > CASES / 20);
    text_release(&scenario);
    text_release(&folded);
    text_release(&unfolded);
    manifest_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(folded_nodes_decide_alike)};
    return cmocka_run_group_tests_name("autoscaler folding", tests, NULL, NULL);
}
