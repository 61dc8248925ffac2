/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/build_autoscaling.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "decide/autoscaler/group_reading.h"
#include "decide/quota/resource_math.h"
#include "manifest/document.h"
#include "object/schemas.h"

#include <string.h>

void autoscaling_read_options(struct arena *arena, const struct check_cluster_autoscaler *given,
                              const struct features *features, struct autoscaler_options *options,
                              struct problems *problems)
{
    autoscaler_options_init(arena, features, options);
    options->unneeded_time = given->unneeded_time_ns;
    autoscaler_options_read(arena, given->flags, "spec.controllers.clusterAutoscaler.flags",
                            options, problems);
    autoscaler_options_settle(features, options, (struct place){0}, NULL);
}

const char *autoscaling_priorities(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->source && strcmp(object->kind_name, "ConfigMap") == 0 && object->meta->name &&
            strcmp(object->meta->name, "cluster-autoscaler-priority-expander") == 0)
            return value_find_string(value_find(&object->source->root, "data"), "priorities");
    }
    return NULL;
}

/* The provider's description of a node; what it has is what it can give to pods, unless the Check
 * says otherwise. */
static const struct node *template_of(struct arena *arena, const struct setup_group *group,
                                      const struct node *said)
{
    struct node *node = arena_copy(arena, said, sizeof(*said));
    for (uint32_t i = 0; i < group->node->status.allocatable.count; i++) {
        /* A template says nothing of limits for volumes (volume_limits.h). */
        const struct resource *resource = &group->node->status.allocatable.items[i];
        if (strncmp(resource->name, "attachable-volumes-", strlen("attachable-volumes-")) == 0 &&
            !resource_list_find(&node->status.allocatable, resource->name))
            resources_put(arena, &node->status.allocatable, resource->name, resource->quantity);
    }
    if (node->status.capacity.count == 0)
        node->status.capacity = node->status.allocatable;
    node->meta.name = group->name;
    labels_set(arena, &node->meta.labels, LABEL_HOSTNAME, group->name);
    return node;
}

void autoscaling_read_group_options(struct arena *arena, const struct autoscaled_group *group,
                                    struct autoscaler_options *options, struct problems *problems)
{
    group_options_read(
        arena, group->options,
        arena_printf(arena, "spec.controllers.clusterAutoscaler.groups.%s.options", group->name),
        options, problems);
}

static void add_group(struct population *population, struct autoscaling *autoscaling,
                      const struct autoscaled_group *given, struct problems *problems)
{
    const struct scope *scope = population->scope;
    struct autoscaler_options options = autoscaling->options;
    autoscaling_read_group_options(&population->arena, given, &options, problems);
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const struct setup_group *group = &scope->groups[g];
        if (group->names || strcmp(group->name, given->name) != 0)
            continue;
        autoscaling->groups[autoscaling->group_count++] = (struct scaled_group){
            .group = g,
            .name = group->name,
            .least = given->count.min,
            .most = given->count.max,
            .node = template_of(&population->arena, group,
                                given->template ? given->template : group->node),
            .seen = given->template ? template_of(&population->arena, group, group->node) : NULL,
            .has_price = given->has_price,
            .price = given->price,
            .utilization_threshold = options.utilization_threshold,
            .unneeded_time = options.unneeded_time,
            .unready_time = options.unready_time,
        };
        autoscaling->number_of[g] = autoscaling->group_count;
    }
}

const struct autoscaling *autoscaling_create(struct population *population,
                                             struct problems *problems)
{
    const struct scope *scope = population->scope;
    struct arena *arena = &population->arena;
    const struct check_cluster_autoscaler *given =
        scope->check ? scope->check->controllers.cluster_autoscaler : NULL;
    if (!given)
        return NULL;
    struct autoscaling *autoscaling = ARENA_NEW(arena, struct autoscaling);
    autoscaling_read_options(arena, given, &population->options.features, &autoscaling->options,
                             problems);
    autoscaling->priorities = autoscaling_priorities(scope->objects);
    autoscaling->groups = ARENA_ARRAY(arena, struct scaled_group, given->group_count + 1);
    autoscaling->number_of = ARENA_ARRAY(arena, uint32_t, scope->group_count + 1);
    for (uint32_t i = 0; i < given->group_count; i++)
        add_group(population, autoscaling, &given->groups[i], problems);
    return autoscaling;
}

bool autoscaling_may_fail(const struct population *population)
{
    for (uint32_t e = 0; population->autoscaling && e < population->events.count; e++)
        if (event_kind_has(population->events.items[e].event->kind, EVENT_FACT_PROVISIONS))
            return true;
    return false;
}
