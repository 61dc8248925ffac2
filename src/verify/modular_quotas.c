/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a ResourceQuota that components share can keep pods out for ever.
 *
 * Let each component be charged at most so much for pods that neither terminate nor are about to be
 * deleted by their ReplicaSet, at any moment and whatever others do, and let the sum over all
 * components be at most what the quota has. If a pod is refused in a run of the cluster, some pod
 * that is charged to the quota terminates, or is about to: without such pods the charges of all
 * components, the new pod included, are within the sum. It is gone some time, and if every
 * component that is charged comes to rest (even if its pods are refused for ever, which was allowed
 * when that was found out), there are no more such pods in the end. Then nothing is refused any
 * more. So a refusal only lasts for a while in which the cluster does not rest, and the models of
 * components may say so (ask/quotas.c). Otherwise the quota is *scarce*: it may keep pods out for
 * ever there, and what is open then is asked of components in which all that are charged to it are
 * together.
 */
#include "verify/modular_internal.h"

/* Is the quota too small for what all components are charged? */
static bool is_too_small(const struct modular *modular, const struct resource_quota *quota,
                         uint32_t first_line)
{
    for (uint32_t i = 0; i < quota->hard.count && first_line + i < SHARED_QUOTA_LINES; i++) {
        quantity_nanos charged = 0;
        for (uint32_t c = 0; c < modular->component_count; c++)
            charged += modular->components[c].held.charged[first_line + i];
        if (charged > quota->hard.items[i].quantity.nanos)
            return true;
    }
    return false;
}

/* May a component that is charged to the quota go on for ever, so that its pods terminate again and
 * again? */
static bool is_of_restless(const struct modular *modular, const struct resource_quota *quota,
                           uint32_t first_line)
{
    for (uint32_t c = 0; c < modular->component_count; c++) {
        const struct component *component = &modular->components[c];
        for (uint32_t i = 0; i < quota->hard.count && first_line + i < SHARED_QUOTA_LINES; i++)
            if (component->held.charged[first_line + i] > 0 && !component->rests)
                return true;
    }
    return false;
}

void modular_find_scarce_quotas(struct modular *modular)
{
    const struct objects *objects = modular->query->scope->objects;
    uint32_t number = 0;
    uint32_t first_line = 0;
    modular->unknown.scarce_quotas = 0;
    for (uint32_t i = 0; modular->unknown.shared_quotas && i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_RESOURCE_QUOTA)
            continue;
        const struct resource_quota *quota = objects->items[i].as.resource_quota;
        if (number < SHARED_QUOTAS && (modular->unknown.shared_quotas >> number & 1) != 0 &&
            (is_too_small(modular, quota, first_line) ||
             is_of_restless(modular, quota, first_line)))
            modular->unknown.scarce_quotas |= UINT64_C(1) << number;
        number++;
        first_line += quota->hard.count;
    }
}
