/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For which other numbers of nodes what was shown of components is true.
 *
 * The model of a component beside others reads numbers of nodes as any model does, and its region
 * (decide/size_region.h) is kept in the same way, but for one question: can the others fill all of
 * the nodes that a pod fits on (ask/room_of_others.h)? The answer is not followed, because it need
 * not stay the same. With more nodes, those that there were are still among them. If the others
 * cannot fill these, they cannot fill all; if they can, the model with more nodes allows no more
 * than this one does. So the models of all larger clusters in the region do nothing that this one
 * does not do, and what holds here holds there. Nothing is said of fewer nodes.
 *
 * The others have the same pods in larger clusters, because every component has. Where a component
 * has as many as there are nodes, numbers of nodes were read, and its region has no others; or it
 * was looked at one node at a time (setup/part_by_node.c), which is the same for any number, and on
 * the nodes that there were it has no more pods than before.
 *
 * What is violated was found in runs with this number of nodes.
 */
#include "verify/modular_internal.h"

static const char why_parts[] = "several workloads were verified one by one";

/* May nodes of whole zones come back at once, with pods of others that nobody has counted? */
static bool zones_come_back(const struct modular *modular)
{
    return modular->component_count > 1 &&
           (modular->unknown.zones_back.key || modular->nodes_back == UINT32_MAX);
}

void modular_begin_sizes(struct modular *modular)
{
    if (!modular->query->population->every_size)
        return;
    const struct setup *setup = modular->query->setup;
    const uint32_t groups = modular->query->scope->group_count;
    const enum check_start start = modular->query->scope->start;
    if (zones_come_back(modular) || groups > SIZE_GROUPS_MOST || start == START_OBSERVED ||
        start == START_CANONICAL) {
        modular->sizes = size_region_point(why_parts);
        return;
    }
    /* What was found of other components before is still used (explore_charged_together). */
    if (!modular->sizes.tracked)
        modular->sizes = size_region_all();
    for (uint32_t g = 0; g < groups; g++)
        size_region_narrow(&modular->sizes, UINT32_C(1) << g, setup->nodes[g],
                           setup->nodes[g] > 0 ? SIZE_UNBOUNDED : 0);
}

/* Was the component looked at one node at a time, and would it be with more nodes? */
static bool is_by_node_for_ever(struct modular *modular, const struct component *component)
{
    const uint32_t count = component->part.scope.group_count;
    struct setup more = *component->setup;
    int32_t *nodes = ARENA_ARRAY(&modular->arena, int32_t, count + 1);
    for (uint32_t g = 0; g < count; g++)
        nodes[g] = component->setup->nodes[g] + 1;
    more.nodes = nodes;
    return component->by_node && scope_part_is_by_node(&component->part, &more);
}

/* Has the model of the component the groups of the scope? */
static bool has_same_groups(const struct modular *modular, const struct component *component)
{
    const struct scope *scope = &component->part.scope;
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (scope->groups[g].mixed)
            return false;
    return scope->group_count == modular->query->scope->group_count;
}

void modular_note_sizes(struct modular *modular, const struct component *component,
                        const struct others *others, const struct setup_outcome *told)
{
    if (!modular->sizes.tracked || is_by_node_for_ever(modular, component))
        return;
    const struct size_region point = size_region_point(why_parts);
    const bool followed =
        !component->by_node && !others->gathered && has_same_groups(modular, component);
    size_region_join(&modular->sizes, followed && told->sizes.tracked ? &told->sizes : &point);
}

void modular_note_sizes_of_rest(struct modular *modular, const struct setup_outcome *rest)
{
    if (!modular->query->population->every_size)
        return;
    const struct size_region point = size_region_point(why_parts);
    size_region_join(&modular->sizes, rest->sizes.tracked ? &rest->sizes : &point);
}

struct size_region modular_known_sizes(const struct modular *modular)
{
    if (!modular->query->population->every_size)
        return (struct size_region){0};
    return modular->outcome->violated || !modular->sizes.tracked ? size_region_point(why_parts)
                                                                 : modular->sizes;
}
