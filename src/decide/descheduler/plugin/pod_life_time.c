/* SPDX-License-Identifier: Apache-2.0 */
/* PodLifeTime: pods that are too old, the oldest of the whole cluster first. */
#include "decide/descheduler/descheduler_plugins.h"
#include "decide/descheduler/go_sort.h"

static bool too_old(struct cycle *cycle, uint32_t number)
{
    const struct pod_life_time_arguments *arguments = &cycle->profile->pod_life_time;
    const struct pod *pod = cycle_pod(cycle, number);
    return cycle_pod_listed(cycle, number) &&
           pod_age_seconds(pod, cycle->setup->now) > arguments->pod_life_time_seconds_most.value &&
           namespaces_choose(&arguments->namespaces, pod->meta.namespace) &&
           labels_chosen(arguments->label_selector, pod) &&
           pod_state_chosen(&arguments->states, pod) && evictor_passes(cycle, number) &&
           evictor_pre_eviction(cycle, number);
}

static bool older(const void *context, uint32_t left, uint32_t right)
{
    return cluster_kind(context, left)->pod->meta.creation_time <
           cluster_kind(context, right)->pod->meta.creation_time;
}

static void run(struct cycle *cycle)
{
    const struct cluster *cluster = cycle->cluster;
    uint32_t *pods = ARENA_ARRAY(cycle->arena, uint32_t, cluster->pod_count + 1);
    uint32_t count = 0;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        for (uint32_t i = 0; cluster->nodes[n].in_cycle && i < cluster->nodes[n].pod_count; i++)
            if (too_old(cycle, cluster->nodes[n].first_pod + i))
                pods[count++] = cluster->nodes[n].first_pod + i;
    cycle_tell(cycle, "%u pods are older than %lld s", count,
               (long long)cycle->profile->pod_life_time.pod_life_time_seconds_most.value);
    go_sort(pods, count, older, cluster);
    struct eviction_order order;
    order_init(cycle, &order, count);
    order.fixed = !stakes_of(cycle, pods, count, NULL).within;
    for (uint32_t i = 0; i < count; i++)
        order_add(&order, pods[i], cycle_pod(cycle, pods[i])->meta.creation_time);
    for (;;) {
        const uint32_t pod = order_take(cycle, &order, place_of(cycle, 1, 0));
        if (pod == VIEW_NONE)
            return;
        if (evictor_node_limit_reached(cycle, cluster->pods[pod].node))
            continue;
        evictor_evict(
            cycle, pod,
            cycle_because(cycle, "%lld s old",
                          (long long)pod_age_seconds(cycle_pod(cycle, pod), cycle->setup->now)));
    }
}

static struct kind_readers reads(const struct descheduler_features *features)
{
    (void)features;
    return (struct kind_readers){.ages = true, .reasons = true};
}

const struct descheduler_plugin_type plugin_pod_life_time = {
    .mirrors = "pkg/framework/plugins/podlifetime @ v0.27.1",
    .reads = reads,
    .run = run,
};
