/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/pods_to_help.h"

#include "decide/autoscaler/cluster_state.h"
#include "decide/autoscaler/every_outcome.h"
#include "decide/autoscaler/group_templates.h"
#include "object/time.h"

#include <string.h>

/* Upcoming nodes of the cached template have the same names in each loop, and hints hit. */
void add_upcoming_nodes(struct cluster_autoscaler *autoscaler)
{
    struct arena *arena = autoscaler->loop_arena;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        for (int64_t k = 0; group->template && k < group_upcoming(group); k++)
            add_template_node(
                autoscaler, group, group->template_number,
                arena_printf(arena, "%s-upcoming-%lld", group->template->name, (long long)k),
                arena_printf(arena, "template:%s-upcoming-%lld", group->id, (long long)k));
    }
}

/* Pods that a preemption makes room for are put there without asking whether they fit. */
static void split_unschedulable(struct cluster_autoscaler *autoscaler, pod_list *pods)
{
    for (uint32_t i = 0; i < autoscaler->lists.unschedulable.count; i++) {
        const struct autoscaler_pod *pod = autoscaler->lists.unschedulable.items[i];
        const char *nominated = pod->pod->status.nominated_node_name;
        const uint32_t position =
            nominated ? simulation_find(autoscaler->simulation, nominated) : SIMULATION_NOWHERE;
        if (autoscaler_pod_is_expendable(pod, autoscaler->options.expendable_cutoff))
            continue;
        if (position != SIMULATION_NOWHERE)
            simulation_add_pod(autoscaler->simulation, position, pod);
        else
            VEC_PUSH(autoscaler->loop_arena, pods, pod);
    }
}

/* Pods of nodes that are drained will come back as new pods. */
static void add_drained(struct cluster_autoscaler *autoscaler, pod_list *pods)
{
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct listed_node *listed = &autoscaler->nodes.items[i];
        if (!listed->record->deleting_drain)
            continue;
        const struct simulated_node *node = autoscaler->simulation->nodes[listed->position];
        for (uint32_t p = 0; p < node->pod_count; p++)
            if (!node->pods[p]->mirror && !node->pods[p]->fixed && !node->pods[p]->daemon)
                VEC_PUSH(autoscaler->loop_arena, pods, node->pods[p]);
    }
}

static int64_t priority_of(const struct autoscaler_pod *pod)
{
    return pod->pod->spec.priority.set ? pod->pod->spec.priority.value : 0;
}

/* Highest first, and in order where it is the same. */
static void sort_by_priority(pod_list *pods)
{
    for (uint32_t i = 1; i < pods->count; i++) {
        const struct autoscaler_pod *pod = pods->items[i];
        uint32_t place = i;
        while (place > 0 && priority_of(pods->items[place - 1]) < priority_of(pod)) {
            pods->items[place] = pods->items[place - 1];
            place--;
        }
        pods->items[place] = pod;
    }
}

struct filtering {
    struct cluster_autoscaler *autoscaler;
    const pod_list *pods;
};

/* Puts the pods, in a fork, where they fit. */
static void place_pods(void *context)
{
    const struct filtering *filtering = context;
    struct cluster_autoscaler *autoscaler = filtering->autoscaler;
    const struct acceptable anywhere = {0};
    autoscaler->result->schedulable = (placed_list){0};
    simulation_fork(autoscaler->simulation);
    hints_place(&autoscaler->filter_hints, autoscaler->simulation, filtering->pods->items,
                filtering->pods->count, &anywhere, false, &autoscaler->result->schedulable);
}

static void take_back(void *context)
{
    simulation_revert(((const struct filtering *)context)->autoscaler->simulation);
}

static void tell_places(void *context, struct text *text)
{
    const struct filtering *filtering = context;
    const placed_list *placed = &filtering->autoscaler->result->schedulable;
    simulation_tell(filtering->autoscaler->simulation, text);
    for (uint32_t i = 0; i < placed->count; i++)
        text_printf(text, " %u", placed->items[i].pod->likeness);
}

static void filter_schedulable(struct cluster_autoscaler *autoscaler, pod_list *pods)
{
    struct filtering filtering = {autoscaler, pods};
    struct loop_result *result = autoscaler->result;
    sort_by_priority(pods);
    trial_run(autoscaler, &(struct outcome_trial){place_pods, take_back, tell_places, &filtering});
    simulation_commit(autoscaler->simulation);
    hints_drop_old(&autoscaler->filter_hints);
    uint32_t next = 0;
    for (uint32_t i = 0; i < pods->count; i++) {
        const bool placed = next < result->schedulable.count &&
                            result->schedulable.items[next].pod == pods->items[i];
        next += placed;
        if (!placed)
            VEC_PUSH(autoscaler->loop_arena, &result->to_help, pods->items[i]);
    }
}

static bool is_young(const struct cluster_autoscaler *autoscaler, const struct autoscaler_pod *pod)
{
    const char *text = labels_find(&pod->pod->meta.annotations,
                                   "cluster-autoscaler.kubernetes.io/pod-scale-up-delay");
    int64_t delay = autoscaler->options.new_pod_delay;
    int64_t wanted;
    if (text && duration_parse(text, &wanted, NULL) && wanted > delay)
        delay = wanted;
    return pod->pod->meta.creation_time != TIME_NONE &&
           autoscaler->now - pod->pod->meta.creation_time <= delay;
}

void find_pods_to_help(struct cluster_autoscaler *autoscaler, pod_list *pods)
{
    pod_list unschedulable = {0};
    split_unschedulable(autoscaler, &unschedulable);
    add_upcoming_nodes(autoscaler);
    add_drained(autoscaler, &unschedulable);
    filter_schedulable(autoscaler, &unschedulable);
    for (uint32_t i = 0; i < autoscaler->result->to_help.count; i++)
        if (!is_young(autoscaler, autoscaler->result->to_help.items[i]))
            VEC_PUSH(autoscaler->loop_arena, pods, autoscaler->result->to_help.items[i]);
}

static bool requests_gpu(const struct autoscaler_pod *pod)
{
    for (uint32_t i = 0; i < pod->pod->spec.container_count; i++)
        if (resource_list_find(&pod->pod->spec.containers[i].resources.requests, "nvidia.com/gpu"))
            return true;
    return false;
}

bool pods_are_new(const struct cluster_autoscaler *autoscaler, const pod_list *pods)
{
    enum { NEW_SECONDS = 2, NEW_GPU_SECONDS = 30 };
    int64_t oldest = autoscaler->now;
    int64_t oldest_gpu = oldest;
    bool gpu = false;
    for (uint32_t i = 0; i < pods->count; i++) {
        const int64_t created = pods->items[i]->pod->meta.creation_time;
        if (created < oldest)
            oldest = created;
        if (!requests_gpu(pods->items[i]))
            continue;
        gpu = true;
        if (created < oldest_gpu)
            oldest_gpu = created;
    }
    const int64_t second = NANOSECONDS_PER_SECOND;
    return (oldest != TIME_NONE && oldest + NEW_SECONDS * second > autoscaler->now) ||
           (gpu && oldest_gpu != TIME_NONE &&
            oldest_gpu + NEW_GPU_SECONDS * second > autoscaler->now);
}
