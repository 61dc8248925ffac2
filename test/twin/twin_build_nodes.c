/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes, as they look in every condition. */
#include "decide/controller/kubelet.h"
#include "object/schemas.h"
#include "twin/twin_internal.h"

#include <string.h>

static struct taint taint_of(const char *key, enum taint_effect effect)
{
    return (struct taint){.key = key, .value = "", .effect = effect, .time_added = TIME_NONE};
}

static void look_dead(struct arena *arena, struct node *node, struct taint *taints,
                      const char *gone, bool tainted)
{
    struct condition *ready = ARENA_NEW(arena, struct condition);
    *ready = (struct condition){.type = "Ready",
                                .status = "Unknown",
                                .last_transition_time = TIME_NONE,
                                .last_update_time = TIME_NONE,
                                .last_heartbeat_time = TIME_NONE};
    node->status.conditions = (struct conditions){ready, 1};
    taints[node->spec.taint_count++] = taint_of(gone, TAINT_NO_SCHEDULE);
    if (tainted)
        taints[node->spec.taint_count++] = taint_of(gone, TAINT_NO_EXECUTE);
}

static uint32_t node_template(struct twin *twin, const struct setup_group *group, const char *name,
                              enum twin_condition condition, uint32_t pressures)
{
    struct arena *arena = &twin->arena;
    const struct node *node = group->node;
    const char *gone = group->down && !group->unreachable ? "node.kubernetes.io/not-ready"
                                                          : "node.kubernetes.io/unreachable";
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 4);
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        taints[t] = node->spec.taints[t];
    copy->meta.name = name;
    labels_set(arena, &copy->meta.labels, LABEL_HOSTNAME, name);
    copy->spec.taints = taints;
    switch (condition) {
    case CORDONED:
        copy->spec.unschedulable = true;
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/unschedulable", TAINT_NO_SCHEDULE);
        break;
    case AWAY: /* it was cordoned, and has not come back */
        copy->spec.unschedulable = true;
        look_dead(arena, copy, taints, gone, true);
        break;
    case CANDIDATE:
        taints[copy->spec.taint_count++] =
            taint_of("DeletionCandidateOfClusterAutoscaler", TAINT_PREFER_NO_SCHEDULE);
        break;
    case LEAVING:
        taints[copy->spec.taint_count] =
            taint_of("ToBeDeletedByClusterAutoscaler", TAINT_NO_SCHEDULE);
        taints[copy->spec.taint_count++].value = "1700000000";
        copy->spec.unschedulable |= twin_autoscaler_cordons(twin);
        break;
    case UNTAINTED:
    case UNNOTICED:
    case PARTITIONED_UNNOTICED:
    case PARTITIONED_UNTAINTED: look_dead(arena, copy, taints, gone, false); break;
    case REPAIRED:
    case DOWN:
    case PARTITIONED:
    case PARTITIONED_AWHILE: look_dead(arena, copy, taints, gone, true); break;
    default: break;
    }
    if (pressures & KUBELET_MEMORY_PRESSURE)
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/memory-pressure", TAINT_NO_SCHEDULE);
    if (pressures & KUBELET_DISK_PRESSURE)
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/disk-pressure", TAINT_NO_SCHEDULE);
    if (pressures & KUBELET_PID_PRESSURE)
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/pid-pressure", TAINT_NO_SCHEDULE);
    return catalog_add_named_node(twin->catalog, copy);
}

/* Pods that say where they are for make their node one of its own. */
static void find_named_nodes(struct twin *twin)
{
    for (uint32_t r = 0; r < twin->revision_count; r++)
        for (uint32_t n = 0; n < twin->node_count; n++) {
            const char *name = twin->revisions[r].pod->spec.node_name;
            if (!name || strcmp(name, twin->nodes[n].name) != 0)
                continue;
            twin->revisions[r].node = n;
            twin->nodes[n].named = true;
        }
}

bool twin_add_nodes(struct twin *twin)
{
    for (uint32_t g = 0; g < twin->scope->group_count; g++)
        for (int32_t i = 1; i <= setup_nodes_most(twin->scope, twin->setup, g); i++) {
            const struct setup_group *group = &twin->scope->groups[g];
            if (twin->node_count == TWIN_NODES_MOST)
                return false;
            struct twin_node *node = &twin->nodes[twin->node_count++];
            node->group = g;
            node->name = group->names ? group->names[i - 1]
                                      : arena_printf(&twin->arena, "%s-%d", group->name, i);
            for (int c = 0; c < CONDITIONS; c++)
                node->templates[c] =
                    node_template(twin, group, node->name, (enum twin_condition)c, 0);
            for (uint32_t p = 1; p < PRESSURES; p++) {
                node->pressed[UP][p] = node_template(twin, group, node->name, UP, p);
                node->pressed[CANDIDATE][p] = node_template(twin, group, node->name, CANDIDATE, p);
                node->pressed[LEAVING][p] = node_template(twin, group, node->name, LEAVING, p);
            }
            twin->initial.conditions[twin->node_count - 1] = i > twin->setup->nodes[g] ? ABSENT
                                                             : group->down             ? DOWN
                                                                                       : UP;
            twin->initial.pressures[twin->node_count - 1] = (uint8_t)group->pressures;
        }
    find_named_nodes(twin);
    return true;
}
