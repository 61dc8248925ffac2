/* SPDX-License-Identifier: Apache-2.0 */
/* What is not in the objects of a cluster and has to be assumed. */
#include "base/vec.h"
#include "object/pod.h"
#include "setup/claim_places.h"
#include "setup/observe.h"
#include "setup/scope_reads.h"

#include <string.h>

enum { NAMED_MOST = 5 };

struct telling {
    struct arena *arena;
    const struct scope *scope;
    VEC(const char *) sentences;
};

/* "a", "a, b", "a, b, c, d, e and 3 more" */
struct name_list {
    const char *text;
    uint32_t count;
};

static void add_name(struct arena *arena, struct name_list *list, const char *name)
{
    if (list->count++ < NAMED_MOST)
        list->text = list->text ? arena_printf(arena, "%s, %s", list->text, name) : name;
}

static const char *names_of(struct arena *arena, const struct name_list *list)
{
    return list->count > NAMED_MOST
               ? arena_printf(arena, "%s and %u more", list->text, list->count - NAMED_MOST)
               : list->text;
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void tell(struct telling *telling, const char *sentence)
{
    VEC_PUSH(telling->arena, &telling->sentences, sentence);
}

/* ---- sentences ---- */

static void tell_of_start(struct telling *telling)
{
    struct arena *arena = telling->arena;
    uint32_t stages[OBSERVED_TERMINATING + 1] = {0};
    static const char *const words[] = {" waiting", " not ready", NULL, " terminating"};
    for (uint32_t i = 0; i < telling->scope->pod_count; i++)
        stages[telling->scope->pods[i].stage]++;
    const char *parts = "";
    for (int s = 0; s <= OBSERVED_TERMINATING; s++)
        if (words[s] && stages[s] > 0)
            parts = arena_printf(arena, "%s%s%u%s", parts, *parts ? ", " : "", stages[s], words[s]);
    const char *finished = telling->scope->finished_pods
                               ? arena_printf(arena, "; finished pods are left out (%u)",
                                              telling->scope->finished_pods)
                               : "";
    tell(telling, arena_printf(arena, "the cluster starts as it was observed: %u pod%s%s%s%s%s",
                               telling->scope->pod_count, plural(telling->scope->pod_count),
                               *parts ? " (" : "", parts, *parts ? ")" : "", finished));
}

/* "6 of DaemonSets, 4 of Nodes, 1 of nobody" */
static void tell_of_bystanders(struct telling *telling)
{
    struct arena *arena = telling->arena;
    struct map counts;
    uint32_t total = 0;
    const char *list = "";
    map_init(&counts, arena);
    for (uint32_t i = 0; i < telling->scope->pod_count; i++) {
        const struct observed_pod *pod = &telling->scope->pods[i];
        if (pod->workload != UINT32_MAX)
            continue;
        const struct owner_reference *owner = object_meta_controller(pod->object->meta);
        struct map_entry *entry = map_put(&counts, owner ? owner->kind : "");
        entry->value = (void *)((uintptr_t)entry->value + 1);
        total++;
    }
    if (total == 0)
        return;
    MAP_EACH (&counts, entry) {
        list = arena_printf(arena, "%s%s%u of %s%s", list, *list ? ", " : "",
                            (unsigned)(uintptr_t)entry->value, *entry->key ? "kind " : "nobody",
                            entry->key);
    }
    tell(telling, arena_printf(arena,
                               "%u pod%s whose owners are not modelled only take%s place where "
                               "they are, and nobody replaces them when they go (%s)",
                               total, plural(total), total == 1 ? "s" : "", list));
}

static void tell_of_adopted(struct telling *telling)
{
    struct arena *arena = telling->arena;
    struct name_list adopted = {0};
    struct name_list contested = {0};
    for (uint32_t i = 0; i < telling->scope->pod_count; i++) {
        const struct observed_pod *pod = &telling->scope->pods[i];
        const struct object *first = pod->adopter;
        const struct object *other = pod->other_adopter;
        if (!first)
            continue;
        add_name(arena, &adopted,
                 arena_printf(arena, "%s by %s %s", pod->object->meta->name, first->kind_name,
                              first->meta->name));
        if (other)
            add_name(arena, &contested,
                     arena_printf(arena, "%s: not %s %s", pod->object->meta->name, other->kind_name,
                                  other->meta->name));
    }
    if (adopted.count > 0)
        tell(telling, arena_printf(arena,
                                   "pods without a controller are adopted by the one whose "
                                   "selector matches them before anything else happens (%s)",
                                   names_of(arena, &adopted)));
    if (contested.count > 0)
        tell(telling, arena_printf(arena,
                                   "where several selectors match such a pod, the first of those "
                                   "controllers adopts it (%s)",
                                   names_of(arena, &contested)));
}

/* A Deployment that has not made its ReplicaSet yet gives it a hash that is in no object. */
static void tell_of_hashes(struct telling *telling)
{
    const struct objects *objects = telling->scope->objects;
    struct name_list names = {0};
    for (uint32_t i = 0; i < telling->scope->pod_count; i++) {
        const struct object *pod = telling->scope->pods[i].object;
        if (telling->scope->pods[i].workload != UINT32_MAX || object_meta_controller(pod->meta) ||
            pod->meta->deletion_time != TIME_NONE ||
            !labels_find(&pod->meta->labels, "pod-template-hash"))
            continue;
        for (uint32_t o = 0; o < objects->count; o++)
            if (objects->items[o].kind == OBJECT_DEPLOYMENT &&
                strcmp(objects->items[o].meta->namespace, pod->meta->namespace) == 0 &&
                label_selector_matches(objects->items[o].as.deployment->selector,
                                       &pod->meta->labels))
                add_name(telling->arena, &names, pod->meta->name);
    }
    if (names.count > 0)
        tell(telling, arena_printf(telling->arena,
                                   "no ReplicaSet that a Deployment makes has the "
                                   "pod-template-hash of a pod without a controller (%s)",
                                   names_of(telling->arena, &names)));
}

static void tell_of_jobs(struct telling *telling)
{
    struct name_list names = {0};
    for (uint32_t i = 0; i < telling->scope->objects->count; i++) {
        const struct object *object = &telling->scope->objects->items[i];
        if (object->kind != OBJECT_JOB || observe_adopts(telling->scope->objects, object) ||
            conditions_find(&object->as.job->status.conditions, "Complete") ||
            conditions_find(&object->as.job->status.conditions, "Failed"))
            continue;
        add_name(telling->arena, &names, object->meta->name);
    }
    if (names.count > 0)
        tell(telling, arena_printf(telling->arena,
                                   "Jobs that have begun make no more pods, and their pods do not "
                                   "end (%s)",
                                   names_of(telling->arena, &names)));
}

static const char *reason_of(const struct pod *pod)
{
    for (uint32_t i = 0; i < pod->status.container_status_count; i++)
        if (pod->status.container_statuses[i].state == CONTAINER_WAITING &&
            pod->status.container_statuses[i].reason)
            return pod->status.container_statuses[i].reason;
    return NULL;
}

static void tell_of_unready(struct telling *telling)
{
    struct name_list names = {0};
    for (uint32_t i = 0; i < telling->scope->pod_count; i++) {
        const struct observed_pod *pod = &telling->scope->pods[i];
        if (pod->stage != OBSERVED_STARTING)
            continue;
        const char *reason = reason_of(pod->object->as.pod);
        add_name(telling->arena, &names,
                 reason ? arena_printf(telling->arena, "%s: %s", pod->object->meta->name, reason)
                        : pod->object->meta->name);
    }
    if (names.count > 0)
        tell(telling,
             arena_printf(telling->arena, "pods that are not ready become ready in the end (%s)",
                          names_of(telling->arena, &names)));
}

static void tell_of_claims(struct telling *telling)
{
    struct name_list names = {0};
    for (uint32_t i = 0; i < telling->scope->objects->count; i++)
        if (telling->scope->objects->items[i].kind == OBJECT_PERSISTENT_VOLUME_CLAIM)
            return;
    for (uint32_t i = 0; i < telling->scope->pod_count; i++) {
        const struct pod *pod = telling->scope->pods[i].object->as.pod;
        bool claims = false;
        for (uint32_t v = 0; v < pod->spec.volume_count; v++)
            claims |= pod->spec.volumes[v].source == VOLUME_PERSISTENT_CLAIM;
        if (claims)
            add_name(telling->arena, &names, pod->meta.name);
    }
    if (names.count > 0)
        tell(telling, arena_printf(telling->arena,
                                   "there are no PersistentVolumeClaims among the objects: volumes "
                                   "are wherever their pods go (%s)",
                                   names_of(telling->arena, &names)));
}

/* Does the pod wait with a claim that is neither bound nor to be bound by the scheduler? */
static bool has_loose_claim(const struct objects *objects, const struct pod *pod)
{
    for (uint32_t v = 0; v < pod->spec.volume_count; v++) {
        const struct volume *volume = &pod->spec.volumes[v];
        const struct object *object =
            volume->source == VOLUME_PERSISTENT_CLAIM && volume->claim_name
                ? objects_find(objects, OBJECT_PERSISTENT_VOLUME_CLAIM, pod->meta.namespace,
                               volume->claim_name)
                : NULL;
        const struct persistent_volume_claim *claim =
            object ? object->as.persistent_volume_claim : NULL;
        if (claim && !(claim->volume_name && *claim->volume_name) &&
            claim_is_at_once(objects, claim))
            return true;
    }
    return false;
}

/* Pods of workloads: setup/volumes.c. */
static void tell_of_loose_claims(struct telling *telling)
{
    struct name_list names = {0};
    for (uint32_t i = 0; i < telling->scope->pod_count; i++) {
        const struct observed_pod *pod = &telling->scope->pods[i];
        if (pod->stage == OBSERVED_WAITING && pod->workload == UINT32_MAX &&
            has_loose_claim(telling->scope->objects, pod->object->as.pod))
            add_name(telling->arena, &names, pod->object->meta->name);
    }
    if (names.count > 0)
        tell(telling, arena_printf(telling->arena,
                                   "the volumes of pods that wait follow them to any node: their "
                                   "PersistentVolumeClaims name no volume (%s)",
                                   names_of(telling->arena, &names)));
}

static void tell_of_nodes(struct telling *telling)
{
    struct name_list down = {0};
    struct name_list cordoned = {0};
    for (uint32_t g = 0; g < telling->scope->group_count; g++) {
        const struct setup_group *group = &telling->scope->groups[g];
        for (int32_t n = 0; group->names && n < group->most; n++) {
            if (group->down)
                add_name(telling->arena, &down, group->names[n]);
            else if (group->node->spec.unschedulable)
                add_name(telling->arena, &cordoned, group->names[n]);
        }
    }
    if (down.count > 0)
        tell(telling, arena_printf(telling->arena, "nodes that are not ready stay so (%s)",
                                   names_of(telling->arena, &down)));
    if (cordoned.count > 0)
        tell(telling, arena_printf(telling->arena, "nodes that are cordoned stay so (%s)",
                                   names_of(telling->arena, &cordoned)));
}

static void tell_of_usage(struct telling *telling)
{
    bool any = false;
    for (uint32_t w = 0; w < telling->scope->workload_count; w++) {
        const struct setup_workload *workload = &telling->scope->workloads[w];
        any |= workload->autoscaler != NULL;
        if (workload->load_milli > 0)
            tell(telling,
                 arena_printf(telling->arena,
                              "the ready pods of %s share %lldm of CPU evenly, %s; that stays",
                              workload->name, (long long)workload->load_milli,
                              workload->load_source));
    }
    if (any)
        tell(telling, "autoscalers remember no earlier recommendations");
}

static void tell_of_pods_left_out(struct telling *telling)
{
    uint32_t pods = 0;
    for (uint32_t i = 0; i < telling->scope->objects->count; i++)
        pods += telling->scope->objects->items[i].kind == OBJECT_POD;
    if (pods > 0)
        tell(telling, arena_printf(telling->arena,
                                   "the Pod objects are left out, because the Check starts "
                                   "without any (%u)",
                                   pods));
}

struct string_list observe_assumptions(struct arena *arena, const struct scope *scope)
{
    struct telling telling = {.arena = arena, .scope = scope};
    if (scope->start == START_OBSERVED) {
        tell_of_start(&telling);
        tell_of_bystanders(&telling);
        tell_of_adopted(&telling);
        tell_of_hashes(&telling);
        tell_of_jobs(&telling);
        tell_of_unready(&telling);
        tell_of_usage(&telling);
        tell_of_claims(&telling);
        tell_of_loose_claims(&telling);
    } else {
        tell_of_pods_left_out(&telling);
    }
    if (scope->start == START_SETTLED)
        tell(&telling, "runs begin once an empty cluster has settled, in every way that it can");
    if (scope->start == START_CANONICAL)
        tell(&telling, "runs begin with one placement of many: an empty cluster has settled, "
                       "workload after workload, each pod on the first of its best nodes");
    tell_of_nodes(&telling);
    return (struct string_list){telling.sentences.items, telling.sentences.count};
}
