/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: small random setups with all sorts of clocks, as manifests. */
#ifndef FATHOM_CLUSTER_BUILD_RANDOM_CLOCKED_H
#define FATHOM_CLUSTER_BUILD_RANDOM_CLOCKED_H

#include "base/text.h"
#include "decide/controller/random_test.h"

/* Seconds; multiples of six, so that halves and thirds of ticks are whole. */
static inline int pick(struct dice *dice, int low, int high)
{
    return 6 * (int)dice_between(dice, low, high);
}

static inline void write_events(struct text *text, struct dice *dice)
{
    const bool pattern = !dice_hit(dice, 3);
    const bool waves = !pattern && dice_hit(dice, 2);
    const bool change = !waves && dice_hit(dice, 4);
    const bool failure = dice_hit(dice, 4);
    if (pattern || waves || change || failure)
        text_append_string(text, "  events:\n");
    if (pattern) {
        const int first = pick(dice, 1, 6);
        text_printf(text,
                    "  - {name: cpuPattern, workload: Deployment/default/web, pattern: [{after: "
                    "0s, cpu: %d%%}, {after: %ds, cpu: %d%%}",
                    (int)dice_between(dice, 2, 10) * 10, first, (int)dice_between(dice, 1, 6) * 10);
        if (dice_hit(dice, 2))
            text_printf(text, ", {after: %ds, cpu: %d%%}", first + pick(dice, 1, 8),
                        (int)dice_between(dice, 2, 10) * 10);
        text_append_string(text, "]}\n");
    }
    if (waves) {
        const int step = pick(dice, 1, 6);
        text_printf(text,
                    "  - {name: loadPattern, workload: Deployment/default/web, pattern: [{after: "
                    "0s, cpu: %dm}, {after: %ds, cpu: %dm}], every: %ds}\n",
                    (int)dice_between(dice, 1, 8) * 100, step, (int)dice_between(dice, 1, 8) * 100,
                    step + pick(dice, 1, 6));
    }
    if (change)
        text_append_string(text, "  - {name: cpuChange, workload: Deployment/default/web, levels: "
                                 "[20%, 90%]}\n");
    if (failure)
        text_printf(text, "  - {name: nodeFailure, group: a, recovers: %s}\n",
                    dice_hit(dice, 2) ? "true" : "false");
}

static inline void write_controllers(struct text *text, struct dice *dice)
{
    text_printf(text,
                "  controllers:\n    horizontalPodAutoscaler: {syncPeriod: %ds, "
                "downscaleStabilization: %ds}\n",
                pick(dice, 1, 3), pick(dice, 0, 8));
    if (dice_hit(dice, 3))
        text_printf(text,
                    "    descheduler:\n      interval: %ds\n      policy:\n        profiles:\n"
                    "        - name: p\n          pluginConfig: [{name: PodLifeTime, args: "
                    "{maxPodLifeTimeSeconds: %d}}]\n          plugins: {deschedule: {enabled: "
                    "[PodLifeTime]}}\n",
                    pick(dice, 2, 6), pick(dice, 1, 12));
}

static inline void write_workload(struct text *text, struct dice *dice, bool tainted)
{
    text_printf(text,
                "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: "
                "default}\nspec:\n  minReadySeconds: %d\n  replicas: %d\n  selector: {matchLabels: "
                "{app: web}}\n"
                "  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers:\n"
                "      - {name: c, image: x, resources: {requests: {cpu: 500m}}",
                dice_hit(dice, 4) ? pick(dice, 1, 3) : 0, (int)dice_between(dice, 1, 2));
    if (dice_hit(dice, 2))
        text_printf(text,
                    ", readinessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: %d, "
                    "periodSeconds: %d}",
                    pick(dice, 0, 4), pick(dice, 1, 2));
    text_append_string(text, "}\n      tolerations:\n");
    text_printf(text,
                "      - {key: node.kubernetes.io/unreachable, operator: Exists, effect: "
                "NoExecute, tolerationSeconds: %d}\n",
                pick(dice, 0, 6));
    if (tainted)
        text_printf(text,
                    "      - {key: k, operator: Exists, effect: NoExecute, tolerationSeconds: "
                    "%d}\n",
                    pick(dice, 1, 6));
}

static inline void write_autoscaler(struct text *text, struct dice *dice)
{
    text_printf(text,
                "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: "
                "web, namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: "
                "Deployment, name: web}\n  minReplicas: 1\n  maxReplicas: %d\n  metrics: [{type: "
                "Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: "
                "50}}}]\n",
                (int)dice_between(dice, 2, 3));
    if (dice_hit(dice, 2))
        text_printf(text,
                    "  behavior:\n    scaleUp: {stabilizationWindowSeconds: %d, policies: [{type: "
                    "Pods, value: 1, periodSeconds: %d}]}\n    scaleDown: "
                    "{stabilizationWindowSeconds: %d, policies: [{type: Percent, value: 50, "
                    "periodSeconds: %d}]}\n",
                    pick(dice, 0, 6), pick(dice, 1, 6), pick(dice, 0, 6), pick(dice, 1, 6));
}

/* `time`: clocked or asynchronous */
static inline void write_setup(struct text *text, struct dice *dice, const char *time)
{
    const bool tainted = dice_hit(dice, 4);
    text_printf(text,
                "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  time: "
                "%s\n  nodeGroups:\n  - {name: a, count: %d, node: {%sstatus: {allocatable: "
                "{cpu: '2', memory: 16Gi, pods: '110'}}}}\n",
                time, (int)dice_between(dice, 1, 2),
                tainted ? "spec: {taints: [{key: k, effect: NoExecute}]}, " : "");
    write_events(text, dice);
    write_controllers(text, dice);
    text_append_string(text,
                       "  intents:\n  - {name: noReplicaSwing, workload: Deployment/default/web}\n"
                       "  - {name: noReplicaOscillation}\n  - {name: noEvictionLoop}\n"
                       "  - {name: converges}\n  - {name: replicasAtMost, value: 2}\n"
                       "  - {name: replicasAtLeast, value: 2}\n  - {name: noOscillation}\n");
    write_workload(text, dice, tainted);
    if (!dice_hit(dice, 4))
        write_autoscaler(text, dice);
}

#endif
