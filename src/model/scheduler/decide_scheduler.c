/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide scheduler`: which node a pod goes to.
 *
 * A scenario has `nodes`, `pods` (existing ones), `extra` objects, the pending
 * `pod`, and perhaps `featureGates`; the result is in the form of the recorded
 * ones. Given manifests, every pending pod is decided for, each in the very
 * state that they describe.
 */
#include "model/decider.h"
#include "model/scenario.h"
#include "model/scheduler/decision_text.h"
#include "object/admission.h"

#include <string.h>

struct cluster {
    struct catalog *catalog;
    struct profiles profiles;
    struct view view;
    struct scheduler *scheduler;
};

static bool read_gates(const struct value *gates, struct features *features,
                       struct problems *problems)
{
    if (value_is_null(gates))
        return true;
    if (gates->kind != VALUE_MAPPING) {
        value_expected(problems, gates, "featureGates", "a mapping");
        return false;
    }
    bool good = true;
    VALUE_EACH_MEMBER(gates, member)
    {
        bool enabled;
        if (!value_read_boolean(&member->value, &enabled)) {
            value_expected(problems, &member->value, "featureGates", "true or false");
            good = false;
        } else if (!features_set(features, member->key, enabled)) {
            problem_error(problems, value_place(&member->value), "featureGates",
                          "%s is not a gate that the scheduler of the model knows", member->key);
            good = false;
        }
    }
    return good;
}

static bool configure(struct arena *arena, const struct objects *objects, struct cluster *cluster,
                      struct problems *problems)
{
    const struct object *found = NULL;
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_SCHEDULER_CONFIGURATION)
            continue;
        if (found) {
            problem_error(problems, objects->items[i].place, NULL,
                          "expected one KubeSchedulerConfiguration, found another");
            return false;
        }
        found = &objects->items[i];
    }
    cluster->profiles =
        found ? profiles_resolve(arena, found->as.scheduler_configuration, found->place, problems)
              : profiles_default(arena);
    return true;
}

static bool build_cluster(struct arena *arena, const struct objects *objects,
                          const struct features *features, struct cluster *cluster,
                          struct problems *problems)
{
    if (!configure(arena, objects, cluster, problems))
        return false;
    cluster->catalog = catalog_create(arena, features);
    catalog_surround(cluster->catalog, objects);
    cluster->view = view_of_objects(arena, cluster->catalog, objects);
    cluster->scheduler = scheduler_create(arena, cluster->catalog, &cluster->profiles);
    return true;
}

static bool decide(struct cluster *cluster, uint32_t pod, struct pod_decision *result)
{
    const struct pod *object = cluster->catalog->pods.items[pod]->pod;
    const char *nominated = object->status.nominated_node_name;
    uint32_t entry = nominated ? view_find_node(&cluster->view, nominated) : VIEW_NONE;
    result->pod = object;
    result->view = &cluster->view;
    result->decision = scheduler_decide(cluster->scheduler, &cluster->view, pod, entry);
    result->preemption = NULL;
    if (!result->decision)
        return false;
    if (result->decision->best_count == 0)
        result->preemption =
            scheduler_preempt(cluster->scheduler, &cluster->view, result->decision);
    return true;
}

/* The pending pod is apart from the others: it may even say where it wants to
 * be, which would make it look as if it were there already. */
static struct pod *take_out_pod(struct objects *objects, const struct pod *pod)
{
    struct object *last = &objects->items[objects->count - 1];
    if (last->as.pod != pod)
        bug("the pending pod is not the last object");
    objects->count--;
    return last->as.pod;
}

static bool read_scenario(struct arena *arena, const struct value *scenario,
                          struct objects *objects, const struct pod **pod,
                          struct problems *problems)
{
    const struct value *pending = value_find(scenario, "pod");
    bool good = scenario_read_objects(arena, value_find(scenario, "nodes"), objects, problems) &
                scenario_read_objects(arena, value_find(scenario, "pods"), objects, problems) &
                scenario_read_objects(arena, value_find(scenario, "extra"), objects, problems);
    if (value_is_null(pending)) {
        problem_error(problems, value_place(scenario), "pod", "expected a pending pod, found none");
        return false;
    }
    struct document *document = ARENA_NEW(arena, struct document);
    document->root = *pending;
    if (!good || !objects_add(arena, objects, document, NULL, problems))
        return false;
    const struct object *object = &objects->items[objects->count - 1];
    if (object->kind != OBJECT_POD) {
        problem_error(problems, object->place, "pod", "expected a Pod, found a %s",
                      object->kind_name);
        return false;
    }
    *pod = object->as.pod;
    const struct admission_options options = {.no_default_tolerations = true};
    return objects_admit(arena, objects, &options, problems);
}

static bool decide_scenario(struct arena *arena, const struct value *scenario,
                            struct json_out *json, struct problems *problems)
{
    struct objects objects = {0};
    struct features features = features_of_version(FEATURES_MINOR_FIRST);
    const struct pod *pod = NULL;
    if (!read_gates(value_find(scenario, "featureGates"), &features, problems) ||
        !read_scenario(arena, scenario, &objects, &pod, problems))
        return false;
    take_out_pod(&objects, pod);
    struct cluster cluster;
    struct pod_decision result;
    if (!build_cluster(arena, &objects, &features, &cluster, problems))
        return false;
    bool known = decide(&cluster, catalog_add_pod(cluster.catalog, pod), &result);
    if (known)
        decision_write_json(arena, json, "result", &result);
    else
        problem_error(problems, value_place(scenario), "pod.spec.schedulerName",
                      "no profile of the scheduler is named %s", pod->spec.scheduler_name);
    scheduler_release(cluster.scheduler);
    return known;
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           struct json_out *json, struct text *sentences, struct problems *problems)
{
    struct features features = features_of_version(FEATURES_MINOR_FIRST);
    struct cluster cluster;
    if (!build_cluster(arena, objects, &features, &cluster, problems))
        return false;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < cluster.view.pending_count; i++) {
        struct pod_decision result;
        if (!decide(&cluster, cluster.view.pending[i].pod, &result))
            continue;
        json_object_begin(json, NULL);
        json_string(
            json, "pod",
            arena_printf(arena, "%s/%s", result.pod->meta.namespace, result.pod->meta.name));
        decision_write_json(arena, json, "decision", &result);
        json_object_end(json);
        decision_write_text(arena, sentences, &result);
    }
    if (cluster.view.pending_count == 0)
        text_append_string(sentences, "There is no pending pod to decide for.\n");
    json_array_end(json);
    scheduler_release(cluster.scheduler);
    return true;
}

const struct decider decider_scheduler = {
    .name = "scheduler",
    .summary = "which node a pod goes to, why not elsewhere, and whom it drives out",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
