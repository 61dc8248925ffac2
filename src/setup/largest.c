/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/largest.h"

#include <inttypes.h>
#include <string.h>

/* The most replicas that the manifests, the Check and its events can ask for. */
static int64_t most_replicas(const struct scope *scope, const struct setup_workload *workload)
{
    int64_t most = workload->most;
    const struct horizontal_pod_autoscaler *autoscaler = workload->autoscaler;
    if (autoscaler && !workload->autoscaler_follows && autoscaler->max_replicas > most)
        most = autoscaler->max_replicas;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++) {
        const struct check_event *event = &scope->check->events[e];
        if (event->kind != EVENT_SCALE || !object_name_matches(&event->object, workload->object))
            continue;
        for (uint32_t i = 0; i < event->to_count; i++)
            most = event->to[i] > most ? event->to[i] : most;
    }
    return most;
}

/* Of a group, with those that the cluster autoscaler may add. */
static int64_t most_nodes(const struct scope *scope, const struct setup_group *group)
{
    const struct check_cluster_autoscaler *autoscaler =
        scope->check ? scope->check->controllers.cluster_autoscaler : NULL;
    int64_t most = group->most;
    for (uint32_t i = 0; autoscaler && i < autoscaler->group_count; i++)
        if (strcmp(autoscaler->groups[i].name, group->name) == 0 &&
            autoscaler->groups[i].count.max > most)
            most = autoscaler->groups[i].count.max;
    return most;
}

static int64_t count_nodes(const struct scope *scope)
{
    int64_t nodes = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        nodes += most_nodes(scope, &scope->groups[g]);
    return nodes;
}

/* The Check's, or nowhere. */
static struct place place_of_check(const struct scope *scope)
{
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_CHECK)
            return scope->objects->items[i].place;
    return (struct place){0};
}

static bool check_nodes(const struct scope *scope, int64_t allowed, struct problems *problems)
{
    const int64_t nodes = count_nodes(scope);
    if (nodes <= allowed)
        return true;
    problem_error(problems, place_of_check(scope), "spec.nodeGroups",
                  "expected at most %" PRId64 " nodes, found up to %" PRId64
                  " (--max-nodes allows more); nothing is verified",
                  allowed, nodes);
    return false;
}

static bool check_pods(const struct scope *scope, int64_t allowed, struct problems *problems)
{
    int64_t pods = 0;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        const int64_t more =
            workload->object->kind == OBJECT_DAEMON_SET ? 0 : most_replicas(scope, workload);
        pods += more;
        if (pods <= allowed)
            continue;
        problem_error(problems, workload->object->place, NULL,
                      "expected at most %" PRId64 " pods, found up to %" PRId64
                      " with %s (--max-pods allows more); nothing is verified",
                      allowed, pods, workload->name);
        return false;
    }
    return true;
}

bool scope_check_largest(const struct scope *scope, const struct scope_options *options,
                         struct problems *problems)
{
    const int64_t nodes = options->nodes_most > 0 ? options->nodes_most : LARGEST_NODES;
    const int64_t pods = options->pods_most > 0 ? options->pods_most : LARGEST_PODS;
    return check_nodes(scope, nodes, problems) && check_pods(scope, pods, problems);
}
