/* SPDX-License-Identifier: Apache-2.0 */
#include "twin/random_check.h"

#include "model/controller/random_test.h"

struct generator {
    struct dice dice;
    uint32_t parts;
    struct text *text;
};

/* Is the part wanted, once in `sides`? The dice are thrown in any case. */
static bool has(struct generator *generator, uint32_t part, int64_t sides)
{
    return dice_hit(&generator->dice, sides) && (generator->parts & part);
}

static void write_groups(struct generator *generator, int nodes)
{
    const bool second = has(generator, PART_SECOND_GROUP, 2) && nodes > 1;
    const bool tainted = has(generator, PART_TAINT, 3);
    const bool tight = has(generator, PART_TIGHT, 2);
    const int first = second ? 1 : nodes;
    text_printf(generator->text,
                "  nodeGroups:\n  - {name: a, count: %d, node: {metadata: {labels: {zone: north}}, "
                "status: {allocatable: {cpu: '%d', memory: 4Gi, pods: '110'}}}}\n",
                first, tight ? 1 : 4);
    if (second)
        text_printf(
            generator->text,
            "  - {name: b, count: %d, node: {metadata: {labels: {zone: south}}, spec: "
            "{taints: [%s]}, status: {allocatable: {cpu: '2', memory: 4Gi, pods: '110'}}}}\n",
            nodes - first, tainted ? "{key: k, value: v, effect: NoExecute}" : "");
}

static void write_events(struct generator *generator)
{
    const bool failure = has(generator, PART_FAILURE, 3);
    const bool recovers = dice_hit(&generator->dice, 2);
    const bool maintenance = has(generator, PART_MAINTENANCE, 3);
    const bool drain = !dice_hit(&generator->dice, 4);
    const bool scale = has(generator, PART_SCALE, 4);
    const bool cpu = has(generator, PART_CPU, 3);
    const bool apply = has(generator, PART_APPLY, 4);
    const char *when = dice_hit(&generator->dice, 2) ? ", after: settled" : "";
    if (!failure && !maintenance && !scale && !cpu && !apply)
        return;
    text_append_string(generator->text, "  events:\n");
    if (failure)
        text_printf(generator->text, "  - {name: nodeFailure, recovers: %s%s}\n",
                    recovers ? "true" : "false", when);
    if (maintenance)
        text_printf(generator->text, "  - {name: maintenance, atMost: %d, drain: %s%s}\n",
                    (int)dice_between(&generator->dice, 1, 2), drain ? "true" : "false", when);
    if (scale)
        text_printf(generator->text,
                    "  - {name: scale, workload: Deployment/default/web, to: [%d], atMost: 1}\n",
                    (int)dice_between(&generator->dice, 1, 3));
    if (cpu)
        text_printf(generator->text,
                    "  - {name: cpuChange, workload: Deployment/default/web, levels: [%d%%], "
                    "atMost: 1}\n",
                    (int)dice_between(&generator->dice, 1, 12) * 20);
    if (apply)
        text_append_string(generator->text,
                           "  - {name: apply, manifests: [" APPLIED_FILE "], atMost: 1}\n");
}

static void write_intents(struct generator *generator)
{
    text_printf(generator->text,
                "  intents:\n"
                "  - {name: converges}\n"
                "  - {name: podsSchedulable}\n"
                "  - {name: replicasAtLeast, workload: Deployment/default/web, value: %d}\n"
                "  - {name: replicasAtMost, workload: Deployment/default/web, value: %d}\n"
                "  - {name: noReplicaOscillation}\n"
                "  - {name: noEvictionLoop}\n"
                "  - {name: noOscillation}\n"
                "  - {name: drainCompletes}\n"
                "  - {name: rolloutCompletes}\n"
                "  - {name: balanced, topologyKey: %s}\n"
                "  - {name: podsSchedulable, mode: eventually}\n",
                (int)dice_between(&generator->dice, 1, 2),
                (int)dice_between(&generator->dice, 2, 3),
                dice_hit(&generator->dice, 2) ? "zone" : "kubernetes.io/hostname");
}

/* The same for every image, so that only the image makes another template. */
struct shape {
    int cpu;
    int spread; /* 0: none, 1: hard, 2: soft */
    bool by_zone;
    bool apart;
    bool tolerates;
    bool for_a_while;
    bool prefers;
    bool recreates;
    int surge;
};

static struct shape random_shape(struct generator *generator)
{
    struct dice *dice = &generator->dice;
    return (struct shape){
        .cpu = (int)dice_between(dice, 3, 8) * 100,
        .spread = has(generator, PART_SPREAD, 2) ? (int)dice_between(dice, 1, 2) : 0,
        .by_zone = dice_hit(dice, 2),
        .apart = has(generator, PART_ANTI_AFFINITY, 4),
        .tolerates = has(generator, PART_TOLERATION, 2),
        .for_a_while = dice_hit(dice, 2),
        .prefers = has(generator, PART_PREFERENCE, 3),
        .recreates = dice_hit(dice, 5),
        .surge = (int)dice_between(dice, 0, 1),
    };
}

static void write_deployment(struct text *text, const char *name, const struct shape *shape,
                             int replicas, const char *image)
{
    text_printf(text,
                "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: "
                "default}\nspec:\n  replicas: %d\n",
                name, replicas);
    if (shape->recreates)
        text_append_string(text, "  strategy: {type: Recreate}\n");
    else
        text_printf(text,
                    "  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: %d, "
                    "maxUnavailable: %d}}\n",
                    shape->surge, 1 - shape->surge);
    text_printf(text,
                "  selector: {matchLabels: {app: %s}}\n  template:\n    metadata: {labels: {app: "
                "%s}}\n    spec:\n      containers:\n      - {name: c, image: '%s', resources: "
                "{requests: {cpu: %dm, memory: 64Mi}}}\n",
                name, name, image, shape->cpu);
    if (shape->spread)
        text_printf(text,
                    "      topologySpreadConstraints:\n      - {maxSkew: 1, topologyKey: %s, "
                    "whenUnsatisfiable: %s, labelSelector: {matchLabels: {app: %s}}}\n",
                    shape->by_zone ? "zone" : "kubernetes.io/hostname",
                    shape->spread == 1 ? "DoNotSchedule" : "ScheduleAnyway", name);
    if (shape->tolerates)
        text_printf(text, "      tolerations: [{key: k, operator: Exists, effect: NoExecute%s}]\n",
                    shape->for_a_while ? ", tolerationSeconds: 10" : "");
    if (shape->apart || shape->prefers)
        text_append_string(text, "      affinity:\n");
    if (shape->apart)
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

static void write_controllers(struct generator *generator)
{
    static const char *const plugins[] = {"RemoveDuplicates",
                                          "RemovePodsViolatingTopologySpreadConstraint"};
    const int which = (int)dice_roll(&generator->dice, 2);
    if (!has(generator, PART_DESCHEDULER, 4))
        return;
    text_printf(generator->text,
                "  controllers:\n    descheduler:\n      policy: {apiVersion: "
                "descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, pluginConfig: "
                "[{name: DefaultEvictor}, {name: %s, args: {%s}}], plugins: {balance: {enabled: "
                "[%s]}}}]}\n",
                plugins[which], which == 1 ? "includeSoftConstraints: true" : "", plugins[which]);
}

void random_check(uint64_t seed, uint32_t parts, struct text *check, struct text *applied)
{
    struct generator generator = {.dice = {seed}, .parts = parts, .text = check};
    const int nodes = (int)dice_between(&generator.dice, 1, 3);
    const int replicas = (int)dice_between(&generator.dice, 1, 3);
    text_append_string(check, "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: random}\n"
                              "spec:\n  scale: {mode: exact}\n");
    write_groups(&generator, nodes);
    write_events(&generator);
    write_intents(&generator);
    write_controllers(&generator);
    const struct shape web = random_shape(&generator);
    write_deployment(check, "web", &web, replicas, "web:1");
    write_deployment(applied, "web", &web, (int)dice_between(&generator.dice, 1, 3),
                     dice_hit(&generator.dice, 4) ? "web:1" : "web:2");
    if (has(&generator, PART_SECOND_WORKLOAD, 3)) {
        const struct shape db = random_shape(&generator);
        write_deployment(check, "db", &db, 1, "db:1");
    }
    if (has(&generator, PART_AUTOSCALER, 3))
        text_printf(
            check,
            "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: "
            "{name: web, namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, "
            "kind: Deployment, name: web}\n  minReplicas: 1\n  maxReplicas: %d\n  metrics: "
            "[{type: Resource, resource: {name: cpu, target: {type: Utilization, "
            "averageUtilization: %d}}}]\n",
            (int)dice_between(&generator.dice, 2, 3),
            (int)dice_between(&generator.dice, 3, 12) * 10);
    if (has(&generator, PART_BUDGET, 2))
        text_printf(check,
                    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, "
                    "namespace: default}\nspec: {%s: %d, selector: {matchLabels: {app: web}}}\n",
                    dice_hit(&generator.dice, 2) ? "minAvailable" : "maxUnavailable",
                    (int)dice_between(&generator.dice, 0, 2));
}
