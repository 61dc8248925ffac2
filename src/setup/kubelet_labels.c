/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels that kubelets set: a kubelet registers its node with the operating system,
 * the architecture and the hostname of its machine, and selectors ask for them. The beta
 * labels have the values of the stable ones; the node lifecycle controller keeps them so.
 */
#include "setup/kubelet_labels.h"

#include "base/vec.h"
#include "object/schemas.h"
#include "setup/scope_reads.h"

static const struct {
    const char *key;
    const char *beta;
    const char *usual; /* if the manifest has neither */
} machine_labels[] = {
    {"kubernetes.io/os", "beta.kubernetes.io/os", "linux"},
    {"kubernetes.io/arch", "beta.kubernetes.io/arch", "amd64"},
};
enum { MACHINE_LABELS = sizeof(machine_labels) / sizeof(*machine_labels) };

static void add(struct arena *arena, struct labels *labels, const char *key, const char *value)
{
    if (!labels_find(labels, key))
        labels_set(arena, labels, key, value);
}

void node_add_kubelet_labels(struct arena *arena, struct node *node)
{
    struct labels *labels = &node->meta.labels;
    for (size_t i = 0; i < MACHINE_LABELS; i++) {
        const char *stable = labels_find(labels, machine_labels[i].key);
        const char *beta = labels_find(labels, machine_labels[i].beta);
        const char *value = stable ? stable : beta ? beta : machine_labels[i].usual;
        add(arena, labels, machine_labels[i].key, value);
        add(arena, labels, machine_labels[i].beta, value);
    }
    if (node->meta.name)
        add(arena, labels, LABEL_HOSTNAME, node->meta.name);
}

bool node_was_registered(const struct node *node)
{
    return node->meta.uid || node->meta.creation_time != TIME_NONE;
}

/* Does the manifest leave this label to the kubelet? */
static bool is_guessed(const struct node *node, size_t label)
{
    return !labels_find(&node->meta.labels, machine_labels[label].key) &&
           !labels_find(&node->meta.labels, machine_labels[label].beta);
}

static bool any_is_guessed(const struct scope *scope, size_t label)
{
    bool any = false;
    bool written = false;
    for (uint32_t i = 0; scope->check && i < scope->check->node_group_count; i++) {
        any |= is_guessed(&scope->check->node_groups[i].node, label);
        written = true;
    }
    for (uint32_t i = 0; i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        if (object->kind != OBJECT_NODE)
            continue;
        any |= !node_was_registered(object->as.node) && is_guessed(object->as.node, label);
        written = true;
    }
    return any || !written; /* true also for the default nodes, if no nodes are given */
}

struct string_list kubelet_labels_assumed(struct arena *arena, const struct scope *scope)
{
    VEC(const char *) sentences = {0};
    for (size_t i = 0; i < MACHINE_LABELS; i++)
        if ((reads_has_node_label(scope->reads, machine_labels[i].key) ||
             reads_has_node_label(scope->reads, machine_labels[i].beta)) &&
            any_is_guessed(scope, i))
            VEC_PUSH(arena, &sentences,
                     arena_printf(arena,
                                  "nodes without the label %s get it from their kubelets: %s",
                                  machine_labels[i].key, machine_labels[i].usual));
    return (struct string_list){sentences.items, sentences.count};
}
