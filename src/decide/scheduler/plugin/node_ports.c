/* SPDX-License-Identifier: Apache-2.0 */
/* Two pods of one node cannot have the same host port. */
#include "decide/scheduler/plan.h"

static void prepare(struct plan *plan, struct part *part)
{
    part->filters = plan->shape->host_port_count > 0;
}

static struct verdict filter(const struct trial *trial)
{
    if (!trial->now->used_ports)
        return verdict_feasible();
    return verdict_no(VERDICT_UNSCHEDULABLE,
                      "node(s) didn't have free ports for the requested pod ports");
}

/* A container of the pod, init containers last, whether they keep running or not. */
static const struct container *container_at(const struct pod_spec *spec, uint32_t place)
{
    if (place < spec->container_count)
        return &spec->containers[place];
    place -= spec->container_count;
    return place < spec->init_container_count ? &spec->init_containers[place] : NULL;
}

/* Has a container of the pod this port of the node? */
static bool has_host_port(const struct pod *pod, int32_t port)
{
    const struct container *container;
    for (uint32_t c = 0; (container = container_at(&pod->spec, c)) != NULL; c++)
        for (uint32_t p = 0; p < container->port_count; p++) {
            const struct container_port *own = &container->ports[p];
            if (own->host_port == port || (pod->spec.host_network && own->container_port == port))
                return true;
        }
    return false;
}

static bool looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other)
{
    (void)catalog;
    const struct container *container;
    for (uint32_t c = 0; (container = container_at(&own->spec, c)) != NULL; c++)
        for (uint32_t p = 0; p < container->port_count; p++) {
            const struct container_port *port = &container->ports[p];
            if ((port->host_port != 0 && has_host_port(other, port->host_port)) ||
                (own->spec.host_network && has_host_port(other, port->container_port)))
                return true;
        }
    return false;
}

static bool only_room(const struct pod_shape *shape)
{
    return shape->host_port_count == 0;
}

static const struct plugin_reads reads = {.looks_at = looks_at, .only_room = only_room};

static const struct plugin_field fields[] = {
    {"containers[0].ports", NULL}, {"containers", NULL}, {0}};

const struct plugin plugin_node_ports = {
    .name = "NodePorts",
    .mirrors = "pkg/scheduler/framework/plugins/nodeports/node_ports.go @ v1.26.15",
    .events = EVENT_POD_DELETE | EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .filter = filter,
};
