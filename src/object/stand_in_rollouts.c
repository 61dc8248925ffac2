/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Argo Rollouts. A basic canary keeps its pods between maxUnavailable and maxSurge, as a rolling
 * update does. With blueGreen, and with a canary that gets its share of the traffic by other means
 * than its number of pods, all pods of the new version are started beside the old ones.
 *
 * A Rollout with a workloadRef has the pods of that workload (a Deployment or a ReplicaSet), and
 * its selector if it gives none. The workload keeps its own pods unless scaleDown says that they go
 * once the Rollout has its pods.
 *
 * Follows rollout/templateref.go and utils/defaults/defaults.go of argo-rollouts v1.7.
 */
#include "object/stand_in.h"

#include "base/arena.h"
#include "manifest/value_edit.h"

#include <string.h>

static struct value with_copy(struct arena *arena, const struct value *to, const char *key,
                              const struct value *from)
{
    const struct member *member = value_find_member(from, key);
    return member ? value_with(arena, to, key, member->value) : *to;
}

struct value rollout_strategy(struct arena *arena, const struct value *spec)
{
    const struct value *strategy = value_find(spec, "strategy");
    const struct value *canary = value_find(strategy, "canary");
    const struct value *blue_green = value_find(strategy, "blueGreen");
    const struct value *like = strategy ? strategy : spec;
    struct value bounds = value_of_mapping(like);
    if (!value_is_null(blue_green) || value_find(canary, "trafficRouting")) {
        struct value none = value_of_text(like, "0");
        none.kind = VALUE_INTEGER;
        bounds = value_with(arena, &bounds, "maxSurge", value_of_text(like, "100%"));
        bounds = value_with(arena, &bounds, "maxUnavailable", none);
    } else {
        bounds = with_copy(arena, &bounds, "maxSurge", canary);
        bounds = with_copy(arena, &bounds, "maxUnavailable", canary);
    }
    struct value made = value_of_mapping(like);
    made = value_with(arena, &made, "type", value_of_text(like, "RollingUpdate"));
    return value_with(arena, &made, "rollingUpdate", bounds);
}

/* ---- workloadRef ---- */

static struct document *find_referenced(const struct standing *standing,
                                        const struct document *document,
                                        const struct value *reference)
{
    static const char *const kinds[] = {"Deployment", "ReplicaSet"};
    const char *kind = value_find_string(reference, "kind");
    const char *name = value_find_string(reference, "name");
    for (size_t i = 0; kind && name && i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(kind, kinds[i]) == 0)
            return stand_in_find(standing, "apps/", kind, name, &document->root);
    return NULL;
}

static bool is_scaled_down(const struct value *reference)
{
    const char *when = value_find_string(reference, "scaleDown");
    return when && (strcmp(when, "onsuccess") == 0 || strcmp(when, "progressively") == 0);
}

static void scale_to_nothing(struct arena *arena, struct document *document)
{
    const struct value *spec = value_find(&document->root, "spec");
    struct value none = value_of_text(spec, "0");
    none.kind = VALUE_INTEGER;
    const struct value scaled = value_with(arena, spec, "replicas", none);
    document->root = value_with(arena, &document->root, "spec", scaled);
}

/* How many pods the workload keeps beside those of the Rollout, in words. */
static const char *kept_words(struct arena *arena, const struct value *workload,
                              const struct value *reference)
{
    int64_t pods = 1;
    const char *name = value_find_string(reference, "name");
    const char *kind = value_find_string(reference, "kind");
    value_read_integer(value_find(value_find(workload, "spec"), "replicas"), &pods);
    if (pods == 0)
        return "";
    if (is_scaled_down(reference))
        return arena_printf(arena, "; %s %s is scaled down (scaleDown)", kind, name);
    return arena_printf(arena, "; %s %s keeps its %lld pod%s (scaleDown: never)", kind, name,
                        (long long)pods, pods == 1 ? "" : "s");
}

bool rollout_put_referenced(const struct standing *standing, struct document *document)
{
    struct arena *arena = standing->arena;
    const struct value *spec = value_find(&document->root, "spec");
    const struct value *reference = value_find(spec, "workloadRef");
    if (!stand_in_is_of(&document->root, "argoproj.io/", "Rollout") || value_is_null(reference) ||
        !value_is_null(value_find(spec, "template")))
        return false;
    struct document *workload = find_referenced(standing, document, reference);
    if (!workload || !value_find(value_find(&workload->root, "spec"), "template")) {
        problem_warning(standing->problems,
                        member_place(spec, value_find_member(spec, "workloadRef")),
                        "spec.workloadRef", "its workload is not among the manifests");
        return true;
    }
    const struct value *template = value_find(&workload->root, "spec");
    const char *kept = kept_words(arena, &workload->root, reference);
    struct value made = value_of_mapping(spec);
    made = with_copy(arena, &made, "replicas", spec);
    made = with_copy(arena, &made, "minReadySeconds", spec);
    made = with_copy(arena, &made, "paused", spec);
    made = with_copy(arena, &made, "selector", value_find(spec, "selector") ? spec : template);
    made = with_copy(arena, &made, "template", template);
    made = value_with(arena, &made, "strategy", rollout_strategy(arena, spec));
    const struct value typed = stand_in_retyped(arena, &document->root, "apps/v1", "Deployment");
    const struct value bare = value_without(arena, &typed, "status");
    const struct value whole = value_with(arena, &bare, "spec", made);
    if (is_scaled_down(reference))
        scale_to_nothing(arena, workload);
    stand_in_put(standing, document, &whole,
                 arena_printf(arena,
                              "a Deployment of apps/v1 with the pods of %s %s, without the steps "
                              "of its strategy%s",
                              value_find_string(reference, "kind"),
                              value_find_string(reference, "name"), kept));
    return true;
}
