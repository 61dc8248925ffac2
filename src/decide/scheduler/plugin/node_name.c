/* SPDX-License-Identifier: Apache-2.0 */
/* A pod that names its node goes there or nowhere. */
#include "decide/scheduler/plan.h"

#include <string.h>

static void prepare(struct plan *plan, struct part *part)
{
    part->filters = plan->pod->pod->spec.node_name != NULL;
}

static struct verdict filter(const struct trial *trial)
{
    const struct node_template *template = trial->now->template;
    if (!template->anonymous &&
        strcmp(template->node->meta.name, trial->plan->pod->pod->spec.node_name) == 0)
        return verdict_feasible();
    return verdict_no(VERDICT_UNRESOLVABLE, "node(s) didn't match the requested node name");
}

static void read_incoming(struct reads *reads, const struct pod_spec *spec)
{
    reads_node_name(reads, spec->node_name);
}

static const struct plugin_reads reads = {.of_incoming = read_incoming,
                                          .only_room = only_room_ever};

static const struct plugin_field fields[] = {{"nodeName", NULL}, {0}};

const struct plugin plugin_node_name = {
    .name = "NodeName",
    .mirrors = "pkg/scheduler/framework/plugins/nodename/node_name.go @ v1.26.15",
    .events = EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .filter = filter,
};
