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

const struct plugin plugin_node_ports = {
    .name = "NodePorts",
    .mirrors = "pkg/scheduler/framework/plugins/nodeports/node_ports.go @ v1.26.15",
    .events = EVENT_POD_DELETE | EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .prepare = prepare,
    .filter = filter,
};
