/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of random clusters. */
#include "twin/random_check.h"

#include <string.h>

bool has(struct generator *generator, enum random_part part, int64_t sides)
{
    const uint64_t bit = UINT64_C(1) << part;
    const bool hit = dice_hit(&generator->dice, sides);
    return (hit || (generator->wanted & bit)) && !(generator->barred & bit) &&
           (generator->parts & bit);
}

struct shape random_shape(struct generator *generator)
{
    static const char *const tolerations[] = {
        "{key: k, operator: Exists, effect: NoExecute}",
        "{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 10}",
        "{key: node.kubernetes.io/unreachable, operator: Exists}",
        "{operator: Exists}",
    };
    static const char *const outcomes[] = {"succeeds", "fails", "either"};
    static const char *const priorities[] = {"high", "low", "polite"};
    static const char *const nodes[] = {"a-1", "a-1", "b-1", "ghost"};
    struct dice *dice = &generator->dice;
    struct shape shape = {
        .cpu = (int)dice_between(dice, 3, 8) * 100,
        .spread = has(generator, PART_SPREAD, 3) ? (int)dice_between(dice, 1, 2) : 0,
        .by_zone = dice_hit(dice, 2),
        .anti_affinity = has(generator, PART_ANTI_AFFINITY, 5),
        .tolerations = has(generator, PART_TOLERATION, 3) ? tolerations[dice_roll(dice, 4)] : NULL,
        .prefers = has(generator, PART_PREFERENCE, 4),
        .recreates = dice_hit(dice, 5),
        .parallel = dice_hit(dice, 3),
        .on_delete = dice_hit(dice, 6),
        .partition = dice_hit(dice, 4) ? 1 : 0,
        .surge = (int)dice_between(dice, 0, 1),
        .completions = (int)dice_between(dice, 0, 3),
        .backoff = (int)dice_between(dice, 0, 2),
        .outcome = outcomes[dice_roll(dice, 3)],
        .deadline = dice_hit(dice, 5),
        .priority = has(generator, PART_PRIORITY, 2) ? priorities[dice_roll(dice, 3)] : NULL,
        .limited = dice_hit(dice, 3),
        .never_ready = dice_hit(dice, 12),
    };
    /* With clocks the fewer ticks the better: all durations are multiples of 20 s. */
    static const char *const waits[] = {
        "{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 20}, {key: "
        "node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: "
        "40}",
        "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, "
        "tolerationSeconds: 20}",
        "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, "
        "tolerationSeconds: 0}",
        "{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoSchedule}, {key: "
        "node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: "
        "20}",
    };
    shape.delay = -1;
    if (generator->served && dice_hit(dice, 2))
        shape.sleep = dice_hit(dice, 2) ? 10 : 2;
    if (generator->clocked) {
        shape.deadline = false;
        shape.tolerations = waits[dice_roll(dice, 4)];
        if (has(generator, PART_PROBE, 3))
            shape.delay = 20 * (int)dice_roll(dice, 2);
        if (has(generator, PART_MIN_READY, 4))
            shape.min_ready = 20;
    }
    const char *node = nodes[dice_roll(dice, 4)];
    if (has(generator, PART_NODE_NAME, 12))
        shape.node_name = node;
    const bool other = dice_hit(dice, 2);
    if (generator->scheduled)
        shape.scheduler = other ? "other" : dice_hit(dice, 8) ? "nobody" : NULL;
    return shape;
}

/* The image of a second container, in some of the clusters in which images count. */
void choose_containers(struct generator *generator, struct shape *shape)
{
    static const char *const sides[] = {"side", "side:latest", "base:1", "db:1"};
    static const char *const inits[] = {"base:1", "side", "db:1", "web:1"};
    const bool beside = dice_hit(&generator->images, 2);
    const char *side = sides[dice_roll(&generator->images, 4)];
    const bool before = dice_hit(&generator->images, 3);
    const char *init = inits[dice_roll(&generator->images, 4)];
    if (!generator->pulls)
        return;
    shape->side = beside ? side : NULL;
    shape->init = before ? init : NULL;
}

void write_images(struct generator *generator)
{
    static const char *const names[] = {"web:1", "web:2", "db:1", "side:latest", "base:1"};
    static const int sizes[] = {10, 60, 300, 900, 2500};
    const char *separator = "";
    if (!generator->pulls)
        return;
    text_append_string(generator->text, "images: [");
    for (int i = 0; i < 5; i++) {
        const bool known = dice_hit(&generator->images, 4);
        const int size = sizes[dice_roll(&generator->images, 5)];
        if (!known)
            continue;
        text_printf(generator->text, "%s{names: ['%s'], sizeBytes: %d000000}", separator, names[i],
                    size);
        separator = ", ";
    }
    text_append_string(generator->text, "], ");
}

void write_rules(struct text *text, const char *kind, const struct shape *shape, int replicas)
{
    if (strcmp(kind, "Job") == 0) {
        text_printf(text, "  parallelism: %d\n  backoffLimit: %d\n", replicas, shape->backoff);
        if (shape->completions > 0)
            text_printf(text, "  completions: %d\n", shape->completions);
        if (shape->deadline)
            text_append_string(text, "  activeDeadlineSeconds: 600\n");
        if (shape->policy)
            text_printf(text, "  %s\n", shape->policy);
        return;
    }
    if (strcmp(kind, "DaemonSet") != 0)
        text_printf(text, "  replicas: %d\n", replicas);
    if (shape->min_ready > 0 &&
        (strcmp(kind, "Deployment") == 0 || strcmp(kind, "StatefulSet") == 0))
        text_printf(text, "  minReadySeconds: %d\n", shape->min_ready);
    if (strcmp(kind, "Deployment") == 0 && shape->recreates)
        text_append_string(text, "  strategy: {type: Recreate}\n");
    else if (strcmp(kind, "Deployment") == 0)
        text_printf(text,
                    "  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: %d, "
                    "maxUnavailable: %d}}\n",
                    shape->surge, 1 - shape->surge);
    if (strcmp(kind, "StatefulSet") == 0) {
        text_printf(text, "  serviceName: s\n  podManagementPolicy: %s\n",
                    shape->parallel ? "Parallel" : "OrderedReady");
        if (shape->claim && !*shape->claim)
            text_printf(text,
                        "  volumeClaimTemplates: [{metadata: {name: own}, spec: {accessModes: "
                        "[ReadWriteMany], storageClassName: place, resources: {requests: "
                        "{storage: 1Gi}}}}]\n");
        if (shape->on_delete)
            text_append_string(text, "  updateStrategy: {type: OnDelete}\n");
        else if (shape->partition)
            text_printf(text,
                        "  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: %d}}\n",
                        shape->partition);
    }
    if (strcmp(kind, "DaemonSet") == 0) {
        if (shape->on_delete)
            text_append_string(text, "  updateStrategy: {type: OnDelete}\n");
        else
            text_printf(text,
                        "  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: %d, "
                        "maxUnavailable: %d}}\n",
                        shape->surge, 1 - shape->surge);
    }
}

void write_spec(struct text *text, const char *kind, const char *name, const struct shape *shape,
                const char *image)
{
    const bool job = strcmp(kind, "Job") == 0;
    text_printf(text, "      containers:\n      - {name: c, image: '%s'", image);
    if (shape->cpu > 0)
        text_printf(text, ", resources: {requests: {cpu: %dm, memory: 64Mi}%s}", shape->cpu,
                    shape->limited ? ", limits: {cpu: 900m, memory: 64Mi}" : "");
    if (shape->sleep > 0)
        text_printf(text, ", lifecycle: {preStop: {exec: {command: [sleep, '%d']}}}", shape->sleep);
    if (shape->delay >= 0)
        text_printf(text,
                    ", readinessProbe: {tcpSocket: {port: 1}, initialDelaySeconds: %d, "
                    "periodSeconds: 20}",
                    shape->delay);
    text_append_string(text, "}\n");
    if (shape->side)
        text_printf(text, "      - {name: d, image: '%s'%s}\n", shape->side,
                    shape->cpu > 0 ? ", resources: {requests: {cpu: 50m, memory: 16Mi}}" : "");
    if (shape->init)
        text_printf(text, "      initContainers: [{name: i, image: '%s'}]\n", shape->init);
    if (job)
        text_append_string(text, "      restartPolicy: Never\n");
    if (shape->node_name)
        text_printf(text, "      nodeName: %s\n", shape->node_name);
    if (shape->scheduler)
        text_printf(text, "      schedulerName: %s\n", shape->scheduler);
    if (shape->priority)
        text_printf(text, "      priorityClassName: %s\n", shape->priority);
    if (shape->disk)
        text_append_string(
            text, "      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n");
    else if (shape->claim && *shape->claim)
        text_printf(text, "      volumes: [{name: own, persistentVolumeClaim: {claimName: %s}}]\n",
                    shape->claim);
    if (shape->spread)
        text_printf(text,
                    "      topologySpreadConstraints:\n      - {maxSkew: 1, topologyKey: %s, "
                    "whenUnsatisfiable: %s, labelSelector: {matchLabels: {app: %s}}}\n",
                    shape->by_zone ? "zone" : "kubernetes.io/hostname",
                    shape->spread == 1 ? "DoNotSchedule" : "ScheduleAnyway", name);
    if (shape->tolerations)
        text_printf(text, "      tolerations: [%s]\n", shape->tolerations);
    if (shape->anti_affinity || shape->prefers)
        text_append_string(text, "      affinity:\n");
    if (shape->anti_affinity)
        text_printf(text,
                    "        podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                    "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
                    "%s}}}]}\n",
                    name);
    if (shape->prefers)
        text_append_string(
            text, "        nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
                  "[{weight: 50, preference: {matchExpressions: [{key: zone, operator: In, "
                  "values: [south]}]}}]}\n");
}

static void write_pod(struct text *text, const char *kind, const char *name,
                      const struct shape *shape, const char *image)
{
    text_printf(text, "  template:\n    metadata: {labels: {app: %s}", name);
    if (strcmp(kind, "Job") == 0)
        text_printf(text, ", annotations: {fathom.dev/outcome: %s}", shape->outcome);
    else if (shape->never_ready && strcmp(image, "web:2") == 0)
        text_append_string(text, ", annotations: {fathom.dev/never-ready: \"true\"}");
    text_append_string(text, "}\n    spec:\n");
    write_spec(text, kind, name, shape, image);
}

void write_workload(struct text *text, const char *kind, const char *name,
                    const struct shape *shape, int replicas, const char *image)
{
    text_printf(text,
                "---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: default}\nspec:\n",
                strcmp(kind, "Job") == 0 ? "batch/v1" : "apps/v1", kind, name);
    write_rules(text, kind, shape, replicas);
    if (strcmp(kind, "Job") != 0)
        text_printf(text, "  selector: {matchLabels: {app: %s}}\n", name);
    write_pod(text, kind, name, shape, image);
}
