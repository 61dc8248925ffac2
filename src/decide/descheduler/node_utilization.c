/* SPDX-License-Identifier: Apache-2.0 */
/* After pkg/framework/plugins/nodeutilization/nodeutilization.go @ v0.27.1. */
#include "decide/descheduler/node_utilization.h"

#include "decide/controller/go_number.h"
#include "decide/descheduler/cluster_sizes.h"
#include "decide/descheduler/go_sort.h"

#include <string.h>

/* ---- resources and thresholds ---- */

static const struct resource_percentage *find(const struct resource_percentages *list,
                                              const char *name)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void add_resource(struct utilization *utilization, const char *name, double low, double high)
{
    const struct cluster *cluster = utilization->cycle->cluster;
    struct utilized_resource resource = {.name = name, .low_percent = low, .high_percent = high};
    const void *known = map_get(&cluster->resources.numbers, name);
    resource.resource = strcmp(name, "pods") == 0 ? (uint32_t)UTILIZATION_PODS
                        : known                   ? (uint32_t)((uintptr_t)known - 1)
                                                  : (uint32_t)VIEW_NONE;
    VEC_PUSH(utilization->cycle->arena, &utilization->resources, resource);
}

void utilization_init(struct utilization *utilization, struct cycle *cycle,
                      const struct resource_percentages *low,
                      const struct resource_percentages *high, double absent)
{
    static const char *const basic[] = {"cpu", "memory", "pods"};
    *utilization = (struct utilization){.cycle = cycle};
    for (int i = 0; i < 3; i++)
        if (!find(low, basic[i]))
            add_resource(utilization, basic[i], absent, high ? absent : 100);
    for (uint32_t i = 0; i < low->count; i++) {
        const struct resource_percentage *target = find(high, low->items[i].name);
        add_resource(utilization, low->items[i].name, low->items[i].percent,
                     target ? target->percent : 100);
    }
}

static int64_t usage_of(const struct cluster_node *node, uint32_t resource)
{
    if (resource == UTILIZATION_PODS)
        return node->active_pods;
    return resource == VIEW_NONE ? 0 : node->usage[resource];
}

static int64_t capacity_of(const struct cluster_node *node, uint32_t resource)
{
    if (resource == UTILIZATION_PODS)
        return node->allocatable_pods;
    return resource == VIEW_NONE ? 0 : node->allocatable[resource];
}

static int64_t share_of(int64_t capacity, double percent)
{
    return go_int64_of(percent * 0.01 * (double)capacity);
}

static double within_percent(double percent)
{
    return percent > 100 ? 100 : percent < 0 ? 0 : percent;
}

static double average_percent(const struct utilization *utilization, uint32_t resource)
{
    const struct cluster *cluster = utilization->cycle->cluster;
    double total = 0;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (cluster->nodes[n].in_cycle)
            total += (double)usage_of(&cluster->nodes[n], resource) /
                     (double)capacity_of(&cluster->nodes[n], resource) * 100.0;
    return total / (double)cluster_sum_exact(cluster, &cluster->cycle_nodes);
}

static void measure_node(struct utilization *utilization, uint32_t number, const double *averages)
{
    struct arena *arena = utilization->cycle->arena;
    const struct cluster_node *node = &utilization->cycle->cluster->nodes[number];
    const uint32_t count = utilization->resources.count;
    struct utilized_node measured = {.node = number};
    measured.capacity = ARENA_ARRAY(arena, int64_t, count);
    measured.usage = ARENA_ARRAY(arena, int64_t, count);
    measured.low = ARENA_ARRAY(arena, int64_t, count);
    measured.high = ARENA_ARRAY(arena, int64_t, count);
    for (uint32_t r = 0; r < count; r++) {
        const struct utilized_resource *resource = &utilization->resources.items[r];
        const int64_t capacity = capacity_of(node, resource->resource);
        double low = resource->low_percent;
        double high = resource->high_percent;
        if (averages) {
            low = within_percent(averages[r] - low);
            high = within_percent(averages[r] + high);
        }
        measured.capacity[r] = capacity;
        const bool no_matter = averages && resource->low_percent == 0;
        measured.usage[r] = usage_of(node, resource->resource);
        measured.low[r] = no_matter ? capacity : share_of(capacity, low);
        measured.high[r] = no_matter ? capacity : share_of(capacity, high);
    }
    VEC_PUSH(arena, &utilization->nodes, measured);
}

void utilization_measure(struct utilization *utilization, bool deviation)
{
    const struct cluster *cluster = utilization->cycle->cluster;
    double *averages =
        ARENA_ARRAY(utilization->cycle->arena, double, utilization->resources.count + 1);
    for (uint32_t r = 0; r < utilization->resources.count && deviation; r++)
        averages[r] = average_percent(utilization, utilization->resources.items[r].resource);
    for (uint32_t n = 0; n < cluster->node_count; n++)
        if (cluster->nodes[n].in_cycle)
            measure_node(utilization, n, deviation ? averages : NULL);
}

bool utilization_is_low(const struct utilization *utilization, const struct utilized_node *node)
{
    for (uint32_t r = 0; r < utilization->resources.count; r++)
        if (node->usage[r] > node->low[r])
            return false;
    return true;
}

bool utilization_is_above(const struct utilization *utilization, const struct utilized_node *node)
{
    for (uint32_t r = 0; r < utilization->resources.count; r++)
        if (node->usage[r] > node->high[r])
            return true;
    return false;
}

/* ---- telling ---- */

static double percent_of(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part * 100 / (double)whole : 0;
}

static const char *role_of(const struct utilization *utilization, uint32_t node)
{
    for (uint32_t i = 0; i < utilization->sources.count; i++)
        if (utilization->sources.items[i] == node)
            return "a source";
    for (uint32_t i = 0; i < utilization->destinations.count; i++)
        if (utilization->destinations.items[i] == node)
            return "a destination";
    return "neither source nor destination";
}

static void tell_nodes(const struct utilization *utilization)
{
    struct cycle *cycle = utilization->cycle;
    for (uint32_t i = 0; cycle->story && i < utilization->nodes.count; i++) {
        const struct utilized_node *node = &utilization->nodes.items[i];
        const char *text = arena_printf(
            cycle->arena, "%s is %s:", cycle_node_name(cycle, node->node), role_of(utilization, i));
        for (uint32_t r = 0; r < utilization->resources.count; r++)
            text = arena_printf(cycle->arena, "%s %s %.0f%% (low to %.0f%%, high above %.0f%%)%s",
                                text, utilization->resources.items[r].name,
                                percent_of(node->usage[r], node->capacity[r]),
                                percent_of(node->low[r], node->capacity[r]),
                                percent_of(node->high[r], node->capacity[r]),
                                r + 1 < utilization->resources.count ? "," : "");
        cycle_tell(cycle, "%s", text);
    }
}

static struct node_sum sum_of(const struct utilization *utilization, const uint32_t *nodes,
                              uint32_t count)
{
    struct node_sum sum = {0};
    for (uint32_t i = 0; i < count; i++)
        cluster_count_node(utilization->cycle->cluster, &sum,
                           utilization->nodes.items[nodes[i]].node);
    return sum;
}

bool utilization_calls_for_moves(struct utilization *utilization, const uint32_t *low,
                                 uint32_t count, int32_t number_of_nodes)
{
    struct cycle *cycle = utilization->cycle;
    const struct node_sum sum = sum_of(utilization, low, count);
    tell_nodes(utilization);
    if (count == 0)
        cycle_tell(cycle, "no node is underutilized");
    else if (!cluster_sum_exceeds(cycle->cluster, &sum, number_of_nodes))
        cycle_tell(cycle, "%lld underutilized nodes are not more than numberOfNodes, %d",
                   (long long)sum.value, number_of_nodes);
    else if (count == utilization->nodes.count)
        cycle_tell(cycle, "all nodes are underutilized");
    else
        return true;
    return false;
}

/* Why no more is evicted from the source. */
static void tell_end(const struct utilization *utilization, const struct utilized_node *source)
{
    struct cycle *cycle = utilization->cycle;
    if (utilization->down_to_target && !utilization_is_above(utilization, source)) {
        cycle_tell(cycle, "%s is down to its target", cycle_node_name(cycle, source->node));
        return;
    }
    for (uint32_t r = 0; r < utilization->resources.count; r++)
        if (utilization->room[r].available <= 0)
            cycle_tell(cycle, "the destinations have no more %s for %s",
                       utilization->resources.items[r].name, cycle_node_name(cycle, source->node));
}

/* ---- moving pods ---- */

/* Each group of pristine destinations has at least as many nodes. */
static void keep_destinations(const struct utilization *utilization)
{
    for (uint32_t i = 0; i < utilization->destinations.count; i++) {
        const struct node_sum sum = sum_of(utilization, &utilization->destinations.items[i], 1);
        cluster_sum_keep(utilization->cycle->cluster, &sum, sum.value, SIZE_UNBOUNDED);
    }
}

/* Is there room of the resource? Notes with which numbers of nodes the answer is the same. */
static bool has_room(const struct utilization *utilization, uint32_t resource)
{
    const struct cluster *cluster = utilization->cycle->cluster;
    const struct utilization_room *room = &utilization->room[resource];
    const struct node_sum *nodes = &room->nodes;
    const bool has = room->available > 0;
    if (nodes->mixed && has && room->of_each >= 0)
        keep_destinations(utilization);
    else if (nodes->mixed || room->of_each < 0)
        cluster_sum_exact(cluster, nodes);
    else if (room->of_each > 0 && has)
        cluster_sum_keep(cluster, nodes, nodes->value - (room->available - 1) / room->of_each,
                         SIZE_UNBOUNDED);
    else if (room->of_each > 0)
        cluster_sum_keep(cluster, nodes, 0, nodes->value + -room->available / room->of_each);
    return has;
}

static bool goes_on(const struct utilization *utilization, const struct utilized_node *source)
{
    if (utilization->down_to_target && !utilization_is_above(utilization, source))
        return false;
    for (uint32_t r = 0; r < utilization->resources.count; r++)
        if (!has_room(utilization, r))
            return false;
    return true;
}

/* All taints count here, and there must be at least as many tolerations as taints. */
static bool tolerates(const struct pod *pod, const struct node *node)
{
    if (pod->spec.toleration_count < node->spec.taint_count)
        return false;
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        if (!tolerations_find(pod->spec.tolerations, pod->spec.toleration_count,
                              &node->spec.taints[i]))
            return false;
    return true;
}

static bool may_move(const struct utilization *utilization, uint32_t number)
{
    const struct cluster *cluster = utilization->cycle->cluster;
    const struct pod *pod = cycle_pod(utilization->cycle, number);
    if (strings_have(utilization->exclude_namespaces, pod->meta.namespace))
        return false;
    for (uint32_t i = 0; i < utilization->destinations.count; i++) {
        const uint32_t node = utilization->nodes.items[utilization->destinations.items[i]].node;
        if (tolerates(pod, cluster->nodes[node].node))
            return true;
    }
    return false;
}

static int64_t moved_amount(const struct pod_kind *kind, uint32_t resource)
{
    if (resource == UTILIZATION_PODS)
        return 1;
    for (uint32_t i = 0; i < kind->request_count; i++)
        if (kind->requests[i].resource == resource)
            return kind->requests[i].moved;
    return 0;
}

static void account(struct utilization *utilization, struct utilized_node *source, uint32_t pod)
{
    const struct pod_kind *kind = cluster_kind(utilization->cycle->cluster, pod);
    for (uint32_t r = 0; r < utilization->resources.count; r++) {
        const int64_t amount = moved_amount(kind, utilization->resources.items[r].resource);
        source->usage[r] -= amount;
        utilization->room[r].available -= amount;
    }
}

static const char *because(struct utilization *utilization, const struct utilized_node *source)
{
    struct cycle *cycle = utilization->cycle;
    if (!cycle->story)
        return NULL;
    if (!utilization->down_to_target)
        return cycle_because(cycle, "%s is to be emptied", cycle_node_name(cycle, source->node));
    for (uint32_t r = 0; r < utilization->resources.count; r++)
        if (source->usage[r] > source->high[r])
            return cycle_because(cycle, "%s uses %lld of %s, more than %lld",
                                 cycle_node_name(cycle, source->node), (long long)source->usage[r],
                                 utilization->resources.items[r].name, (long long)source->high[r]);
    return NULL;
}

static void empty_source(struct utilization *utilization, struct utilized_node *source)
{
    struct cycle *cycle = utilization->cycle;
    const struct cluster_node *node = &cycle->cluster->nodes[source->node];
    uint32_t *pods = ARENA_ARRAY(cycle->arena, uint32_t, node->pod_count + 1);
    uint32_t count = 0;
    struct eviction_order order;
    if (!goes_on(utilization, source)) {
        tell_end(utilization, source);
        return;
    }
    for (uint32_t i = 0; i < node->pod_count; i++) {
        const uint32_t pod = node->first_pod + i;
        if (cycle_pod_listed(cycle, pod) && !cluster_kind(cycle->cluster, pod)->finished &&
            evictor_passes(cycle, pod))
            pods[count++] = pod;
    }
    order_by_priority(cycle, &order, pods, count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < order.count; i++)
        if (may_move(utilization, order.items[i])) {
            order.items[kept] = order.items[i];
            order.ranks[kept++] = order.ranks[i];
        }
    order.count = kept;
    for (;;) {
        const uint32_t pod = order_take(cycle, &order, place_of(cycle, 1, 0));
        if (pod == VIEW_NONE)
            return;
        if (!evictor_pre_eviction(cycle, pod)) {
            cycle_tell(cycle, "%s stays: it fits no other node", cycle_pod_name(cycle, pod));
        } else if (evictor_evict(cycle, pod, because(utilization, source))) {
            account(utilization, source, pod);
            if (!goes_on(utilization, source)) {
                tell_end(utilization, source);
                return;
            }
        }
        if (evictor_node_limit_reached(cycle, source->node))
            return;
    }
}

/* Bytes, thousandths of cpus and numbers, all in one sum, as upstream has it. */
static int64_t weight_of(const struct utilization *utilization, uint32_t source)
{
    const struct utilized_node *node = &utilization->nodes.items[source];
    int64_t sum = 0;
    for (uint32_t r = 0; r < utilization->resources.count; r++)
        sum = go_add_int64(sum, node->usage[r]);
    return sum;
}

static bool more_used(const void *context, uint32_t left, uint32_t right)
{
    return weight_of(context, left) > weight_of(context, right);
}

static bool less_used(const void *context, uint32_t left, uint32_t right)
{
    return weight_of(context, left) < weight_of(context, right);
}

static void add_room(const struct utilization *utilization, const struct utilized_node *node,
                     uint32_t resource)
{
    const struct cluster *cluster = utilization->cycle->cluster;
    const int64_t of_each = node->high[resource] - node->usage[resource];
    struct utilization_room *room = &utilization->room[resource];
    struct node_sum sum = {0};
    cluster_count_node(cluster, &sum, node->node);
    room->available += of_each * sum.value;
    if (sum.groups == 0)
        return;
    room->nodes.mixed |= room->nodes.groups != 0 && room->of_each != of_each;
    if (room->nodes.groups == 0 || of_each < room->of_each)
        room->of_each = of_each;
    room->nodes.value += sum.value;
    room->nodes.groups |= sum.groups;
}

static void find_room(struct utilization *utilization)
{
    utilization->room = ARENA_ARRAY(utilization->cycle->arena, struct utilization_room,
                                    utilization->resources.count + 1);
    for (uint32_t i = 0; i < utilization->destinations.count; i++)
        for (uint32_t r = 0; r < utilization->resources.count; r++)
            add_room(utilization, &utilization->nodes.items[utilization->destinations.items[i]], r);
}

void utilization_move(struct utilization *utilization, bool most_used_first)
{
    struct cycle *cycle = utilization->cycle;
    struct eviction_order order;
    find_room(utilization);
    go_sort(utilization->sources.items, utilization->sources.count,
            most_used_first ? more_used : less_used, utilization);
    order_init(cycle, &order, utilization->sources.count);
    order.of_nodes = true;
    for (uint32_t i = 0; i < utilization->sources.count; i++) {
        const uint32_t source = utilization->sources.items[i];
        const int64_t weight = weight_of(utilization, source);
        order_add(&order, utilization->nodes.items[source].node,
                  most_used_first ? -weight : weight);
    }
    for (;;) {
        const uint32_t node = order_take(cycle, &order, place_of(cycle, 2, 0));
        if (node == VIEW_NONE)
            break;
        cycle->cluster->nodes[node].mark = 1;
        for (uint32_t i = 0; i < utilization->nodes.count; i++)
            if (utilization->nodes.items[i].node == node)
                empty_source(utilization, &utilization->nodes.items[i]);
    }
    cycle_clear_marks(cycle);
}
