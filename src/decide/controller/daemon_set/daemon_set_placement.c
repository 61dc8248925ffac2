/* SPDX-License-Identifier: Apache-2.0 */
/* Where a DaemonSet wants its pods. Mirrors NodeShouldRunDaemonPod in
 * pkg/controller/daemon/daemon_controller.go and util/daemonset_util.go @ v1.26.15. */
#include "decide/controller/daemon_set/daemon_set_controller.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Tolerations for the same taints; only the seconds may differ. */
static bool alike(const struct toleration *a, const struct toleration *b)
{
    return same_text(a->key, b->key) && a->operator== b->operator&& same_text(a->value, b->value) &&
           a->effect == b->effect;
}

void daemon_set_tolerations(struct arena *arena, const struct pod_spec *spec,
                            struct toleration **tolerations, uint32_t *count)
{
    static const struct {
        const char *key;
        enum taint_effect effect;
        bool host_network_only;
    } added[] = {
        {"node.kubernetes.io/not-ready", TAINT_NO_EXECUTE, false},
        {"node.kubernetes.io/unreachable", TAINT_NO_EXECUTE, false},
        {"node.kubernetes.io/disk-pressure", TAINT_NO_SCHEDULE, false},
        {"node.kubernetes.io/memory-pressure", TAINT_NO_SCHEDULE, false},
        {"node.kubernetes.io/pid-pressure", TAINT_NO_SCHEDULE, false},
        {"node.kubernetes.io/unschedulable", TAINT_NO_SCHEDULE, false},
        {"node.kubernetes.io/network-unavailable", TAINT_NO_SCHEDULE, true},
    };
    enum { ADDED_COUNT = sizeof(added) / sizeof(*added) };
    struct toleration *list =
        ARENA_ARRAY(arena, struct toleration, spec->toleration_count + ADDED_COUNT);
    uint32_t used = spec->toleration_count;
    if (used > 0)
        memcpy(list, spec->tolerations, used * sizeof(*list));
    for (size_t i = 0; i < ADDED_COUNT; i++) {
        const struct toleration toleration = {.key = added[i].key,
                                              .operator= TOLERATION_EXISTS,
                                              .value = "",
                                              .effect = added[i].effect};
        bool updated = false;
        if (added[i].host_network_only && !spec->host_network)
            continue;
        for (uint32_t t = 0; t < used; t++)
            if (alike(&toleration, &list[t])) {
                list[t] = toleration;
                updated = true;
            }
        if (!updated)
            list[used++] = toleration;
    }
    *tolerations = list;
    *count = used;
}

static bool selected(const struct pod_spec *spec, const struct node *node)
{
    const struct node_affinity *affinity = spec->affinity ? spec->affinity->node_affinity : NULL;
    if (!labels_include(&node->meta.labels, &spec->node_selector))
        return false;
    return !affinity || !affinity->required ||
           node_selector_matches(affinity->required, &node->meta.labels, node->meta.name);
}

void daemon_set_should_run(const struct daemon_set *set, const struct toleration *tolerations,
                           uint32_t toleration_count, const struct node *node, bool *should_run,
                           bool *should_continue)
{
    const struct pod_spec *spec = &set->template.spec;
    *should_run = false;
    *should_continue = false;
    if ((spec->node_name && strcmp(spec->node_name, node->meta.name) != 0) || !selected(spec, node))
        return;
    *should_run = true;
    *should_continue = true;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        if (taint->effect == TAINT_PREFER_NO_SCHEDULE ||
            tolerations_find(tolerations, toleration_count, taint))
            continue;
        *should_run = false;
        if (taint->effect == TAINT_NO_EXECUTE)
            *should_continue = false;
    }
}
