/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: scenarios of the autoscaler in a few words. */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_FIXTURE_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_FIXTURE_H

#include "decide/decider.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A node of 4 cores that has been ready since long before; `more` are further members of its spec.
 */
#define NODE_WITH(name, group, more)                                                         \
    "  - {apiVersion: v1, kind: Node, metadata: {name: " name                                \
    ", creationTimestamp: \"2024-03-01T09:00:00Z\", annotations: {example.org/group: " group \
    "}, labels: {kubernetes.io/hostname: " name ", zone: " group                             \
    "}}, spec: {providerID: " name more "}, status: {" SIZE                                  \
    ", conditions: [{type: Ready, status: \"True\", "                                        \
    "lastTransitionTime: \"2024-03-01T09:00:00Z\"}]}}\n"
#define SIZE                                                                                  \
    "capacity: {cpu: \"4\", memory: 16Gi, pods: \"110\"}, allocatable: {cpu: \"4\", memory: " \
    "16Gi, pods: \"110\"}"
#define NODE(name, group) NODE_WITH(name, group, "")
#define NODE_UNREADY(name, group)                                                               \
    "  - {apiVersion: v1, kind: Node, metadata: {name: " name                                   \
    ", creationTimestamp: \"2024-03-01T09:00:00Z\", annotations: {example.org/group: " group    \
    "}, labels: {kubernetes.io/hostname: " name ", zone: " group "}}, spec: {providerID: " name \
    "}, status: {" SIZE ", conditions: [{type: Ready, status: \"False\", "                      \
    "lastTransitionTime: \"2024-03-01T09:00:00Z\"}]}}\n"

/* A pod of a ReplicaSet; `meta` and `spec` are further members. */
#define POD_OF(set, name, meta, cpu, spec, status)                                              \
    "  - {apiVersion: v1, kind: Pod, metadata: {name: " name ", namespace: default, uid: " name \
    ", creationTimestamp: \"2024-03-01T11:00:00Z\", labels: {app: " set                         \
    "}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: " set ", uid: " set     \
    ", controller: true}]" meta "}, spec: {containers: [{name: c, image: i, resources: "        \
    "{requests: {cpu: " cpu "}}}]" spec "}, status: {" status "}}\n"
#define RUNNING(set, name, node, cpu) \
    POD_OF(set, name, "", cpu, ", nodeName: " node, "phase: Running")
#define UNSCHEDULABLE                                                               \
    "phase: Pending, conditions: [{type: PodScheduled, status: \"False\", reason: " \
    "Unschedulable}]"
#define PENDING(set, name, cpu) POD_OF(set, name, "", cpu, "", UNSCHEDULABLE)
#define SET(name)                                                        \
    "  - {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: " name \
    ", namespace: default}, spec: {replicas: 1}}\n"

#define GROUP(id, sizes)                                                                   \
    "  - {id: " id ", " sizes ", template: {apiVersion: v1, kind: Node, metadata: {name: " \
    "t, labels: {kubernetes.io/hostname: t, zone: " id "}}, status: {" SIZE "}}}\n"

#define SCENARIO(options, groups, objects, loops)                                                  \
    "now: \"2024-03-01T12:00:00Z\"\noptions: {" options "}\ngroups:\n" groups "objects:\n" objects \
    "loops:\n" loops
#define ONCE "  - {at: 0}\n"

struct ruling {
    struct memory memory;
    struct arena arena;
    const struct value *loops;
    const char *error; /* of a scenario that is refused */
};

static inline void rule(struct ruling *ruling, const char *scenario)
{
    struct problems problems;
    struct documents documents = {0};
    struct documents answers = {0};
    struct text answer;
    struct json_out json;
    *ruling = (struct ruling){0};
    memory_init(&ruling->memory, SIZE_MAX);
    arena_init(&ruling->arena, &ruling->memory);
    problems_init(&problems, &ruling->arena);
    assert_true(manifest_parse(&ruling->arena, "scenario", scenario, strlen(scenario), &documents,
                               &problems));
    text_init(&answer, &ruling->memory);
    json_out_init(&json, &answer, 0);
    json_object_begin(&json, NULL);
    const struct features features = features_of_version(26);
    if (!decider_clusterautoscaler.decide_scenario(&ruling->arena, &documents.items[0].root,
                                                   &features, &json, &problems)) {
        ruling->error = problem_format(&ruling->arena, &problems.items[0]);
        text_release(&answer);
        return;
    }
    json_object_end(&json);
    assert_true(manifest_parse(&ruling->arena, "answer", text_content(&answer), answer.length,
                               &answers, &problems));
    ruling->loops = value_find(&answers.items[0].root, "loops");
    text_release(&answer);
}

/* A part of a loop's result as JSON: "scaleUp.increase"; "" if it is not there. */
static inline const char *part(struct ruling *ruling, uint32_t loop, const char *path)
{
    struct text text;
    struct json_out json;
    assert_null(ruling->error);
    const struct value *value = value_find(&ruling->loops->items[loop], "result");
    while (value && *path) {
        const size_t length = strcspn(path, ".");
        value = value_find(value, arena_strndup(&ruling->arena, path, length));
        path += length;
        path += *path == '.';
    }
    if (!value)
        return "";
    text_init(&text, &ruling->memory);
    json_out_init(&json, &text, 0);
    value_write_json(&json, NULL, value);
    return text_keep(&text, &ruling->arena);
}

/* Why a node stays, in the loop. */
static inline const char *reason_of(struct ruling *ruling, uint32_t loop, const char *node)
{
    const struct value *list = value_find(
        value_find(value_find(&ruling->loops->items[loop], "result"), "scaleDown"), "unremovable");
    for (uint32_t i = 0; list && i < list->count; i++)
        if (strcmp(value_find_string(&list->items[i], "node"), node) == 0) {
            const char *pod = value_find_string(&list->items[i], "podReason");
            return pod ? pod : value_find_string(&list->items[i], "reason");
        }
    return "";
}

static inline void release(struct ruling *ruling)
{
    arena_release(&ruling->arena);
}

#endif
