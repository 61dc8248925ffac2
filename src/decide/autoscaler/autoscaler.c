/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/autoscaler.h"

#include <string.h>

void autoscaler_init(struct cluster_autoscaler *autoscaler, struct arena *arena,
                     const struct features *features, int64_t start)
{
    enum { BEFORE_START_SECONDS = 3600 };
    *autoscaler = (struct cluster_autoscaler){.arena = arena, .features = *features};
    autoscaler->epoch = start;
    autoscaler->last_scale_up = start - BEFORE_START_SECONDS * (int64_t)NANOSECONDS_PER_SECOND;
    autoscaler->last_delete = autoscaler->last_fail = autoscaler->last_scale_up;
    autoscaler_options_init(arena, features, &autoscaler->options);
    autoscaler_world_init(&autoscaler->world, arena);
    hints_init(&autoscaler->filter_hints, arena);
    hints_init(&autoscaler->removal_hints, arena);
    map_init(&autoscaler->records, arena);
}

struct node_record *autoscaler_record(struct cluster_autoscaler *autoscaler, const char *name)
{
    struct node_record *record = map_get(&autoscaler->records, name);
    if (!record) {
        record = ARENA_NEW(autoscaler->arena, struct node_record);
        record->name = arena_strdup(autoscaler->arena, name);
        map_put(&autoscaler->records, record->name)->value = record;
    }
    return record;
}

struct autoscaler_group *autoscaler_find_group(const struct cluster_autoscaler *autoscaler,
                                               const char *id)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        if (strcmp(autoscaler->groups.items[i]->id, id) == 0)
            return autoscaler->groups.items[i];
    return NULL;
}

struct scale_action *autoscaler_act(struct cluster_autoscaler *autoscaler,
                                    enum scale_action_kind kind)
{
    const struct scale_action action = {.kind = kind};
    VEC_PUSH(autoscaler->loop_arena, &autoscaler->result->actions, action);
    return &autoscaler->result->actions.items[autoscaler->result->actions.count - 1];
}
