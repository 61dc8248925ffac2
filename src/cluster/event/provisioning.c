/* SPDX-License-Identifier: Apache-2.0 */
/* provisioningFailure: the provider does not create a node that the cluster autoscaler asked for.
 * capacityExhausted: from then on it creates no more nodes of the group (step_provider.c).
 * groupSize: another controller sets the size of the group whenever it differs. */
#include "base/text.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/support.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "setup/setup.h"

#include <string.h>

static void emit_failure(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        if (config_condition(worker, config) == NODE_ORDERED &&
            event_concerns(worker, event, config))
            event_emit_node(expansion, event, n,
                            config_with_condition(worker, config, NODE_FAILED));
    }
}

static void describe_failure(const struct event_telling *telling, struct text *text)
{
    text_printf(text, "the provider fails to create %s", telling->node);
}

static void emit_exhaustion(struct expansion *expansion, const struct population_event *event)
{
    if (expansion->state->event_used[event->number] == 0)
        expansion_emit(expansion, state_after_event(expansion, event),
                       happening_of(event->type->action));
}

static void describe_exhaustion(const struct event_telling *telling, struct text *text)
{
    if (telling->event)
        text_printf(text, "the provider has no capacity left for nodes of group %s",
                    telling->event->group);
}

/* ---- groupSize: a rule (step_group_owner.c) ---- */

/* A group has no more nodes in the model than the cluster autoscaler lets it have. */
static int32_t most_nodes(const struct support *support, const struct check_event *event)
{
    const struct check *check = support->scope->check;
    const struct check_cluster_autoscaler *autoscaler =
        check ? check->controllers.cluster_autoscaler : NULL;
    for (uint32_t i = 0; autoscaler && i < autoscaler->group_count; i++)
        if (strcmp(autoscaler->groups[i].name, event->group) == 0)
            return autoscaler->groups[i].count.max;
    return 0;
}

/* A node that its owner deletes within a minute leaves no template behind, which is not modelled.
 */
static bool has_template(const struct support *support, const struct check_event *event)
{
    const struct check *check = support->scope->check;
    const struct check_cluster_autoscaler *autoscaler =
        check ? check->controllers.cluster_autoscaler : NULL;
    for (uint32_t i = 0; autoscaler && i < autoscaler->group_count; i++)
        if (strcmp(autoscaler->groups[i].name, event->group) == 0)
            return autoscaler->groups[i].template != NULL;
    return false;
}

static void check_size(const struct support *support, const struct check_event *event)
{
    if (event->to_count != 1)
        problem_error(support->problems, event->place, NULL,
                      "expected one size that the owner of the group wants, found %u",
                      event->to_count);
    else if (has_template(support, event))
        problem_error(support->problems, event->place, NULL,
                      "verify does not model another owner of a group of which the provider says "
                      "something else than what its nodes are; nothing is verified");
    else if (event->to[0] > most_nodes(support, event))
        problem_error(support->problems, event->place, "to",
                      "verify does not model groups that are larger than the cluster autoscaler "
                      "makes them (%d); nothing is verified",
                      (int)most_nodes(support, event));
}

/* No node that is there changes by it, and no object is deleted. */
enum { TRAITS = LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY | LEAVES_ADMISSION_ALONE };

const struct event_type event_provisioning_failure = {
    .action = ACT_EVENT_PROVISIONING,
    .emit = emit_failure,
    .describe = describe_failure,
    .traits = TRAITS,
};

const struct event_type event_capacity_exhausted = {
    .action = ACT_EVENT_EXHAUSTED,
    .emit = emit_exhaustion,
    .describe = describe_exhaustion,
    .traits = TRAITS,
};

/* Nodes that go take their pods along, whatever these are. */
const struct event_type event_group_size = {.check = check_size, .traits = LEAVES_OBJECTS_ALONE};
