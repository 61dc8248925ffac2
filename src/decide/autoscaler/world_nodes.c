/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/world_nodes.h"

#include "decide/fingerprint.h"
#include "decide/node_fingerprint.h"

#include <string.h>

void world_nodes_init(struct autoscaler_world *world)
{
    map_init(&world->nodes, world->arena);
    map_init(&world->hostnames, world->arena);
    map_init(&world->node_kinds, world->arena);
    map_init(&world->pod_texts, world->arena);
}

static struct known_node *find_or_add(struct autoscaler_world *world, const char *name)
{
    struct known_node *node = map_get(&world->nodes, name);
    if (node)
        return node;
    node = ARENA_NEW(world->arena, struct known_node);
    node->name = name;
    node->changed = true;
    map_put(&world->nodes, name)->value = node;
    return node;
}

static void count_hostname(struct autoscaler_world *world, const struct node *node, bool comes)
{
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    if (!hostname)
        return;
    struct map_entry *entry = map_put(&world->hostnames, hostname);
    const uintptr_t before = (uintptr_t)entry->value;
    const uintptr_t after = comes ? before + 1 : before - 1;
    entry->value = (void *)after;
    world->shared_hostnames += (uint32_t)(after > 1 ? after : 0);
    world->shared_hostnames -= (uint32_t)(before > 1 ? before : 0);
}

struct known_node *world_nodes_put(struct autoscaler_world *world, const struct node *node)
{
    struct known_node *known = find_or_add(world, node->meta.name);
    if (known->node)
        count_hostname(world, known->node, false);
    count_hostname(world, node, true);
    known->node = node;
    known->changed = true;
    return known;
}

void world_nodes_drop(struct autoscaler_world *world, const struct node *node)
{
    struct known_node *known = map_get(&world->nodes, node->meta.name);
    if (known->node)
        count_hostname(world, known->node, false);
    known->node = NULL;
    known->changed = true;
}

static bool is_on_node(const struct autoscaler_pod *pod)
{
    const enum pod_phase phase = pod->pod->status.phase;
    return pod->pod->spec.node_name && phase != POD_SUCCEEDED && phase != POD_FAILED;
}

/* Where the pod is, or belongs, among those of the node. */
static uint32_t place_of(const struct known_node *node, const struct autoscaler_pod *pod)
{
    uint32_t first = 0;
    uint32_t last = node->pods.count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (strcmp(node->pods.items[middle]->name, pod->name) < 0)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static uint32_t number_of(struct map *numbers, const struct text *text)
{
    const uintptr_t known = (uintptr_t)map_get(numbers, text_content(text));
    if (known)
        return (uint32_t)(known - 1);
    const uint32_t number = numbers->count;
    map_put(numbers, arena_strndup(numbers->arena, text_content(text), text->length))->value =
        (void *)((uintptr_t)number + 1);
    return number;
}

/* Everything but the names of the pod and of its node. */
static uint32_t kind_of_pod(struct autoscaler_world *world, const struct autoscaler_pod *pod)
{
    struct text text;
    text_init(&text, world->arena->memory);
    fingerprint_number(&text, pod->shape);
    fingerprint_number(&text, pod->likeness);
    fingerprint_number(&text, pod->pod->status.phase);
    fingerprint_number(&text, pod->pod->meta.deletion_time);
    fingerprint_labels(&text, &pod->pod->meta.annotations);
    const uint32_t kind = number_of(&world->pod_texts, &text);
    text_release(&text);
    return kind;
}

/* Everything but its name and hostname. */
static uint32_t kind_of_node(struct autoscaler_world *world, const struct node *node)
{
    struct text text;
    text_init(&text, world->arena->memory);
    node_fingerprint(&text, node);
    fingerprint_number(&text, node->meta.creation_time);
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        fingerprint_number(&text, node->spec.taints[i].time_added);
    for (uint32_t i = 0; i < node->status.conditions.count; i++)
        fingerprint_number(&text, node->status.conditions.items[i].last_transition_time);
    const uint32_t kind = number_of(&world->node_kinds, &text);
    text_release(&text);
    return kind;
}

void world_nodes_put_pod(struct autoscaler_world *world, struct autoscaler_pod *pod)
{
    if (!is_on_node(pod))
        return;
    struct known_node *node = find_or_add(world, pod->pod->spec.node_name);
    const uint32_t place = place_of(node, pod);
    pod->kind = kind_of_pod(world, pod);
    VEC_PUSH(world->arena, &node->pods, pod);
    memmove(&node->pods.items[place + 1], &node->pods.items[place],
            (node->pods.count - 1 - place) * sizeof(*node->pods.items));
    node->pods.items[place] = pod;
    node->changed = true;
}

void world_nodes_drop_pod(struct autoscaler_world *world, const struct autoscaler_pod *pod)
{
    if (!is_on_node(pod))
        return;
    struct known_node *node = map_get(&world->nodes, pod->pod->spec.node_name);
    const uint32_t place = place_of(node, pod);
    if (place == node->pods.count || node->pods.items[place] != pod)
        bug("pod %s is not on its node", pod->name);
    node->pods.count--;
    memmove(&node->pods.items[place], &node->pods.items[place + 1],
            (node->pods.count - place) * sizeof(*node->pods.items));
    node->changed = true;
}

/* A class keeps its pods: those of the node change with it. */
static void add_class(struct autoscaler_world *world, const struct known_node *node)
{
    const uint32_t count = node->pods.count;
    struct world_class class = {.pod_count = count};
    class.pods = ARENA_ARRAY(world->arena, const struct autoscaler_pod *, count + 1);
    if (count > 0)
        memcpy(class.pods, node->pods.items, count * sizeof(*class.pods));
    VEC_PUSH(world->arena, &world->classes, class);
}

uint32_t world_node_class(struct autoscaler_world *world, struct known_node *node)
{
    enum { PODS_USUAL = 128 };
    uint32_t usual[PODS_USUAL];
    const uint32_t count = node->pods.count;
    if (!node->changed)
        return node->class;
    uint32_t *words =
        count < PODS_USUAL ? usual : ARENA_ARRAY(world->arena, uint32_t, (size_t)count + 1);
    words[0] = kind_of_node(world, node->node);
    for (uint32_t i = 0; i < count; i++)
        words[i + 1] = node->pods.items[i]->kind;
    node->class = words_intern(world->arena, &world->class_words, words, count + 1);
    if (node->class == world->classes.count)
        add_class(world, node);
    node->changed = false;
    return node->class;
}
