/* SPDX-License-Identifier: Apache-2.0 */
/* What one sync creates and deletes, and the status. Mirrors
 * pkg/controller/daemon/{daemon_controller,update}.go @ v1.26.15. */
#include "decide/controller/daemon_set/daemon_set_controller.h"

#include <string.h>

/* Pods with a node first, then the oldest, then by name. */
static bool older(const struct daemon_pod *a, const struct daemon_pod *b)
{
    if (a->assigned != b->assigned)
        return a->assigned;
    if (a->creation_time != b->creation_time)
        return a->creation_time < b->creation_time;
    return a->name && b->name && strcmp(a->name, b->name) < 0;
}

/* Indices of the pods, oldest first. */
static uint32_t *by_age(struct arena *arena, const struct daemon_node_class *node)
{
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, node->pod_count + 1);
    for (uint32_t i = 0; i < node->pod_count; i++) {
        uint32_t at = i;
        while (at > 0 && older(&node->pods[i], &node->pods[order[at - 1]])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    return order;
}

/* Finished pods are deleted, and no new pod is created in their place in this sync;
 * the others run. */
static bool runs_after_clean_up(const struct daemon_pod *pod, bool *removed)
{
    if (pod->terminating)
        return false;
    if (pod->failed && pod->backing_off)
        return false;
    if (pod->failed || pod->succeeded) {
        *removed = true;
        return false;
    }
    return true;
}

/* Without surge the oldest pod stays alone. With it an old and a new one may
 * be there together, while the old one is ready and the new one not yet
 * available. */
static void prune(struct arena *arena, const struct daemon_node_class *node, bool surge,
                  struct daemon_node_decision *decision)
{
    const uint32_t *order = by_age(arena, node);
    const struct daemon_pod *kept[2] = {NULL, NULL}; /* old, new */
    uint32_t kept_old = 0;
    for (uint32_t i = 0; i < node->pod_count; i++) {
        const struct daemon_pod *pod = &node->pods[order[i]];
        const uint32_t kind = surge && pod->updated;
        if (!runs_after_clean_up(pod, &decision->removed[order[i]]))
            continue;
        if (kept[kind]) {
            decision->removed[order[i]] = true;
            continue;
        }
        kept[kind] = pod;
        if (kind == 0)
            kept_old = order[i];
    }
    if (kept[0] && kept[1] && (!kept[0]->ready || kept[1]->available))
        decision->removed[kept_old] = true;
    /* With surge, a new pod is created before the last pod of the node is gone. */
    if (surge && !kept[0] && !kept[1])
        decision->create = node->should_run;
}

static void manage(struct arena *arena, const struct daemon_node_class *node, bool surge,
                   struct daemon_node_decision *decision)
{
    if (!node->present) {
        /* Pods that wait for a node which is gone. */
        for (uint32_t i = 0; i < node->pod_count; i++)
            decision->removed[i] = !node->pods[i].assigned;
    } else if (node->should_run && node->pod_count == 0) {
        decision->create = true;
    } else if (node->should_continue) {
        prune(arena, node, surge, decision);
    } else {
        for (uint32_t i = 0; i < node->pod_count; i++)
            decision->removed[i] = !node->pods[i].terminating;
    }
}

static bool idle(const struct daemon_set_facts *facts, const struct daemon_set_decision *decision)
{
    for (uint32_t n = 0; n < facts->node_class_count; n++) {
        if (decision->nodes[n].create)
            return false;
        for (uint32_t p = 0; p < facts->nodes[n].pod_count; p++)
            if (decision->nodes[n].removed[p])
                return false;
    }
    return true;
}

/* The one old and the one new pod of a node; false if there are more. */
static bool find_pods(const struct daemon_node_class *node, const struct daemon_pod **old_pod,
                      const struct daemon_pod **new_pod)
{
    *old_pod = NULL;
    *new_pod = NULL;
    for (uint32_t i = 0; i < node->pod_count; i++) {
        const struct daemon_pod *pod = &node->pods[i];
        const struct daemon_pod **place = pod->updated ? new_pod : old_pod;
        if (pod->terminating)
            continue;
        if (*place)
            return false;
        *place = pod;
    }
    return true;
}

/* Replaces old pods by new ones: unavailable old pods are replaced at once and
 * do not count against the limit, the others are candidates. Gives the number
 * of nodes that count against the limit. */
static uint32_t roll_node(const struct daemon_set_facts *facts,
                          const struct daemon_node_class *node, bool surges,
                          struct daemon_node_decision *decision)
{
    const struct daemon_pod *old_pod;
    const struct daemon_pod *new_pod;
    const bool clear = find_pods(node, &old_pod, &new_pod);
    if (!clear)
        return node->count;
    if (!surges && (!old_pod == !new_pod || (new_pod && !new_pod->available)))
        return node->count;
    if (!old_pod)
        return 0;
    if (new_pod) {
        if (!new_pod->available)
            return node->count;
        decision->removed[old_pod - node->pods] = true;
    } else if (old_pod->available) {
        decision->candidate = true;
    } else if (surges) {
        decision->create_updated = true;
    } else {
        decision->removed[old_pod - node->pods] = true;
        return facts->features->daemon_old_unavailable ? node->count : 0;
    }
    return 0;
}

static void roll(const struct daemon_set_facts *facts, struct daemon_set_decision *decision)
{
    uint64_t taken = 0;
    uint64_t candidates = 0;
    decision->rolls = true;
    decision->surges = decision->max_surge > 0;
    for (uint32_t n = 0; n < facts->node_class_count; n++) {
        const struct daemon_node_class *node = &facts->nodes[n];
        if (node->pod_count == 0 && !(node->present && node->should_run))
            continue;
        taken += roll_node(facts, node, decision->surges, &decision->nodes[n]);
        candidates += decision->nodes[n].candidate ? node->count : 0;
    }
    const uint64_t limit = decision->surges ? decision->max_surge : decision->max_unavailable;
    const uint64_t room = limit > taken ? limit - taken : 0;
    decision->replacements = (uint32_t)(room < candidates ? room : candidates);
}

static void count_node(struct arena *arena, const struct daemon_node_class *node,
                       struct daemon_set_decision *decision)
{
    const int32_t count = (int32_t)node->count;
    if (!node->present)
        return;
    if (!node->should_run) {
        decision->misscheduled += node->pod_count > 0 ? count : 0;
        return;
    }
    decision->desired_scheduled += count;
    if (node->pod_count == 0)
        return;
    const struct daemon_pod *pod = &node->pods[by_age(arena, node)[0]];
    decision->current_scheduled += count;
    decision->ready += pod->ready ? count : 0;
    decision->available += pod->ready && pod->available ? count : 0;
    decision->updated_scheduled += pod->updated ? count : 0;
}

static void resolve_limits(const struct daemon_set_facts *facts,
                           struct daemon_set_decision *decision)
{
    const int32_t desired = decision->desired_scheduled;
    decision->max_unavailable = (uint32_t)int_or_percent_of(facts->max_unavailable, desired, true);
    decision->max_surge = (uint32_t)int_or_percent_of(facts->max_surge, desired, true);
    if (desired > 0 && decision->max_unavailable == 0 && decision->max_surge == 0)
        decision->max_unavailable = 1;
}

struct daemon_set_decision *daemon_set_sync(struct arena *arena,
                                            const struct daemon_set_facts *facts)
{
    struct daemon_set_decision *decision = ARENA_NEW(arena, struct daemon_set_decision);
    /* Surge is allowed as soon as the field is not 0, whatever it rounds to. */
    const bool surge = !facts->on_delete && facts->max_surge.set && facts->max_surge.value != 0;
    decision->nodes = ARENA_ARRAY(arena, struct daemon_node_decision, facts->node_class_count + 1);
    for (uint32_t n = 0; n < facts->node_class_count; n++) {
        decision->nodes[n].removed = ARENA_ARRAY(arena, bool, facts->nodes[n].pod_count + 1);
        manage(arena, &facts->nodes[n], surge, &decision->nodes[n]);
        count_node(arena, &facts->nodes[n], decision);
    }
    decision->unavailable = decision->desired_scheduled - decision->available;
    resolve_limits(facts, decision);
    if (!facts->on_delete && idle(facts, decision))
        roll(facts, decision);
    return decision;
}
