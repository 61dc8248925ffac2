/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods a critical pod preempts. Mirrors
 * pkg/kubelet/preemption/preemption.go @ v1.26.15: as few pods of high classes
 * as can be, in each class those that come nearest to what is missing. */
#include "decide/controller/kubelet.h"

#include "decide/pod_qos.h"

#include <string.h>

enum { SYSTEM_CRITICAL_PRIORITY = 2000000000 };

bool kubelet_pod_is_critical(const struct pod *pod)
{
    const char *source = labels_find(&pod->meta.annotations, "kubernetes.io/config.source");
    return (source && strcmp(source, "api") != 0) ||
           labels_find(&pod->meta.annotations, "kubernetes.io/config.mirror") ||
           (pod->spec.priority.set && pod->spec.priority.value >= SYSTEM_CRITICAL_PRIORITY);
}

/* What is still missing of one resource. */
struct requirement {
    const struct kubelet_reason *reason;
    int64_t missing;
};

struct room_search {
    const struct kubelet_node *node;
    const struct pod_class *comes;
    struct requirement *all; /* at the start */
    struct requirement *left;
    uint32_t count;
    uint32_t *taken; /* by entry of the node's pods */
    uint32_t *assumed;
    bool tied;
};

static const struct pod_class *class_of(const struct room_search *preemption, uint32_t entry)
{
    const struct kubelet_node *node = preemption->node;
    return node->catalog->pods.items[node->pods[entry].pod];
}

static const struct pod_shape *shape_of(const struct room_search *preemption, uint32_t entry)
{
    return class_of(preemption, entry)->shape;
}

static int64_t request_of(const struct room_search *preemption, const struct pod_shape *shape,
                          const char *resource)
{
    if (strcmp(resource, "pods") == 0)
        return 1;
    if (strcmp(resource, "cpu") == 0)
        return shape->requests.cpu_milli;
    if (strcmp(resource, "memory") == 0)
        return shape->requests.memory;
    if (strcmp(resource, "ephemeral-storage") == 0)
        return shape->requests.ephemeral_storage;
    for (uint32_t i = 0; i < shape->requests.scalar_count; i++)
        if (strcmp(preemption->node->catalog->resources.items[shape->requests.scalars[i].resource],
                   resource) == 0)
            return shape->requests.scalars[i].amount;
    return 0;
}

static bool preemptable(const struct room_search *preemption, uint32_t entry)
{
    const struct pod *comes = preemption->comes->pod;
    const struct pod *there = class_of(preemption, entry)->pod;
    if (kubelet_pod_is_critical(comes) && !kubelet_pod_is_critical(there))
        return true;
    return comes->spec.priority.set && there->spec.priority.set &&
           comes->spec.priority.value > there->spec.priority.value;
}

static bool eligible(const struct room_search *preemption, uint32_t entry, enum pod_qos qos)
{
    return preemptable(preemption, entry) &&
           pod_qos_of(&preemption->node->catalog->features,
                      &class_of(preemption, entry)->pod->spec) == qos;
}

/* What is missing when all `assumed` pods are gone. */
static bool settle(struct room_search *preemption)
{
    bool missing = false;
    for (uint32_t r = 0; r < preemption->count; r++) {
        struct requirement *left = &preemption->left[r];
        *left = preemption->all[r];
        for (uint32_t p = 0; p < preemption->node->pod_entry_count; p++)
            left->missing -=
                preemption->assumed[p] *
                request_of(preemption, shape_of(preemption, p), left->reason->resource);
        if (left->missing < 0)
            left->missing = 0;
        missing |= left->missing > 0;
    }
    return missing;
}

/* How far a pod is from filling what is missing: each resource by its share. */
static double distance(const struct room_search *preemption, uint32_t entry)
{
    double sum = 0;
    for (uint32_t r = 0; r < preemption->count; r++) {
        const struct requirement *left = &preemption->left[r];
        const int64_t rest = left->missing - request_of(preemption, shape_of(preemption, entry),
                                                        left->reason->resource);
        if (left->missing > 0 && rest > 0)
            sum += ((double)rest / (double)left->missing) * ((double)rest / (double)left->missing);
    }
    return sum;
}

/* Negative: a asks for less, memory first. */
static int compare_size(const struct pod_shape *a, const struct pod_shape *b)
{
    if (a->requests.memory != b->requests.memory)
        return a->requests.memory < b->requests.memory ? -1 : 1;
    if (a->requests.cpu_milli != b->requests.cpu_milli)
        return a->requests.cpu_milli < b->requests.cpu_milli ? -1 : 1;
    return 0;
}

/* The nearest pod of the class that is not taken yet; the smaller of equals. */
static uint32_t nearest(struct room_search *preemption, enum pod_qos qos)
{
    uint32_t best = UINT32_MAX;
    double least = 0;
    bool tied = false;
    for (uint32_t p = 0; p < preemption->node->pod_entry_count; p++) {
        if (preemption->taken[p] == preemption->node->pods[p].count ||
            !eligible(preemption, p, qos))
            continue;
        const double here = distance(preemption, p);
        const int size = best != UINT32_MAX && here == least
                             ? compare_size(shape_of(preemption, p), shape_of(preemption, best))
                             : 0;
        if (best == UINT32_MAX || here < least || (here == least && size < 0)) {
            best = p;
            least = here;
            tied = false;
        } else if (here == least && size == 0) {
            tied = true;
        }
    }
    preemption->tied |= tied;
    return best;
}

/* Takes pods of one class until nothing is missing. */
static bool take(struct room_search *preemption, enum pod_qos qos)
{
    while (settle(preemption)) {
        const uint32_t entry = nearest(preemption, qos);
        if (entry == UINT32_MAX)
            return false;
        preemption->taken[entry]++;
        preemption->assumed[entry]++;
    }
    return true;
}

static void assume_all(struct room_search *preemption, enum pod_qos qos)
{
    for (uint32_t p = 0; p < preemption->node->pod_entry_count; p++)
        if (eligible(preemption, p, qos))
            preemption->assumed[p] = preemption->node->pods[p].count;
}

static void assume_taken(struct room_search *preemption)
{
    memcpy(preemption->assumed, preemption->taken,
           preemption->node->pod_entry_count * sizeof(*preemption->taken));
}

bool kubelet_preempt(struct arena *arena, const struct kubelet_node *node,
                     const struct pod_class *comes, struct kubelet_admission *admission)
{
    struct room_search preemption = {
        .node = node,
        .comes = comes,
        .all = ARENA_ARRAY(arena, struct requirement, admission->reasons.count + 1),
        .left = ARENA_ARRAY(arena, struct requirement, admission->reasons.count + 1),
        .count = admission->reasons.count,
        .taken = ARENA_ARRAY(arena, uint32_t, node->pod_entry_count + 1),
        .assumed = ARENA_ARRAY(arena, uint32_t, node->pod_entry_count + 1),
    };
    for (uint32_t r = 0; r < preemption.count; r++) {
        const struct kubelet_reason *reason = &admission->reasons.items[r];
        preemption.all[r] =
            (struct requirement){reason, reason->requested - (reason->capacity - reason->used)};
    }
    /* First the Guaranteed pods that have to go even if all pods of lower classes go,
     * then the Burstable ones, then the BestEffort ones. */
    assume_all(&preemption, POD_BEST_EFFORT);
    assume_all(&preemption, POD_BURSTABLE);
    if (!take(&preemption, POD_GUARANTEED))
        return false;
    assume_taken(&preemption);
    assume_all(&preemption, POD_BEST_EFFORT);
    if (!take(&preemption, POD_BURSTABLE))
        return false;
    assume_taken(&preemption);
    if (!take(&preemption, POD_BEST_EFFORT))
        return false;
    admission->preempted = preemption.taken;
    admission->preemption_tied = preemption.tied;
    return true;
}
