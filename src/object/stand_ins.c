/* SPDX-License-Identifier: Apache-2.0 */
#include "object/stand_ins.h"

#include "manifest/value_edit.h"
#include "object/names.h"
#include "object/stand_in.h"

#include <ctype.h>
#include <string.h>

/* A kind with spec.replicas, spec.selector and spec.template. */
struct alike {
    const char *group;
    const char *kind;
    const char *as;   /* kind of apps/v1 */
    const char *less; /* what means something else there */
    bool selects_own; /* without a selector, it has that of its template's labels */
    /* The strategy in the words of the stand-in; NULL: the usual one. */
    struct value (*strategy)(struct arena *arena, const struct value *spec);
};

static const struct alike alikes[] = {
    {"argoproj.io/", "Rollout", "Deployment", "the steps of its strategy", false, rollout_strategy},
    {"apps.kruise.io/", "CloneSet", "Deployment", "its updateStrategy", false, NULL},
    {"apps.kruise.io/", "StatefulSet", "StatefulSet", "its updateStrategy", false, NULL},
    {"apps.kruise.io/", "DaemonSet", "DaemonSet", "its updateStrategy", false, NULL},
    {"apps.openshift.io/", "DeploymentConfig", "Deployment", "its strategy", true, NULL},
};
enum { ALIKES = sizeof(alikes) / sizeof(*alikes) };

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

static bool put_alike(const struct standing *standing, struct document *document)
{
    struct arena *arena = standing->arena;
    const struct value *root = &document->root;
    for (size_t i = 0; i < ALIKES; i++) {
        const struct value *spec = value_find(root, "spec");
        if (!stand_in_is_of(root, alikes[i].group, alikes[i].kind) ||
            value_is_null(value_find(spec, "template")))
            continue;
        struct value kept = common_spec(arena, spec);
        if (alikes[i].strategy)
            kept = value_with(arena, &kept, "strategy", alikes[i].strategy(arena, spec));
        const struct value typed = stand_in_retyped(arena, root, "apps/v1", alikes[i].as);
        const struct value selected = with_selector(arena, &kept, alikes[i].selects_own);
        const struct value made = value_with(arena, &typed, "spec", selected);
        stand_in_put(
            standing, document, &made,
            arena_printf(arena, "a %s of apps/v1, without %s", alikes[i].as, alikes[i].less));
        return true;
    }
    return false;
}

static bool is_alike_taken(const struct standing *standing, const struct document *document,
                           const char *name)
{
    const char *version = value_find_string(&document->root, "apiVersion");
    const char *kind = value_find_string(&document->root, "kind");
    const char *group =
        arena_printf(standing->arena, "%.*s", (int)strcspn(version, "/") + 1, version);
    for (uint32_t i = 0; i < standing->documents->count; i++) {
        const struct document *other = &standing->documents->items[i];
        if (other != document && stand_in_is_of(&other->root, group, kind) &&
            stand_in_is_named(&other->root, name) &&
            stand_in_same_space(&other->root, &document->root))
            return true;
    }
    return false;
}

/* "rollout" */
static const char *lower_kind(struct arena *arena, const struct value *root)
{
    char *kind = arena_strdup(arena, value_find_string(root, "kind"));
    for (char *letter = kind; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    return kind;
}

/* A stand-in has a name of its own if an object of its kind has the name already: a Rollout may
 * have the name of the Deployment that it comes from. */
static void rename_if_taken(const struct standing *standing, struct document *document)
{
    struct arena *arena = standing->arena;
    const struct value *meta = value_find(&document->root, "metadata");
    const char *given = value_find_string(meta, "name");
    const char *name = given;
    if (!document->written || !given)
        return;
    while (is_alike_taken(standing, document, name))
        name = arena_printf(arena, "%s-%s", name, lower_kind(arena, document->written));
    if (name == given)
        return;
    const struct value new_name = value_of_text(value_find(meta, "name"), name);
    const struct value new_meta = value_with(arena, meta, "name", new_name);
    document->root = value_with(arena, &document->root, "metadata", new_meta);
}

/* The name of what stands for a custom resource. */
static const char *stand_in_name(const struct standing *standing, const struct alike *alike,
                                 const char *name, const struct value *like)
{
    for (uint32_t i = 0; i < standing->documents->count; i++) {
        const struct document *document = &standing->documents->items[i];
        if (document->written && stand_in_is_of(document->written, alike->group, alike->kind) &&
            stand_in_is_named(document->written, name) &&
            stand_in_same_space(document->written, like))
            return value_find_string(value_find(&document->root, "metadata"), "name");
    }
    return name;
}

/* An autoscaler of something that has a stand-in scales that. */
static void follow_target(const struct standing *standing, struct value *root)
{
    struct arena *arena = standing->arena;
    const struct value *spec = value_find(root, "spec");
    const struct value *target = value_find(spec, "scaleTargetRef");
    const char *name = value_find_string(target, "name");
    for (size_t i = 0; name && i < ALIKES; i++) {
        if (!stand_in_is_of(target, alikes[i].group, alikes[i].kind))
            continue;
        const struct value typed = stand_in_retyped(arena, target, "apps/v1", alikes[i].as);
        const struct value named =
            value_with(arena, &typed, "name",
                       value_of_text(target, stand_in_name(standing, &alikes[i], name, root)));
        const struct value new_spec = value_with(arena, spec, "scaleTargetRef", named);
        *root = value_with(arena, root, "spec", new_spec);
        return;
    }
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
        if (stand_in_is_of(root, pod_specs[i].group,
                           pod_specs[i].kind[0] ? pod_specs[i].kind : kind))
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
        if (stand_in_is_of(&documents->items[i].root, "kubescheduler.config.k8s.io/",
                           "KubeSchedulerConfiguration"))
            return true;
    return false;
}

void stand_ins_put(struct arena *arena, struct documents *documents, struct problems *problems)
{
    const struct standing standing = {arena, documents, problems};
    const bool schedulers_given = has_schedulers(documents);
    struct name_set told;
    name_set_init(&told, arena);
    for (uint32_t i = 0; i < documents->count; i++) {
        struct document *document = &documents->items[i];
        if (!put_alike(&standing, document) && !rollout_put_referenced(&standing, document))
            keda_put(&standing, document);
        if (!schedulers_given)
            put_scheduler(arena, &document->root, &told, problems);
    }
    for (uint32_t i = 0; i < documents->count; i++)
        rename_if_taken(&standing, &documents->items[i]);
    for (uint32_t i = 0; i < documents->count; i++)
        if (stand_in_is_of(&documents->items[i].root, "autoscaling/", "HorizontalPodAutoscaler"))
            follow_target(&standing, &documents->items[i].root);
}
