/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole verifications for tests: manifests as text in, counts out. For clusters
 * so small that every state can be counted by hand.
 */
#ifndef FATHOM_VERIFY_VERIFY_FIXTURE_H
#define FATHOM_VERIFY_VERIFY_FIXTURE_H

#include "manifest/manifest.h"
#include "object/admission.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GROUP(name, count)                                                           \
    "  - {name: " name ", count: " count ", node: {metadata: {labels: {group: " name \
    "}}, status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110'}}}}\n"
#define CHECK(groups, rest) \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  nodeGroups:\n" groups rest
#define WEB(replicas, rest)                                                                      \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"    \
    "spec:\n  replicas: " replicas                                                               \
    "\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" \
    "    spec:\n      containers:\n      - {name: c, image: x, resources: {requests: {cpu: "     \
    "500m, memory: 1Gi}}}\n" rest

struct outcome {
    enum verdict verdict;
    uint64_t setups;
    uint64_t states;
    uint64_t transitions;
    uint32_t steps;  /* of the first counterexample */
    int64_t seconds; /* at its end */
    int32_t nodes;
    int32_t pods;
};

static inline struct outcome verify(const char *manifests, struct verify_options options)
{
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents = {0};
    struct objects objects = {0};
    struct scope scope;
    struct verify_report report;
    const struct scope_options scope_options = {0};
    const struct check *check = NULL;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    manifest_parse(&arena, "test.yaml", manifests, strlen(manifests), &documents, &problems);
    object_decode(&arena, &documents, NULL, &objects, &problems);
    objects_admit(&arena, &objects, &(struct admission_options){0}, &problems);
    for (uint32_t i = 0; i < objects.count; i++)
        if (objects.items[i].kind == OBJECT_CHECK)
            check = objects.items[i].as.check;
    const bool built = scope_build(&arena, &objects, check, &scope_options, &scope, &problems);
    for (uint32_t i = 0; i < problems.count; i++)
        print_message("%s\n", problem_format(&arena, &problems.items[i]));
    if (!built || !check) {
        fail_msg("the manifests of the test are wrong");
        return (struct outcome){0};
    }
    options.population.features = features_of_version(26);
    verify_run(&arena, &memory, &scope, check->intents, check->intent_count, &options, &report);
    const struct verify_result *first = &report.results[0];
    const struct outcome outcome = {
        .verdict = first->verdict,
        .setups = report.setups_explored,
        .states = report.states,
        .transitions = report.transitions,
        .steps = first->step_count,
        .seconds = first->step_count > 0
                       ? first->steps[first->step_count - 1].time_ns / NANOSECONDS_PER_SECOND
                       : 0,
        .nodes = first->setup ? first->setup->total_nodes : 0,
        .pods = first->setup ? first->setup->total_pods : 0,
    };
    verify_release(&report);
    arena_release(&arena);
    assert_int_equal(memory.used_bytes, 0);
    return outcome;
}

static inline struct verify_options unlimited(void)
{
    return (struct verify_options){.states_most = UINT64_MAX, .time_most_ms = UINT64_MAX};
}

#endif
