/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a scope: groups, each with a range of sizes. */
#include "setup/fold_nodes.h"
#include "setup/group_names.h"
#include "setup/kubelet_labels.h"
#include "setup/scope_building.h"
#include "setup/volume_limits.h"

#include <string.h>

/* How far the cluster autoscaler lets the group grow; 0: it does not scale it. */
static int32_t autoscaled_most(const struct check *check, const struct setup_group *group)
{
    const struct check_cluster_autoscaler *autoscaler =
        check ? check->controllers.cluster_autoscaler : NULL;
    for (uint32_t i = 0; autoscaler && !group->names && i < autoscaler->group_count; i++)
        if (strcmp(autoscaler->groups[i].name, group->name) == 0)
            return autoscaler->groups[i].count.max;
    return 0;
}

bool setup_group_open(const struct check *check, struct setup_group *group)
{
    const int32_t autoscaled = autoscaled_most(check, group);
    group->open = autoscaled == 0;
    if (!group->open)
        group->most = autoscaled;
    if (group->most < group->least)
        group->most = group->least;
    return group->open;
}

/* "node" of nodes that are called node-1, node-4, ...; with their zone, if there are such of
 * several groups. */
static const char *name_of_open(struct arena *arena, const struct setup_group *group, bool several)
{
    const char *end = strrchr(group->name, '-');
    const char *zone = labels_find(&group->node->meta.labels, "topology.kubernetes.io/zone");
    const char *name =
        end ? arena_strndup(arena, group->name, (size_t)(end - group->name)) : group->name;
    if (!several)
        return name;
    return arena_printf(arena, "%s-%s", name, zone ? zone : group->name);
}

static bool may_be_open(const struct setup_group *group)
{
    return group->names && !group->single && !group->down && group->pressures == 0;
}

bool scope_open_nodes(struct arena *arena, struct scope *scope)
{
    struct setup_group *groups =
        arena_copy(arena, scope->groups, scope->group_count * sizeof(*groups));
    uint32_t opened = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        opened += may_be_open(&groups[g]);
    for (uint32_t g = 0; g < scope->group_count; g++) {
        struct setup_group *group = &groups[g];
        if (!may_be_open(group))
            continue;
        struct node *node = arena_copy(arena, group->node, sizeof(*node));
        group->name = node->meta.name = name_of_open(arena, group, opened > 1);
        group->names = NULL;
        group->node = node;
        group->open = true;
    }
    scope->groups = groups;
    return opened > 0;
}

int32_t setup_nodes_most(const struct scope *scope, const struct setup *setup, uint32_t group)
{
    const int32_t most = autoscaled_most(scope->check, &scope->groups[group]);
    return most > setup->nodes[group] ? most : setup->nodes[group];
}

int32_t setup_total_nodes_most(const struct scope *scope, const struct setup *setup)
{
    int32_t total = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        total += setup_nodes_most(scope, setup, g);
    return total;
}

static void add_named_nodes(struct scope_building *building)
{
    struct setup_group *groups;
    uint32_t count;
    fold_nodes(building->arena, building->scope->objects, building->scope->reads, &groups, &count);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(building->arena, &building->groups, groups[i]);
}

static void add_group(struct scope_building *building, const struct check_node_group *group)
{
    const struct count_range range = group->count.given ? group->count : building->options->nodes;
    struct node *node = ARENA_NEW(building->arena, struct node);
    building->takes_nodes |= !group->count.given;
    *node = group->node;
    node_add_kubelet_labels(building->arena, node);
    node_limit_volumes(building->arena, building->scope->objects, &building->volume_limits, node);
    node->meta.name = group->name;
    struct setup_group added = {
        .name = group->name,
        .node = node,
        .least = range.given ? range.min : 0,
        .most = range.given && !range.open ? range.max : building->scope->nodes_sufficient,
    };
    if (range.given && range.open && !setup_group_open(building->scope->check, &added))
        VEC_PUSH(building->arena, &building->assumptions,
                 arena_printf(building->arena,
                              "node group \"%s\" has at most %d nodes at the start, because the "
                              "cluster autoscaler lets it have no more",
                              group->name, added.most));
    VEC_PUSH(building->arena, &building->groups, added);
}

/* A group of the Check that leaves open how many nodes it has. Without any node nothing is
 * explored. */
static void assume_count(struct scope_building *building, const struct check_node_group *group)
{
    const struct setup_group *added = &building->groups.items[building->groups.count - 1];
    const bool only = building->scope->check->node_group_count == 1;
    if (!group->count.given && !building->options->nodes.given)
        VEC_PUSH(building->arena, &building->assumptions,
                 arena_printf(building->arena, "node group \"%s\" has no count: %d to %d nodes",
                              group->name, only ? 1 : 0, added->most));
}

/* Reports --nodes if every group has a number of nodes of its own, so that the
 * option would have no effect. */
static void check_nodes_option(const struct scope_building *building)
{
    const struct check *check = building->scope->check;
    if (building->options->nodes.given && !building->takes_nodes)
        problem_error(building->problems, (struct place){0}, "--nodes",
                      "expected a node group without a count of its own, found none%s%s",
                      check ? " in Check " : "", check ? check->meta.name : "");
}

/* Four cores, 16 GiB, 110 pods: a usual size, named in the output. */
static void add_default_group(struct scope_building *building)
{
    static const struct {
        const char *name;
        const char *amount;
    } resources[] = {{"cpu", "4"}, {"memory", "16Gi"}, {"pods", "110"}};
    enum { COUNT = sizeof(resources) / sizeof(*resources) };
    struct resource *items = ARENA_ARRAY(building->arena, struct resource, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        items[i].name = resources[i].name;
        quantity_parse(resources[i].amount, &items[i].quantity, NULL);
    }
    struct check_node_group group = {.name = "node"};
    group.node.meta.creation_time = TIME_NONE;
    group.node.meta.deletion_time = TIME_NONE;
    group.node.status.capacity = (struct resource_list){items, COUNT};
    group.node.status.allocatable = group.node.status.capacity;
    add_group(building, &group);
    const struct setup_group *added = &building->groups.items[building->groups.count - 1];
    const char *least =
        added->least < added->most ? arena_printf(building->arena, "%d to ", added->least) : "";
    VEC_PUSH(building->arena, &building->assumptions,
             arena_printf(building->arena,
                          "no nodes are given: one group \"node\" of %s%d node%s with 4 CPUs, "
                          "16Gi and 110 pods each",
                          least, added->most, added->most == 1 ? "" : "s"));
}

/* Two nodes cannot have one name: reports a Node that is called as a node of a group may be. */
static void check_name(const struct scope_building *building, const struct object *node,
                       const struct setup_group *group)
{
    const int32_t ordinal = group->names ? 0 : group_ordinal(group, node->meta->name);
    const int32_t autoscaled = autoscaled_most(building->scope->check, group);
    const int32_t most = autoscaled > group->most ? autoscaled : group->most;
    if (ordinal > 0 && (group->open || ordinal <= most))
        problem_error(building->problems, node->place, "metadata.name",
                      "expected another name than those of the nodes of group \"%s\" (%s-1, "
                      "%s-2, ...), found \"%s\"",
                      group->name, group->name, group->name, node->meta->name);
}

static void check_names(const struct scope_building *building)
{
    const struct objects *objects = building->scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        for (uint32_t g = 0; objects->items[i].kind == OBJECT_NODE && g < building->groups.count;
             g++)
            check_name(building, &objects->items[i], &building->groups.items[g]);
}

void scope_add_groups(struct scope_building *building)
{
    const struct check *check = building->scope->check;
    add_named_nodes(building);
    for (uint32_t i = 0; check && i < check->node_group_count; i++) {
        add_group(building, &check->node_groups[i]);
        assume_count(building, &check->node_groups[i]);
    }
    if (building->groups.count == 0)
        add_default_group(building);
    check_names(building);
    check_nodes_option(building);
}
