/* SPDX-License-Identifier: Apache-2.0 */
/* From objects and Check to groups (scope_groups.c) and workloads with their ranges. */
#include "setup/setup.h"

#include "base/budget.h"
#include "decide/controller/deployment/template_signature.h"
#include "manifest/manifest.h"
#include "object/admission.h"
#include "setup/check_names.h"
#include "setup/cron_jobs.h"
#include "setup/kubelet_labels.h"
#include "setup/largest.h"
#include "setup/observe.h"
#include "setup/owners.h"
#include "setup/scope_building.h"
#include "setup/scope_reads.h"
#include "setup/size_marks.h"
#include "setup/usage_assumed.h"
#include "setup/volume_limits.h"
#include "setup/webhooks_assumed.h"

#include <string.h>

/* Configurations come first, because they decide whether placed pods are read (a descheduler). */
static void collect_reads(struct scope_building *building)
{
    struct scope *scope = building->scope;
    struct reads *reads = ARENA_NEW(building->arena, struct reads);
    reads_init(reads, building->arena);
    reads_add_controllers(reads);
    if (scope->check)
        reads_add_check(reads, scope->check);
    reads_add_intents(reads, building->options->intents, building->options->intent_count);
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind != OBJECT_POD)
            reads_add_object(reads, &scope->objects->items[i]);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++)
            reads_add_object(reads, &scope->applied[e].items[i]);
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_POD)
            reads_add_object(reads, &scope->objects->items[i]);
    scope->reads = reads;
}

static void assume(struct scope_building *building, struct string_list sentences)
{
    for (uint32_t i = 0; i < sentences.count; i++)
        VEC_PUSH(building->arena, &building->assumptions, sentences.items[i]);
}

/* The first, and how many there are. */
static const struct horizontal_pod_autoscaler *
find_autoscaler(const struct objects *objects, const struct object *workload, uint32_t *count)
{
    const struct horizontal_pod_autoscaler *first = NULL;
    *count = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(object->as.horizontal_pod_autoscaler, workload)) {
            first = first ? first : object->as.horizontal_pod_autoscaler;
            ++*count;
        }
    }
    return first;
}

uint32_t scope_find_workload(const struct scope *scope, const struct object_name *name)
{
    for (uint32_t w = 0; name->name && w < scope->workload_count; w++)
        if (object_name_matches(name, scope->workloads[w].object))
            return w;
    return UINT32_MAX;
}

/* Is the set owned by a Deployment of the manifests? It is no workload of its own then. */
static bool owned(const struct object *object)
{
    return object_meta_controller(object->meta) != NULL;
}

static void add_workload(struct scope_building *building, const struct object *object)
{
    const struct scope *scope = building->scope;
    const int32_t given = workload_replicas(object);
    struct setup_workload workload = {
        .object = object,
        .name = arena_printf(building->arena, "%s/%s/%s", object->kind_name,
                             object->meta->namespace, object->meta->name),
        .signature = template_signature(building->arena, workload_template_source(object)),
        .least = given,
        .most = given,
    };
    workload.autoscaler = find_autoscaler(scope->objects, object, &workload.autoscaler_count);
    bool ranged = false;
    for (uint32_t i = 0; scope->check && i < scope->check->workload_count; i++) {
        const struct check_workload *range = &scope->check->workloads[i];
        if (!object_name_matches(&range->name, object))
            continue;
        if (ranged)
            problem_error(building->problems, range->place, "spec.workloads",
                          "expected each workload once, found %s again", workload.name);
        ranged = true;
        if (object->kind == OBJECT_DAEMON_SET)
            problem_error(building->problems, object->place, NULL,
                          "a DaemonSet has as many pods as there are nodes for them: no replicas "
                          "can be chosen for it in spec.workloads");
        if (range->replicas.given && scope->start == START_OBSERVED &&
            (range->replicas.min != given || range->replicas.max != given))
            problem_error(building->problems, range->place, "spec.workloads",
                          "expected the %d replicas that %s has, because runs start from its "
                          "present pods, found others (start: empty explores them)",
                          given, workload.name);
        else if (range->replicas.given) {
            workload.least = range->replicas.min;
            workload.most = range->replicas.max;
        }
        workload.autoscaler_follows = range->autoscaler_follow;
        workload.autoscaler_factor = range->autoscaler_factor;
    }
    const char *volumes = assumption_of_volumes(building->arena, scope->objects, &workload,
                                                scope->start == START_OBSERVED);
    if (volumes)
        VEC_PUSH(building->arena, &building->assumptions, volumes);
    const char *uncounted =
        assumption_of_volume_limits(building->arena, &building->volume_limits, &workload);
    if (uncounted)
        VEC_PUSH(building->arena, &building->assumptions, uncounted);
    VEC_PUSH(building->arena, &building->workloads, workload);
}

static void add_workloads(struct scope_building *building)
{
    const struct objects *objects = building->scope->objects;
    const bool observed = building->scope->start == START_OBSERVED;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (observed && !observe_adopts(objects, object))
            continue; /* its pods stay as they are: see observe_assumptions */
        switch (object->kind) {
        case OBJECT_DEPLOYMENT:
        case OBJECT_DAEMON_SET:
        case OBJECT_STATEFUL_SET:
        case OBJECT_JOB:
        case OBJECT_REPLICATION_CONTROLLER: add_workload(building, object); break;
        case OBJECT_REPLICA_SET:
            if (!owned(object) || (observed && observe_is_orphan(objects, object)))
                add_workload(building, object);
            break;
        default: break;
        }
    }
}

/* The folder of a file, with its slash; "" if there is none. */
static const char *folder_of(struct arena *arena, const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? arena_strndup(arena, file, (size_t)(slash - file) + 1) : "";
}

/* Objects that were made for a question, as if they had been read. */
static void bring(struct scope_building *building, const struct objects *objects,
                  struct objects *applied)
{
    for (uint32_t i = 0; i < objects->count; i++)
        objects_put(building->arena, applied, &objects->items[i]);
    objects_admit_into(building->arena, applied, building->scope->objects, NULL,
                       building->problems);
}

/* The manifests of an `apply` event, relative to the Check's file. */
static bool read_applied(struct scope_building *building, const struct check_event *event,
                         struct documents *documents)
{
    const char **paths = ARENA_ARRAY(building->arena, const char *, event->manifests.count + 1);
    for (uint32_t i = 0; i < event->manifests.count; i++)
        paths[i] = event->manifests.items[i][0] == '/'
                       ? event->manifests.items[i]
                       : arena_printf(building->arena, "%s%s",
                                      folder_of(building->arena, event->place.file),
                                      event->manifests.items[i]);
    const struct manifest_paths load = {.items = paths, .count = event->manifests.count};
    return manifest_load(building->arena, &load, documents, building->problems);
}

static void load_applied(struct scope_building *building)
{
    const struct check *check = building->scope->check;
    const uint32_t count = check ? check->event_count : 0;
    building->scope->applied = ARENA_ARRAY(building->arena, struct objects, count + 1);
    for (uint32_t e = 0; e < count; e++) {
        const struct check_event *event = &check->events[e];
        if (event->brings)
            bring(building, event->brings, &building->scope->applied[e]);
        if (event->manifests.count == 0)
            continue;
        struct documents *documents = ARENA_NEW(building->arena, struct documents);
        if (event->documents || read_applied(building, event, documents))
            object_decode(building->arena, event->documents ? event->documents : documents, NULL,
                          &building->scope->applied[e], building->problems);
        objects_admit_into(building->arena, &building->scope->applied[e], building->scope->objects,
                           NULL, building->problems);
    }
}

/* The number of replicas of a workload that an event applies is in the manifests
 * that it applies. */
static void refuse_range(struct scope_building *building, const struct setup_workload *later)
{
    const struct check *check = building->scope->check;
    for (uint32_t i = 0; i < check->workload_count; i++)
        if (object_name_matches(&check->workloads[i].name, later->object))
            problem_error(building->problems, check->workloads[i].place, "spec.workloads",
                          "expected a workload that is there from the start, found %s, which an "
                          "event brings with the replicas of its manifest",
                          later->name);
}

/* Workloads that only an event brings. */
static void add_applied_workloads(struct scope_building *building)
{
    const struct check *check = building->scope->check;
    for (uint32_t e = 0; check && e < check->event_count; e++)
        for (uint32_t i = 0; i < building->scope->applied[e].count; i++) {
            const struct object *object = &building->scope->applied[e].items[i];
            bool known = workload_template(object) == NULL;
            for (uint32_t w = 0; w < building->workloads.count; w++)
                known = known || same_object(building->workloads.items[w].object, object);
            if (known)
                continue;
            add_workload(building, object);
            struct setup_workload *added =
                &building->workloads.items[building->workloads.count - 1];
            refuse_range(building, added);
            added->comes_later = true;
            added->least = 0;
            added->most = 0;
        }
}

static void decide_time(struct scope_building *building)
{
    struct scope *scope = building->scope;
    scope->time = building->options->time;
    if (scope->time == TIME_UNSET && scope->check)
        scope->time = scope->check->time;
    if (scope->time != TIME_UNSET)
        return;
    const struct scope_options *options = building->options;
    const char *why = intents_need_clocks(options->intents, options->intent_count)
                          ? INTENTS_NEED_CLOCKS
                          : scope_needs_clocks(scope);
    scope->time = why ? TIME_CLOCKED : TIME_ASYNCHRONOUS;
    if (why)
        VEC_PUSH(building->arena, &building->assumptions,
                 arena_printf(building->arena, "time is clocked, because %s", why));
}

/* Pods of a dump have volumes that are not counted, so that nodes have room for all. */
static void limit_volumes(struct scope_building *building)
{
    struct scope *scope = building->scope;
    const struct string_list limits =
        volume_limits_find(building->arena, scope->objects, scope->check);
    if (limits.count == 0)
        return;
    if (scope->start == START_OBSERVED) {
        VEC_PUSH(building->arena, &building->assumptions,
                 "nodes have room for all volumes: limits (CSINode) are left out of a cluster that "
                 "has pods");
        return;
    }
    building->volume_limits = limits;
    scope->objects =
        objects_with_volume_limits(building->arena, scope->objects, scope->objects, &limits);
}

static void limit_applied_volumes(struct scope_building *building)
{
    struct scope *scope = building->scope;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        scope->applied[e] = *objects_with_volume_limits(building->arena, &scope->applied[e],
                                                        scope->objects, &building->volume_limits);
}

bool scope_build(struct arena *arena, const struct objects *objects, const struct check *check,
                 const struct scope_options *options, struct scope *scope,
                 struct problems *problems)
{
    const uint32_t errors = problems->errors;
    *scope = (struct scope){
        .objects = objects,
        .check = check,
        .start = observe_start(objects, check),
        .exact = (options->scale != SCALE_UNSET || !check ? options->scale : check->scale.mode) ==
                 SCALE_EXACT,
        .nodes_sufficient = SETUP_NODES_SUFFICIENT,
        .pods_per_node_sufficient = SETUP_PODS_PER_NODE_SUFFICIENT,
        .webhooks_admit_rest = options->webhooks_admit_rest,
    };
    if (check && check->scale.sufficient_nodes.set)
        scope->nodes_sufficient = (int32_t)check->scale.sufficient_nodes.value;
    if (check && check->scale.sufficient_pods_per_node.set) {
        scope->pods_per_node_sufficient = (int32_t)check->scale.sufficient_pods_per_node.value;
        scope->sufficient_is_given = true;
    }
    struct scope_building building = {
        .arena = arena, .scope = scope, .options = options, .problems = problems};
    scope_find_cron_jobs(&building, objects);
    if (scope->start != START_OBSERVED)
        scope->objects = objects_with_cron_jobs(arena, objects, scope, problems);
    limit_volumes(&building);
    load_applied(&building);
    limit_applied_volumes(&building);
    collect_reads(&building);
    scope_add_groups(&building);
    add_workloads(&building);
    scope_place_cron_jobs(&building);
    add_applied_workloads(&building);
    if (building.workloads.count == 0 && scope->start != START_OBSERVED)
        problem_error(
            problems, (struct place){0}, NULL,
            "there is no workload (such as a Deployment) among the manifests: nothing to verify");
    scope->groups = building.groups.items;
    scope->group_count = building.groups.count;
    scope->workloads = building.workloads.items;
    scope->workload_count = building.workloads.count;
    if (!scope_check_largest(scope, options, problems))
        return false;
    scope_check_names(arena, scope, options, problems);
    const struct marking_index *index = size_marks_index(arena, scope);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        scope->workloads[w].marks =
            options->budget && budget_is_over(options->budget)
                ? ARENA_NEW(arena, struct size_marks)
                : size_marks_collect(arena, scope, index, &scope->workloads[w], options);
    decide_time(&building);
    if (scope->start == START_OBSERVED)
        observe_pods(arena, scope, problems);
    scope->owners = owners_find(arena, scope);
    assume(&building, kubelet_labels_assumed(arena, scope));
    if (scope->start != START_OBSERVED)
        assume(&building, cron_jobs_assumed(arena, objects, scope));
    assume(&building, webhooks_assumed(arena, objects, options->webhooks_admit_rest));
    assume(&building, usage_assumed(arena, scope));
    assume(&building, observe_assumptions(arena, scope));
    scope->assumptions =
        (struct string_list){building.assumptions.items, building.assumptions.count};
    return problems->errors == errors;
}
