/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/pod_groups.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS_MOST = 10 }; /* of one controller that are grouped; further pods stand alone */

struct controller_kinds {
    uint32_t kinds[KINDS_MOST]; /* numbers of groups */
    uint32_t count;
};

static struct pod_group *add_group(struct arena *arena, pod_group_list *groups,
                                   uint32_t node_group_count)
{
    const struct pod_group group = {.reasons =
                                        ARENA_ARRAY(arena, const char *, node_group_count + 1)};
    VEC_PUSH(arena, groups, group);
    return &groups->items[groups->count - 1];
}

static struct controller_kinds *kinds_of(struct arena *arena, struct map *controllers,
                                         const struct autoscaler_pod *pod)
{
    struct map_entry *entry =
        map_put(controllers, pod->controller->uid ? pod->controller->uid : "");
    if (!entry->value)
        entry->value = ARENA_NEW(arena, struct controller_kinds);
    return entry->value;
}

static int compare_groups(const void *left, const void *right)
{
    const struct pod_group *a = left;
    const struct pod_group *b = right;
    return strcmp(a->pods.items[0]->name, b->pods.items[0]->name);
}

/* The real program has the groups in a map; here they are by the names of their first pods. */
void group_pods(struct arena *arena, const pod_list *pods, uint32_t node_group_count,
                pod_group_list *groups)
{
    struct map controllers;
    map_init(&controllers, arena);
    for (uint32_t i = 0; i < pods->count; i++) {
        const struct autoscaler_pod *pod = pods->items[i];
        struct pod_group *group = NULL;
        struct controller_kinds *kinds =
            pod->controller && !pod->daemon ? kinds_of(arena, &controllers, pod) : NULL;
        for (uint32_t k = 0; kinds && k < kinds->count && !group; k++)
            if (groups->items[kinds->kinds[k]].pods.items[0]->likeness == pod->likeness)
                group = &groups->items[kinds->kinds[k]];
        if (!group) {
            if (kinds && kinds->count < KINDS_MOST)
                kinds->kinds[kinds->count++] = groups->count;
            group = add_group(arena, groups, node_group_count);
        }
        VEC_PUSH(arena, &group->pods, pod);
    }
    if (groups->count > 0)
        qsort(groups->items, groups->count, sizeof(*groups->items), compare_groups);
}
