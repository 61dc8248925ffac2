/* SPDX-License-Identifier: Apache-2.0 */
/* What the node lifecycle controller does about nodes that do not answer. */
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/zones.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"

/* Does the controller count such a node among those that answer? */
static bool answers(enum node_condition condition)
{
    return condition_traits[condition].ready || condition_is_unnoticed(condition);
}

static bool judge(struct worker *worker, struct zone_census *zones)
{
    return zones_judge(&worker->scratch, &worker->population->options.features, zones,
                       worker->population->zone_count);
}

/* Are nodes of the zone tainted once so many more of it are noticed, and none elsewhere? */
static bool taints_after(struct worker *worker, const struct zone_census *zones, uint32_t zone,
                         int64_t noticed)
{
    const uint32_t count = worker->population->zone_count;
    struct zone_census *then = arena_copy(&worker->scratch, zones, count * sizeof(*zones));
    then[zone].ready -= noticed;
    then[zone].not_ready += noticed;
    return judge(worker, then) && then[zone].taints;
}

/* Leases run out one after the other, in any order. The fewer nodes are noticed, the less
 * disrupted a zone is, and a zone without any node left is tainted again. So only the first and
 * the last notice have to be checked. */
static void foresee_notices(struct worker *worker, struct zone_census *zones)
{
    for (uint32_t z = 0; z < worker->population->zone_count; z++) {
        if (zones[z].unnoticed == 0)
            continue;
        const bool after_all = taints_after(worker, zones, z, zones[z].unnoticed);
        zones[z].taints_noticed = after_all || taints_after(worker, zones, z, 1);
        zones[z].taints |= after_all;
    }
}

/* ---- for which numbers of nodes the answers are the same ---- */

struct zone_following {
    struct worker *worker;
    const struct zone_census *zones; /* with the answers for the nodes that there are */
    uint32_t zone;
    bool any_answers;
};

/* Are all answers the same if so many nodes of the zone answer? */
static bool answers_stay(void *context, int64_t ready)
{
    const struct zone_following *following = context;
    struct worker *worker = following->worker;
    const uint32_t count = worker->population->zone_count;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct zone_census *then =
        arena_copy(&worker->scratch, following->zones, count * sizeof(*then));
    then[following->zone].ready = ready;
    bool same = judge(worker, then) == following->any_answers;
    foresee_notices(worker, then);
    for (uint32_t z = 0; z < count; z++)
        same &= then[z].taints == following->zones[z].taints &&
                then[z].taints_noticed == following->zones[z].taints_noticed;
    arena_rewind(&worker->scratch, mark);
    return same;
}

/* With more nodes that answer, a zone can only become less disrupted, and it is not any more from
 * some number on. Zones depend on each other only where no node answers. */
static void follow_zones(struct worker *worker, const struct zone_census *zones, bool any_answers)
{
    for (uint32_t z = 0; z < worker->population->zone_count; z++) {
        struct zone_following following = {worker, zones, z, any_answers};
        node_sum_follow(worker->catalog, &zones[z].answering, true, answers_stay, &following);
    }
}

struct node_tainting lifecycle_tainting(struct worker *worker, const struct state *state)
{
    struct zone_census *zones =
        ARENA_ARRAY(&worker->scratch, struct zone_census, worker->population->zone_count + 1);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = state_template(worker, state, n);
        if (info->zone == UINT32_MAX || !template_is_listed(info))
            continue;
        if (answers(info->condition))
            node_sum_add(worker->catalog, &zones[info->zone].answering, state->nodes[n]);
        else
            zones[info->zone].not_ready += node_count_exact(worker->catalog, state->nodes[n]);
        if (condition_is_unnoticed(info->condition))
            zones[info->zone].unnoticed += node_count_exact(worker->catalog, state->nodes[n]);
    }
    for (uint32_t z = 0; z < worker->population->zone_count; z++)
        zones[z].ready = zones[z].answering.value;
    const bool any_answers = judge(worker, zones);
    foresee_notices(worker, zones);
    if (worker->catalog->node_reads)
        follow_zones(worker, zones, any_answers);
    return (struct node_tainting){zones, any_answers};
}

bool tainting_reaches(const struct node_tainting *tainting, uint32_t zone,
                      enum node_condition condition)
{
    return tainting->any_answers &&
           (zone == UINT32_MAX ||
            (condition_is_unnoticed(condition) ? tainting->zones[zone].taints_noticed
                                               : tainting->zones[zone].taints));
}

bool lifecycle_evicts(struct worker *worker, const struct state *state)
{
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct template_info *info = state_template(worker, state, n);
        /* While a state is made it may have entries of no node. */
        if (state->nodes[n].count > 0 && info->zone != UINT32_MAX && template_is_listed(info) &&
            answers(info->condition))
            return true;
    }
    return lifecycle_tainting(worker, state).any_answers;
}

bool lifecycle_notices_all(struct worker *worker, const struct state *state)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (condition_is_unnoticed(config_condition(worker, state->nodes[n].config)))
            return false;
    return true;
}

void lifecycle_forget_taints(struct worker *worker, struct state *state)
{
    if (!worker->population->taints_late || lifecycle_evicts(worker, state))
        return;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const enum node_condition condition = config_condition(worker, state->nodes[n].config);
        if (condition == NODE_DOWN || condition == NODE_PARTITIONED)
            state->nodes[n].config = config_with_condition(
                worker, state->nodes[n].config,
                condition == NODE_DOWN ? NODE_DOWN_UNTAINTED : NODE_PARTITIONED_UNTAINTED);
    }
}
