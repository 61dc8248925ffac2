/* SPDX-License-Identifier: Apache-2.0 */
/* How large nodes have to be for the pods, and how many of them there have to be. */
#include "setup/node_needs.h"
#include "setup/setup.h"

#include <math.h>
#include <string.h>

enum { ZONES_USUAL = 3, DOUBLINGS_MOST = 10 };

static bool has_host_ports(const struct pod_spec *spec)
{
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (uint32_t p = 0; p < spec->containers[c].port_count; p++)
            if (spec->containers[c].ports[p].host_port != 0)
                return true;
    return false;
}

/* Must two pods of the template be in different domains of this key? */
static bool keeps_apart(const struct pod_template *template, const char *key)
{
    const struct pod_affinity *anti =
        template->spec.affinity ? template->spec.affinity->pod_anti_affinity : NULL;
    for (uint32_t i = 0; anti && i < anti->required_count; i++)
        if (strcmp(anti->required[i].topology_key, key) == 0 && anti->required[i].label_selector &&
            label_selector_matches(anti->required[i].label_selector, &template->meta.labels))
            return true;
    return false;
}

static bool reads_zones(const struct pod_spec *spec)
{
    const struct affinity *affinity = spec->affinity;
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        if (node_label_is_zone(spec->topology_spread_constraints[i].topology_key) &&
            spec->topology_spread_constraints[i].when_unsatisfiable == DO_NOT_SCHEDULE)
            return true;
    for (uint32_t i = 0;
         affinity && affinity->pod_anti_affinity && i < affinity->pod_anti_affinity->required_count;
         i++)
        if (node_label_is_zone(affinity->pod_anti_affinity->required[i].topology_key))
            return true;
    return false;
}

/* Pods at most, outside of rollouts: as many as an autoscaler may want. */
static int32_t pods_of(const struct node_needs *needs, const struct object *object)
{
    int32_t pods = workload_replicas(object);
    for (uint32_t i = 0; i < needs->objects->count; i++) {
        const struct object *other = &needs->objects->items[i];
        if (other->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(other->as.horizontal_pod_autoscaler, object) &&
            other->as.horizontal_pod_autoscaler->max_replicas > pods)
            pods = other->as.horizontal_pod_autoscaler->max_replicas;
    }
    return pods;
}

/* With those that a rollout adds. */
static int32_t pods_in_rollout(const struct object *object, int32_t pods)
{
    if (object->kind != OBJECT_DEPLOYMENT ||
        object->as.deployment->strategy != DEPLOYMENT_ROLLING_UPDATE)
        return pods;
    return pods + (int32_t)int_or_percent_of(object->as.deployment->max_surge, pods, true);
}

static void count_zones(struct node_needs *needs, const struct object *object,
                        const struct pod_template *template)
{
    const int32_t pods = pods_in_rollout(object, pods_of(needs, object));
    needs->zones_count |= reads_zones(&template->spec);
    if (object->kind != OBJECT_DAEMON_SET && keeps_apart(template, LABEL_ZONE) &&
        pods > needs->zones_apart)
        needs->zones_apart = pods;
}

/* Those that manifests name come first. */
static void make_zones(struct node_needs *needs)
{
    const int32_t least = needs->zones_apart > ZONES_USUAL ? needs->zones_apart : ZONES_USUAL;
    const int32_t most = needs->zones_apart + 1 > least ? needs->zones_apart + 1 : least;
    needs->zones_least =
        needs->zones.count > (uint32_t)least ? needs->zones.count : (uint32_t)least;
    for (int32_t n = 1; (int32_t)needs->zones.count < most; n++)
        node_wish_zone(needs, arena_printf(needs->arena, "zone-%d", n));
}

static void count_nodes(const struct node_needs *needs, const struct object *object,
                        const struct node *node, double *by_room, int32_t *apart)
{
    const struct pod_template *template = workload_template(object);
    const int64_t capacity = setup_node_capacity(node, &template->spec);
    const int32_t pods = pods_in_rollout(object, pods_of(needs, object));
    /* Those of DaemonSets are on nodes that others are on: the search finds out what that means. */
    if (object->kind != OBJECT_DAEMON_SET && capacity > 0)
        *by_room += (double)pods / (double)capacity;
    if (object->kind != OBJECT_DAEMON_SET &&
        (has_host_ports(&template->spec) || keeps_apart(template, LABEL_HOSTNAME)) && pods > *apart)
        *apart = pods;
}

/* Does an init container, which runs alone, ask for more than a node has? */
static bool exceeds(const struct node *node, const struct pod_spec *spec)
{
    for (uint32_t c = 0; c < spec->init_container_count; c++) {
        const struct resource_list *asked = &spec->init_containers[c].resources.requests;
        for (uint32_t r = 0; r < asked->count; r++) {
            const struct quantity *had =
                resource_list_find(&node->status.allocatable, asked->items[r].name);
            if (had && quantity_compare(*had, asked->items[r].quantity) < 0)
                return true;
        }
    }
    return false;
}

/* Is there a pod that a node of the present size does not hold, beside those of DaemonSets? */
static bool is_too_small(const struct node_needs *needs, const struct node *node)
{
    double of_daemons = 0;
    double greatest = 0;
    for (uint32_t i = 0; i < needs->objects->count; i++) {
        const struct object *object = &needs->objects->items[i];
        const struct pod_template *template = workload_template(object);
        const int64_t capacity = template ? setup_node_capacity(node, &template->spec) : 0;
        if (!template)
            continue;
        const double share =
            capacity > 0 && !exceeds(node, &template->spec) ? 1.0 / (double)capacity : 2.0;
        if (object->kind == OBJECT_DAEMON_SET)
            of_daemons += share;
        else if (share > greatest)
            greatest = share;
    }
    return of_daemons + greatest > 1.0;
}

/* Only CPU and memory grow: of everything else a node has what the largest pod asks for. */
static void choose_size(struct node_needs *needs)
{
    struct resource sized[] = {{"cpu", needs->size.cpu}, {"memory", needs->size.memory}};
    const struct node node = {.status.allocatable = {sized, 2}};
    for (int i = 0; i < DOUBLINGS_MOST && is_too_small(needs, &node); i++) {
        sized[0].quantity.nanos *= 2;
        sized[1].quantity.nanos *= 2;
    }
    needs->size = (struct node_size){sized[0].quantity, sized[1].quantity};
}

void node_counts_find(struct node_needs *needs)
{
    const struct objects *objects = needs->objects;
    struct node node = {0};
    choose_size(needs);
    node.status.allocatable = node_allocatable(needs->arena, needs, 1);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct pod_template *template = workload_template(&objects->items[i]);
        if (!template)
            continue;
        count_zones(needs, &objects->items[i], template);
        count_nodes(needs, &objects->items[i], &node, &needs->nodes_by_room, &needs->nodes_apart);
    }
    make_zones(needs);
}

int32_t node_counts_of(const struct node_needs *needs, node_asked *is_asked, const void *what)
{
    const struct objects *objects = needs->objects;
    const struct node node = {.status.allocatable = node_allocatable(needs->arena, needs, 1)};
    double by_room = 0;
    int32_t apart = 0;
    uint32_t n = 0; /* wishes are in the order of the templates */
    for (uint32_t i = 0; i < objects->count; i++)
        if (workload_template(&objects->items[i]) && is_asked(&needs->wishes.items[n++], what))
            count_nodes(needs, &objects->items[i], &node, &by_room, &apart);
    const int32_t enough = (int32_t)ceil(by_room);
    const int32_t least = enough > apart ? enough : apart;
    return least > 1 ? least : 1;
}

int32_t node_needs_least(const struct node_needs *needs)
{
    const int32_t by_room = (int32_t)ceil(needs->nodes_by_room);
    /* Who must spread pods over zones means to have some, with a node in each. */
    const int32_t zones = needs->zones_count ? (int32_t)needs->zones_least : 0;
    const int32_t apart = needs->nodes_apart > zones ? needs->nodes_apart : zones;
    const int32_t least = by_room > apart ? by_room : apart;
    return least > 1 ? least : 1;
}

int32_t node_needs_roomy(const struct node_needs *needs, bool one_goes)
{
    const int32_t zones = (int32_t)needs->zones.count;
    const int32_t apart = needs->nodes_apart + 1;
    int32_t count = apart > zones ? apart : zones;
    if (!needs->zones_count || !one_goes)
        return count;
    /* Two nodes in each zone, so that no zone becomes empty when a node goes. */
    count = count > 2 * zones ? count : 2 * zones;
    return (count + zones - 1) / zones * zones;
}

uint32_t node_needs_zones(const struct node_needs *needs)
{
    return needs->zones.count;
}
