/* SPDX-License-Identifier: Apache-2.0 */
/* What the autoscaler reads: patterns, pods that are the same to it, and scenarios with mistakes.
 */
#include "decide/autoscaler/autoscaler_fixture.h"
#include "decide/autoscaler/group_pattern.h"
#include "decide/autoscaler/pod_likeness.h"

#include <stdio.h>

static void patterns(void **state)
{
    static const struct {
        const char *pattern;
        const char *text;
        enum group_pattern_result expected;
    } rows[] = {
        {"g1", "my-g10", PATTERN_MATCHES},
        {"^g1$", "my-g10", PATTERN_DIFFERS},
        {"g[24]", "g4", PATTERN_MATCHES},
        {"g[^24]$", "g4", PATTERN_DIFFERS},
        {".*", "", PATTERN_MATCHES},
        {"", "g1", PATTERN_MATCHES},
        {"g\\d+$", "g123", PATTERN_MATCHES},
        {"g\\D", "g1", PATTERN_DIFFERS},
        {"^[\\w.]+$", "a_b.c", PATTERN_MATCHES},
        {"spot\\.large", "spotxlarge", PATTERN_DIFFERS},
        {"(?:a|b)+?c", "xbac", PATTERN_MATCHES},
        {"(?i)SPOT", "my-spot", PATTERN_MATCHES},
        {"g{2,}", "gg", PATTERN_MATCHES},
        {"(", "g1", PATTERN_WRONG},
        {"\\bg1\\b", "g1", PATTERN_UNSUPPORTED},
        {"(?P<name>g)", "g1", PATTERN_UNSUPPORTED},
        {"[[:alpha:]]", "g1", PATTERN_UNSUPPORTED},
    };
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (group_pattern_search(&arena, rows[i].pattern, rows[i].text) != rows[i].expected)
            fail_msg("%s on %s", rows[i].pattern, rows[i].text);
    arena_release(&arena);
}

static char *likeness_of(struct arena *arena, const char *pod)
{
    struct documents documents = {0};
    struct problems problems;
    struct text text;
    problems_init(&problems, arena);
    assert_true(manifest_parse(arena, "pod", pod, strlen(pod), &documents, &problems));
    text_init(&text, arena->memory);
    pod_likeness(arena, &text, &documents.items[0].root);
    return text_keep(&text, arena);
}

static void pods_that_are_the_same(void **state)
{
    static const char plain[] =
        "{metadata: {name: a, labels: {app: w}}, spec: {containers: [{name: c, resources: "
        "{requests: {cpu: 1000m}}, volumeMounts: [{name: v}]}], volumes: [{name: v}]}}";
    static const struct {
        const char *pod;
        bool same;
    } rows[] = {
        {"{spec: {nodeName: n, hostname: h, volumes: [{name: token, projected: {sources: [1]}}, "
         "{name: v}], containers: [{resources: {requests: {cpu: '1'}}, name: c, args: [], "
         "volumeMounts: [{name: token}, {name: v}]}]}, metadata: {labels: {app: w}, name: b}}",
         true},
        {"{metadata: {labels: {app: w}}, spec: {containers: [{name: c, resources: {requests: {cpu: "
         "1001m}}, volumeMounts: [{name: v}]}], volumes: [{name: v}]}}",
         false},
        {"{metadata: {labels: {app: x}}, spec: {containers: [{name: c, resources: {requests: {cpu: "
         "1000m}}, volumeMounts: [{name: v}]}], volumes: [{name: v}]}}",
         false},
        {"{metadata: {labels: {app: w}}, spec: {containers: [{name: c, resources: {requests: {cpu: "
         "1000m}}, volumeMounts: [{name: v}]}], volumes: [{name: u}]}}",
         false},
        {"{metadata: {labels: {app: w}}, spec: {containers: [{name: c, image: i, resources: "
         "{requests: {cpu: 1000m}}, volumeMounts: [{name: v}]}], volumes: [{name: v}]}}",
         false},
    };
    struct memory memory;
    struct arena arena;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if ((strcmp(likeness_of(&arena, plain), likeness_of(&arena, rows[i].pod)) == 0) !=
            rows[i].same)
            fail_msg("pod %zu", i);
    arena_release(&arena);
}

static void mistakes(void **state)
{
    static const char now[] = "now: \"2024-03-01T12:00:00Z\"\n";
    static const struct {
        const char *scenario;
        const char *expected; /* a part of the message */
    } rows[] = {
        {"loops: [{at: 0}]", "now: expected an instant, found none"},
        {"loops: []", "loops: expected at least one loop"},
        {"loops: [{}]", "loops[0].at: expected a number of seconds, found nothing"},
        {"loops: [{at: 5}, {at: 4}]", "loops[1].at: a loop comes after the one before it"},
        {"loops: [{at: 0}]\noptions: {expandr: random}",
         "options: unknown flag \"expandr\"; did you mean \"expander\"?"},
        {"loops: [{at: 0}]\noptions: {scale-down-unneeded-time: soon}",
         "options.scale-down-unneeded-time: expected a number of seconds, found \"soon\""},
        {"loops: [{at: 0}]\noptions: {expander: cheapest}", "options.expander: expected random"},
        {"loops: [{at: 0}]\noptions: {expander: 'price,price'}",
         "options.expander: price is given twice"},
        {"loops: [{at: 0}]\noptions: {expander: 'random,price'}",
         "options.expander: price comes after random"},
        {"loops: [{at: 0}]\noptions: {expander: priority}\npriorities: \"1: ['(?P<n>g)']\"",
         "priorities: the regular expressions of priority 1"},
        {"loops: [{at: 0}]\ngroups: [{id: a, min: 0, max: 3}]",
         "groups[0].target: expected a number of nodes"},
        {"loops: [{at: 0}]\ngroups: [{id: a, min: 4, max: 3, target: 3}]",
         "groups[0]: min is larger than max"},
        {"loops: [{at: 0}]\ngroups: [{id: a, min: 0, max: 3, target: -1}]",
         "groups[0].target: expected a number of nodes from 0 to 100000, found -1"},
        {"loops: [{at: 0}]\ngroups: [{min: 0}]", "groups[0]: expected a group with an id"},
        {"loops: [{at: 0}]\ngroups: [{id: a, min: 0, max: 3, target: 3, options: {expander: x}}]",
         "groups[0].options: expander cannot be set for one group"},
        {"loops: [{at: 0, targets: {b: 1}}]", "loops[0].targets: there is no group b"},
        {"loops: [{at: 0, delete: [Node/x]}]", "loops[0].delete: there is no object Node/x"},
        {"loops: [{at: 0, set: 3}]", "loops[0].set: expected a list, found 3"},
        {"loops: [{at: 0}]\noutcomes: -1", "outcomes: expected a whole number from 0 to 100000"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ruling ruling;
        char scenario[1024];
        snprintf(scenario, sizeof(scenario), "%s%s\n", i == 0 ? "" : now, rows[i].scenario);
        rule(&ruling, scenario);
        if (!ruling.error || !strstr(ruling.error, rows[i].expected))
            fail_msg("expected %s, found %s", rows[i].expected,
                     ruling.error ? ruling.error : "no mistake");
        release(&ruling);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(pods_that_are_the_same),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests_name("autoscaler input", tests, NULL, NULL);
}
