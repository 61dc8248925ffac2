/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole verifications for tests: manifests as text in, counts out. For clusters
 * so small that every state can be counted by hand.
 */
#ifndef FATHOM_VERIFY_VERIFY_FIXTURE_H
#define FATHOM_VERIFY_VERIFY_FIXTURE_H

#include "setup/scope_fixture.h"
#include "verify/verify.h"

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

enum { FIXTURE_INTENTS_MOST = 8 };

struct outcome {
    enum verdict verdict;                        /* of the first intent */
    enum verdict verdicts[FIXTURE_INTENTS_MOST]; /* of all */
    uint64_t setups;
    uint64_t states;
    uint64_t transitions;
    uint32_t steps;  /* of the first counterexample */
    int64_t seconds; /* at its end */
    int32_t nodes;
    int32_t pods;
};

/* At Kubernetes 1.26 unless the options have another version. */
static inline struct outcome verify(const char *manifests, struct verify_options options)
{
    struct fixture fixture;
    struct verify_report report;
    if (!fixture_load(&fixture, manifests))
        return (struct outcome){0};
    if (options.population.features.minor == 0)
        options.population.features = features_of_version(FEATURES_MINOR_FIRST);
    verify_run(&fixture.arena, &fixture.memory, &fixture.scope, fixture.check->intents,
               fixture.check->intent_count, &options, &report);
    const struct verify_result *first = &report.results[0];
    struct outcome outcome = {
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
    for (uint32_t i = 0; i < report.result_count && i < FIXTURE_INTENTS_MOST; i++)
        outcome.verdicts[i] = report.results[i].verdict;
    verify_release(&report);
    fixture_release(&fixture);
    return outcome;
}

static inline struct verify_options unlimited(void)
{
    return (struct verify_options){.states_most = UINT64_MAX, .time_most_ms = UINT64_MAX};
}

#endif
