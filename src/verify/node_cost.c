/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/node_cost.h"
#include "cluster/state/autoscaling.h"
#include "cluster/story/story.h"

#include <math.h>
#include <string.h>

enum { HOURS_A_DAY = 24, HUNDREDTHS = 100 };

void node_cost_begin(struct node_cost_meter *meter, struct arena *arena,
                     const struct storyteller *teller, const struct verify_result *result)
{
    const struct autoscaling *autoscaling = storyteller_autoscaling(teller);
    *meter = (struct node_cost_meter){0};
    if (!autoscaling || !result->loops || result->rests)
        return;
    const uint32_t count = autoscaling->group_count + 1;
    meter->autoscaling = autoscaling;
    meter->before = ARENA_ARRAY(arena, uint32_t, count);
    meter->least = ARENA_ARRAY(arena, uint32_t, count);
    meter->most = ARENA_ARRAY(arena, uint32_t, count);
    meter->added = ARENA_ARRAY(arena, uint32_t, count);
    memset(meter->least, UINT8_MAX, count * sizeof(*meter->least));
}

void node_cost_step(struct node_cost_meter *meter, struct storyteller *teller,
                    const struct story_step *told, bool in_loop)
{
    for (uint32_t g = 0; meter->autoscaling && g < meter->autoscaling->group_count; g++) {
        const uint32_t now = storyteller_count_nodes(teller, g);
        if (in_loop) {
            meter->least[g] = now < meter->least[g] ? now : meter->least[g];
            meter->most[g] = now > meter->most[g] ? now : meter->most[g];
            meter->added[g] += now > meter->before[g] ? now - meter->before[g] : 0;
            meter->others_remove |=
                now < meter->before[g] && strcmp(told->actor, "cluster-autoscaler") != 0;
        }
        meter->before[g] = now;
    }
}

void node_cost_end(const struct node_cost_meter *meter, struct arena *arena,
                   struct verify_result *result)
{
    const struct autoscaling *autoscaling = meter->autoscaling;
    result->cost_count = 0;
    if (!autoscaling)
        return;
    result->costs = ARENA_ARRAY(arena, struct node_cost, autoscaling->group_count + 1);
    for (uint32_t g = 0; g < autoscaling->group_count; g++) {
        const struct scaled_group *group = &autoscaling->groups[g];
        if (!group->has_price || meter->added[g] == 0)
            continue;
        const double hours = (double)(meter->most[g] - meter->least[g]) * HOURS_A_DAY;
        result->costs[result->cost_count++] = (struct node_cost){
            .group = arena_strdup(arena, group->name),
            .added = meter->added[g],
            .hours = hours,
            .price = round(hours * group->price * HUNDREDTHS) / HUNDREDTHS,
            /* The autoscaler removes nothing for so long after it has added nodes. */
            .round_ns = meter->others_remove ? 0 : autoscaling->options.delay_after_add,
        };
    }
}
