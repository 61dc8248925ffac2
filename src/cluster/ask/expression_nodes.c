/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/expression_nodes.h"

#include "base/vec.h"
#include "cluster/ask/expression_pods.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/node_reads.h"
#include "object/node.h"
#include "setup/setup.h"

#include <string.h>

static const char zone_key[] = "topology.kubernetes.io/zone";

static const struct node *node_of(const struct expression_cluster *cluster, uint32_t entry)
{
    return state_config(cluster->worker, cluster->state, entry)->template->node;
}

static enum node_condition condition_of(const struct expression_cluster *cluster, uint32_t entry)
{
    return config_condition(cluster->worker, cluster->state->nodes[entry].config);
}

/* Only nodes that have an object are there for users. A state that is not packed yet may have
 * entries that all nodes have left. */
static bool is_listed(const struct expression_cluster *cluster, uint32_t entry)
{
    return cluster->state->nodes[entry].count > 0 &&
           condition_is_listed(condition_of(cluster, entry));
}

static const char *zone_of(const struct expression_cluster *cluster, uint32_t entry)
{
    return labels_find(&node_of(cluster, entry)->meta.labels, zone_key);
}

/* ---- bags ---- */

/* An answer depends on how many nodes there are of the entry. */
static void note_count(void *context, uint32_t entry, bool several)
{
    const struct expression_cluster *cluster = context;
    const struct catalog *catalog = cluster->worker->catalog;
    if (several)
        node_count_exceeds(catalog, cluster->state->nodes[entry], 1);
    else
        node_count_exact(catalog, cluster->state->nodes[entry]);
}

static void note_comparison(void *context, const uint32_t *entries, uint32_t count, int64_t than)
{
    const struct expression_cluster *cluster = context;
    const struct catalog *catalog = cluster->worker->catalog;
    struct node_sum sum = {0};
    for (uint32_t i = 0; i < count; i++)
        node_sum_add(catalog, &sum, cluster->state->nodes[entries[i]]);
    if (sum.value == than)
        node_sum_exact(catalog, &sum);
    else
        node_sum_exceeds(catalog, &sum, sum.value > than ? than : than - 1);
}

/* The bag of the nodes of these entries, with each of which its number is noted when it is read. */
static struct expression_value counted_bag(const struct expression_cluster *cluster,
                                           struct arena *scratch, struct expression_list bag)
{
    struct expression_counting *counting = ARENA_NEW(scratch, struct expression_counting);
    uint32_t *origins = ARENA_ARRAY(scratch, uint32_t, bag.count + 1);
    *counting = (struct expression_counting){note_count, note_comparison,
                                             arena_copy(scratch, cluster, sizeof(*cluster))};
    for (uint32_t i = 0; i < bag.count; i++)
        origins[i] = bag.items[i].object.first;
    bag.counting = counting;
    bag.origins = origins;
    return expression_of_counted_bag(scratch, &bag);
}

/* The nodes of a zone, or all of them; `zone` is NULL then. */
static struct expression_value nodes_in(const struct expression_cluster *cluster,
                                        struct arena *scratch, const char *zone)
{
    const uint32_t most = cluster->state->node_count + 1;
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, most);
    uint64_t *counts = ARENA_ARRAY(scratch, uint64_t, most);
    uint32_t count = 0;
    for (uint32_t n = 0; n < cluster->state->node_count; n++) {
        const char *found = zone ? zone_of(cluster, n) : NULL;
        if (!is_listed(cluster, n) || (zone && (!found || strcmp(zone, found) != 0)))
            continue;
        items[count] = expression_of_object(cluster->classes->node, n, 0);
        counts[count++] = cluster->state->nodes[n].count;
    }
    if (cluster->worker->catalog->node_reads)
        return counted_bag(cluster, scratch, (struct expression_list){items, counts, count, true});
    return expression_of_bag(scratch, items, counts, count);
}

struct expression_value read_nodes(void *context, struct arena *scratch)
{
    return nodes_in(context, scratch, NULL);
}

/* Is the entry the first one with a node of its zone? Zones are known from all nodes, those that
 * are away included: a zone that is lost is still a zone. */
static bool begins_zone(const struct expression_cluster *cluster, uint32_t entry)
{
    const char *zone = zone_of(cluster, entry);
    for (uint32_t n = 0; zone && n < entry; n++)
        if (zone_of(cluster, n) && strcmp(zone_of(cluster, n), zone) == 0)
            return false;
    return zone != NULL;
}

struct expression_value read_zones(void *context, struct arena *scratch)
{
    const struct expression_cluster *cluster = context;
    struct expression_value *items =
        ARENA_ARRAY(scratch, struct expression_value, cluster->state->node_count + 1);
    uint32_t count = 0;
    for (uint32_t n = 0; n < cluster->state->node_count; n++)
        if (begins_zone(cluster, n))
            items[count++] = expression_of_object(cluster->classes->zone, n, 0);
    return expression_of_bag(scratch, items, NULL, count);
}

/* ---- nodes ---- */

struct expression_value node_field_labels(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    return expression_of_labels(scratch, &node_of(context, object.first)->meta.labels);
}

struct expression_value node_field_taints(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    const struct node *node = node_of(cluster, object.first);
    struct expression_value *items =
        ARENA_ARRAY(scratch, struct expression_value, node->spec.taint_count + 1);
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        items[i] = expression_of_object(cluster->classes->taint, object.first, i);
    return expression_of_bag(scratch, items, NULL, node->spec.taint_count);
}

struct expression_value node_field_ready(void *context, struct arena *scratch,
                                         struct expression_object object)
{
    (void)scratch;
    return expression_of_bool(condition_traits[condition_of(context, object.first)].ready);
}

struct expression_value node_field_cordoned(void *context, struct arena *scratch,
                                            struct expression_object object)
{
    (void)scratch;
    return expression_of_bool(node_of(context, object.first)->spec.unschedulable);
}

struct expression_value node_field_zone(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    const char *zone = zone_of(context, object.first);
    (void)scratch;
    return zone ? expression_of_string(zone) : expression_absent();
}

struct expression_value node_field_group(void *context, struct arena *scratch,
                                         struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    const uint32_t group = state_template(cluster->worker, cluster->state, object.first)->group;
    (void)scratch;
    return expression_of_string(cluster->worker->population->scope->groups[group].name);
}

struct expression_value node_field_allocatable(void *context, struct arena *scratch,
                                               struct expression_object object)
{
    const struct resource_list *list = &node_of(context, object.first)->status.allocatable;
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    struct expression_value *keys = ARENA_ARRAY(scratch, struct expression_value, list->count + 1);
    struct expression_value *values =
        ARENA_ARRAY(scratch, struct expression_value, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        keys[i] = expression_of_string(list->items[i].name);
        values[i] = expression_of_quantity(scratch, list->items[i].quantity);
    }
    *map = (struct expression_map){.keys = keys, .values = values, .count = list->count};
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

static bool is_on_entry(const struct expression_cluster *cluster, uint32_t revision, uint32_t entry,
                        uint32_t wanted)
{
    (void)cluster;
    (void)revision;
    return entry == wanted;
}

struct expression_value node_field_pods(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    return pods_chosen(context, scratch, (struct pod_choice){is_on_entry, object.first, true});
}

const char *node_title(void *context, struct arena *arena, struct expression_object object)
{
    const struct expression_cluster *cluster = context;
    const uint32_t group = state_template(cluster->worker, cluster->state, object.first)->group;
    return arena_printf(arena, "a node of %s",
                        cluster->worker->population->scope->groups[group].name);
}

/* ---- taints ---- */

static const struct taint *taint_of(const struct expression_cluster *cluster,
                                    struct expression_object object)
{
    return &node_of(cluster, object.first)->spec.taints[object.second];
}

struct expression_value taint_field_key(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    (void)scratch;
    return expression_of_string(taint_of(context, object)->key);
}

struct expression_value taint_field_value(void *context, struct arena *scratch,
                                          struct expression_object object)
{
    (void)scratch;
    return expression_of_string(taint_of(context, object)->value);
}

struct expression_value taint_field_effect(void *context, struct arena *scratch,
                                           struct expression_object object)
{
    static const char *const names[] = {
        [TAINT_EFFECT_ANY] = "",
        [TAINT_NO_SCHEDULE] = "NoSchedule",
        [TAINT_PREFER_NO_SCHEDULE] = "PreferNoSchedule",
        [TAINT_NO_EXECUTE] = "NoExecute",
    };
    (void)scratch;
    return expression_of_string(names[taint_of(context, object)->effect]);
}

/* ---- zones ---- */

struct expression_value zone_field_name(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    (void)scratch;
    return expression_of_string(zone_of(context, object.first));
}

struct expression_value zone_field_nodes(void *context, struct arena *scratch,
                                         struct expression_object object)
{
    return nodes_in(context, scratch, zone_of(context, object.first));
}

static bool is_in_zone(const struct expression_cluster *cluster, uint32_t revision, uint32_t entry,
                       uint32_t wanted)
{
    const char *zone = entry == UINT32_MAX ? NULL : zone_of(cluster, entry);
    (void)revision;
    return zone && strcmp(zone, zone_of(cluster, wanted)) == 0;
}

struct expression_value zone_field_pods(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    return pods_chosen(context, scratch, (struct pod_choice){is_in_zone, object.first, false});
}

const char *zone_title(void *context, struct arena *arena, struct expression_object object)
{
    return arena_printf(arena, "zone %s", zone_of(context, object.first));
}
