/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DaemonSets, one node at a time.
 *
 * A DaemonSet has a pod for each node, which waits for this node, is bound to it and starts there.
 * With n nodes of one kind the states say how many of them have got how far, and with several kinds
 * they are a product of that. But no pod knows of the others:
 *
 *   - The DaemonSet controller decides for each node by its labels and taints and by the pods that
 *     it has there. It counts pods of all nodes only while it replaces those of an old template.
 *   - The scheduler asks whether the pod fits on its node: the room that is left there, ports,
 *     taints. Only required (anti-)affinity, spread constraints and volumes ask about other nodes.
 *   - Kubelets know their own node. Drains leave pods of DaemonSets alone, or evict them one by
 *     one; only budgets count pods of several nodes, and the descheduler compares nodes.
 *   - Failures, outages and drains come to nodes. How many come, and how many nodes are away at a
 *     time, is limited for all nodes together; one node sees some of them, or all.
 *   - Where a zone or the cluster is disrupted, the node lifecycle controller adds no taints of the
 *     effect NoExecute. The pods tolerate these for ever, unless the template says for how long.
 *
 * So what a run does to one node is a run of the model with this node alone, beside others that may
 * be restless: the pods on the other nodes are others (cluster/others.h) that share nothing with
 * it, not even room. What holds of each node holds of all, if it is about one node at a time
 * (IGNORES_OTHER_NODES); and they hold at most the sum of what each can hold, at any moment, and at
 * rest, because the cluster rests only where each node does.
 */
#include "setup/part_by_node.h"

#include "setup/part_fold.h"
#include "setup/scope_reads.h"

#include <string.h>

/* ---- what asks about several nodes ---- */

static bool is_required(const struct pod_affinity *affinity)
{
    return affinity && affinity->required_count > 0;
}

static bool asks_about_other_nodes(const struct pod_spec *spec)
{
    for (uint32_t c = 0; c < spec->topology_spread_constraint_count; c++)
        if (spec->topology_spread_constraints[c].when_unsatisfiable == DO_NOT_SCHEDULE)
            return true;
    return spec->affinity && (is_required(spec->affinity->pod_affinity) ||
                              is_required(spec->affinity->pod_anti_affinity));
}

/* May the pods be evicted because of a taint that depends on how many nodes are ready? */
static bool tolerates_for_a_while(const struct pod_spec *spec)
{
    for (uint32_t t = 0; t < spec->toleration_count; t++)
        if (spec->tolerations[t].toleration_seconds.set)
            return true;
    return false;
}

static bool is_local(const struct setup_workload *workload)
{
    if (workload->object->kind != OBJECT_DAEMON_SET || workload->comes_later ||
        workload->autoscaler_count > 0)
        return false;
    const struct pod_spec *spec = &workload_template(workload->object)->spec;
    return !spec->node_name && !asks_about_other_nodes(spec) && !tolerates_for_a_while(spec);
}

/* Does nothing but the loss and the maintenance of nodes happen to the part? */
static bool happens_to_nodes(const struct check_event *event)
{
    return event->kind == EVENT_NODE_FAILURE || event->kind == EVENT_ZONE_OUTAGE ||
           event->kind == EVENT_MAINTENANCE;
}

static bool has_budgets(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD_DISRUPTION_BUDGET)
            return true;
    return false;
}

static bool has_workload_in(const struct scope *scope, const char *namespace)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (strcmp(scope->workloads[w].object->meta->namespace, namespace) == 0)
            return true;
    return false;
}

/* A quota counts the pods of all nodes, and a webhook may be silent for all. */
static bool has_refusers(const struct scope *scope)
{
    const struct objects *objects = scope->objects;
    for (uint32_t i = 0; i < objects->count; i++)
        if ((objects->items[i].kind == OBJECT_RESOURCE_QUOTA &&
             has_workload_in(scope, objects->items[i].meta->namespace)) ||
            objects->items[i].kind == OBJECT_VALIDATING_WEBHOOK_CONFIGURATION ||
            objects->items[i].kind == OBJECT_MUTATING_WEBHOOK_CONFIGURATION)
            return true;
    return false;
}

/* Is one of these the name of a node of the group: GROUP-1, GROUP-2, ...? */
static bool names_one_of(const struct map *names, const struct setup_group *group)
{
    const size_t length = strlen(group->name);
    MAP_EACH (names, entry)
        if (strncmp(entry->key, group->name, length) == 0 && entry->key[length] == '-')
            return true;
    return false;
}

/* May a node of the group be mentioned by its name? Node objects that are mentioned are groups of
 * their own. */
static bool is_mentioned(const struct scope *scope, const struct setup_group *group)
{
    const struct node_mentions *mentions = &scope->reads->mentions;
    return !group->names &&
           (mentions->all || mentions->all_hostnames || names_one_of(&mentions->names, group) ||
            names_one_of(&mentions->hostnames, group));
}

/* Are the nodes of each group alike, and is there more than one node? */
static bool has_nodes_alike(const struct scope *scope, const struct setup *setup)
{
    int64_t nodes = 0;
    for (uint32_t g = 0; g < scope->group_count; g++) {
        if (setup->nodes[g] > 1 && is_mentioned(scope, &scope->groups[g]))
            return false;
        nodes += setup->nodes[g];
    }
    return nodes > 1;
}

bool scope_part_is_by_node(const struct scope_part *part, const struct setup *setup)
{
    const struct scope *scope = &part->scope;
    if (has_refusers(scope))
        return false;
    if (scope->start == START_OBSERVED || scope->pod_count > 0 || scope_descheduler_policy(scope) ||
        (scope->check && scope->check->controllers.cluster_autoscaler) ||
        has_budgets(scope->objects) || scope_part_places_volumes(part) ||
        !has_nodes_alike(scope, setup))
        return false;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (!is_local(&scope->workloads[w]))
            return false;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        if (!happens_to_nodes(&scope->check->events[e]))
            return false;
    return true;
}

/* ---- setups ---- */

const struct setup *setup_with_one_node(struct arena *arena, const struct scope_part *part,
                                        const struct setup *setup, uint32_t group)
{
    struct setup *of = ARENA_NEW(arena, struct setup);
    int32_t *nodes = ARENA_ARRAY(arena, int32_t, part->scope.group_count + 1);
    nodes[group] = 1;
    *of = *setup;
    of->nodes = nodes;
    of->total_nodes = 1;
    return of;
}
