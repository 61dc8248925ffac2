/* SPDX-License-Identifier: Apache-2.0 */
/* Eviction when a node runs low. Mirrors pkg/kubelet/eviction/
 * {eviction_manager,helpers,defaults_linux}.go @ v1.26.15.
 *
 * Abstracted: what is reclaimed by deleting unused images and dead containers
 * shows in the next observation; it is not an action here. */
#include "decide/controller/kubelet.h"

#include <string.h>

/* A pressure condition stays so long after its cause. */
#define PRESSURE_LASTS (INT64_C(300) * NANOSECONDS_PER_SECOND)

static const struct {
    const char *name;
    enum kubelet_pressure pressure;
} signals[KUBELET_SIGNAL_COUNT] = {
    [KUBELET_MEMORY_AVAILABLE] = {"memory.available", KUBELET_MEMORY_PRESSURE},
    [KUBELET_ALLOCATABLE_MEMORY_AVAILABLE] = {"allocatableMemory.available",
                                              KUBELET_MEMORY_PRESSURE},
    [KUBELET_NODEFS_AVAILABLE] = {"nodefs.available", KUBELET_DISK_PRESSURE},
    [KUBELET_NODEFS_INODES_FREE] = {"nodefs.inodesFree", KUBELET_DISK_PRESSURE},
    [KUBELET_IMAGEFS_AVAILABLE] = {"imagefs.available", KUBELET_DISK_PRESSURE},
    [KUBELET_IMAGEFS_INODES_FREE] = {"imagefs.inodesFree", KUBELET_DISK_PRESSURE},
    [KUBELET_PID_AVAILABLE] = {"pid.available", KUBELET_PID_PRESSURE},
};

const char *kubelet_signal_name(enum kubelet_signal signal)
{
    return signals[signal].name;
}

enum kubelet_pressure kubelet_signal_pressure(enum kubelet_signal signal)
{
    return signals[signal].pressure;
}

uint32_t kubelet_default_thresholds(const struct features *features,
                                    struct kubelet_threshold *thresholds)
{
    const int64_t memory = INT64_C(100) << 20;
    const struct kubelet_threshold all[] = {
        {.signal = KUBELET_MEMORY_AVAILABLE, .least = {.amount = memory}},
        {.signal = KUBELET_ALLOCATABLE_MEMORY_AVAILABLE, .least = {.amount = memory}},
        {.signal = KUBELET_NODEFS_AVAILABLE, .least = {.share = 0.10F}},
        {.signal = KUBELET_NODEFS_INODES_FREE, .least = {.share = 0.05F}},
        {.signal = KUBELET_IMAGEFS_AVAILABLE, .least = {.share = 0.15F}},
        {.signal = KUBELET_IMAGEFS_INODES_FREE, .least = {.share = 0.05F}},
    };
    const uint32_t count = features->imagefs_inodes_threshold ? 6 : 5;
    memcpy(thresholds, all, count * sizeof(*all));
    return count;
}

void kubelet_eviction_forget(struct kubelet_eviction_memory *memory, uint32_t threshold_count)
{
    for (uint32_t i = 0; i < threshold_count; i++)
        memory->thresholds[i] = (struct kubelet_threshold_memory){.met_age = KUBELET_NEVER};
    for (int i = 0; i < KUBELET_PRESSURE_COUNT; i++)
        memory->pressure_age[i] = KUBELET_NEVER;
}

void kubelet_eviction_age(const struct kubelet_threshold *thresholds, uint32_t threshold_count,
                          struct kubelet_eviction_memory *memory, int64_t nanoseconds)
{
    for (uint32_t i = 0; i < threshold_count; i++) {
        int64_t *age = &memory->thresholds[i].met_age;
        if (*age == KUBELET_NEVER)
            continue;
        *age += nanoseconds;
        if (*age > thresholds[i].grace)
            *age = thresholds[i].grace;
    }
    for (int i = 0; i < KUBELET_PRESSURE_COUNT; i++) {
        int64_t *age = &memory->pressure_age[i];
        if (*age == KUBELET_NEVER)
            continue;
        *age += nanoseconds;
        if (*age >= PRESSURE_LASTS)
            *age = KUBELET_NEVER;
    }
}

static int64_t amount_of(struct kubelet_amount amount, int64_t capacity)
{
    return amount.share > 0 ? (int64_t)((double)capacity * (double)amount.share) : amount.amount;
}

static bool is_met(const struct kubelet_threshold *threshold,
                   const struct kubelet_observation *observation, bool reclaiming)
{
    if (!observation->known)
        return false;
    int64_t least = amount_of(threshold->least, observation->capacity);
    if (reclaiming)
        least += amount_of(threshold->reclaim, observation->capacity);
    return observation->available < least;
}

/* Which thresholds are met, since when, and what the node reports. */
static void remember(const struct kubelet_threshold *thresholds, uint32_t threshold_count,
                     const struct kubelet_observation *observations,
                     struct kubelet_eviction_memory *memory)
{
    for (uint32_t i = 0; i < threshold_count; i++) {
        struct kubelet_threshold_memory *own = &memory->thresholds[i];
        const struct kubelet_observation *observation = &observations[thresholds[i].signal];
        const bool met = is_met(&thresholds[i], observation, false) ||
                         (own->acting && is_met(&thresholds[i], observation, true));
        if (!met)
            own->met_age = KUBELET_NEVER;
        else if (own->met_age == KUBELET_NEVER)
            own->met_age = 0;
        own->acting = met && own->met_age >= thresholds[i].grace;
        for (int bit = 0; met && bit < KUBELET_PRESSURE_COUNT; bit++)
            if (signals[thresholds[i].signal].pressure & (1U << bit))
                memory->pressure_age[bit] = 0;
    }
}

static bool over_own_limit(const struct kubelet_eviction_pod *pods, uint32_t pod_count)
{
    for (uint32_t i = 0; i < pod_count; i++)
        if (pods[i].count > 0 && pods[i].over_own_limit && !pods[i].critical)
            return true;
    return false;
}

/* Memory before everything else; among the others a map's order decides. */
static void choose(const struct kubelet_threshold *thresholds, uint32_t threshold_count,
                   const struct kubelet_observation *observations,
                   const struct kubelet_eviction_memory *memory, struct kubelet_eviction *eviction)
{
    bool memory_first = false;
    for (uint32_t i = 0; i < threshold_count; i++) {
        eviction->acted_on[i] =
            memory->thresholds[i].acting && observations[thresholds[i].signal].fresh;
        memory_first |= eviction->acted_on[i] &&
                        signals[thresholds[i].signal].pressure == KUBELET_MEMORY_PRESSURE;
    }
    for (uint32_t i = 0; i < threshold_count; i++) {
        if (memory_first && signals[thresholds[i].signal].pressure != KUBELET_MEMORY_PRESSURE)
            eviction->acted_on[i] = false;
        eviction->acted_count += eviction->acted_on[i];
    }
}

void kubelet_eviction_look(struct arena *arena, const struct kubelet_threshold *thresholds,
                           uint32_t threshold_count, const struct kubelet_observation *observations,
                           const struct kubelet_eviction_pod *pods, uint32_t pod_count,
                           struct kubelet_eviction_memory *memory,
                           struct kubelet_eviction *eviction)
{
    *eviction =
        (struct kubelet_eviction){.acted_on = ARENA_ARRAY(arena, bool, threshold_count + 1)};
    remember(thresholds, threshold_count, observations, memory);
    for (int bit = 0; bit < KUBELET_PRESSURE_COUNT; bit++)
        if (memory->pressure_age[bit] != KUBELET_NEVER &&
            memory->pressure_age[bit] < PRESSURE_LASTS)
            eviction->pressures |= 1U << bit;
    eviction->own_limits = over_own_limit(pods, pod_count);
    if (!eviction->own_limits)
        choose(thresholds, threshold_count, observations, memory, eviction);
}

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
    switch (signals[signal].pressure) {
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
        /* Inodes cannot be requested; yet what is requested of the disk, in
         * bytes, is taken off. */
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

int64_t kubelet_eviction_grace(const struct features *features,
                               const struct kubelet_threshold *threshold,
                               const struct kubelet_eviction_pod *pod, int64_t soft_most_s)
{
    if (threshold->grace == 0)
        return features->hard_eviction_grace_1s ? 1 : 0;
    if (features->soft_eviction_bounded && pod->grace_seconds < soft_most_s)
        return pod->grace_seconds;
    return soft_most_s;
}
