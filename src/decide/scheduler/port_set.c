/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/port_set.h"

#include <string.h>

enum { PORT_KEYS_MOST = 64 };

static const char *plain_ip(const char *ip)
{
    return ip && ip[0] ? ip : "0.0.0.0";
}

/* The number of this port among those seen so far. Ports beyond the room of
 * the set share the last place, which can only make them conflict more. */
static uint32_t key_number(struct plan *plan, const struct container_port *port)
{
    struct host_port_key key = {plain_ip(port->host_ip), port->protocol, port->host_port};
    for (uint32_t i = 0; i < plan->port_keys.count; i++) {
        const struct host_port_key *known = &plan->port_keys.items[i];
        if (known->port == key.port && known->protocol == key.protocol &&
            strcmp(known->ip, key.ip) == 0)
            return i;
    }
    if (plan->port_keys.count == PORT_KEYS_MOST)
        return PORT_KEYS_MOST - 1;
    VEC_PUSH(plan->catalog->arena, &plan->port_keys, key);
    return plan->port_keys.count - 1;
}

static bool ips_overlap(const char *left, const char *right)
{
    static const char any[] = "0.0.0.0";
    left = plain_ip(left);
    right = plain_ip(right);
    return strcmp(left, right) == 0 || strcmp(left, any) == 0 || strcmp(right, any) == 0;
}

static bool conflicts(const struct plan *plan, const struct container_port *port)
{
    for (uint32_t i = 0; i < plan->shape->host_port_count; i++) {
        const struct container_port *wanted = &plan->shape->host_ports[i];
        if (wanted->host_port == port->host_port && wanted->protocol == port->protocol &&
            ips_overlap(wanted->host_ip, port->host_ip))
            return true;
    }
    return false;
}

uint64_t port_set_of(struct plan *plan, const struct pod_shape *shape)
{
    if (plan->shape->host_port_count == 0 || shape->host_port_count == 0)
        return 0;
    const uint64_t unknown = UINT64_MAX;
    while (plan->port_sets.count <= shape->id)
        VEC_PUSH(plan->catalog->arena, &plan->port_sets, unknown);
    if (plan->port_sets.items[shape->id] != unknown)
        return plan->port_sets.items[shape->id];
    uint64_t set = 0;
    for (uint32_t i = 0; i < shape->host_port_count; i++)
        if (conflicts(plan, &shape->host_ports[i]))
            set |= UINT64_C(1) << key_number(plan, &shape->host_ports[i]);
    plan->port_sets.items[shape->id] = set;
    return set;
}
