/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/resource_limits.h"

#include "base/saturating.h"

#include <string.h>

static int64_t node_resource(const struct node *node, const char *resource)
{
    const struct quantity *capacity = resource_list_find(&node->status.capacity, resource);
    const int64_t value = capacity ? quantity_value(*capacity) : 0;
    return value > 0 ? value : 0;
}

int64_t node_cores(const struct node *node)
{
    return node_resource(node, "cpu");
}

int64_t node_memory(const struct node *node)
{
    return node_resource(node, "memory");
}

static int64_t bytes_of(int64_t gibibytes)
{
    return saturating_multiply(gibibytes, (int64_t)1024 * 1024 * 1024);
}

static int64_t above_zero(int64_t number)
{
    return number > 0 ? number : 0;
}

/* Groups count with their targets, other nodes if they are ready. A virtual kubelet's node may have
 * any size, and does not count. */
bool resources_to_add(const struct cluster_autoscaler *autoscaler, struct resources_left *left,
                      const struct autoscaler_group **group)
{
    const struct autoscaler_options *options = &autoscaler->options;
    *left = (struct resources_left){.limits_cores = options->cores_max > 0,
                                    .limits_memory = options->memory_max > 0};
    if (!left->limits_cores && !left->limits_memory)
        return true;
    int64_t cores = 0;
    int64_t memory = 0;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        *group = autoscaler->groups.items[i];
        if (!(*group)->template)
            return false;
        cores = saturating_add(cores, saturating_multiply(above_zero((*group)->target),
                                                          node_cores((*group)->template->node)));
        memory = saturating_add(memory, saturating_multiply(above_zero((*group)->target),
                                                            node_memory((*group)->template->node)));
    }
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct listed_node *node = &autoscaler->nodes.items[i];
        const char *type = labels_find(&node->node->meta.labels, "type");
        if (node->group || !node->schedulable || (type && strcmp(type, "virtual-kubelet") == 0))
            continue;
        cores = saturating_add(cores, node_cores(node->node));
        memory = saturating_add(memory, node_memory(node->node));
    }
    left->cores = above_zero(options->cores_max - cores);
    left->memory = above_zero(bytes_of(options->memory_max) - memory);
    return true;
}

/* Upcoming nodes count; those that are being deleted do not. */
struct resources_left resources_to_remove(const struct cluster_autoscaler *autoscaler)
{
    const struct autoscaler_options *options = &autoscaler->options;
    struct resources_left left = {.limits_cores = options->cores_min > 0,
                                  .limits_memory = options->memory_min > 0};
    if (!left.limits_cores && !left.limits_memory)
        return left;
    int64_t cores = 0;
    int64_t memory = 0;
    for (uint32_t i = 0; i < autoscaler->simulation->count; i++) {
        const struct simulated_node *node = autoscaler->simulation->nodes[i];
        if (!node->upcoming && autoscaler->nodes.items[i].being_deleted)
            continue;
        cores += node_cores(node->node);
        memory += node_memory(node->node);
    }
    left.cores = above_zero(cores - options->cores_min);
    left.memory = above_zero(memory - bytes_of(options->memory_min));
    return left;
}

bool resources_exceeded(const struct resources_left *left, const struct node *node, bool *cores,
                        bool *memory)
{
    *cores = left->limits_cores && node_cores(node) > left->cores;
    *memory = left->limits_memory && node_memory(node) > left->memory;
    return *cores || *memory;
}

void resources_take(struct resources_left *left, const struct node *node)
{
    left->cores -= node_cores(node);
    left->memory -= node_memory(node);
}

static int64_t cap(int64_t nodes, bool limits, int64_t each, int64_t left)
{
    return limits && each > 0 && nodes > left / each ? left / each : nodes;
}

int64_t resources_cap(const struct resources_left *left, const struct node *node, int64_t nodes)
{
    nodes = cap(nodes, left->limits_cores, node_cores(node), left->cores);
    return cap(nodes, left->limits_memory, node_memory(node), left->memory);
}
