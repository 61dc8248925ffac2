/* SPDX-License-Identifier: Apache-2.0 */
#include "twin/random_check.h"
#include "twin/twin.h"

#include <stdio.h>
#include <string.h>

#define BIT(part) (UINT64_C(1) << (part))

/* Beside the other dice, so that nothing else of the cluster depends on it. */
static bool more_has(struct generator *generator, enum random_part part, int64_t sides)
{
    const bool hit = dice_hit(&generator->more, sides);
    return hit && (generator->parts & BIT(part));
}

static void choose_groups(struct generator *generator, int nodes)
{
    const bool second = has(generator, PART_SECOND_GROUP, 2) && nodes > 1;
    const bool tainted = has(generator, PART_TAINT, 3);
    const bool tight = has(generator, PART_TIGHT, 2);
    generator->groups[0] =
        (struct group){"a", second ? (nodes + 1) / 2 : nodes, "north", "one", "", tight ? 1 : 4};
    if (!second)
        return;
    generator->groups[1] = (struct group){"b",
                                          nodes - generator->groups[0].count,
                                          "south",
                                          dice_hit(&generator->dice, 3) ? "one" : "two",
                                          tainted ? "{key: k, value: v, effect: NoExecute}" : "",
                                          2};
}

static void write_groups(struct generator *generator)
{
    text_append_string(generator->text, "  nodeGroups:\n");
    for (int g = 0; g < 2; g++) {
        const struct group *group = &generator->groups[g];
        if (group->count == 0)
            continue;
        text_printf(generator->text,
                    "  - {name: %s, count: %d, node: {metadata: {labels: {zone: %s, "
                    "topology.kubernetes.io/zone: %s}}, spec: {taints: [%s]}, status: {",
                    group->name, group->count, group->zone, group->region, group->taints);
        write_images(generator);
        text_printf(generator->text, "allocatable: {cpu: '%d', memory: 4Gi, pods: '110'}}}}\n",
                    group->cpu);
    }
    if (generator->third)
        text_append_string(generator->text,
                           "  - {name: c, count: 0, node: {metadata: {labels: {zone: south, "
                           "topology.kubernetes.io/zone: two}}, status: {allocatable: {cpu: '2', "
                           "memory: 4Gi, pods: '110'}}}}\n");
}

/* ---- events ---- */

static void write_node_events(struct generator *generator, const char *when)
{
    static const char *const sides[] = {"clients", "controlPlane", "both"};
    static const char *const pressures[] = {"MemoryPressure", "DiskPressure", "PIDPressure"};
    struct dice *dice = &generator->dice;
    if (has(generator, PART_FAILURE, 6)) {
        const int most = dice_hit(dice, 3) ? (int)dice_between(dice, 2, 4) : 1;
        const bool returns = dice_hit(dice, 2) || (generator->wanted & BIT(PART_DESCHEDULER));
        text_printf(generator->text, "  - {name: nodeFailure, recovers: %s, atMost: %d%s}\n",
                    returns ? "true" : "false", most, when);
    }
    if (has(generator, PART_ZONE_OUTAGE, 9))
        text_printf(generator->text, "  - {name: zoneOutage, recovers: %s%s}\n",
                    dice_hit(dice, 2) ? "true" : "false", when);
    if (has(generator, PART_PARTITION, 8)) {
        const char *side = sides[dice_roll(dice, 3)];
        const char *key = dice_hit(dice, 3) ? ", topologyKey: topology.kubernetes.io/zone" : "";
        text_printf(generator->text, "  - {name: partition, from: %s%s, recovers: %s%s}\n", side,
                    key, dice_hit(dice, 2) ? "true" : "false", when);
    }
    if (has(generator, PART_MAINTENANCE, 5)) {
        const bool drain = !dice_hit(dice, 4);
        text_printf(generator->text, "  - {name: maintenance, atMost: %d, drain: %s%s}\n",
                    (int)dice_between(dice, 1, 2), drain ? "true" : "false", when);
    }
    if (has(generator, PART_PRESSURE, 8))
        text_printf(generator->text, "  - {name: nodePressure, condition: %s, recovers: %s%s}\n",
                    pressures[dice_roll(dice, 3)], dice_hit(dice, 2) ? "true" : "false", when);
}

static void write_load_events(struct generator *generator)
{
    struct dice *dice = &generator->dice;
    const bool load = has(generator, PART_LOAD, 6);
    const bool cpu = has(generator, PART_CPU, 5);
    if (load) {
        const int total = (int)dice_between(dice, 1, 10) * 200;
        text_printf(generator->text, "  - {name: load, workload: %s/default/web, total: [%dm]",
                    generator->kind, total);
        if (dice_hit(dice, 2))
            text_printf(generator->text, ", initial: %dm", (int)dice_between(dice, 1, 10) * 200);
        text_append_string(generator->text, "}\n");
    } else if (cpu) {
        text_printf(generator->text,
                    "  - {name: cpuChange, workload: %s/default/web, levels: [%d%%], "
                    "atMost: 1}\n",
                    generator->kind, (int)dice_between(dice, 1, 12) * 20);
    }
    if (generator->clocked && !load && has(generator, PART_WAVES, 4)) {
        const int first = (int)dice_between(dice, 1, 8) * 200;
        text_printf(generator->text,
                    "  - {name: loadPattern, workload: %s/default/web, pattern: [{after: 0s, cpu: "
                    "%dm}, {after: 20s, cpu: %dm}], every: %ds}\n",
                    generator->kind, first, (int)dice_between(dice, 1, 8) * 200,
                    40 + 20 * (int)dice_roll(dice, 2));
    }
    if (has(generator, PART_PATTERN, 6)) {
        const int first = (int)dice_between(dice, 1, 10) * 20;
        text_printf(generator->text,
                    "  - {name: cpuPattern, workload: %s/default/web, pattern: [{after: 0s, cpu: "
                    "%d%%}, {after: %ds, cpu: %d%%}]}\n",
                    generator->kind, first, generator->clocked ? 40 : 60,
                    (int)dice_between(dice, 1, 10) * 20);
    }
    if (has(generator, PART_PANIC, 6))
        text_printf(generator->text, "  - {name: kernelPanic, aboveCpu: %d%%}\n",
                    (int)dice_between(dice, 2, 9) * 10);
}

static void write_deletion(struct generator *generator, const char *when)
{
    struct dice *dice = &generator->dice;
    const int any = (int)dice_roll(dice, 5);
    const int what = generator->grows > 0 ? 1 : any; /* a node of the autoscaler's */
    text_append_string(generator->text, "  - {name: delete, object: ");
    if (what == 0)
        text_append_string(generator->text, "Pod/default/web-*");
    else if (what == 1)
        text_printf(generator->text, "Node/%s, recovers: %s", generator->observed ? "a-1" : "a-*",
                    dice_hit(dice, 2) ? "true" : "false");
    else if (what == 2 && generator->budget)
        text_append_string(generator->text, "PodDisruptionBudget/default/web");
    else if (what == 3 && generator->scaled)
        text_append_string(generator->text, "HorizontalPodAutoscaler/default/web");
    else
        text_printf(generator->text, "%s/default/web", generator->kind);
    text_printf(generator->text, "%s}\n", when);
}

/* When the events with a parameter of this kind come: the text after their other parameters. */
static void choose_moment(struct generator *generator, const char *after, struct text *moment)
{
    text_append_string(moment, after);
    if (!dice_hit(&generator->words, 10) || !(generator->parts & BIT(PART_CONDITIONS)))
        return;
    struct generator writer = *generator;
    writer.text = moment;
    text_append_string(moment, ", when: \"");
    write_expression(&writer, &generator->words);
    text_append_string(moment, "\"");
}

static void write_events(struct generator *generator)
{
    struct dice *dice = &generator->dice;
    const char *after = dice_hit(dice, 2) ? ", after: settled" : "";
    struct text moment;
    text_init(&moment, generator->text->memory);
    choose_moment(generator, after, &moment);
    const char *when = text_content(&moment);
    const bool sized =
        strcmp(generator->kind, "DaemonSet") != 0 && strcmp(generator->kind, "Job") != 0;
    text_append_string(generator->text, "  events:\n");
    write_node_events(generator, when);
    write_load_events(generator);
    if (generator->grows > 0 && dice_hit(&generator->growth, 4))
        text_append_string(generator->text, "  - {name: provisioningFailure, atMost: 1}\n");
    if (has(generator, PART_SCALE, 6) && sized)
        text_printf(generator->text,
                    "  - {name: scale, workload: %s/default/web, to: [%d], atMost: 1%s}\n",
                    generator->kind, (int)dice_between(dice, 0, 3), dice_hit(dice, 3) ? when : "");
    if (has(generator, PART_DELETE, 5))
        write_deletion(generator, when);
    if (has(generator, PART_APPLY, 4)) {
        const bool again = has(generator, PART_RESTORE, 3);
        const bool repeats = dice_hit(dice, 2);
        text_printf(generator->text, "  - {name: apply, manifests: [" APPLIED_FILE "]%s%s}\n",
                    !again    ? ", atMost: 1"
                    : repeats ? ", repeats: true"
                              : ", recovers: true, atMost: 1",
                    !dice_hit(dice, 3) ? ""
                    : again && repeats ? after
                                       : when);
    }
    text_release(&moment);
}

/* ---- the rest ---- */

static void write_intents(struct generator *generator)
{
    struct dice *dice = &generator->dice;
    const bool job = strcmp(generator->kind, "Job") == 0;
    text_append_string(generator->text, "  intents:\n"
                                        "  - {name: converges}\n"
                                        "  - {name: podsSchedulable}\n"
                                        "  - {name: noReplicaOscillation}\n"
                                        "  - {name: noEvictionLoop}\n"
                                        "  - {name: noOscillation}\n"
                                        "  - {name: drainCompletes}\n"
                                        "  - {name: neverOnDrained}\n"
                                        "  - {name: rolloutCompletes}\n"
                                        "  - {name: podsSchedulable, mode: eventually}\n"
                                        "  - {name: neverEvicted}\n"
                                        "  - {name: neverPreempted}\n"
                                        "  - {name: nodesHealthy}\n"
                                        "  - {name: nodesHealthy, loop: true}\n");
    text_printf(generator->text, "  - {name: noReplicaSwing, swing: %d}\n",
                (int)dice_between(dice, 1, 2));
    const int least = (int)dice_between(dice, 1, 2);
    if (!job)
        text_printf(generator->text,
                    "  - {name: replicasAtLeast, workload: %s/default/web, value: %d}\n",
                    generator->kind, least);
    text_printf(generator->text,
                "  - {name: replicasAtMost, workload: %s/default/web, value: %d}\n",
                generator->kind, (int)dice_between(dice, 2, 3));
    text_printf(generator->text, "  - {name: replicasAtLeast, value: %s}\n",
                dice_hit(dice, 2) ? "desired" : "desired-1");
    text_printf(generator->text, "  - {name: %s, nodeSelector: {zone: south}}\n",
                dice_hit(dice, 2) ? "onlyOn" : "neverOn");
    text_printf(generator->text, "  - {name: balanced, topologyKey: %s, when: %s}\n",
                dice_hit(dice, 2) ? "zone" : "kubernetes.io/hostname",
                dice_hit(dice, 4) ? "always" : "settled");
    text_printf(generator->text, "  - {name: neverEvicted, workload: %s/default/web}\n",
                generator->kind);
    if (generator->grows > 0)
        text_printf(generator->text,
                    "  - {name: noNodeOscillation}\n  - {name: nodesAtMost, value: %d}\n"
                    "  - {name: scalesDown}\n",
                    (int)dice_between(&generator->growth, 1, 3));
    if (generator->served)
        text_printf(generator->text, "  - {name: %s}\n",
                    dice_hit(dice, 2) ? "endpointsLive" : "trafficBalanced, maxRatio: 1.4");
}

/* A second profile, which packs or does not ask all that kubelets do. */
static void write_schedulers(struct generator *generator)
{
    static const char *const profiles[] = {
        "pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, "
        "resources: [{name: cpu, weight: 1}]}}}]",
        "plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}",
        "plugins: {filter: {disabled: [{name: TaintToleration}]}}",
        "plugins: {multiPoint: {disabled: [{name: DefaultPreemption}]}}",
    };
    const char *profile = profiles[dice_roll(&generator->dice, 4)];
    const bool separate = dice_hit(&generator->dice, 2);
    if (generator->weighs)
        text_append_string(
            generator->text,
            "    scheduler:\n      configuration: {profiles: [{schedulerName: default-scheduler, "
            "plugins: {score: {disabled: [{name: ImageLocality}], enabled: [{name: ImageLocality, "
            "weight: 5}]}}}]}\n");
    if (generator->scheduled)
        text_printf(generator->text,
                    "    scheduler:\n      separate: %s\n      configuration: {profiles: "
                    "[{schedulerName: default-scheduler}, {schedulerName: other, %s}]}\n",
                    separate ? "true" : "false", profile);
}

/* It scales the first group, or both. */
static void write_cluster_autoscaler(struct generator *generator)
{
    struct dice *dice = &generator->growth;
    const bool both = dice_hit(dice, 2) && generator->groups[1].count > 0;
    const bool parallel = dice_hit(dice, 2);
    const bool eager = dice_hit(dice, 3);
    if (generator->grows == 0)
        return;
    text_append_string(generator->text, "    clusterAutoscaler: {groups: {");
    for (int g = 0; g <= both; g++)
        text_printf(generator->text, "%s%s: {min: %d, max: %d}", g > 0 ? ", " : "",
                    generator->groups[g].name, (int)dice_roll(dice, 2),
                    generator->groups[g].count + (g == 0 ? generator->grows : 0));
    if (generator->third)
        text_append_string(generator->text, ", c: {min: 0, max: 1}");
    text_printf(generator->text, "}, flags: {parallel-drain: %s%s%s%s}}\n",
                parallel ? "true" : "false", eager ? ", scale-down-utilization-threshold: 0.8" : "",
                generator->third && eager ? ", balance-similar-node-groups: true" : "",
                generator->hasty ? ", scale-down-unneeded-time: 40, scale-down-unready-time: 80, "
                                   "scale-down-delay-after-add: 20, max-pod-eviction-time: 20, "
                                   "max-node-provision-time: 60"
                                 : "");
}

static void write_controllers(struct generator *generator)
{
    static const char *const plugins[] = {"RemoveDuplicates",
                                          "RemovePodsViolatingTopologySpreadConstraint"};
    const int which = (int)dice_roll(&generator->dice, 2);
    const bool descheduled = has(generator, PART_DESCHEDULER, 5);
    if (descheduled || generator->scheduled || generator->clocked || generator->weighs ||
        generator->grows > 0)
        text_append_string(generator->text, "  controllers:\n");
    if (generator->clocked)
        text_printf(generator->text,
                    "    horizontalPodAutoscaler: {syncPeriod: %ds, downscaleStabilization: %ds}\n",
                    20 * (int)dice_between(&generator->dice, 1, 2),
                    20 * (int)dice_roll(&generator->dice, 4));
    if (descheduled)
        text_printf(generator->text, "    descheduler:\n      version: '0.%d'\n",
                    more_has(generator, PART_DESCHEDULER_VERSION, 2) ? 28 : 27);
    if (generator->clocked && descheduled)
        text_printf(generator->text,
                    "      interval: %ds\n      policy: {apiVersion: "
                    "descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, "
                    "pluginConfig: [{name: DefaultEvictor}, {name: PodLifeTime, args: "
                    "{maxPodLifeTimeSeconds: %d}}], plugins: {deschedule: {enabled: "
                    "[PodLifeTime]}}}]}\n",
                    20 * (int)dice_between(&generator->dice, 1, 3),
                    20 * (int)dice_between(&generator->dice, 1, 4));
    else if (descheduled)
        text_printf(generator->text,
                    "      policy: {apiVersion: "
                    "descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, "
                    "pluginConfig: [{name: DefaultEvictor}, {name: %s, args: {%s}}], plugins: "
                    "{balance: {enabled: [%s]}}}]}\n",
                    plugins[which], which == 1 ? "includeSoftConstraints: true" : "",
                    plugins[which]);
    write_schedulers(generator);
    write_cluster_autoscaler(generator);
}

static const char *random_kind(struct generator *generator)
{
    static const char *const kinds[] = {"ReplicaSet", "StatefulSet", "DaemonSet", "Job"};
    const bool other = has(generator, PART_OTHER_KIND, 2);
    const bool rollout = generator->wanted & BIT(PART_APPLY);
    const char *kind =
        kinds[rollout ? dice_between(&generator->dice, 1, 2) : dice_roll(&generator->dice, 4)];
    return other ? kind : "Deployment";
}

static void write_budget(struct generator *generator, struct dice *dice, const char *name,
                         bool everybody)
{
    const char *what = dice_hit(dice, 2) ? "minAvailable" : "maxUnavailable";
    const int amount = (int)dice_between(dice, 0, 2);
    const bool percent = dice_hit(dice, 4);
    text_printf(generator->text,
                "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %s, "
                "namespace: default}\nspec: {%s: %d%s, %sselector: %s}\n",
                name, what, amount, percent ? "0%" : "",
                more_has(generator, PART_EVICTION_POLICY, 4)
                    ? "unhealthyPodEvictionPolicy: AlwaysAllow, "
                    : "",
                everybody ? "{}" : "{matchLabels: {app: web}}");
}

static void write_budgets(struct generator *generator)
{
    const bool everybody = more_has(generator, PART_EMPTY_SELECTOR, 3);
    write_budget(generator, &generator->dice, "web", everybody);
    if (more_has(generator, PART_SECOND_BUDGET, 8))
        write_budget(generator, &generator->more, "other", !everybody);
}

/* A volume that is bound to its claim. */
static void write_disk(struct text *check)
{
    text_append_string(
        check, "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: vol-1}\nspec: "
               "{accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, claimRef: {namespace: "
               "default, name: data}, csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}}\n---\n"
               "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: "
               "default, annotations: {pv.kubernetes.io/bind-completed: 'yes'}}\nspec: "
               "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, volumeName: "
               "vol-1}\n");
}

static void write_around(struct generator *generator)
{
    struct text *check = generator->text;
    if (generator->scaled)
        text_printf(
            check,
            "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: "
            "{name: web, namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, "
            "kind: %s, name: web}\n  minReplicas: 1\n  maxReplicas: %d\n  metrics: "
            "[{type: Resource, resource: {name: cpu, target: {type: Utilization, "
            "averageUtilization: %d}}}]\n",
            generator->kind, (int)dice_between(&generator->dice, 2, 3),
            (int)dice_between(&generator->dice, 3, 12) * 10);
    if (generator->scaled && generator->clocked && has(generator, PART_WINDOWS, 2)) {
        struct dice *dice = &generator->dice;
        text_printf(check,
                    "  behavior:\n    scaleUp: {stabilizationWindowSeconds: %d, policies: "
                    "[{type: Pods, value: 1, periodSeconds: %d}]}\n",
                    20 * (int)dice_roll(dice, 3), 20 * (int)dice_between(dice, 1, 3));
        text_printf(check,
                    "    scaleDown: {stabilizationWindowSeconds: %d, policies: [{type: Percent, "
                    "value: 50, periodSeconds: %d}]}\n",
                    20 * (int)dice_roll(dice, 3), 20 * (int)dice_between(dice, 1, 3));
    }
    if (generator->served) {
        struct dice *dice = &generator->dice;
        const bool outside = dice_hit(dice, 2);
        text_printf(check,
                    "---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: "
                    "default}\nspec: {type: %s, %s: %s, publishNotReadyAddresses: %s, selector: "
                    "{app: web}, ports: [{port: 80}]}\n",
                    outside ? "NodePort" : "ClusterIP",
                    outside ? "externalTrafficPolicy" : "internalTrafficPolicy",
                    dice_hit(dice, 2) ? "Local" : "Cluster", dice_hit(dice, 6) ? "true" : "false");
    }
    if (generator->budget)
        write_budgets(generator);
    text_append_string(
        check,
        "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\n"
        "value: 100\n---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: "
        "low}\nvalue: -10\n---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: "
        "{name: polite}\nvalue: 50\npreemptionPolicy: Never\n---\napiVersion: "
        "scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: middle}\nvalue: 10\n");
}

/* Some clusters are about what rarely comes about by itself. */
static void choose_theme(struct generator *generator)
{
    const uint64_t load =
        BIT(PART_LOAD) | BIT(PART_CPU) | BIT(PART_PANIC) | BIT(PART_AUTOSCALER) | BIT(PART_PATTERN);
    const uint64_t outages = BIT(PART_ZONE_OUTAGE) | BIT(PART_PARTITION) | BIT(PART_PRESSURE);
    const bool changes = dice_hit(&generator->dice, 2);
    switch (dice_roll(&generator->dice, 22)) {
    case 0:
    case 1: /* preemption, of pods that somebody may delete meanwhile */
        generator->wanted = BIT(PART_SECOND_WORKLOAD) | BIT(PART_PRIORITY) | BIT(PART_TIGHT) |
                            (changes ? BIT(PART_SCALE) | BIT(PART_DELETE) : 0);
        generator->barred = load | outages | BIT(PART_SPREAD) | BIT(PART_DESCHEDULER) |
                            (changes ? BIT(PART_APPLY) | BIT(PART_FAILURE) : 0);
        break;
    case 5: /* pressure */
        generator->wanted = BIT(PART_SECOND_WORKLOAD) | BIT(PART_PRIORITY) | BIT(PART_PRESSURE);
        generator->barred = load | BIT(PART_SPREAD) | BIT(PART_DESCHEDULER) | BIT(PART_FAILURE) |
                            BIT(PART_ZONE_OUTAGE) | BIT(PART_PARTITION);
        break;
    case 2: /* the descheduler */
        generator->wanted = BIT(PART_DESCHEDULER) | BIT(PART_SPREAD) | BIT(PART_FAILURE);
        generator->barred = load | outages | BIT(PART_SECOND_WORKLOAD) | BIT(PART_OTHER_KIND) |
                            BIT(PART_APPLY) | BIT(PART_DELETE) | BIT(PART_TIGHT);
        break;
    case 3: /* drains */
        generator->wanted = BIT(PART_MAINTENANCE) | BIT(PART_BUDGET);
        generator->barred = load | outages | BIT(PART_FAILURE) | BIT(PART_DESCHEDULER);
        break;
    case 4: /* rollouts */
        generator->wanted = BIT(PART_APPLY) | BIT(PART_OTHER_KIND);
        generator->barred = load | outages | BIT(PART_FAILURE) | BIT(PART_DESCHEDULER);
        break;
    case 6: /* load */
        generator->wanted = BIT(PART_AUTOSCALER) | BIT(changes ? PART_PATTERN : PART_LOAD);
        generator->barred = outages | BIT(PART_FAILURE) | BIT(PART_MAINTENANCE) |
                            BIT(PART_DESCHEDULER) | BIT(PART_SECOND_WORKLOAD) |
                            BIT(PART_OTHER_KIND);
        break;
    case 7: /* pods that name their node */
        generator->wanted = BIT(PART_NODE_NAME) | (changes ? BIT(PART_TIGHT) : 0);
        generator->barred = load | BIT(PART_SPREAD) | BIT(PART_DESCHEDULER);
        break;
    case 8: /* schedulers that do not know each other */
        generator->wanted =
            BIT(PART_SCHEDULERS) | BIT(PART_SECOND_WORKLOAD) | BIT(PART_TIGHT) | BIT(PART_PRIORITY);
        generator->barred =
            load | outages | BIT(PART_SPREAD) | BIT(PART_DESCHEDULER) | BIT(PART_APPLY);
        break;
    case 9: /* a scaler, and nodes that fall silent */
        generator->wanted = BIT(PART_AUTOSCALER) | BIT(changes ? PART_FAILURE : PART_SECOND_GROUP) |
                            BIT(dice_hit(&generator->dice, 2) ? PART_CPU : PART_SCALE);
        generator->barred = BIT(PART_APPLY) | BIT(PART_MAINTENANCE) | BIT(PART_FULL);
        break;
    case 10: /* what large setups are reduced for: plain sets, and nodes that fail */
        generator->wanted = BIT(changes ? PART_FAILURE : PART_ZONE_OUTAGE) | BIT(PART_SECOND_GROUP);
        generator->barred = BIT(PART_PRIORITY) | BIT(PART_BUDGET) | BIT(PART_DESCHEDULER) |
                            BIT(PART_OTHER_KIND) | BIT(PART_APPLY) | BIT(PART_MAINTENANCE) |
                            BIT(PART_SCALE) | BIT(PART_DELETE) | BIT(PART_PRESSURE) |
                            BIT(PART_PANIC) | BIT(PART_PATTERN) | BIT(PART_FULL) |
                            BIT(PART_NODE_NAME) | BIT(PART_SCHEDULERS);
        break;
    case 11:
    case 12: /* what is there already */
        generator->wanted = BIT(PART_OBSERVED) | (changes ? BIT(PART_TIGHT) : 0);
        generator->barred = BIT(PART_SETTLED_START) | BIT(PART_SECOND_WORKLOAD) |
                            (changes ? outages : load) | BIT(PART_SCHEDULERS);
        break;
    case 13:
    case 14: /* time */
        generator->wanted = BIT(PART_CLOCKED) | BIT(changes ? PART_FAILURE : PART_AUTOSCALER);
        generator->barred = BIT(PART_SETTLED_START) | BIT(PART_SECOND_WORKLOAD) |
                            BIT(PART_SCHEDULERS) | BIT(PART_SPREAD) |
                            BIT(changes ? PART_AUTOSCALER : PART_FAILURE) | BIT(PART_PRIORITY);
        break;
    case 15: /* workloads that do not meddle with each other */
        generator->wanted = BIT(PART_FAILURE) | BIT(PART_SECOND_WORKLOAD);
        generator->barred = load | outages | BIT(PART_PRIORITY) | BIT(PART_BUDGET) |
                            BIT(PART_DESCHEDULER) | BIT(PART_OTHER_KIND) | BIT(PART_APPLY) |
                            BIT(PART_MAINTENANCE) | BIT(PART_SCALE) | BIT(PART_DELETE) |
                            BIT(PART_FULL) | BIT(PART_NODE_NAME) | BIT(PART_SCHEDULERS) |
                            BIT(PART_ANTI_AFFINITY) | BIT(PART_OBSERVED) | BIT(PART_SERVICE) |
                            BIT(PART_TAINT) | BIT(PART_TOLERATION);
        break;
    default: break;
    }
}

/* Some clusters have a cluster autoscaler, and are small otherwise. */
static void choose_growth(struct generator *generator, uint64_t seed)
{
    generator->growth = (struct dice){seed + (UINT64_C(1) << 36)};
    const bool wanted = dice_hit(&generator->growth, 8);
    const int grows = (int)dice_between(&generator->growth, 1, 2);
    if (!wanted || !(generator->parts & BIT(PART_CLUSTER_AUTOSCALER)))
        return;
    generator->grows = grows;
    struct dice third = {seed + (UINT64_C(1) << 37)};
    generator->third = dice_hit(&third, 4);
    generator->wanted = dice_hit(&generator->growth, 2) ? BIT(PART_TIGHT) : BIT(PART_BUDGET);
    generator->barred = BIT(PART_CLOCKED) | BIT(PART_CANONICAL) | BIT(PART_NODE_NAME) |
                        BIT(PART_OBSERVED) | BIT(PART_PRESSURE) | BIT(PART_PANIC) |
                        BIT(PART_DELETE) | BIT(PART_DESCHEDULER) | BIT(PART_AUTOSCALER) |
                        BIT(PART_LOAD) | BIT(PART_CPU) | BIT(PART_PATTERN) | BIT(PART_APPLY) |
                        BIT(PART_ZONE_OUTAGE) | BIT(PART_PARTITION) | BIT(PART_SECOND_WORKLOAD);
    static const uint64_t troubles[] = {BIT(PART_PRESSURE), BIT(PART_PANIC), BIT(PART_DELETE),
                                        BIT(PART_FAILURE)};
    struct dice time = {seed + (UINT64_C(1) << 39)};
    generator->hasty = dice_hit(&time, 4) && (generator->parts & BIT(PART_CLOCKED));
    if (generator->hasty) {
        generator->wanted |= BIT(PART_CLOCKED);
        generator->barred &= ~BIT(PART_CLOCKED);
    }
    struct dice trouble = {seed + (UINT64_C(1) << 38)};
    if (dice_hit(&trouble, 2)) {
        const uint64_t part = troubles[dice_roll(&trouble, 4)];
        if (generator->hasty && part == BIT(PART_PRESSURE))
            return;
        generator->wanted |= part;
        generator->barred &= ~part;
    }
}

/* For some of the pods, or for a part of them. */
/* The second workload is the one that no event changes: of a Job whose indexes are told apart
 * neither the parallelism nor the Job itself may change. */
static void choose_policy(struct generator *generator, uint64_t seed, struct shape *shape)
{
    static const char *const policies[] = {
        "podReplacementPolicy: Failed",
        "podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}, "
        "{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}",
        "podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {operator: NotIn, values: [1, "
        "137]}}, {action: FailJob, onPodConditions: [{type: DisruptionTarget}]}]}",
        "completionMode: Indexed\n  backoffLimitPerIndex: 1",
        "completionMode: Indexed\n  backoffLimitPerIndex: 0\n  maxFailedIndexes: 1\n  "
        "podReplacementPolicy: Failed",
        "completionMode: Indexed\n  backoffLimitPerIndex: 1\n  podFailurePolicy: {rules: [{action: "
        "FailIndex, onExitCodes: {operator: In, values: [1]}}]}",
        "completionMode: Indexed\n  successPolicy: {rules: [{succeededIndexes: '1'}]}",
        "completionMode: Indexed\n  successPolicy: {rules: [{succeededCount: 1}]}\n  "
        "backoffLimitPerIndex: 1",
    };
    enum { FIRST_INDEXED = 3, COUNT = sizeof(policies) / sizeof(*policies) };
    struct dice dice = {seed + (UINT64_C(1) << 36)};
    const bool wanted = dice_hit(&dice, 2);
    const uint32_t number = (uint32_t)dice_roll(&dice, COUNT);
    if (!wanted || !(generator->parts & BIT(PART_JOB_POLICY)))
        return;
    shape->policy = policies[number];
    if (number >= FIRST_INDEXED && shape->completions == 0)
        shape->completions = 2;
}

static void write_quota(struct generator *generator, uint64_t seed)
{
    struct dice dice = {seed + (UINT64_C(1) << 34)};
    const bool wanted = dice_hit(&dice, 6);
    const int pods = (int)dice_between(&dice, 1, 4);
    const int milli = (int)dice_between(&dice, 1, 8) * 500;
    const bool by_pods = dice_hit(&dice, 2);
    const char *scopes = dice_hit(&dice, 4) ? ", scopes: [NotBestEffort]" : "";
    if (!wanted || generator->clocked || !(generator->parts & BIT(PART_QUOTA)))
        return;
    text_append_string(generator->text,
                       "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: "
                       "quota}\nspec: {hard: {");
    if (by_pods)
        text_printf(generator->text, "pods: '%d'", pods);
    else
        text_printf(generator->text, "requests.cpu: %dm", milli);
    text_printf(generator->text, "}%s}\n", scopes);
}

/* Bindings matter where nothing else is bound with them, and pods come in any order. */
static bool binds_pods_alone(const struct text *text)
{
    static const char *const more[] = {"riority", "laim", "StatefulSet"};
    for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
        if (strstr(text_content(text), more[i]))
            return false;
    return true;
}

/* What the webhook is asked about. */
static const char *choose_rules(struct dice *dice, const struct text *text)
{
    static const char *const pods =
        "{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}";
    static const char *const others[] = {
        "{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods/eviction]}",
        "{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods, "
        "pods/eviction]}",
        "{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [replicasets]}",
        "{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [replicasets]}",
        "{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: "
        "[replicasets]}",
        "{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods/binding]}",
        "{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods/eviction, "
        "pods/binding]}",
    };
    enum { OTHERS = sizeof(others) / sizeof(*others), WITHOUT_BINDINGS = OTHERS - 2 };
    if (dice_hit(dice, 2))
        return pods;
    return others[dice_between(dice, 0, (binds_pods_alone(text) ? OTHERS : WITHOUT_BINDINGS) - 1)];
}

/* The pods of the first workload, or of the second one, answer for it. */
static void write_webhook(struct generator *generator, uint64_t seed)
{
    struct dice dice = {seed + (UINT64_C(1) << 35)};
    const bool wanted = dice_hit(&dice, 8);
    const char *app = dice_hit(&dice, 2) ? "web" : "db";
    const char *guarded = dice_hit(&dice, 3) ? (dice_hit(&dice, 2) ? "web" : "db") : NULL;
    if (!wanted || generator->clocked || !(generator->parts & BIT(PART_WEBHOOK)))
        return;
    const char *rules = choose_rules(&dice, generator->text);
    text_printf(generator->text,
                "---\napiVersion: v1\nkind: Service\nmetadata: {name: hook, namespace: default}\n"
                "spec: {selector: {app: %s}, ports: [{port: 443}]}\n"
                "---\napiVersion: admissionregistration.k8s.io/v1\n"
                "kind: ValidatingWebhookConfiguration\nmetadata: {name: hook}\nwebhooks:\n"
                "- name: hook.example.org\n  clientConfig: {service: {namespace: default, name: "
                "hook}}\n  rules: [%s]\n",
                app, rules);
    if (guarded)
        text_printf(generator->text, "  objectSelector: {matchLabels: {app: %s}}\n", guarded);
}

/* What volumes that stay where they are have to do with each other. */
struct places {
    struct dice dice;
    bool wanted;
};

static struct places choose_places(const struct generator *generator, uint64_t seed, bool disk)
{
    struct places places = {.dice = {seed + (UINT64_C(1) << 38)}};
    places.wanted = dice_hit(&places.dice, 10) && (generator->parts & BIT(PART_VOLUME)) && !disk &&
                    !generator->clocked && !generator->observed && generator->grows == 0;
    return places;
}

/* Pods of DaemonSets, and pods that name their node, have none. */
static const char *choose_claim(struct places *places, const char *kind, const struct shape *shape,
                                const char *name)
{
    const bool own = dice_hit(&places->dice, 2) && strcmp(kind, "StatefulSet") == 0;
    const bool shared = dice_hit(&places->dice, 4);
    if (!places->wanted || strcmp(kind, "DaemonSet") == 0 || shape->node_name)
        return NULL;
    return own ? "" : shared ? "claim" : name;
}

static void write_place_claim(struct text *text, const char *name, int size)
{
    text_printf(
        text,
        "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: "
        "default}\nspec: {accessModes: [ReadWriteMany], storageClassName: place, resources: "
        "{requests: {storage: %dGi}}}\n",
        name, size);
}

/* A class, claims, and volumes that some of the nodes reach. */
static void write_places(struct generator *generator, struct places *places)
{
    static const char *const keys[] = {"kubernetes.io/hostname", "zone",
                                       "topology.kubernetes.io/zone"};
    static const char *const values[][2] = {{"a-1", "b-1"}, {"north", "south"}, {"one", "two"}};
    struct dice *dice = &places->dice;
    const bool made = dice_hit(dice, 2);
    const bool waits = dice_hit(dice, 2);
    const bool nameless = dice_hit(dice, 4) && !made && !waits;
    const int volumes = (int)dice_between(dice, made ? 0 : 1, 3);
    if (!places->wanted)
        return;
    if (!nameless)
        text_printf(generator->text,
                    "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: "
                    "place}\nprovisioner: %s\nvolumeBindingMode: %s\n",
                    made ? "ebs.csi.aws.com" : "kubernetes.io/no-provisioner",
                    waits ? "WaitForFirstConsumer" : "Immediate");
    write_place_claim(generator->text, "claim", 1);
    write_place_claim(generator->text, "web", 1);
    write_place_claim(generator->text, "db", dice_hit(dice, 3) ? 2 : 1);
    write_place_claim(generator->text, "like", 1);
    for (int v = 0; v < volumes; v++) {
        const int64_t key = dice_roll(dice, 3);
        text_printf(generator->text,
                    "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: vol-%d}\nspec: "
                    "{accessModes: [ReadWriteMany], capacity: {storage: %dGi}, storageClassName: "
                    "place, local: {path: /v}, nodeAffinity: {required: {nodeSelectorTerms: "
                    "[{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}}\n",
                    v + 1, (int)dice_between(dice, 1, 2), keys[key],
                    values[key][dice_roll(dice, 2)]);
    }
}

static void write_check(uint64_t seed, uint64_t parts, struct text *check, struct text *applied)
{
    struct generator generator = {.dice = {seed}, .more = {~seed}, .parts = parts, .text = check};
    struct dice *dice = &generator.dice;
    choose_theme(&generator);
    choose_growth(&generator, seed);
    const bool rivals = generator.wanted & BIT(PART_SECOND_WORKLOAD);
    int nodes = dice_hit(dice, 12) ? 4 : (int)dice_between(dice, 1, 3);
    int replicas = (int)dice_between(dice, 1, 3);
    if (generator.wanted & BIT(PART_DESCHEDULER))
        nodes = replicas = 2;
    else if (generator.wanted) {
        const bool fails = rivals && (generator.wanted & BIT(PART_FAILURE));
        nodes = (int)dice_between(dice, 1, 2) + fails;
        replicas = (int)dice_between(dice, 1, 2);
    }
    generator.clocked = (generator.wanted & BIT(PART_CLOCKED)) && (parts & BIT(PART_CLOCKED));
    generator.kind = random_kind(&generator);
    const bool sized =
        strcmp(generator.kind, "DaemonSet") != 0 && strcmp(generator.kind, "Job") != 0;
    generator.scaled = has(&generator, PART_AUTOSCALER, 3) && sized;
    generator.budget = has(&generator, PART_BUDGET, 2);
    generator.scheduled = has(&generator, PART_SCHEDULERS, 12);
    generator.served = has(&generator, PART_SERVICE, 8) && !generator.clocked;
    const int minor = (int)dice_between(&generator.more, 27, FEATURES_MINOR_LAST);
    struct dice interleaving = {seed + (UINT64_C(1) << 32)};
    const bool settled = dice_hit(&interleaving, 4) || !(parts & BIT(PART_CONTROLLERS));
    const bool racing = dice_hit(&interleaving, 4);
    const bool full = has(&generator, PART_FULL, 6);
    const bool lags = generator.budget && dice_hit(&interleaving, 3) && (parts & BIT(PART_LAG));
    generator.images = (struct dice){seed + (UINT64_C(1) << 33)};
    generator.pulls = dice_hit(&generator.images, 5) && (parts & BIT(PART_IMAGES));
    const bool sized_images = dice_hit(&generator.images, 3);
    const int image_size = (int)dice_between(&generator.images, 1, 20) * 100;
    generator.weighs = dice_hit(&generator.images, 2) && generator.pulls && !generator.scheduled;
    const char *images = "";
    char pulled[64];
    snprintf(pulled, sizeof(pulled), TWIN_IMAGES ": '%d', ", sized_images ? image_size : 0);
    if (generator.pulls)
        images = pulled;
    text_printf(check,
                "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: %s, annotations: "
                "{%s%sfathom.dev/twin-version: '1.%d'}}\nspec:\n  scale: {mode: exact}\n",
                full && racing ? "racing"
                : full         ? "full"
                : settled      ? "settled"
                               : "random",
                images, lags ? TWIN_LAG ": 'true', " : "",
                more_has(&generator, PART_VERSION, 2) ? minor : 26);
    if (has(&generator, PART_SETTLED_START, 8))
        text_printf(check, "  start: %s\n",
                    has(&generator, PART_CANONICAL, 2) ? "canonical" : "settled");
    else if (has(&generator, PART_OBSERVED, 10))
        generator.observed = true;
    if (generator.clocked)
        text_append_string(check, "  time: clocked\n");
    generator.words = (struct dice){seed + (UINT64_C(1) << 37)};
    choose_groups(&generator, nodes);
    if (!generator.observed)
        write_groups(&generator);
    write_events(&generator);
    struct dice words = {seed + (UINT64_C(1) << 36)};
    if (dice_hit(&words, 6) && (parts & BIT(PART_EXPRESSIONS)))
        write_expressions(&generator, &words);
    else
        write_intents(&generator);
    write_controllers(&generator);
    struct shape web = random_shape(&generator);
    const bool disk = !generator.clocked && !generator.observed && dice_hit(&interleaving, 8) &&
                      (parts & BIT(PART_DISK));
    web.disk = disk;
    struct places places = choose_places(&generator, seed, disk);
    web.claim = choose_claim(&places, generator.kind, &web, "web");
    choose_containers(&generator, &web);
    /* One above the other, either way. */
    const int above = rivals && web.priority ? (int)dice_between(dice, 0, 2) : 0;
    if (above > 0)
        web.priority = above == 1 ? "high" : dice_hit(dice, 2) ? "middle" : NULL;
    if (generator.observed)
        write_observed(&generator, &web, replicas);
    else
        write_workload(check, generator.kind, "web", &web, replicas, "web:1");
    struct shape changed = web;
    if (dice_hit(dice, 4)) {
        changed.recreates = !web.recreates;
        changed.on_delete = !web.on_delete;
        changed.surge = 1 - web.surge;
        changed.partition = 1 - web.partition;
    }
    const bool same = dice_hit(dice, 4) || strcmp(generator.kind, "Job") == 0 ||
                      strcmp(generator.kind, "ReplicaSet") == 0;
    if (web.claim)
        changed.node_name = NULL;
    if (!same && web.node_name && dice_hit(dice, 2))
        changed.node_name = dice_hit(dice, 2) ? "a-1" : NULL;
    write_workload(applied, generator.kind, "web", &changed, (int)dice_between(dice, 1, 3),
                   same ? "web:1" : "web:2");
    if (has(&generator, PART_SECOND_WORKLOAD, 2)) {
        struct generator second = generator;
        const char *kind = random_kind(&second);
        struct shape db = random_shape(&second);
        if (above > 0 && db.priority)
            db.priority = above == 2 ? "high" : dice_hit(&second.dice, 2) ? "middle" : NULL;
        if (dice_hit(&second.dice, 6))
            db.cpu = 0;
        choose_containers(&generator, &db);
        choose_policy(&generator, seed, &db);
        db.disk = disk && dice_hit(&interleaving, 2);
        db.claim = choose_claim(&places, kind, &db, "db");
        write_workload(check, kind, "db", &db, (int)dice_between(&second.dice, 1, 2), "db:1");
    }
    if (above > 0 && dice_hit(dice, 2)) {
        struct shape low = web;
        low.priority = "low";
        choose_containers(&generator, &low);
        write_workload(check, "ReplicaSet", "low", &low, 1, "low:1");
    }
    if (disk)
        write_disk(check);
    write_places(&generator, &places);
    write_quota(&generator, seed);
    write_webhook(&generator, seed);
    write_around(&generator);
}

void random_check_make(struct random_check *made, uint64_t seed, uint64_t parts)
{
    memory_init(&made->memory, SIZE_MAX);
    text_init(&made->check, &made->memory);
    text_init(&made->applied, &made->memory);
    write_check(seed, parts, &made->check, &made->applied);
}

void random_check_release(struct random_check *made)
{
    text_release(&made->check);
    text_release(&made->applied);
}
