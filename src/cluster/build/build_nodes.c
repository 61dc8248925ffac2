/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that there are at the start, and what they look like in every condition
 * that they may come into: a template each. */
#include "cluster/build/build_nodes.h"
#include "cluster/ask/pressure.h"
#include "cluster/ask/zones.h"
#include "cluster/build/build_daemon_sets.h"
#include "cluster/build/build_images.h"
#include "cluster/build/build_pods.h"
#include "cluster/event_type.h"
#include "cluster/population.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/conditions.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/autoscaler/autoscaler.h"
#include "object/schemas.h"
#include "setup/group_names.h"
#include "setup/scope_reads.h"

#include <assert.h>
#include <string.h>

static struct taint taint_of(const char *key, enum taint_effect effect)
{
    return (struct taint){.key = key, .value = "", .effect = effect, .time_added = TIME_NONE};
}

/* A copy of the node as controllers see it in this condition. */
static struct node *node_in(struct population *population, const struct setup_group *group,
                            const char *name, enum node_condition condition)
{
    struct arena *arena = &population->arena;
    const struct node *node = group->node;
    const char *gone = group->down && !group->unreachable ? TAINT_NOT_READY : TAINT_UNREACHABLE;
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 2);
    copy->meta.name = name;
    if (!group->names || !labels_find(&copy->meta.labels, LABEL_HOSTNAME))
        labels_set(arena, &copy->meta.labels, LABEL_HOSTNAME, name);
    if (node->spec.taint_count > 0)
        memcpy(taints, node->spec.taints, node->spec.taint_count * sizeof(*taints));
    copy->spec.taints = taints;
    if (condition == NODE_CORDONED) {
        copy->spec.unschedulable = true;
        taints[copy->spec.taint_count++] = taint_of(TAINT_UNSCHEDULABLE, TAINT_NO_SCHEDULE);
    } else if (condition == NODE_CANDIDATE) {
        taints[copy->spec.taint_count++] =
            taint_of(TAINT_DELETION_CANDIDATE, TAINT_PREFER_NO_SCHEDULE);
    } else if (condition == NODE_LEAVING) {
        taints[copy->spec.taint_count] = taint_of(TAINT_TO_BE_DELETED, TAINT_NO_SCHEDULE);
        taints[copy->spec.taint_count++].value = AUTOSCALING_NOW_TEXT;
        if (population->autoscaling->options.cordon)
            copy->spec.unschedulable = true;
    } else if (!condition_traits[condition].ready) {
        copy->status.conditions = ready_condition(arena, "Unknown", TIME_NONE);
        /* A node in maintenance was cordoned; a node that fails keeps what it had. */
        copy->spec.unschedulable |=
            condition == NODE_AWAY && failed_condition(population) != NODE_AWAY;
        taints[copy->spec.taint_count++] = taint_of(gone, TAINT_NO_SCHEDULE);
        if (condition_traits[condition].evicts)
            taints[copy->spec.taint_count++] = taint_of(gone, TAINT_NO_EXECUTE);
    }
    return copy;
}

/* The number of the node's zone; a zone is known by its first node. */
static uint32_t zone_of(struct population *population, const struct node *node)
{
    if (labels_find(&node->meta.labels, "node.kubernetes.io/exclude-disruption"))
        return UINT32_MAX;
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        const uint32_t up = population->node_kinds.items[k].templates[NODE_UP];
        if (population->templates.items[up].zone != UINT32_MAX &&
            zones_are_same(&population->maker->scratch,
                           population->catalog->templates.items[up]->node, node))
            return population->templates.items[up].zone;
    }
    return population->zone_count++;
}

uint32_t add_node_template(struct population *population, const struct node *node, bool named,
                           struct template_info info)
{
    const uint32_t template = named ? catalog_add_named_node(population->maker->catalog, node)
                                    : catalog_add_anonymous_node(population->maker->catalog, node);
    assert(template == population->templates.count);
    VEC_PUSH(&population->arena, &population->templates, info);
    return template;
}

/* Where there are DaemonSets, a second template is such a node as the one that a pod asks for:
 * only that one has the label. */
static uint32_t add_template(struct population *population, const char *name,
                             const struct node_kind *kind, struct template_info info)
{
    const struct setup_group *group = &population->scope->groups[info.group];
    struct node *node = node_in(population, group, name, info.condition);
    node_press(&population->arena, node, info.pressures);
    node_add_images(population, node, kind->pulled);
    const uint32_t template = add_node_template(population, node, kind->named, info);
    if (!population->has_daemon_sets)
        return template;
    struct node *target = arena_copy(&population->arena, node, sizeof(*node));
    labels_set(&population->arena, &target->meta.labels, LABEL_TARGET, "");
    const uint32_t number = add_node_template(population, target, kind->named, info);
    population->templates.items[template].target = number;
    return template;
}

/* Can a node of the group be under just these pressures? */
static bool pressure_is_possible(const struct population *population, uint32_t group,
                                 uint32_t pressures, bool passes)
{
    if (population->scope->groups[group].pressures == pressures && !passes)
        return true;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->type->pressure && event->event->recovers == passes &&
            event->type->pressure(event->event) == pressures)
            return true;
    }
    return false;
}

/* Adds the templates of such nodes in the condition that are under pressure. */
static void add_pressed(struct population *population, const char *name, struct node_kind *kind,
                        struct template_info info, enum node_condition condition)
{
    info.condition = condition;
    for (info.pressures = 1; info.pressures < PRESSURE_MASKS; info.pressures++)
        for (int passes = 0; passes < 2; passes++) {
            info.passes = passes;
            if (!pressure_is_possible(population, kind->group, info.pressures, passes))
                continue;
            kind->pressed[pressed_row(condition)][info.pressures][passes] =
                add_template(population, name, kind, info);
            population->has_pressure = true;
        }
}

/* Adds the kind with the templates of its nodes. */
static void add_templates(struct population *population, const char *name, struct node_kind kind)
{
    const struct node *node = population->scope->groups[kind.group].node;
    struct template_info info = {
        .group = kind.group,
        .node = population->node_kinds.count,
        .zone = zone_of(population, node),
    };
    kind.images = kind.pulled | image_sets_reported(population, node);
    for (int condition = 0; condition < NODE_CONDITION_COUNT; condition++) {
        info.condition = (enum node_condition)condition;
        if (condition_is_possible(population, info.condition))
            kind.templates[condition] = add_template(population, name, &kind, info);
    }
    add_pressed(population, name, &kind, info, NODE_UP);
    if (population->autoscaling) {
        add_pressed(population, name, &kind, info, NODE_CANDIDATE);
        add_pressed(population, name, &kind, info, NODE_LEAVING);
    }
    VEC_PUSH(&population->arena, &population->node_kinds, kind);
}

/* Adds a kind of nodes, and behind it one for every choice of images that they may have pulled;
 * the number of the first. */
static uint32_t add_node_kind(struct population *population, const char *name,
                              struct node_kind kind)
{
    const uint32_t number = population->node_kinds.count;
    for (kind.pulled = 0; kind.pulled < population->image_choices; kind.pulled++)
        add_templates(population, name, kind);
    return number;
}

/* Is this node mentioned by name, or by the hostname that is its name? Then it is a class
 * of its own. */
static bool mentioned(const struct population *population, const char *name)
{
    const struct node_mentions *mentions = &population->scope->reads->mentions;
    if (mentions->all_hostnames || map_get(&mentions->hostnames, name))
        return true;
    if (map_get(&mentions->names, name))
        return true;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].node_name &&
            strcmp(population->revisions.items[r].node_name, name) == 0)
            return true;
    return false;
}

/* Is one of them the name that a node of the group has, if there are enough? */
static bool names_one_of(const struct map *names, const struct setup_group *group)
{
    MAP_EACH (names, entry)
        if (group_ordinal(group, entry->key) > 0)
            return true;
    return false;
}

static void stay_between(struct mentioned_nodes *around, const struct setup_group *group,
                         const char *name, int32_t count)
{
    const int32_t ordinal = name ? group_ordinal(group, name) : 0;
    if (ordinal <= count && ordinal > around->last)
        around->last = ordinal;
    else if (ordinal > count && (around->next == 0 || ordinal < around->next))
        around->next = ordinal;
}

struct mentioned_nodes nodes_mentioned(const struct population *population, uint32_t number,
                                       int32_t count)
{
    const struct node_mentions *mentions = &population->scope->reads->mentions;
    const struct setup_group *group = &population->scope->groups[number];
    struct mentioned_nodes around = {0};
    MAP_EACH (&mentions->names, entry)
        stay_between(&around, group, entry->key, count);
    MAP_EACH (&mentions->hostnames, entry)
        stay_between(&around, group, entry->key, count);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        stay_between(&around, group, population->revisions.items[r].node_name, count);
    return around;
}

uint32_t nodes_by_name_most(const struct population *population)
{
    const struct node_mentions *mentions = &population->scope->reads->mentions;
    const uint32_t nodes = (uint32_t)population->total_nodes;
    const uint64_t most =
        population->scope->group_count *
        ((uint64_t)mentions->names.count + mentions->hostnames.count + population->revisions.count);
    return mentions->all_hostnames || most > nodes ? nodes : (uint32_t)most;
}

bool nodes_may_be_mentioned(const struct scope *scope)
{
    const struct node_mentions *mentions = &scope->reads->mentions;
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const struct setup_group *group = &scope->groups[g];
        if (!group->single && !group->names &&
            (mentions->all_hostnames || names_one_of(&mentions->hostnames, group) ||
             names_one_of(&mentions->names, group)))
            return true;
    }
    return false;
}

uint32_t first_template(const struct population *population, const struct node_kind *kind)
{
    const struct setup_group *group = &population->scope->groups[kind->group];
    if (group->down)
        return kind->templates[NODE_DOWN];
    return group->pressures != 0 ? kind_pressed(kind, NODE_UP, group->pressures, false)
                                 : kind->templates[NODE_UP];
}

/* `count` nodes of the kind, of which so many are there. */
static void add_nodes(struct population *population, struct state *state, uint32_t number,
                      int32_t count, int32_t present)
{
    const struct node_kind *kind = &population->node_kinds.items[number];
    const uint32_t config = catalog_intern_config(
        population->maker->catalog, first_template(population, kind), NULL, 0, NULL, 0);
    if (present < count) {
        const uint32_t absent = catalog_intern_config(
            population->maker->catalog, kind->templates[NODE_ABSENT], NULL, 0, NULL, 0);
        state->nodes[state->node_count++] = (struct view_node){absent, (uint32_t)(count - present)};
        count = present;
    }
    /* Observed nodes are added one by one, with their pods (build_observed.c). */
    const bool observed =
        population->scope->start == START_OBSERVED && population->scope->groups[kind->group].names;
    assert(state->node_count < state->node_capacity);
    if (count > 0 && !observed)
        state->nodes[state->node_count++] = (struct view_node){config, (uint32_t)count};
}

/* The pool looks like a node of the first kind, and takes any pod. */
static void add_pool(struct population *population, struct state *state)
{
    struct node_kind *kind = &population->node_kinds.items[0];
    const uint32_t config = catalog_intern_config(population->maker->catalog,
                                                  kind->templates[NODE_POOL], NULL, 0, NULL, 0);
    state->nodes[state->node_count++] = (struct view_node){config, 1};
    /* What happens in the pool happens on several nodes. */
    kind->shared = true;
}

void population_add_nodes(struct population *population, struct state *state)
{
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const struct setup_group *group = &population->scope->groups[g];
        const int32_t present = population->setup->nodes[g];
        const int32_t count = setup_nodes_most(population->scope, population->setup, g);
        int32_t named = 0;
        int32_t named_present = 0;
        /* Of a million nodes those behind the last one that is mentioned need not be looked at. */
        const bool by_name = group->single || nodes_may_be_mentioned(population->scope);
        const int32_t last = group->single || population->scope->reads->mentions.all_hostnames
                                 ? count
                                 : nodes_mentioned(population, g, count).last;
        for (int32_t n = 1; by_name && n <= last; n++) {
            const char *name = group->single
                                   ? group->name
                                   : arena_printf(&population->arena, "%s-%d", group->name, n);
            if (!group->single && (group->names || !mentioned(population, name)))
                continue;
            const struct node_kind one = {.group = g, .named = true};
            add_nodes(population, state, add_node_kind(population, name, one), 1, n <= present);
            named++;
            named_present += n <= present;
        }
        const int32_t each =
            population->options.nodes == NODES_ALL_DISTINGUISHED ? 1 : count - named;
        const char *name = arena_printf(&population->arena, "%s-*", group->name);
        const bool distinguished = population->options.nodes == NODES_ONE_DISTINGUISHED && each > 1;
        if (distinguished) /* the distinguished node of the next kind (distinguished_node.c) */
            add_node_kind(population, name, (struct node_kind){.group = g, .distinguished = true});
        const struct node_kind alike = {.group = g, .shared = each - distinguished > 1};
        for (int32_t n = named, left = present - named_present; n < count; n += each) {
            const int32_t there = left < each ? left : each;
            add_nodes(population, state, add_node_kind(population, name, alike), each, there);
            left -= there;
        }
    }
    if (population->pools)
        add_pool(population, state);
}
