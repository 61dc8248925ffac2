/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/lead.h"

int64_t lead_raw(const struct lead *lead, uint32_t entry)
{
    const struct record *record = lead->cycle->records[entry];
    if (!lead->plugin->global_score)
        return record->scores[lead->place];
    return lead->plugin->score(&(struct trial){.plan = lead->cycle->plan,
                                               .part = lead->part,
                                               .now = &record->load,
                                               .base = &record->load,
                                               .cycle = lead->cycle,
                                               .entry = entry});
}

int64_t lead_share(int64_t more, int64_t least, int64_t most)
{
    if (more == 0 || least == 0 || most == 0)
        return 0;
    if (more > 0)
        return NODE_SCORE_MOST * more / most;
    return -((-NODE_SCORE_MOST * more + least - 1) / least);
}

int64_t lead_to_highest(const struct lead *lead, bool reversed)
{
    const int64_t ahead = lead_raw(lead, lead->ahead);
    const int64_t behind = lead_raw(lead, lead->behind);
    int64_t highest = 0;
    CYCLE_EACH_FEASIBLE(lead->cycle, entry)
    {
        const int64_t raw = lead_raw(lead, entry);
        highest = raw > highest ? raw : highest;
    }
    return lead_share(reversed ? behind - ahead : ahead - behind, ahead > behind ? ahead : behind,
                      highest);
}

/* Adds up the leads by plugin, weighed: of those that go by what others hold on nodes (`beside` is
 * given), or of the others. */
static int64_t total_lead(const struct scheduler *scheduler, struct lead lead,
                          const struct plugin *unknown)
{
    const struct plan *plan = scheduler->cycle.plan;
    int64_t total = 0;
    lead.cycle = &scheduler->cycle;
    for (uint32_t s = 0; s < plan->profile->score_count; s++) {
        const struct plugin *plugin = plan->profile->scores[s].plugin;
        const bool by_room = plugin->lead_beside != NULL;
        if (by_room != (lead.beside != NULL) || !plan->score_parts[s]->scores)
            continue;
        lead.plugin = plugin;
        lead.part = plan->score_parts[s];
        lead.place = s;
        int64_t points = -NODE_SCORE_MOST;
        if (by_room)
            points = plugin->lead_beside(&lead);
        else if (plugin->lead && plugin != unknown)
            points = plugin->lead(&lead);
        total += points * plan->profile->scores[s].weight;
    }
    return total;
}

int64_t scheduler_lead(const struct scheduler *scheduler, uint32_t ahead, uint32_t behind,
                       const struct plugin *unknown)
{
    return total_lead(scheduler, (struct lead){.ahead = ahead, .behind = behind}, unknown);
}

int64_t scheduler_lead_beside(const struct scheduler *scheduler, uint32_t ahead, uint32_t behind,
                              const struct beside *beside)
{
    return total_lead(scheduler, (struct lead){.ahead = ahead, .behind = behind, .beside = beside},
                      NULL);
}

int64_t scheduler_lead_between(const struct scheduler *scheduler, uint32_t ahead, uint32_t behind,
                               const struct beside *beside, const struct beside *least,
                               const struct beside *most)
{
    return total_lead(scheduler,
                      (struct lead){.ahead = ahead,
                                    .behind = behind,
                                    .beside = beside,
                                    .behind_least = least,
                                    .behind_most = most},
                      NULL);
}
