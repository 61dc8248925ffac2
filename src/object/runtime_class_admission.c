/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upstream: plugin/pkg/admission/runtimeclass, and the merge of a class's scheduling in
 * component-helpers. The overhead of a pod is its class's and nothing else; a node selector may
 * not contradict the class's; tolerations add up.
 */
#include "object/runtime_class_admission.h"

#include "object/schemas.h"

#include <string.h>

static bool same_resources(const struct resource_list *one, const struct resource_list *other)
{
    bool same = one->count == other->count;
    for (uint32_t i = 0; same && i < one->count; i++)
        same = strcmp(one->items[i].name, other->items[i].name) == 0 &&
               quantity_compare(one->items[i].quantity, other->items[i].quantity) == 0;
    return same;
}

static bool same_toleration(const struct toleration *one, const struct toleration *other)
{
    return strcmp(one->key, other->key) == 0 &&
           one->operator== other->operator&& strcmp(one->value, other->value) == 0 &&
           one->effect == other->effect &&
           one->toleration_seconds.set == other->toleration_seconds.set &&
           (!one->toleration_seconds.set ||
            one->toleration_seconds.value == other->toleration_seconds.value);
}

static void add_missing_toleration(struct arena *arena, struct pod_spec *spec,
                                   const struct toleration *added)
{
    for (uint32_t i = 0; i < spec->toleration_count; i++)
        if (same_toleration(&spec->tolerations[i], added))
            return;
    tolerations_add(arena, &spec->tolerations, &spec->toleration_count, added);
}

const char *runtime_class_admit(struct arena *arena, const struct runtime_class *class,
                                struct pod_spec *spec)
{
    if (spec->overhead.count > 0 && !same_resources(&spec->overhead, &class->overhead))
        return "forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined "
               "Overhead";
    for (uint32_t i = 0; i < class->node_selector.count; i++) {
        const struct label *asked = &class->node_selector.items[i];
        const char *own = labels_find(&spec->node_selector, asked->key);
        if (own && strcmp(own, asked->value) != 0)
            return arena_printf(arena,
                                "forbidden: pod rejected: conflict: "
                                "runtimeClass.scheduling.nodeSelector[%s] = %s; "
                                "pod.spec.nodeSelector[%s] = %s",
                                asked->key, asked->value, asked->key, own);
    }
    spec->overhead = class->overhead;
    for (uint32_t i = 0; i < class->node_selector.count; i++)
        labels_set(arena, &spec->node_selector, class->node_selector.items[i].key,
                   class->node_selector.items[i].value);
    for (uint32_t i = 0; i < class->toleration_count; i++)
        add_missing_toleration(arena, spec, &class->tolerations[i]);
    return NULL;
}
