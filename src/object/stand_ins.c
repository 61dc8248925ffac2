/* SPDX-License-Identifier: Apache-2.0 */
#include "object/stand_ins.h"

#include "manifest/value_edit.h"
#include "object/names.h"

#include <string.h>

/* A kind with spec.replicas, spec.selector and spec.template. */
struct alike {
    const char *group;
    const char *kind;
    const char *as;   /* kind of apps/v1 */
    const char *less; /* a field of the spec that means something else there */
    bool selects_own; /* without a selector, it has that of its template's labels */
};

static const struct alike alikes[] = {
    {"argoproj.io/", "Rollout", "Deployment", "strategy", false},
    {"apps.kruise.io/", "CloneSet", "Deployment", "updateStrategy", false},
    {"apps.kruise.io/", "StatefulSet", "StatefulSet", "updateStrategy", false},
    {"apps.kruise.io/", "DaemonSet", "DaemonSet", "updateStrategy", false},
    {"apps.openshift.io/", "DeploymentConfig", "Deployment", "strategy", true},
};
enum { ALIKES = sizeof(alikes) / sizeof(*alikes) };

static bool is_of(const struct value *root, const char *group, const char *kind)
{
    const char *version = value_find_string(root, "apiVersion");
    const char *found = value_find_string(root, "kind");
    return version && found && strncmp(version, group, strlen(group)) == 0 &&
           strcmp(found, kind) == 0;
}

static void warn(struct problems *problems, const struct value *root, const char *as)
{
    const struct member *kind = value_find_member(root, "kind");
    problem_warning(problems, member_place(root, kind), "kind", "%s is taken to be %s",
                    kind->value.text, as);
}

static struct value retyped(struct arena *arena, const struct value *root, const char *version,
                            const char *kind)
{
    const struct value first = value_with(arena, root, "apiVersion", value_of_text(root, version));
    return value_with(arena, &first, "kind", value_of_text(root, kind));
}

/* ---- what has replicas and a template ---- */

/* Old kinds have the labels themselves as their selector. */
static struct value with_selector(struct arena *arena, const struct value *spec, bool selects_own)
{
    const struct value *selector = value_find(spec, "selector");
    if (!selector && selects_own)
        selector = value_find(value_find(value_find(spec, "template"), "metadata"), "labels");
    if (!selector || selector->kind != VALUE_MAPPING || value_find(selector, "matchLabels") ||
        value_find(selector, "matchExpressions"))
        return *spec;
    const struct value empty = value_of_mapping(selector);
    return value_with(arena, spec, "selector", value_with(arena, &empty, "matchLabels", *selector));
}

/* Fields of the spec that the stand-in has, too. */
static struct value common_spec(struct arena *arena, const struct value *spec)
{
    static const char *const common[] = {"replicas",
                                         "selector",
                                         "template",
                                         "minReadySeconds",
                                         "paused",
                                         "serviceName",
                                         "volumeClaimTemplates",
                                         "podManagementPolicy",
                                         "revisionHistoryLimit"};
    struct value kept = value_of_mapping(spec);
    for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
        const struct member *member = value_find_member(spec, common[i]);
        if (member)
            kept = value_with(arena, &kept, common[i], member->value);
    }
    return kept;
}

static bool put_alike(struct arena *arena, struct value *root, struct problems *problems)
{
    for (size_t i = 0; i < ALIKES; i++) {
        const struct value *spec = value_find(root, "spec");
        if (!is_of(root, alikes[i].group, alikes[i].kind) || !value_find(spec, "template"))
            continue;
        warn(problems, root,
             arena_printf(arena, "a %s of apps/v1, without its %s", alikes[i].as, alikes[i].less));
        const struct value kept = common_spec(arena, spec);
        const struct value typed = retyped(arena, root, "apps/v1", alikes[i].as);
        const struct value selected = with_selector(arena, &kept, alikes[i].selects_own);
        *root = value_with(arena, &typed, "spec", selected);
        return true;
    }
    return false;
}

/* An autoscaler of something that has a stand-in scales that. */
static void follow_target(struct arena *arena, struct value *root)
{
    const struct value *spec = value_find(root, "spec");
    const struct value *target = value_find(spec, "scaleTargetRef");
    for (size_t i = 0; target && i < ALIKES; i++) {
        if (!is_of(target, alikes[i].group, alikes[i].kind))
            continue;
        const struct value typed = retyped(arena, target, "apps/v1", alikes[i].as);
        const struct value new_spec = value_with(arena, spec, "scaleTargetRef", typed);
        *root = value_with(arena, root, "spec", new_spec);
        return;
    }
}

/* ---- KEDA ---- */

/* By a metric that nobody can foresee. */
static struct value any_metric(struct arena *arena, const struct value *like)
{
    const struct value empty = value_of_mapping(like);
    const struct value metric = value_with(arena, &empty, "name", value_of_text(like, "any"));
    const struct value type =
        value_with(arena, &empty, "type", value_of_text(like, "AverageValue"));
    const struct value target = value_with(arena, &type, "averageValue", value_of_text(like, "1"));
    const struct value named = value_with(arena, &empty, "metric", metric);
    const struct value external = value_with(arena, &named, "target", target);
    const struct value typed = value_with(arena, &empty, "type", value_of_text(like, "External"));
    return value_with(arena, &typed, "external", external);
}

/* KEDA makes a HorizontalPodAutoscaler of a ScaledObject; to and from 0 it scales by itself. */
static void put_autoscaler(struct arena *arena, struct value *root, struct problems *problems)
{
    const struct value *spec = value_find(root, "spec");
    const struct value *target = value_find(spec, "scaleTargetRef");
    const struct value *most = value_find(spec, "maxReplicaCount");
    const struct value *least = value_find(spec, "minReplicaCount");
    int64_t number = 0;
    if (!is_of(root, "keda.sh/", "ScaledObject") || !value_find_string(target, "name"))
        return;
    warn(problems, root, "a HorizontalPodAutoscaler that sets any size between its bounds");
    struct value scaled = *target;
    if (!value_find(target, "kind"))
        scaled = value_with(arena, &scaled, "kind", value_of_text(target, "Deployment"));
    if (!value_find(target, "apiVersion"))
        scaled = value_with(arena, &scaled, "apiVersion", value_of_text(target, "apps/v1"));
    scaled = value_without(arena, &scaled, "envSourceContainerName");
    struct value bounds = value_of_mapping(spec);
    bounds = value_with(arena, &bounds, "scaleTargetRef", scaled);
    struct value hundred = value_of_text(spec, "100");
    hundred.kind = VALUE_INTEGER;
    bounds = value_with(arena, &bounds, "maxReplicas", most ? *most : hundred);
    if (value_read_integer(least, &number) && number > 0)
        bounds = value_with(arena, &bounds, "minReplicas", *least);
    bounds =
        value_with(arena, &bounds, "metrics", value_of_item(arena, spec, any_metric(arena, spec)));
    const struct value typed = retyped(arena, root, "autoscaling/v2", "HorizontalPodAutoscaler");
    const struct value bare = value_without(arena, &typed, "status");
    *root = value_with(arena, &bare, "spec", bounds);
    follow_target(arena, root);
}

/* ---- other schedulers ---- */

/* From a workload, or a pod, to the spec of its pods. */
static const struct {
    const char *group;
    const char *kind; /* "": all of the group */
    const char *path[6];
} pod_specs[] = {
    {"v1", "Pod", {"spec"}},
    {"v1", "ReplicationController", {"spec", "template", "spec"}},
    {"apps/", "", {"spec", "template", "spec"}},
    {"batch/", "Job", {"spec", "template", "spec"}},
    {"batch/", "CronJob", {"spec", "jobTemplate", "spec", "template", "spec"}},
};

static const char *const *path_to_pods(const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    for (size_t i = 0; kind && i < sizeof(pod_specs) / sizeof(*pod_specs); i++)
        if (is_of(root, pod_specs[i].group, pod_specs[i].kind[0] ? pod_specs[i].kind : kind))
            return pod_specs[i].path;
    return NULL;
}

static struct value without_scheduler(struct arena *arena, const struct value *value,
                                      const char *const *path)
{
    if (!*path)
        return value_without(arena, value, "schedulerName");
    const struct value inner = without_scheduler(arena, value_find(value, *path), path + 1);
    return value_with(arena, value, *path, inner);
}

/* Pods of a scheduler that nobody gives would wait for ever, which is true only of a cluster that
 * does not have it: they get the default one. */
static void put_scheduler(struct arena *arena, struct value *root, struct name_set *told,
                          struct problems *problems)
{
    const char *const *const path = path_to_pods(root);
    const struct value *spec = root;
    for (size_t i = 0; path && path[i]; i++)
        spec = value_find(spec, path[i]);
    const char *name = path ? value_find_string(spec, "schedulerName") : NULL;
    if (!name || strcmp(name, "default-scheduler") == 0)
        return;
    if (name_set_add(told, name))
        problem_warning(
            problems, member_place(spec, value_find_member(spec, "schedulerName")), "schedulerName",
            "%s is not modelled; its pods are taken to be placed as kube-scheduler would", name);
    *root = without_scheduler(arena, root, path);
}

static bool has_schedulers(const struct documents *documents)
{
    for (uint32_t i = 0; i < documents->count; i++)
        if (is_of(&documents->items[i].root, "kubescheduler.config.k8s.io/",
                  "KubeSchedulerConfiguration"))
            return true;
    return false;
}

void stand_ins_put(struct arena *arena, struct documents *documents, struct problems *problems)
{
    const bool schedulers_given = has_schedulers(documents);
    struct name_set told;
    name_set_init(&told, arena);
    for (uint32_t i = 0; i < documents->count; i++) {
        struct value *root = &documents->items[i].root;
        const bool is_alike = put_alike(arena, root, problems);
        if (!schedulers_given)
            put_scheduler(arena, root, &told, problems);
        if (is_alike)
            continue;
        put_autoscaler(arena, root, problems);
        if (is_of(root, "autoscaling/", "HorizontalPodAutoscaler"))
            follow_target(arena, root);
    }
}
