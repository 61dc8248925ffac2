/* SPDX-License-Identifier: Apache-2.0 */
/* Since when nodes are not needed. A node that is not found again loses its timer. */
#include "decide/autoscaler/scale_down.h"

void unneeded_clear(struct cluster_autoscaler *autoscaler)
{
    MAP_EACH (&autoscaler->records, entry)
        ((struct node_record *)entry->value)->unneeded = false;
}

void unneeded_add(struct unneeded_update *update, struct node_record *record, const pod_list *pods,
                  bool risky)
{
    struct arena *arena = update->autoscaler->arena;
    if (!record->unneeded)
        record->unneeded_since = update->autoscaler->now;
    record->pods_to_move_count = pods->count;
    record->pods_to_move = ARENA_ARRAY(arena, const struct autoscaler_pod *, pods->count + 1);
    for (uint32_t i = 0; i < pods->count; i++)
        record->pods_to_move[i] = pods->items[i];
    record->risky = risky;
    VEC_PUSH(update->autoscaler->loop_arena, &update->found, record);
}

void unneeded_finish(struct unneeded_update *update)
{
    unneeded_clear(update->autoscaler);
    for (uint32_t i = 0; i < update->found.count; i++)
        update->found.items[i]->unneeded = true;
}
