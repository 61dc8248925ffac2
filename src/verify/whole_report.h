/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: all that a verification reports but times and memory, as one text, so
 * that two runs can be compared; and clusters that show many kinds of it. */
#ifndef FATHOM_VERIFY_WHOLE_REPORT_H
#define FATHOM_VERIFY_WHOLE_REPORT_H

#include "verify/verify_fixture.h"

#include <inttypes.h>

#define PDB(rest)                                                                   \
    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, " \
    "namespace: default}\nspec:\n  selector: {matchLabels: {app: web}}\n  " rest "\n"
#define HPA(rest)                                                                            \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, " \
    "namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, " \
    "name: web}\n  minReplicas: 2\n  maxReplicas: 4\n  metrics: [{type: Resource, "          \
    "resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]\n" rest
#define MORE_WORTH                                                                                \
    "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: " \
    "100\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: "          \
    "default}\nspec:\n  replicas: 2\n  selector: {matchLabels: {app: api}}\n  template:\n    "    \
    "metadata: {labels: {app: api}}\n    spec:\n      priorityClassName: high\n      "            \
    "containers: [{name: c, image: x, resources: {requests: {cpu: '3750m'}}}]\n"
#define DUPLICATES                                                                         \
    "  controllers:\n    descheduler:\n      policy:\n        profiles:\n        - name: " \
    "p\n          pluginConfig: [{name: RemoveDuplicates}]\n          plugins: {balance: " \
    "{enabled: [RemoveDuplicates]}}\n"

static const char *const whole_checks[] = {
    /* Everything holds; nodes fail, pods become ready. */
    CHECK(GROUP("a", "2") GROUP("b", "2"),
          "  events: [{name: nodeFailure, group: a, atMost: 1, recovers: true}]\n"
          "  intents: [{name: podsSchedulable}, {name: converges}, {name: noEvictionLoop}]\n")
        WEB("3", ""),
    /* One intent is violated by a state, one by a step, one holds. */
    CHECK(GROUP("a", "{min: 1, max: 3}"),
          "  events: [{name: maintenance, concurrent: 1, atMost: 2, drain: true}]\n"
          "  intents: [{name: replicasAtLeast, workload: Deployment/default/web, value: desired}, "
          "{name: drainCompletes}, {name: podsSchedulable}]\n") WEB("2", "") PDB("minAvailable: 2"),
    /* The descheduler. */
    CHECK(GROUP("a", "{min: 1, max: 2}"),
          DUPLICATES "  intents: [{name: noEvictionLoop}, {name: converges}]\n") WEB("3", ""),
    /* Clocks, and what autoscalers remember. */
    CHECK(GROUP("a", "1"),
          "  time: clocked\n"
          "  events: [{name: cpuPattern, workload: Deployment/default/web, pattern: [{after: 0s, "
          "cpu: 100%}, {after: 30s, cpu: 37%}]}]\n"
          "  intents: [{name: noReplicaSwing, workload: Deployment/default/web, swing: 2}, "
          "{name: podsSchedulable}]\n") WEB("2", "")
        HPA("  behavior: {scaleDown: {stabilizationWindowSeconds: 60}}\n"),
    /* One service is worth more than the other: it takes its place. */
    CHECK(GROUP("a", "2"),
          "  events: [{name: nodeFailure, group: a, atMost: 1, recovers: true}]\n"
          "  intents: [{name: neverPreempted, workload: Deployment/default/web}, {name: "
          "converges}]\n") WEB("2", "") MORE_WORTH,
};
enum { WHOLE_CHECK_COUNT = sizeof(whole_checks) / sizeof(whole_checks[0]) };

static inline void whole_result(const struct verify_result *result, struct text *text)
{
    text_printf(text, "%d %d", (int)result->verdict, (int)result->reason);
    if (result->setup)
        text_printf(text, " %d nodes %d pods", result->setup->total_nodes,
                    result->setup->total_pods);
    text_printf(text, " asked %" PRIx64 " loops %d %u rests %d race %d %" PRIu64 "\n",
                result->asked, result->loops, result->loop_from, result->rests, result->race,
                result->violations);
    for (uint32_t i = 0; i < result->step_count; i++) {
        const struct verify_step *step = &result->steps[i];
        text_printf(text, "  %" PRId64 " %u %s %s %s %s causes", step->time_ns, step->choice,
                    step->told.actor, step->told.action,
                    step->told.object ? step->told.object : "-", step->told.detail);
        for (uint32_t c = 0; c < step->told.causes.count; c++)
            text_printf(text, " %u", step->told.causes.items[c]);
        text_append_char(text, '\n');
    }
    for (uint32_t c = 0; c < result->causes.count; c++)
        text_printf(text, " %u", result->causes.items[c]);
    for (uint32_t n = 0; n < result->picture.node_count; n++) {
        const struct story_node *node = &result->picture.nodes[n];
        text_printf(text, "\n  %s %s", node->name, node->condition);
        for (uint32_t p = 0; p < node->pods.count; p++)
            text_printf(text, " %s", node->pods.items[p]);
    }
    text_append_char(text, '\n');
}

/* To be released. */
static inline void whole_text(const struct verify_report *report, struct memory *memory,
                              struct text *text)
{
    text_init(text, memory);
    text_printf(text, "%d: %" PRIu64 " setups %" PRIu64 " states %" PRIu64 " transitions %u deep\n",
                (int)report->ended_by, report->setups_explored, report->states, report->transitions,
                report->depth);
    for (uint32_t i = 0; i < report->result_count; i++)
        whole_result(&report->results[i], text);
    for (uint64_t i = 0; report->verdicts && i < report->setups_explored * report->result_count;
         i++)
        text_printf(text, "%d", report->verdicts[i]);
}

#endif
