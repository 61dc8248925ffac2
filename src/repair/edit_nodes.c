/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that are added beside Node objects. */
#include "object/node.h"
#include "repair/edit.h"

#include <string.h>

#define HOSTNAME "kubernetes.io/hostname"

/* Taints that the node lifecycle controller and kubectl cordon put on nodes: a new node has none.
 */
#define STATE_OF_NODE "node.kubernetes.io/"

/* ---- kinds of nodes ---- */

static bool has_label(const struct node *node, const struct label *wanted)
{
    const char *value = labels_find(&node->meta.labels, wanted->key);
    return value && strcmp(value, wanted->value) == 0;
}

static bool has_labels_of(const struct node *node, const struct node *other)
{
    for (uint32_t i = 0; i < other->meta.labels.count; i++)
        if (strcmp(other->meta.labels.items[i].key, HOSTNAME) != 0 &&
            !has_label(node, &other->meta.labels.items[i]))
            return false;
    return true;
}

static bool has_room_of(const struct node *node, const struct node *other)
{
    const struct resource_list *room = &other->status.allocatable;
    for (uint32_t i = 0; i < room->count; i++) {
        const struct quantity *amount =
            resource_list_find(&node->status.allocatable, room->items[i].name);
        if (!amount ||
            quantity_milli_value(*amount) != quantity_milli_value(room->items[i].quantity))
            return false;
    }
    return true;
}

static bool is_own(const struct taint *taint)
{
    return strncmp(taint->key, STATE_OF_NODE, strlen(STATE_OF_NODE)) != 0;
}

static bool has_taints_of(const struct node *node, const struct node *other)
{
    for (uint32_t i = 0; i < other->spec.taint_count; i++) {
        const struct taint *taint = &other->spec.taints[i];
        bool found = !is_own(taint);
        for (uint32_t t = 0; t < node->spec.taint_count && !found; t++)
            found = node->spec.taints[t].effect == taint->effect &&
                    strcmp(node->spec.taints[t].key, taint->key) == 0;
        if (!found)
            return false;
    }
    return true;
}

static bool contains(const struct node *node, const struct node *other)
{
    return has_labels_of(node, other) && has_room_of(node, other) && has_taints_of(node, other);
}

bool edit_node_is_first(const struct edit_case *of, const struct object *object)
{
    for (uint32_t i = 0; i < of->documents.count; i++) {
        const struct object *other = of->documents.items[i].object;
        if (other == object)
            return true;
        if (other->kind == OBJECT_NODE && contains(other->as.node, object->as.node) &&
            contains(object->as.node, other->as.node))
            return false;
    }
    return false;
}

/* ---- a node like another one ---- */

static void write_part(struct text *text, const struct value *from, const char *key)
{
    const struct value *value = from ? value_find(from, key) : NULL;
    if (value_is_null(value))
        return;
    text_printf(text, "%s: ", key);
    tree_write(text, value, false);
    text_append_string(text, ", ");
}

static void write_labels(struct arena *arena, struct text *text, const struct value *metadata,
                         const char *name)
{
    const struct value *labels = metadata ? value_find(metadata, "labels") : NULL;
    struct value renamed;
    struct value given;
    if (value_is_null(labels))
        return;
    const struct tree_path path = tree_path_parse(arena, tree_key_escape(arena, HOSTNAME));
    const bool has = tree_find(labels, &path) && tree_read(arena, name, &given) &&
                     tree_set(arena, labels, &path, &given, &renamed);
    text_append_string(text, ", labels: ");
    tree_write(text, has ? &renamed : labels, false);
}

static void write_taints(struct text *text, const struct value *spec)
{
    const struct value *taints = spec ? value_find(spec, "taints") : NULL;
    bool any = false;
    for (uint32_t i = 0; taints && taints->kind == VALUE_SEQUENCE && i < taints->count; i++) {
        const char *key = value_find_string(&taints->items[i], "key");
        if (!key || strncmp(key, STATE_OF_NODE, strlen(STATE_OF_NODE)) == 0)
            continue;
        text_append_string(text, any ? ", " : ", spec: {taints: [");
        tree_write(text, &taints->items[i], false);
        any = true;
    }
    text_append_string(text, any ? "]}" : "");
}

/* How many volumes of a driver a node can have is in an object of its own. */
static void write_drivers(const struct edit_case *of, struct text *text, const char *old,
                          const char *name)
{
    for (uint32_t i = 0; i < of->objects->count; i++) {
        const struct object *object = &of->objects->items[i];
        if (strcmp(object->kind_name, "CSINode") != 0 || !object->source || !object->meta->name ||
            strcmp(object->meta->name, old) != 0)
            continue;
        text_append_string(text, " & object {apiVersion: storage.k8s.io/v1, kind: CSINode, ");
        write_part(text, &object->source->root, "spec");
        text_printf(text, "metadata: {name: %s}}", name);
    }
}

const char *edit_node_like(const struct edit_case *of, const struct edit_document *document,
                           uint32_t number)
{
    const struct value *root = &document->source->root;
    const struct value *status = value_find(root, "status");
    const char *old = document->object->meta->name;
    const char *name = arena_printf(of->arena, "%s-more-%u", old, number);
    struct text text;
    text_init(&text, of->arena->memory);
    text_printf(&text, "{apiVersion: v1, kind: Node, metadata: {name: %s", name);
    write_labels(of->arena, &text, value_find(root, "metadata"), name);
    text_append_string(&text, "}");
    write_taints(&text, value_find(root, "spec"));
    text_append_string(&text, ", status: {");
    write_part(&text, status, "capacity");
    write_part(&text, status, "allocatable");
    write_part(&text, status, "declaredFeatures");
    write_part(&text, status, "nodeInfo");
    text_append_string(&text, "conditions: [{type: Ready, status: \"True\"}]}}");
    write_drivers(of, &text, old, name);
    return text_keep(&text, of->arena);
}
