/* SPDX-License-Identifier: Apache-2.0 */
/* What a node under pressure reports. */
#include "cluster/ask/pressure.h"
#include "decide/controller/kubelet.h"
#include "object/taint.h"

#include <string.h>

void node_press(struct arena *arena, struct node *node, uint32_t pressures)
{
    static const struct {
        enum kubelet_pressure pressure;
        const char *taint;
    } taints[] = {
        {KUBELET_MEMORY_PRESSURE, "node.kubernetes.io/memory-pressure"},
        {KUBELET_DISK_PRESSURE, "node.kubernetes.io/disk-pressure"},
        {KUBELET_PID_PRESSURE, "node.kubernetes.io/pid-pressure"},
    };
    enum { COUNT = sizeof(taints) / sizeof(*taints) };
    struct taint *list = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + COUNT);
    if (node->spec.taint_count > 0)
        memcpy(list, node->spec.taints, node->spec.taint_count * sizeof(*list));
    node->spec.taints = list;
    for (size_t i = 0; i < COUNT; i++)
        if (pressures & taints[i].pressure)
            list[node->spec.taint_count++] = (struct taint){.key = taints[i].taint,
                                                            .value = "",
                                                            .effect = TAINT_NO_SCHEDULE,
                                                            .time_added = TIME_NONE};
}
