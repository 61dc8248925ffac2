/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide scheduler`: which node a pod goes to.
 *
 * A scenario has `nodes`, `pods` (existing ones), `extra` objects, the pending
 * `pod`, and perhaps `featureGates`; the result is in the form of the recorded
 * ones. Given manifests, it decides for each pending pod separately, in the
 * state that they describe.
 */
#include "decide/decider.h"
#include "decide/dropped_fields.h"
#include "decide/scheduler/decision_text.h"
#include "decide/scheduler/scheduler_scenario.h"
#include "object/admission.h"

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

/* From 100 nodes on upstream examines only a sample of the nodes by default. */
static void warn_of_sampling(const struct cluster *cluster, struct problems *problems)
{
    enum { NODES_ALWAYS_EXAMINED = 100 };
    if (view_total_nodes(&cluster->view) <= NODES_ALWAYS_EXAMINED)
        return;
    for (uint32_t i = 0; i < cluster->profiles.count; i++)
        if (cluster->profiles.items[i].percentage_of_nodes_to_score < 100)
            problem_warning(problems, (struct place){0}, "percentageOfNodesToScore",
                            "profile %s scores a sample of the nodes; here all nodes are scored",
                            cluster->profiles.items[i].scheduler_name);
}

/* Of the plugins for limits of volumes none is modelled here. */
static void warn_of_volume_limits(const struct objects *objects, struct problems *problems)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (strcmp(objects->items[i].kind_name, "CSINode") == 0) {
            problem_warning(problems, objects->items[i].place, NULL,
                            "limits for volumes are not modelled: nodes are taken to have room for "
                            "all of them");
            return;
        }
}

/* The gates of a pod that waits for them; NULL: it has none, or the version does not look. */
static const char *closed_gates(struct arena *arena, const struct features *features,
                                const struct pod *pod)
{
    const struct string_list *gates = &pod->spec.scheduling_gates;
    const char *names = "";
    if (!features->pod_scheduling_readiness || gates->count == 0)
        return NULL;
    for (uint32_t i = 0; i < gates->count; i++)
        names = arena_printf(arena, "%s%s%s", names, i > 0 ? " " : "", gates->items[i]);
    return arena_printf(arena, "waiting for scheduling gates: [%s]", names);
}

static bool decide(struct cluster *cluster, uint32_t pod, struct pod_decision *result)
{
    const struct pod *object = cluster->catalog->pods.items[pod]->pod;
    const char *nominated = object->status.nominated_node_name;
    uint32_t entry = nominated ? view_find_node(&cluster->view, nominated) : VIEW_NONE;
    result->pod = object;
    result->view = &cluster->view;
    result->held_back = closed_gates(cluster->catalog->arena, &cluster->catalog->features, object);
    result->decision = scheduler_decide(cluster->scheduler, &cluster->view, pod, entry);
    result->preemption = NULL;
    if (!result->decision)
        return false;
    if (result->decision->best_count == 0 && !result->held_back)
        result->preemption =
            scheduler_preempt(cluster->scheduler, &cluster->view, result->decision);
    return true;
}

static bool decide_scenario(struct arena *arena, const struct value *scenario,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scheduler_scenario read;
    struct cluster cluster;
    struct pod_decision result;
    if (!scheduler_scenario_read(arena, scenario, features, &read, problems) ||
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

static struct pod *copy_pod(struct arena *arena, const struct pod *pod)
{
    struct pod *copy = arena_copy(arena, pod, sizeof(*pod));
    struct pod_spec *spec = &copy->spec;
    if (spec->container_count > 0)
        spec->containers =
            arena_copy(arena, spec->containers, spec->container_count * sizeof(*spec->containers));
    if (spec->init_container_count > 0)
        spec->init_containers = arena_copy(arena, spec->init_containers,
                                           spec->init_container_count * sizeof(*spec->containers));
    return copy;
}

/*
 * Pods as the API server would have stored them: priorities come from classes,
 * requests from limit ranges. Admission changes what it is given, so pods are
 * copied, and workloads, whose templates it would change, do not take part.
 */
static bool admit_pods(struct arena *arena, const struct objects *objects, struct objects *admitted,
                       struct problems *problems)
{
    *admitted = *objects; /* with the index, which classes are found by */
    admitted->items = ARENA_ARRAY(arena, struct object, objects->count + 1);
    for (uint32_t i = 0; i < objects->count; i++) {
        struct object *object = &admitted->items[i];
        *object = objects->items[i];
        if (object->kind == OBJECT_POD) {
            object->as.pod = copy_pod(arena, object->as.pod);
            object->meta = &object->as.pod->meta;
        } else if (object->kind != OBJECT_PRIORITY_CLASS && object->kind != OBJECT_RUNTIME_CLASS &&
                   object->kind != OBJECT_LIMIT_RANGE) {
            object->kind = OBJECT_OTHER;
        }
    }
    bool good = objects_admit(arena, admitted, NULL, problems);
    for (uint32_t i = 0; i < objects->count; i++)
        admitted->items[i].kind = objects->items[i].kind;
    return good;
}

/* Whether the pod is the one that was asked for: NAMESPACE/NAME, or NAME in any namespace. */
static bool is_chosen(const struct pod *pod, const char *choice)
{
    if (!choice)
        return true;
    const char *slash = strchr(choice, '/');
    if (!slash)
        return strcmp(pod->meta.name, choice) == 0;
    size_t length = (size_t)(slash - choice);
    return strcmp(pod->meta.name, slash + 1) == 0 && strlen(pod->meta.namespace) == length &&
           strncmp(pod->meta.namespace, choice, length) == 0;
}

static uint32_t decide_pending(struct arena *arena, struct cluster *cluster, const char *chosen,
                               struct json_out *json, struct text *sentences)
{
    uint32_t decided = 0;
    for (uint32_t i = 0; i < cluster->view.pending_count; i++) {
        struct pod_decision result;
        uint32_t pod = cluster->view.pending[i].pod;
        if (!is_chosen(cluster->catalog->pods.items[pod]->pod, chosen) ||
            !decide(cluster, pod, &result))
            continue;
        decided++;
        json_object_begin(json, NULL);
        json_string(
            json, "pod",
            arena_printf(arena, "%s/%s", result.pod->meta.namespace, result.pod->meta.name));
        decision_write_json(arena, json, "decision", &result);
        json_object_end(json);
        decision_write_text(arena, sentences, &result);
    }
    return decided;
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    struct objects admitted;
    struct cluster cluster;
    if (!admit_pods(arena, objects, &admitted, problems) ||
        !build_cluster(arena, &admitted, &choice->features, &cluster, problems))
        return false;
    warn_of_sampling(&cluster, problems);
    warn_of_volume_limits(objects, problems);
    dropped_fields_warn(&choice->features, objects, problems);
    json_array_begin(json, "result");
    uint32_t decided = decide_pending(arena, &cluster, choice->pod, json, sentences);
    json_array_end(json);
    scheduler_release(cluster.scheduler);
    if (decided == 0 && choice->pod) {
        problem_error(problems, (struct place){0}, "--pod",
                      "expected a pod that waits for a node, found no such pod named %s",
                      choice->pod);
        return false;
    }
    if (decided == 0)
        text_append_string(sentences, "There is no pending pod to decide for.\n");
    return true;
}

const struct decider decider_scheduler = {
    .name = "scheduler",
    .summary = "which node a pod goes to, why not elsewhere, and whom it drives out",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
    .asks_for_a_pod = true,
};
