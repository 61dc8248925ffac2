/* SPDX-License-Identifier: Apache-2.0 */
/* A cordoned node takes only pods that tolerate the taint which a cordon means. */
#include "decide/scheduler/plan.h"

static void prepare(struct plan *plan, struct part *part)
{
    part->facts = plan_reserve_facts(plan, 1);
}

static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    (void)part;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    facts[0] = template->node->spec.unschedulable &&
               !tolerations_find_cordon(spec->tolerations, spec->toleration_count);
}

static struct verdict filter(const struct trial *trial)
{
    if (!trial->now->facts[trial->part->facts])
        return verdict_feasible();
    return verdict_no(VERDICT_UNRESOLVABLE, "node(s) were unschedulable");
}

const struct plugin plugin_node_unschedulable = {
    .name = "NodeUnschedulable",
    .mirrors = "pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go @ v1.26.15",
    .events = EVENT_NODE_ADD | EVENT_NODE_TAINT,
    .reads = &(const struct plugin_reads){.only_room = only_room_ever},
    .prepare = prepare,
    .examine = examine,
    .filter = filter,
};
