/* SPDX-License-Identifier: Apache-2.0 */
/* RemoveFailedPods: failed pods that are old enough, perhaps only for certain reasons. */
#include "decide/descheduler/descheduler_plugins.h"

static bool owner_excluded(const struct failed_pods_arguments *arguments, const struct pod *pod)
{
    for (uint32_t i = 0; i < pod->meta.owner_count; i++)
        if (strings_have(&arguments->exclude_owner_kinds, pod->meta.owners[i].kind))
            return true;
    return false;
}

static bool failed_for(const struct string_list *reasons, const struct container_status *statuses,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (statuses[i].state != CONTAINER_RUNNING && statuses[i].reason && *statuses[i].reason &&
            strings_have(reasons, statuses[i].reason))
            return true;
    return false;
}

static bool reason_matches(const struct failed_pods_arguments *arguments, const struct pod *pod)
{
    const struct pod_status *status = &pod->status;
    if (arguments->reasons.count == 0)
        return true;
    if (status->reason && *status->reason && strings_have(&arguments->reasons, status->reason))
        return true;
    return failed_for(&arguments->reasons, status->container_statuses,
                      status->container_status_count) ||
           (arguments->including_init_containers &&
            failed_for(&arguments->reasons, status->init_container_statuses,
                       status->init_container_status_count));
}

static bool concerns(struct cycle *cycle, uint32_t number)
{
    const struct failed_pods_arguments *arguments = &cycle->profile->failed_pods;
    const struct pod *pod = cycle_pod(cycle, number);
    return pod->status.phase == POD_FAILED &&
           namespaces_choose(&arguments->namespaces, pod->meta.namespace) &&
           labels_chosen(arguments->label_selector, pod) &&
           pod_age_seconds(pod, cycle->setup->now) >= arguments->pod_lifetime_seconds_least &&
           !owner_excluded(arguments, pod) && reason_matches(arguments, pod);
}

static const char *why(struct cycle *cycle, uint32_t pod)
{
    return cycle_because(cycle, "failed, %lld s old",
                         (long long)pod_age_seconds(cycle_pod(cycle, pod), cycle->setup->now));
}

static const struct node_sweep sweep = {concerns, evictor_pre_eviction, why};

static void run(struct cycle *cycle)
{
    sweep_nodes(cycle, &sweep);
}

static struct kind_readers reads(const struct descheduler_features *features)
{
    (void)features;
    return (struct kind_readers){.ages = true, .reasons = true};
}

const struct descheduler_plugin_type plugin_failed_pods = {
    .mirrors = "pkg/framework/plugins/removefailedpods @ v0.27.1",
    .reads = reads,
    .run = run,
};
