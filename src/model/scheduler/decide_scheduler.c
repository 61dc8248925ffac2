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
#include "model/scheduler/decision_text.h"
#include "model/scheduler/scheduler_scenario.h"

#include <string.h>

struct cluster {
    struct catalog *catalog;
    struct profiles profiles;
    struct view view;
    struct scheduler *scheduler;
};

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

static bool decide_scenario(struct arena *arena, const struct value *scenario,
                            struct json_out *json, struct problems *problems)
{
    struct scheduler_scenario read;
    struct cluster cluster;
    struct pod_decision result;
    if (!scheduler_scenario_read(arena, scenario, &read, problems) ||
        !build_cluster(arena, &read.objects, &read.features, &cluster, problems))
        return false;
    const struct pod *pod = read.pod;
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
