/* SPDX-License-Identifier: Apache-2.0 */
/* RemovePodsHavingTooManyRestarts: pods whose containers restarted too often. */
#include "decide/descheduler/descheduler_plugins.h"

static int32_t restarts_of(const struct container_status *statuses, uint32_t count)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += statuses[i].restart_count;
    return sum;
}

static int32_t restarts(const struct cycle *cycle, const struct pod *pod)
{
    int32_t sum = restarts_of(pod->status.container_statuses, pod->status.container_status_count);
    if (cycle->profile->restarts.including_init_containers)
        sum += restarts_of(pod->status.init_container_statuses,
                           pod->status.init_container_status_count);
    return sum;
}

static bool concerns(struct cycle *cycle, uint32_t number)
{
    const struct restarts_arguments *arguments = &cycle->profile->restarts;
    const struct pod *pod = cycle_pod(cycle, number);
    return namespaces_choose(&arguments->namespaces, pod->meta.namespace) &&
           labels_chosen(arguments->label_selector, pod) &&
           (!cycle->setup->features.restart_states || pod_state_chosen(&arguments->states, pod)) &&
           restarts(cycle, pod) >= arguments->pod_restart_threshold;
}

static const char *why(struct cycle *cycle, uint32_t pod)
{
    return cycle_because(cycle, "%d restarts, %d are too many",
                         restarts(cycle, cycle_pod(cycle, pod)),
                         cycle->profile->restarts.pod_restart_threshold);
}

static const struct node_sweep sweep = {concerns, evictor_pre_eviction, why};

static void run(struct cycle *cycle)
{
    sweep_nodes(cycle, &sweep);
}

static struct kind_readers reads(const struct descheduler_features *features)
{
    return (struct kind_readers){.restarts = true, .reasons = features->restart_states};
}

const struct descheduler_plugin_type plugin_too_many_restarts = {
    .mirrors = "pkg/framework/plugins/removepodshavingtoomanyrestarts @ v0.27.1",
    .reads = reads,
    .run = run,
};
