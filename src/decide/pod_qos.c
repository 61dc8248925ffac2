/* SPDX-License-Identifier: Apache-2.0 */
/* Follows pkg/apis/core/v1/helper/qos/qos.go @ v1.36.4: only cpu and memory
 * count, and amounts of 0 are as if they were absent. What is given for the pod
 * as a whole counts instead of its containers (1.34 on). */
#include "decide/pod_qos.h"

#include "decide/pod_requests.h"

enum { CPU, MEMORY, QOS_RESOURCE_COUNT };

static const char *const names[QOS_RESOURCE_COUNT] = {"cpu", "memory"};

struct sums {
    struct quantity requests[QOS_RESOURCE_COUNT];
    struct quantity limits[QOS_RESOURCE_COUNT];
    bool limited; /* every container has both limits */
};

static bool add(const struct resource_list *list, const char *name, struct quantity *sum)
{
    const struct quantity *quantity = resource_list_find(list, name);
    if (!quantity || quantity->nanos <= 0)
        return false;
    *sum = quantity_add(*sum, *quantity);
    return true;
}

static void add_containers(const struct container *containers, uint32_t count, struct sums *sums)
{
    for (uint32_t i = 0; i < count; i++)
        for (int r = 0; r < QOS_RESOURCE_COUNT; r++) {
            add(&containers[i].resources.requests, names[r], &sums->requests[r]);
            if (!add(&containers[i].resources.limits, names[r], &sums->limits[r]))
                sums->limited = false;
        }
}

static void add_whole(const struct features *features, const struct pod_spec *spec,
                      struct sums *sums)
{
    const struct pod pod = {.spec = *spec};
    for (int r = 0; r < QOS_RESOURCE_COUNT; r++) {
        pod_own_request(features, &pod, names[r], &sums->requests[r]);
        if (!add(&spec->resources->limits, names[r], &sums->limits[r]))
            sums->limited = false;
    }
}

enum pod_qos pod_qos_of(const struct features *features, const struct pod_spec *spec)
{
    struct sums sums = {.limited = true};
    bool anything = false;
    bool equal = true;
    if (features->pod_level_resources && spec->resources) {
        add_whole(features, spec, &sums);
    } else {
        add_containers(spec->containers, spec->container_count, &sums);
        add_containers(spec->init_containers, spec->init_container_count, &sums);
    }
    for (int r = 0; r < QOS_RESOURCE_COUNT; r++) {
        anything |= sums.requests[r].nanos > 0 || sums.limits[r].nanos > 0;
        equal &= sums.requests[r].nanos == sums.limits[r].nanos;
    }
    if (!anything)
        return POD_BEST_EFFORT;
    return sums.limited && equal ? POD_GUARANTEED : POD_BURSTABLE;
}
