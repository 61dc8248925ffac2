/* SPDX-License-Identifier: Apache-2.0 */
/* Random clusters as they are found: nodes by name, pods in all stages, rollouts
 * that are half done, pods that nobody looks after. */
#include "twin/random_check.h"

#include <stdio.h>
#include <string.h>

static void write_nodes(struct generator *generator)
{
    static const char *const conditions[] = {
        "",
        "",
        "",
        "conditions: [{type: Ready, status: Unknown}], ",
        "conditions: [{type: Ready, status: 'False'}], ",
        "conditions: [{type: Ready, status: 'True'}, {type: DiskPressure, status: 'True'}], ",
    };
    struct dice *dice = &generator->dice;
    for (int g = 0; g < 2; g++)
        for (int i = 1; i <= generator->groups[g].count; i++) {
            const struct group *group = &generator->groups[g];
            const char *condition = conditions[dice_hit(dice, 2) ? dice_roll(dice, 6) : 0];
            text_printf(generator->text,
                        "---\napiVersion: v1\nkind: Node\nmetadata: {name: %s-%d, labels: "
                        "{kubernetes.io/hostname: %s-%d, zone: %s, topology.kubernetes.io/zone: "
                        "%s}}\nspec: {%staints: [%s]}\nstatus: {%s",
                        group->name, i, group->name, i, group->zone, group->region,
                        dice_hit(dice, 8) ? "unschedulable: true, " : "", group->taints, condition);
            write_images(generator);
            text_printf(generator->text, "allocatable: {cpu: '%d', memory: 4Gi, pods: '110'}}\n",
                        group->cpu);
        }
}

/* ---- pods ---- */

struct pod_source {
    const char *kind; /* of the owner; NULL: nobody */
    const char *owner;
    const char *app;
    const char *labels; /* beside that */
    const char *image;
};

static bool random_node(struct generator *generator, char name[16])
{
    const int other = generator->groups[1].count > 0 && dice_hit(&generator->dice, 3);
    const int64_t number = dice_roll(&generator->dice, 8);
    const int count = generator->groups[other].count;
    snprintf(name, 16, "%s-%d", generator->groups[other].name,
             count > 0 ? 1 + (int)(number % count) : 1);
    return true;
}

/* How far it has come. A node that it is for may be given. */
static void write_found(struct generator *generator, const struct pod_source *source,
                        const struct shape *shape, const char *name, const char *node)
{
    static const char *const statuses[] = {
        "phase: Pending",
        "phase: Pending",
        "phase: Pending, startTime: '2026-01-01T00:00:00Z'",
        "phase: Running, startTime: '2026-01-01T00:00:00Z', conditions: [{type: Ready, status: "
        "'True'}]",
    };
    struct dice *dice = &generator->dice;
    const int stage = dice_hit(dice, 2) ? 3 : (int)dice_roll(dice, 4);
    const bool placed = stage > 0 || shape->node_name || node;
    const bool ends = placed && dice_hit(dice, 6);
    struct shape own = *shape;
    char any[16];
    if (!node && !own.node_name && placed && random_node(generator, any))
        own.node_name = any;
    if (node)
        own.node_name = node;
    text_printf(generator->text,
                "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: %s\n  namespace: default\n  "
                "labels: {app: %s%s}\n",
                name, source->app, source->labels);
    if (ends)
        text_append_string(generator->text, "  deletionTimestamp: '2026-01-01T00:00:00Z'\n");
    if (source->kind)
        text_printf(generator->text,
                    "  ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: u, "
                    "controller: true}]\n",
                    source->kind, source->owner);
    text_append_string(generator->text, "spec:\n");
    write_spec(generator->text, source->kind ? source->kind : "Pod", source->app, &own,
               source->image);
    text_printf(generator->text, "status: {%s}\n", statuses[stage]);
}

/* ---- workloads ---- */

static void write_set(struct generator *generator, const struct shape *shape, const char *name,
                      int replicas, int desired, const char *image, int revision)
{
    struct text *text = generator->text;
    text_printf(text,
                "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: web-%s\n  "
                "namespace: default\n  labels: {app: web, pod-template-hash: %s}\n  annotations: "
                "{deployment.kubernetes.io/revision: '%d', "
                "deployment.kubernetes.io/desired-replicas: '%d'}\n  creationTimestamp: "
                "'2025-01-0%dT00:00:00Z'\n  ownerReferences: [{apiVersion: apps/v1, kind: "
                "Deployment, name: web, uid: u, controller: true}]\nspec:\n",
                name, name, revision, desired, revision);
    write_rules(text, "ReplicaSet", shape, replicas);
    text_printf(text,
                "  selector: {matchLabels: {app: web, pod-template-hash: %s}}\n  template:\n    "
                "metadata: {labels: {app: web, pod-template-hash: %s}}\n    spec:\n",
                name, name);
    write_spec(text, "ReplicaSet", "web", shape, image);
}

static void write_set_pods(struct generator *generator, const struct shape *shape, const char *hash,
                           int count, const char *image)
{
    char labels[64];
    char owner[32];
    char name[32];
    snprintf(labels, sizeof(labels), ", pod-template-hash: %s", hash);
    snprintf(owner, sizeof(owner), "web-%s", hash);
    const struct pod_source source = {"ReplicaSet", owner, "web", labels, image};
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof(name), "web-%s-%d", hash, i);
        write_found(generator, &source, shape, name, NULL);
    }
}

/* With one set, or in the middle of a rollout from one to another. */
static void write_deployment(struct generator *generator, const struct shape *shape, int replicas)
{
    struct dice *dice = &generator->dice;
    const bool rolls = dice_hit(dice, 3);
    const int old = rolls ? (int)dice_between(dice, 0, replicas) : 0;
    const int found = (int)dice_between(dice, 0, replicas + 1 - old);
    write_workload(generator->text, "Deployment", "web", shape, replicas, "web:1");
    if (rolls) {
        write_set(generator, shape, "old", old, replicas, "web:0", 1);
        write_set_pods(generator, shape, "old", old, "web:0");
    }
    if (!rolls || dice_hit(dice, 2)) {
        write_set(generator, shape, "new", (int)dice_between(dice, 0, replicas), replicas, "web:1",
                  2);
        write_set_pods(generator, shape, "new", found, "web:1");
    }
}

/* Pods of it that were made from an older template, too. */
static void write_members(struct generator *generator, const struct shape *shape, int replicas)
{
    struct dice *dice = &generator->dice;
    const bool daemons = strcmp(generator->kind, "DaemonSet") == 0;
    const bool rolls = dice_hit(dice, 3);
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < (daemons  ? generator->groups[g].count
                             : g == 0 ? replicas + 1
                                      : 0);
             i++) {
            char name[32];
            char node[16];
            const bool old = rolls && dice_hit(dice, 2);
            const char *label =
                daemons ? "pod-template-generation: '1'" : "controller-revision-hash: web-old";
            if (!old)
                label =
                    daemons ? "pod-template-generation: '2'" : "controller-revision-hash: web-new";
            char labels[80];
            snprintf(labels, sizeof(labels), ", %s", label);
            snprintf(node, sizeof(node), "%s-%d", daemons ? generator->groups[g].name : "x", i + 1);
            snprintf(name, sizeof(name), "web-%s%d", daemons ? node : "", i);
            const struct pod_source source = {generator->kind, "web", "web", labels,
                                              old ? "web:0" : "web:1"};
            /* A template that names a node has put no pod on another one. */
            const bool elsewhere =
                daemons && !old && shape->node_name && strcmp(shape->node_name, node) != 0;
            if (!dice_hit(dice, 3) && !elsewhere)
                write_found(generator, &source, shape, name, daemons ? node : NULL);
        }
}

/* The generation of a DaemonSet, the revision of a StatefulSet. */
static void write_versioned(struct generator *generator, const struct shape *shape, int replicas)
{
    struct text *text = generator->text;
    const bool daemons = strcmp(generator->kind, "DaemonSet") == 0;
    text_printf(text,
                "---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: web, namespace: default%s}\n",
                generator->kind,
                daemons ? ", annotations: {deprecated.daemonset.template.generation: '2'}" : "");
    if (!daemons)
        text_append_string(text, "status: {updateRevision: web-new}\n");
    text_append_string(text, "spec:\n");
    write_rules(text, generator->kind, shape, replicas);
    text_append_string(text, "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: "
                             "{labels: {app: web}}\n    spec:\n");
    write_spec(text, generator->kind, "web", shape, "web:1");
}

/* Pods without a controller, some of which one adopts. One with the name that a member of a
 * StatefulSet has was made by that, and left behind. */
static void write_guests(struct generator *generator, const struct shape *shape, int replicas)
{
    static const struct pod_source sources[] = {
        {NULL, NULL, "web", "", "guest:1"},
        {NULL, NULL, "guest", "", "guest:1"},
        {NULL, NULL, "web", ", pod-template-hash: new", "guest:1"},
        {NULL, NULL, "web", ", controller-revision-hash: web-new", "guest:1"},
        {NULL, NULL, "web", ", pod-template-generation: '2'", "guest:1"},
    };
    struct dice *dice = &generator->dice;
    const struct shape stranger = random_shape(generator);
    const int guests = dice_hit(dice, 2) ? (int)dice_between(dice, 1, 2) : 0;
    const int number = dice_hit(dice, 2)   ? 1
                       : dice_hit(dice, 2) ? 0
                                           : (int)dice_between(dice, 2, 4);
    const bool member = dice_hit(dice, 2);
    struct pod_source source = sources[number];
    if (member)
        source.image = number == 3 ? "web:1" : "web:0";
    for (int i = 0; i < guests; i++) {
        char name[32];
        snprintf(name, sizeof(name), "%s-%d", member ? "web" : "guest",
                 member ? replicas + 1 + i : i);
        write_found(generator, &source, member ? shape : &stranger, name, NULL);
    }
}

void write_observed(struct generator *generator, const struct shape *shape, int replicas)
{
    struct dice *dice = &generator->dice;
    write_nodes(generator);
    if (strcmp(generator->kind, "Deployment") == 0) {
        write_deployment(generator, shape, replicas);
    } else if (strcmp(generator->kind, "StatefulSet") == 0 ||
               strcmp(generator->kind, "DaemonSet") == 0) {
        write_versioned(generator, shape, replicas);
        write_members(generator, shape, replicas);
    } else {
        write_workload(generator->text, generator->kind, "web", shape, replicas, "web:1");
        const struct pod_source source = {generator->kind, "web", "web", "", "web:1"};
        const int found =
            strcmp(generator->kind, "Job") == 0 ? 0 : (int)dice_between(dice, 0, replicas + 1);
        for (int i = 0; i < found; i++) {
            char name[32];
            snprintf(name, sizeof(name), "web-%d", i);
            write_found(generator, &source, shape, name, NULL);
        }
    }
    write_guests(generator, shape, replicas);
}
