/* SPDX-License-Identifier: Apache-2.0 */
/* onlyOn, neverOn and neverOnDrained: does a step bring a pod to a node where it is not wanted?
 * The scheduler binds one; controllers bring those that name their node, maybe
 * several at once and to several nodes. */
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <stdlib.h>
#include <string.h>

static bool is_unwanted(const struct judged *judged, uint32_t config)
{
    const struct check_intent *intent = judged->intent->source;
    const struct node *node = config_at(judged->worker, config)->template->node;
    if (intent->kind == INTENT_NEVER_ON_DRAINED)
        return config_condition(judged->worker, config) == NODE_CORDONED;
    return labels_include(&node->meta.labels, &intent->node_selector) ==
           (intent->kind == INTENT_NEVER_ON);
}

/* Pods of the revision on nodes, those that terminate included. */
static uint32_t bound_pods(struct worker *worker, const struct state *state, uint32_t revision)
{
    return state_active(worker, state, revision) - state->pending[revision] +
           state_terminating(worker, state, revision);
}

/* Does a pod of the revision, which names its node, come to a node where it is not wanted? */
static bool comes_by_name(const struct judged *judged, uint32_t revision)
{
    const char *name = judged->population->revisions.items[revision].node_name;
    const uint32_t entry =
        name ? state_find_named(judged->worker, judged->state, name) : UINT32_MAX;
    return entry != UINT32_MAX && is_unwanted(judged, judged->state->nodes[entry].config) &&
           bound_pods(judged->worker, judged->next, revision) >
               bound_pods(judged->worker, judged->state, revision);
}

/* Is the step about a workload that the intent is about? A node that is drained keeps the pods of
 * DaemonSets, and gets new ones. */
static bool is_about(const struct judged *judged)
{
    const struct population *population = judged->population;
    const uint32_t workload = judged->happening->workload;
    if (workload == UINT32_MAX || !intent_concerns(judged->intent, workload))
        return false;
    return judged->intent->source->kind != INTENT_NEVER_ON_DRAINED ||
           !population->revisions.items[population->workloads.items[workload].first_revision]
                .pinned;
}

static bool mark(const struct judged *judged)
{
    const struct happening *happening = judged->happening;
    if (!is_about(judged))
        return false;
    if (happening->action == ACT_BIND)
        return is_unwanted(judged, judged->state->nodes[happening->node].config);
    if (!action_has(happening->action, MAKES_PODS))
        return false;
    const struct workload *workload = &judged->population->workloads.items[happening->workload];
    for (uint32_t i = 0; i < workload->revision_count; i++)
        if (comes_by_name(judged, workload->first_revision + i))
            return true;
    return false;
}

/* Is there a node where pods are not wanted? */
static bool has_unwanted_node(const struct judged *judged)
{
    for (uint32_t n = 0; n < judged->state->listed_count; n++)
        if (is_unwanted(judged, judged->state->nodes[n].config))
            return true;
    return false;
}

/* Does a pod come to a node while there is one where it is not wanted? */
static bool applies(const struct judged *judged)
{
    const struct happening *happening = judged->happening;
    return judged->next && is_about(judged) &&
           (happening->action == ACT_BIND || action_has(happening->action, MAKES_PODS)) &&
           has_unwanted_node(judged);
}

/* Does the selector match a node of the group? Nodes of a group with several have their
 * names as hostnames. */
static bool selects_node(const struct setup_group *group, const struct labels *selector)
{
    for (uint32_t i = 0; i < selector->count; i++) {
        const struct label *wanted = &selector->items[i];
        const char *value = labels_find(&group->node->meta.labels, wanted->key);
        const size_t prefix = strlen(group->name);
        char *end = NULL;
        if (!value && strcmp(wanted->key, LABEL_HOSTNAME) == 0 &&
            strncmp(wanted->value, group->name, prefix) == 0 && wanted->value[prefix] == '-') {
            const long number = strtol(wanted->value + prefix + 1, &end, 10);
            if (*end == '\0' && number >= 1 && number <= group->most)
                continue;
        }
        if (!value || strcmp(value, wanted->value) != 0)
            return false;
    }
    return group->most > 0;
}

/* Warns if the selector matches no node: the intent then says nothing about placement. */
static void check(const struct scope *scope, const struct check_intent *intent,
                  struct problems *problems)
{
    bool any = false;
    for (uint32_t g = 0; g < scope->group_count; g++)
        any |= selects_node(&scope->groups[g], &intent->node_selector);
    if (!any)
        problem_warning(problems, intent->place, "nodeSelector",
                        intent->kind == INTENT_NEVER_ON
                            ? "no node has these labels: %s holds of nothing"
                            : "no node has these labels: wherever a pod is bound violates %s",
                        intent_kind_name(intent->kind));
}

const struct intent_class intent_placement = {
    .mark = mark,
    .applies = applies,
    .never_applied = "no pod ever came while there was a node where it must not be",
    .ignores =
        IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS,
    .check = check,
    .blames = BLAMES_PLACEMENT,
};

/* Which of the nodes that are up a pod is on makes no difference; a node that is drained is never
 * in the pool. */
static const struct intent_class drained_beside_others = {
    .mark = mark,
    .applies = applies,
    .never_applied = "no pod ever came while a node was drained",
    .ignores = IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER |
               IGNORES_OTHER_WORKLOADS | IGNORES_PLACES,
};

const struct intent_class intent_never_on_drained = {
    .mark = mark,
    .beside_others = &drained_beside_others,
    .applies = applies,
    .never_applied = "no pod ever came while a node was drained",
    .ignores =
        IGNORES_READINESS | IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS,
    .blames = BLAMES_TOLERATIONS,
};
