/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods a kubelet evicts when its node runs low on a resource. Mirrors
 * pkg/kubelet/eviction/helpers.go @ v1.26.15. */
#include "decide/controller/kubelet.h"

static const enum kubelet_pressure pressure_of[KUBELET_SIGNAL_COUNT] = {
    [KUBELET_MEMORY_AVAILABLE] = KUBELET_MEMORY_PRESSURE,
    [KUBELET_ALLOCATABLE_MEMORY_AVAILABLE] = KUBELET_MEMORY_PRESSURE,
    [KUBELET_NODEFS_AVAILABLE] = KUBELET_DISK_PRESSURE,
    [KUBELET_NODEFS_INODES_FREE] = KUBELET_DISK_PRESSURE,
    [KUBELET_IMAGEFS_AVAILABLE] = KUBELET_DISK_PRESSURE,
    [KUBELET_IMAGEFS_INODES_FREE] = KUBELET_DISK_PRESSURE,
    [KUBELET_PID_AVAILABLE] = KUBELET_PID_PRESSURE,
};

/* The rank of a pod: the group first, then priority, then usage. */
struct rank {
    int group; /* 0: not measured, 1: uses more than it requested, 2: does not */
    int32_t priority;
    int64_t excess; /* of usage over request; the most goes first */
};

static struct rank rank_of(enum kubelet_signal signal, const struct kubelet_eviction_pod *pod)
{
    struct rank rank = {.priority = pod->priority};
    int64_t used = pod->disk_used;
    int64_t requested = pod->disk_requested;
    switch (pressure_of[signal]) {
    case KUBELET_PID_PRESSURE:
        rank.excess = pod->measured ? pod->processes : INT64_MAX;
        return rank;
    case KUBELET_MEMORY_PRESSURE:
        used = pod->memory_used;
        requested = pod->memory_requested;
        break;
    case KUBELET_DISK_PRESSURE: break;
    }
    if (!pod->measured)
        return rank;
    if (signal == KUBELET_NODEFS_INODES_FREE || signal == KUBELET_IMAGEFS_INODES_FREE) {
        /* Inodes cannot be requested; upstream subtracts the requested bytes of the
         * disk all the same. */
        rank.group = pod->inodes_used > 0 ? 1 : 2;
        rank.excess = pod->inodes_used - requested;
        return rank;
    }
    rank.group = used > requested ? 1 : 2;
    rank.excess = used - requested;
    return rank;
}

static int compare_rank(const struct rank *a, const struct rank *b)
{
    if (a->group != b->group)
        return a->group - b->group;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    if (a->excess != b->excess)
        return a->excess > b->excess ? -1 : 1;
    return 0;
}

bool kubelet_victims(enum kubelet_signal signal, const struct kubelet_eviction_pod *pods,
                     uint32_t pod_count, bool *victims)
{
    struct rank first = {0};
    bool found = false;
    for (uint32_t i = 0; i < pod_count; i++) {
        victims[i] = false;
        if (pods[i].count == 0 || pods[i].critical)
            continue;
        const struct rank rank = rank_of(signal, &pods[i]);
        const int order = found ? compare_rank(&rank, &first) : -1;
        if (order > 0)
            continue;
        for (uint32_t j = 0; order < 0 && j < i; j++)
            victims[j] = false;
        victims[i] = true;
        first = rank;
        found = true;
    }
    return found;
}
