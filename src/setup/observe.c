/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/observe.h"

#include "base/map.h"
#include "base/vec.h"
#include "setup/observe_adopt.h"

#include <stdlib.h>
#include <string.h>

#define REVISION_ANNOTATION "deployment.kubernetes.io/revision"

struct observing {
    struct arena *arena;
    struct scope *scope;
    struct problems *problems;
    struct map nodes;     /* name -> number + 1 in `places` */
    struct map workloads; /* "Kind/namespace/name" -> number + 1 */
    struct map sets;      /* "namespace/name" -> struct set_place */
    struct map lost;      /* owners that were named in a warning */
    VEC(struct observed_place) places;
    VEC(struct observed_pod) pods;
    bool complained; /* that there are no nodes */
};

struct set_place {
    const struct object *object;
    uint32_t workload;
    uint32_t pods; /* that it has */
};

enum check_start observe_start(const struct objects *objects, const struct check *check)
{
    if (check && check->start != START_UNSET)
        return check->start;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD)
            return START_OBSERVED;
    return START_EMPTY;
}

/* Is the object the owner itself, and not another one of the same name that was created later? */
static bool is_owner(const struct owner_reference *owner, const struct object *object)
{
    return strcmp(owner->kind, object->kind_name) == 0 &&
           strcmp(owner->name, object->meta->name) == 0 &&
           (!owner->uid || !object->meta->uid || strcmp(owner->uid, object->meta->uid) == 0);
}

static bool has_pods(const struct objects *objects, const struct object *owner)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct owner_reference *reference =
            objects->items[i].kind == OBJECT_POD ? object_meta_controller(objects->items[i].meta)
                                                 : NULL;
        if (reference && is_owner(reference, owner) &&
            strcmp(objects->items[i].meta->namespace, owner->meta->namespace) == 0)
            return true;
        if (objects->items[i].kind == OBJECT_POD && observe_would_adopt(owner, &objects->items[i]))
            return true;
    }
    return false;
}

bool observe_adopts(const struct objects *objects, const struct object *owner)
{
    const enum object_kind kind = owner->kind;
    if (kind == OBJECT_JOB)
        return owner->as.job->status.succeeded + owner->as.job->status.failed == 0 &&
               owner->as.job->status.conditions.count == 0 && !has_pods(objects, owner);
    return kind == OBJECT_DEPLOYMENT || kind == OBJECT_REPLICA_SET ||
           kind == OBJECT_REPLICATION_CONTROLLER || kind == OBJECT_STATEFUL_SET ||
           kind == OBJECT_DAEMON_SET;
}

static const struct object *find_owner(const struct objects *objects,
                                       const struct object_meta *meta)
{
    static const enum object_kind kinds[] = {
        OBJECT_DEPLOYMENT,   OBJECT_REPLICA_SET, OBJECT_REPLICATION_CONTROLLER,
        OBJECT_STATEFUL_SET, OBJECT_DAEMON_SET,  OBJECT_JOB,
    };
    const struct owner_reference *owner = object_meta_controller(meta);
    for (size_t k = 0; owner && k < sizeof(kinds) / sizeof(*kinds); k++) {
        if (strcmp(object_kind_name(kinds[k]), owner->kind) != 0)
            continue;
        const struct object *found = objects_find(objects, kinds[k], meta->namespace, owner->name);
        return found && is_owner(owner, found) ? found : NULL;
    }
    return NULL;
}

bool observe_is_orphan(const struct objects *objects, const struct object *set)
{
    const struct object *owner = find_owner(objects, set->meta);
    return object_meta_controller(set->meta) && (!owner || owner->kind != OBJECT_DEPLOYMENT);
}

/* ---- nodes and owners ---- */

static void index_nodes(struct observing *observing)
{
    for (uint32_t g = 0; g < observing->scope->group_count; g++) {
        const struct setup_group *group = &observing->scope->groups[g];
        for (int32_t n = 0; group->names && n < group->most; n++) {
            const struct observed_place place = {g, (uint32_t)n};
            VEC_PUSH(observing->arena, &observing->places, place);
            map_put(&observing->nodes, group->names[n])->value =
                (void *)(uintptr_t)observing->places.count;
        }
    }
}

static const char *full_name(struct arena *arena, const struct object *object)
{
    return arena_printf(arena, "%s/%s/%s", object->kind_name, object->meta->namespace,
                        object->meta->name);
}

static uint32_t workload_of(const struct observing *observing, const struct object *object)
{
    const uintptr_t number =
        (uintptr_t)map_get(&observing->workloads, full_name(observing->arena, object));
    return number ? (uint32_t)number - 1 : UINT32_MAX;
}

static void index_sets(struct observing *observing)
{
    const struct objects *objects = observing->scope->objects;
    for (uint32_t w = 0; w < observing->scope->workload_count; w++)
        map_put(&observing->workloads, observing->scope->workloads[w].name)->value =
            (void *)((uintptr_t)w + 1);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_REPLICA_SET)
            continue;
        const bool orphan = observe_is_orphan(objects, object);
        const struct object *owner = orphan ? NULL : find_owner(objects, object->meta);
        struct set_place *place = ARENA_NEW(observing->arena, struct set_place);
        *place = (struct set_place){
            .object = object,
            .workload = workload_of(observing, owner ? owner : object),
        };
        map_put(&observing->sets, full_name(observing->arena, object))->value = place;
        if (orphan)
            problem_warning(observing->problems, object->place, "metadata.ownerReferences",
                            "%s %s is not among the objects that verify knows: ReplicaSet %s is "
                            "taken to look after itself",
                            object_meta_controller(object->meta)->kind,
                            object_meta_controller(object->meta)->name, object->meta->name);
    }
}

/* ---- pods ---- */

static bool is_ready(const struct pod *pod)
{
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    return ready && strcmp(ready->status, "True") == 0;
}

static enum observed_stage stage_of(const struct pod *pod)
{
    if (pod->meta.deletion_time != TIME_NONE)
        return OBSERVED_TERMINATING;
    if (!pod->spec.node_name)
        return OBSERVED_WAITING;
    return is_ready(pod) ? OBSERVED_READY : OBSERVED_STARTING;
}

/* Is there a Deployment that selects this pod? */
static bool has_deployment(const struct objects *objects, const struct object *pod)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_DEPLOYMENT &&
            strcmp(objects->items[i].meta->namespace, pod->meta->namespace) == 0 &&
            label_selector_matches(objects->items[i].as.deployment->selector, &pod->meta->labels))
            return true;
    return false;
}

/* Warns about an owner that is not there, once for each owner. */
static void miss_owner(struct observing *observing, const struct object *object)
{
    const struct owner_reference *owner = object_meta_controller(object->meta);
    if (strcmp(owner->kind, "ReplicaSet") != 0 && strcmp(owner->kind, "ReplicationController") != 0)
        return;
    const char *name = arena_printf(observing->arena, "%s/%s/%s", owner->kind,
                                    object->meta->namespace, owner->name);
    struct map_entry *entry = map_put(&observing->lost, name);
    if (entry->value)
        return;
    entry->value = observing;
    if (has_deployment(observing->scope->objects, object)) {
        problem_error(observing->problems, object->place, "metadata.ownerReferences",
                      "expected ReplicaSet %s among the objects, because its Deployment would make "
                      "it anew, found none; have them in the same dump (kubectl get "
                      "deployments,replicasets,... -A -o json)",
                      owner->name);
        return;
    }
    problem_warning(observing->problems, object->place, "metadata.ownerReferences",
                    "%s %s is not among the objects: its pods are not replaced when they go",
                    owner->kind, owner->name);
}

/* A pod of a StatefulSet is called after its ordinal. */
static bool has_place(const struct observing *observing, const struct object *owner,
                      const struct object *pod)
{
    if (owner->kind != OBJECT_STATEFUL_SET || observe_has_ordinal(owner, pod))
        return true;
    problem_warning(observing->problems, pod->place, "metadata.name",
                    "pod %s has no ordinal of its StatefulSet %s: it is not replaced when it goes",
                    pod->meta->name, owner->meta->name);
    return false;
}

/* The controller that owns the pod or adopts it. NULL: there is none. */
static const struct object *keeper_of(struct observing *observing, struct observed_pod *pod)
{
    const struct objects *objects = observing->scope->objects;
    const struct object *owner = find_owner(objects, pod->object->meta);
    if (owner)
        return owner;
    if (object_meta_controller(pod->object->meta)) {
        miss_owner(observing, pod->object);
        return NULL;
    }
    const struct adopters adopters = observe_adopters(objects, pod->object);
    if (!adopters.first || !observe_adopts(objects, adopters.first))
        return NULL;
    pod->adopter = adopters.first;
    pod->other_adopter = adopters.other;
    return adopters.first;
}

static void find_keeper(struct observing *observing, struct observed_pod *pod)
{
    const struct object *owner = keeper_of(observing, pod);
    if (!owner)
        return;
    if (owner->kind == OBJECT_REPLICA_SET) {
        struct set_place *place = map_get(&observing->sets, full_name(observing->arena, owner));
        pod->workload = place->workload;
        pod->set = place->object;
        place->pods++;
    } else if (observe_adopts(observing->scope->objects, owner) &&
               has_place(observing, owner, pod->object)) {
        pod->workload = workload_of(observing, owner);
    }
}

/* False: it is on a node that is not there. */
static bool find_place(struct observing *observing, struct observed_pod *pod)
{
    const struct object *object = pod->object;
    const char *name = object->as.pod->spec.node_name;
    if (!name)
        return true;
    const uintptr_t number = (uintptr_t)map_get(&observing->nodes, name);
    if (number > 0) {
        pod->place = observing->places.items[number - 1];
        return true;
    }
    if (observing->places.count > 0) {
        problem_warning(observing->problems, object->place, "spec.nodeName",
                        "node %s is not among the objects: pod %s is taken to be gone, as the "
                        "garbage collector of pods would see to",
                        name, object->meta->name);
    } else if (!observing->complained) {
        problem_error(observing->problems, object->place, "spec.nodeName",
                      "expected the Node objects, because there are pods on nodes, found none; "
                      "have them in the same dump (kubectl get nodes,pods,... -A -o json)");
        observing->complained = true;
    }
    return false;
}

/* A DaemonSet's pod that the scheduler has not placed yet. */
static bool waits_for_its_node(const struct observing *observing, const struct observed_pod *pod)
{
    return pod->stage == OBSERVED_WAITING && pod->workload != UINT32_MAX &&
           observing->scope->workloads[pod->workload].object->kind == OBJECT_DAEMON_SET;
}

/* Its controller has put the name of the node into its required affinity. */
static bool find_its_node(const struct observing *observing, struct observed_pod *pod)
{
    const struct affinity *affinity = pod->object->as.pod->spec.affinity;
    const struct node_selector *required =
        affinity && affinity->node_affinity ? affinity->node_affinity->required : NULL;
    for (uint32_t t = 0; required && t < required->term_count; t++)
        for (uint32_t f = 0; f < required->terms[t].match_field_count; f++) {
            const struct string_list *names = &required->terms[t].match_fields[f].values;
            const uintptr_t number =
                names->count == 1 ? (uintptr_t)map_get(&observing->nodes, names->items[0]) : 0;
            if (number > 0) {
                pod->place = observing->places.items[number - 1];
                return true;
            }
        }
    return false;
}

static void add_pod(struct observing *observing, const struct object *object)
{
    const struct pod *pod = object->as.pod;
    struct observed_pod observed = {
        .object = object,
        .stage = stage_of(pod),
        .workload = UINT32_MAX,
        .place = {UINT32_MAX, UINT32_MAX},
    };
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED) {
        observing->scope->finished_pods++;
        return;
    }
    /* A pod that terminates and was never on a node is deleted at once. */
    if (observed.stage == OBSERVED_TERMINATING && !pod->spec.node_name)
        return;
    if (!find_place(observing, &observed))
        return;
    find_keeper(observing, &observed);
    if (waits_for_its_node(observing, &observed) && !find_its_node(observing, &observed))
        return; /* its node is gone, and so is what it was made for */
    VEC_PUSH(observing->arena, &observing->pods, observed);
}

/* ---- sets ---- */

static int64_t revision_number(const struct object *set)
{
    const char *text = labels_find(&set->meta->annotations, REVISION_ANNOTATION);
    return text ? strtoll(text, NULL, 10) : 0;
}

static int by_age(const void *left, const void *right)
{
    const struct object *a = *(const struct object *const *)left;
    const struct object *b = *(const struct object *const *)right;
    if (a->meta->creation_time != b->meta->creation_time)
        return a->meta->creation_time < b->meta->creation_time ? -1 : 1;
    return strcmp(a->meta->name, b->meta->name);
}

/* History: sets without pods that are not the newest revision. They do nothing
 * until a rollback, which the model treats as a new set. */
static void keep_sets(struct observing *observing, uint32_t workload)
{
    struct setup_workload *of = &observing->scope->workloads[workload];
    VEC(const struct object *) kept = {0};
    int64_t newest = INT64_MIN;
    if (observing->sets.count == 0)
        return;
    MAP_EACH (&observing->sets, entry) {
        const struct set_place *place = entry->value;
        if (place->workload == workload && revision_number(place->object) > newest)
            newest = revision_number(place->object);
    }
    MAP_EACH (&observing->sets, entry) {
        const struct set_place *place = entry->value;
        if (place->workload == workload && place->object != of->object &&
            (place->pods > 0 || place->object->as.replica_set->replicas > 0 ||
             revision_number(place->object) == newest))
            VEC_PUSH(observing->arena, &kept, place->object);
    }
    if (kept.count > 1)
        qsort((void *)kept.items, kept.count, sizeof(*kept.items), by_age);
    of->sets = kept.items;
    of->set_count = kept.count;
}

void observe_pods(struct arena *arena, struct scope *scope, struct problems *problems)
{
    struct observing observing = {.arena = arena, .scope = scope, .problems = problems};
    map_init(&observing.nodes, arena);
    map_init(&observing.workloads, arena);
    map_init(&observing.sets, arena);
    map_init(&observing.lost, arena);
    index_nodes(&observing);
    index_sets(&observing);
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_POD)
            add_pod(&observing, &scope->objects->items[i]);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        keep_sets(&observing, w);
    scope->pods = observing.pods.items;
    scope->pod_count = observing.pods.count;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        observe_usage(arena, scope, w);
}
