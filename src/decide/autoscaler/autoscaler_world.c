/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/autoscaler_world.h"

#include "decide/autoscaler/world_nodes.h"
#include "manifest/document.h"

#include <stdlib.h>
#include <string.h>

void autoscaler_world_init(struct autoscaler_world *world, struct arena *arena)
{
    *world = (struct autoscaler_world){.arena = arena};
    pod_kinds_init(&world->kinds, arena);
    map_init(&world->index, arena);
    world_nodes_init(world);
}

static const char *key_of(struct arena *arena, const char *kind, const char *namespace,
                          const char *name)
{
    return namespace ? arena_printf(arena, "%s/%s/%s", kind, namespace, name)
                     : arena_printf(arena, "%s/%s", kind, name);
}

/* What is known of its node no longer holds. */
static void leave_node(struct autoscaler_world *world, const struct world_item *item)
{
    if (item->gone)
        return;
    if (item->pod)
        world_nodes_drop_pod(world, item->pod);
    else if (!item->controller && item->object.kind == OBJECT_NODE)
        world_nodes_drop(world, item->object.as.node);
}

/* The item of that name, as if it were new. */
static struct world_item *renew_item(struct autoscaler_world *world, const char *kind,
                                     const char *namespace, const char *name)
{
    const char *key = key_of(world->arena, kind, namespace, name);
    struct map_entry *entry = map_put(&world->index, key);
    if (!entry->value) {
        entry->value = ARENA_NEW(world->arena, struct world_item);
        VEC_PUSH(world->arena, &world->items, entry->value);
    } else {
        leave_node(world, entry->value);
    }
    struct world_item *item = entry->value;
    const bool listed = item->listed;
    *item = (struct world_item){.key = key, .order = strchr(key, '/') + 1, .listed = listed};
    return item;
}

static bool waits(const struct world_item *item)
{
    return !item->gone && item->pod && !item->pod->pod->spec.node_name;
}

static void note_item(struct autoscaler_world *world, struct world_item *item)
{
    struct world_item_list *list = &world->other_items;
    if (item->object.kind == OBJECT_NODE) {
        item->node = world_nodes_put(world, item->object.as.node);
        list = &world->node_items;
    } else if (item->object.kind == OBJECT_POD) {
        world_nodes_put_pod(world, item->pod);
        list = &world->waiting_items;
        if (!waits(item))
            return;
    }
    if (!item->listed)
        VEC_PUSH(world->arena, &list->items, item);
    item->listed = true;
}

/* spec.replicas of a ReplicaSet or ReplicationController; not set for other kinds. */
static struct optional_int replicas_of(const struct object *controller)
{
    if (controller->kind == OBJECT_REPLICA_SET)
        return (struct optional_int){true, controller->as.replica_set->replicas};
    if (controller->kind == OBJECT_REPLICATION_CONTROLLER)
        return (struct optional_int){true, controller->as.replication_controller->replicas};
    return (struct optional_int){0};
}

void autoscaler_world_set(struct autoscaler_world *world, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        struct world_item *item =
            renew_item(world, object->kind_name, object->meta->namespace, object->meta->name);
        item->object = *object;
        item->replicas = replicas_of(object);
        if (object->kind == OBJECT_POD)
            item->pod = autoscaler_pod_create(world->arena, &world->kinds, object->as.pod,
                                              object->source ? &object->source->root : NULL);
        note_item(world, item);
    }
}

void autoscaler_world_add_controller(struct autoscaler_world *world, const char *kind,
                                     const char *namespace, const char *name,
                                     struct optional_int replicas)
{
    struct world_item *item = renew_item(world, kind, namespace, name);
    item->controller = true;
    item->replicas = replicas;
}

static bool is_controller(const char *kind)
{
    static const char *const kinds[] = {"ReplicaSet", "ReplicationController", "StatefulSet",
                                        "Job"};
    for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kinds[i], kind) == 0)
            return true;
    return false;
}

static bool read_controller(struct autoscaler_world *world, const struct value *value,
                            struct problems *problems)
{
    const char *kind = value_find_string(value, "kind");
    const struct value *meta = value_find(value, "metadata");
    const struct value *replicas = value_find(value_find(value, "spec"), "replicas");
    const char *name = value_find_string(meta, "name");
    const char *namespace = value_find_string(meta, "namespace");
    if (!name) {
        problem_error(problems, value_place(value), "metadata.name", "required, but missing");
        return false;
    }
    struct world_item *item = renew_item(world, kind, namespace ? namespace : "default", name);
    item->controller = true;
    item->replicas.set = !value_is_null(replicas) && strcmp(kind, "StatefulSet") != 0;
    if (item->replicas.set && !value_read_integer(replicas, &item->replicas.value)) {
        value_expected(problems, replicas, "spec.replicas", "a whole number");
        return false;
    }
    return true;
}

/* Objects of kinds that are not looked at need no name. */
static bool add_object(struct autoscaler_world *world, const struct document *document,
                       struct objects *objects, struct problems *problems)
{
    const struct object_options options = {.unvalidated = true};
    if (!objects_add(world->arena, objects, document, &options, problems))
        return false;
    const struct object *object = &objects->items[objects->count - 1];
    if (object->meta->name && object->meta->name[0] != '\0')
        return true;
    objects->count--;
    if (object->kind == OBJECT_OTHER)
        return true;
    problem_error(problems, object->place, "metadata.name", "required, but missing");
    return false;
}

bool autoscaler_world_read(struct autoscaler_world *world, const struct value *list,
                           const char *path, struct problems *problems)
{
    struct objects objects = {0};
    bool good = true;
    if (value_is_null(list))
        return true;
    if (list->kind != VALUE_SEQUENCE) {
        value_expected(problems, list, path, "a list");
        return false;
    }
    VALUE_EACH_ITEM(list, item)
    {
        if (is_controller(value_find_string(item, "kind"))) {
            good = read_controller(world, item, problems) && good;
            continue;
        }
        struct document *document = ARENA_NEW(world->arena, struct document);
        document->root = *item;
        good = add_object(world, document, &objects, problems) && good;
    }
    autoscaler_world_set(world, &objects);
    return good;
}

bool autoscaler_world_delete(struct autoscaler_world *world, const char *key)
{
    struct world_item *item = map_get(&world->index, key);
    if (!item || item->gone)
        return false;
    leave_node(world, item);
    item->gone = true;
    return true;
}

const struct world_item *autoscaler_world_find(const struct autoscaler_world *world,
                                               const char *kind, const char *namespace,
                                               const char *name)
{
    const struct arena_mark mark = arena_mark(world->arena);
    const struct world_item *item =
        map_get(&world->index, key_of(world->arena, kind, namespace, name));
    arena_rewind(world->arena, mark);
    return item && !item->gone ? item : NULL;
}

static int compare_items(const void *left, const void *right)
{
    const struct world_item *a = *(const struct world_item *const *)left;
    const struct world_item *b = *(const struct world_item *const *)right;
    return strcmp(a->order, b->order);
}

static bool is_unschedulable(const struct pod *pod)
{
    const struct condition *condition = conditions_find(&pod->status.conditions, "PodScheduled");
    return condition && condition->status && strcmp(condition->status, "False") == 0 &&
           condition->reason && strcmp(condition->reason, "Unschedulable") == 0;
}

static void list_pod(struct arena *arena, struct world_lists *lists,
                     const struct autoscaler_pod *pod)
{
    const enum pod_phase phase = pod->pod->status.phase;
    if (phase == POD_SUCCEEDED || phase == POD_FAILED)
        return;
    if (pod->pod->spec.node_name)
        VEC_PUSH(arena, &lists->scheduled, pod);
    else if (is_unschedulable(pod->pod))
        VEC_PUSH(arena, &lists->unschedulable, pod);
}

static void list_item(struct arena *arena, struct world_lists *lists, const struct world_item *item)
{
    const struct object *object = &item->object;
    if (item->controller)
        return;
    switch (object->kind) {
    case OBJECT_NODE: VEC_PUSH(arena, &lists->nodes, object->as.node); break;
    case OBJECT_POD: list_pod(arena, lists, item->pod); break;
    case OBJECT_POD_DISRUPTION_BUDGET:
        VEC_PUSH(arena, &lists->budgets, object->as.pod_disruption_budget);
        break;
    case OBJECT_DAEMON_SET: VEC_PUSH(arena, &lists->daemon_sets, object->as.daemon_set); break;
    default: objects_put(arena, &lists->objects, object); break;
    }
}

/* Leaves items out that do not belong to the list any more, and puts new ones in their places. */
static void sort_list(struct world_item_list *list, bool waiting)
{
    uint32_t kept = 0;
    uint32_t sorted = 0;
    for (uint32_t i = 0; i < list->items.count; i++) {
        struct world_item *item = list->items.items[i];
        item->listed = waiting ? waits(item) : !item->gone;
        if (!item->listed)
            continue;
        sorted += i < list->sorted;
        list->items.items[kept++] = item;
    }
    list->items.count = kept;
    if (sorted < kept)
        qsort(list->items.items, kept, sizeof(*list->items.items), compare_items);
    list->sorted = kept;
}

static void list_by_node(struct autoscaler_world *world, struct arena *arena,
                         struct world_lists *lists)
{
    sort_list(&world->node_items, false);
    sort_list(&world->waiting_items, true);
    sort_list(&world->other_items, false);
    for (uint32_t i = 0; i < world->node_items.items.count; i++) {
        struct known_node *known = world->node_items.items.items[i]->node;
        VEC_PUSH(arena, &lists->nodes, known->node);
        VEC_PUSH(arena, &lists->known, known);
    }
    for (uint32_t i = 0; i < world->waiting_items.items.count; i++)
        list_item(arena, lists, world->waiting_items.items.items[i]);
    for (uint32_t i = 0; i < world->other_items.items.count; i++)
        list_item(arena, lists, world->other_items.items.items[i]);
}

static void list_flat(struct autoscaler_world *world, struct arena *arena,
                      struct world_lists *lists)
{
    struct world_item **items = ARENA_ARRAY(arena, struct world_item *, world->items.count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->items.count; i++)
        if (!world->items.items[i]->gone)
            items[count++] = world->items.items[i];
    qsort(items, count, sizeof(struct world_item *), compare_items);
    for (uint32_t i = 0; i < count; i++)
        list_item(arena, lists, items[i]);
}

void autoscaler_world_list(struct autoscaler_world *world, struct arena *arena, bool flat,
                           struct world_lists *lists)
{
    *lists = (struct world_lists){0};
    if (flat)
        list_flat(world, arena, lists);
    else
        list_by_node(world, arena, lists);
}
