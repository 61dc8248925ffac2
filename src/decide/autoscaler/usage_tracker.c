/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/usage_tracker.h"

enum { USAGE_MOST = 50 }; /* nodes that are noted for one */

static void drop(usage_list *list, const struct node_record *node)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].node != node)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static void drop_older(usage_list *list, int64_t cutoff)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].time >= cutoff)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static void note(struct arena *arena, usage_list *list, bool *too_many, struct node_record *node,
                 int64_t time)
{
    const struct node_usage usage = {node, time};
    if (list->count >= USAGE_MOST) {
        *too_many = true;
        return;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].node == node) {
            list->items[i].time = time;
            return;
        }
    VEC_PUSH(arena, list, usage);
}

void usage_register(struct cluster_autoscaler *autoscaler, struct node_record *user,
                    struct node_record *used, int64_t time)
{
    user->tracked = used->tracked = true;
    note(autoscaler->arena, &user->using, &user->using_too_many, used, time);
    note(autoscaler->arena, &used->used_by, &used->used_by_too_many, user, time);
}

static void forget(struct node_record *record)
{
    record->tracked = false;
    record->using_too_many = record->used_by_too_many = false;
    record->using.count = record->used_by.count = 0;
}

void usage_clean_up(struct cluster_autoscaler *autoscaler, int64_t cutoff)
{
    MAP_EACH (&autoscaler->records, entry) {
        struct node_record *record = entry->value;
        if (!record->using_too_many)
            drop_older(&record->using, cutoff);
        if (!record->used_by_too_many)
            drop_older(&record->used_by, cutoff);
    }
}

static void drop_all_unneeded(struct cluster_autoscaler *autoscaler)
{
    MAP_EACH (&autoscaler->records, entry)
        ((struct node_record *)entry->value)->unneeded = false;
}

static void drop_users(struct cluster_autoscaler *autoscaler, struct node_record *node)
{
    if (node->using_too_many) {
        drop_all_unneeded(autoscaler);
        return;
    }
    for (uint32_t i = 0; i < node->using.count; i++) {
        const struct node_record *used = node->using.items[i].node;
        if (used->used_by_too_many) {
            drop_all_unneeded(autoscaler);
            return;
        }
        for (uint32_t k = 0; k < used->used_by.count; k++)
            used->used_by.items[k].node->unneeded = false;
    }
}

void usage_remove_node(struct cluster_autoscaler *autoscaler, struct node_record *node)
{
    drop_users(autoscaler, node);
    node->unneeded = false;
    for (uint32_t i = 0; i < node->using.count; i++)
        drop(&node->using.items[i].node->used_by, node);
    for (uint32_t i = 0; i < node->used_by.count; i++)
        drop(&node->used_by.items[i].node->using, node);
    forget(node);
}
