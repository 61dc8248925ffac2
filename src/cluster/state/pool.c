/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/pool.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"

#include <string.h>

enum { CHOICES_MOST = 20000 };

uint32_t pool_entry(struct worker *worker, const struct state *state)
{
    uint32_t n = state->node_count - 1;
    while (config_condition(worker, state->nodes[n].config) != NODE_POOL)
        n--;
    return n;
}

/* A class of pods of the node that belong into the pool; VIEW_NONE: there are none. Pods that no
 * workload looks after stay where they are. */
static uint32_t class_outside(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_revision(worker, config->pods[p].pod)->workload <
            worker->population->managed_count)
            return config->pods[p].pod;
    return VIEW_NONE;
}

/* Is a pod on each node of the entry that belongs into the pool? */
static bool is_outside(struct worker *worker, const struct state *state, uint32_t entry)
{
    const uint32_t config = state->nodes[entry].config;
    return state->nodes[entry].count > 0 && config_condition(worker, config) == NODE_UP &&
           class_outside(worker, config) != VIEW_NONE;
}

/* So many nodes of the config keep their pods: as many as there were before, of which nobody can
 * tell those that there are from. */
static uint32_t count_kept(const struct worker *worker, uint32_t config, const struct state *before)
{
    uint32_t count = 0;
    for (uint32_t n = 0; worker->population->pool_keeps && before && n < before->node_count; n++)
        count += before->nodes[n].config == config ? before->nodes[n].count : 0;
    return count;
}

/* So many nodes of the entry have pods that belong into the pool, if the entries before it are
 * those that keep theirs first. */
static uint32_t count_to_collect(struct worker *worker, const struct state *state, uint32_t entry,
                                 const struct state *before)
{
    const struct view_node *nodes = &state->nodes[entry];
    if (!is_outside(worker, state, entry))
        return 0;
    uint32_t kept = count_kept(worker, nodes->config, before);
    for (uint32_t n = 0; n < entry && kept > 0; n++)
        if (state->nodes[n].config == nodes->config)
            kept -= state->nodes[n].count < kept ? state->nodes[n].count : kept;
    return nodes->count > kept ? nodes->count - kept : 0;
}

bool pool_lacks(struct worker *worker, const struct state *state, const struct state *before)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (count_to_collect(worker, state, n, before) > 0)
            return true;
    return false;
}

/* Empties so many nodes of the entry. */
static void collect(struct worker *worker, struct state *state, uint32_t entry, uint32_t nodes)
{
    const uint32_t pool = pool_entry(worker, state);
    uint32_t emptied = state->nodes[entry].config;
    uint32_t filled = state->nodes[pool].config;
    uint32_t class;
    while ((class = class_outside(worker, emptied)) != VIEW_NONE) {
        emptied = config_replace(worker, emptied, class, VIEW_NONE);
        for (uint32_t i = 0; i < nodes; i++)
            filled = config_replace(worker, filled, VIEW_NONE, class);
    }
    state->nodes[pool].config = filled;
    if (nodes == state->nodes[entry].count)
        state->nodes[entry].config = emptied;
    else
        for (uint32_t moved = 0; moved < nodes; moved++)
            state_move_node(worker, state, entry, emptied);
}

void pool_collect(struct worker *worker, struct state *state, const struct state *before)
{
    /* From the last entry on: what is emptied makes no difference to those before it. */
    for (uint32_t n = state->node_count; n-- > 0;) {
        const uint32_t nodes = count_to_collect(worker, state, n, before);
        if (nodes > 0)
            collect(worker, state, n, nodes);
    }
}

/* Are all pods of the node ready, so that nothing happens to them by itself? */
static bool begins_quietly(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_info(worker, config->pods[p].pod)->stage != STAGE_READY)
            return false;
    return true;
}

void pool_begin(struct worker *worker, struct state *state)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (is_outside(worker, state, n) &&
            !(worker->population->pool_keeps && begins_quietly(worker, state->nodes[n].config)))
            collect(worker, state, n, state->nodes[n].count);
}

/* What one node of an entry gets: so many pods of each class of the pool, in its order. */
struct share {
    uint32_t entry;
    uint32_t *taken;
};

struct draw {
    struct worker *worker;
    const struct state *state;
    struct pool_nodes nodes;
    uint32_t pool;
    const struct node_config *pods; /* the pool's */
    uint32_t *left;                 /* by class: pods that are still there */
    struct share *shares;
    uint32_t share_count;
    uint32_t choices;
    void (*use)(void *context, const struct state *drawn);
    void *context;
};

static void drop_entries_of_none(struct state *state)
{
    for (uint32_t n = state->node_count; n-- > 0;)
        if (state->nodes[n].count == 0) {
            memmove(&state->nodes[n], &state->nodes[n + 1],
                    (state->node_count - n - 1) * sizeof(*state->nodes));
            state->node_count--;
        }
}

/* Hands over the state in which the nodes have got their shares. */
static void hand_out(struct draw *draw)
{
    struct worker *worker = draw->worker;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct state *drawn = state_copy(worker, draw->state);
    for (uint32_t s = 0; s < draw->share_count; s++) {
        const struct share *share = &draw->shares[s];
        uint32_t filled = draw->state->nodes[share->entry].config;
        uint32_t *pool = &drawn->nodes[draw->pool].config;
        for (uint32_t i = 0; i < draw->pods->pod_entry_count; i++)
            for (uint32_t taken = 0; taken < share->taken[i]; taken++) {
                filled = config_replace(worker, filled, VIEW_NONE, draw->pods->pods[i].pod);
                *pool = config_replace(worker, *pool, draw->pods->pods[i].pod, VIEW_NONE);
            }
        state_move_node(worker, drawn, share->entry, filled);
    }
    drop_entries_of_none(drawn);
    draw->choices++;
    draw->use(draw->context, drawn);
    arena_rewind(&worker->scratch, mark);
}

static const char *label_of(const struct draw *draw, uint32_t entry)
{
    const struct node_config *config = state_config(draw->worker, draw->state, entry);
    return labels_find(&config->template->node->meta.labels, draw->nodes.key);
}

/* May one more node of the entry get pods? */
static bool may_get_pods(const struct draw *draw, uint32_t entry)
{
    uint32_t used = 0;
    if (config_condition(draw->worker, draw->state->nodes[entry].config) != NODE_UP)
        return false;
    for (uint32_t s = 0; s < draw->share_count; s++)
        used += draw->shares[s].entry == entry;
    if (draw->nodes.one_of_all
            ? used == 1
            : !node_count_exceeds(draw->worker->catalog, draw->state->nodes[entry], used))
        return false;
    if (!draw->nodes.key)
        return draw->share_count == 0;
    const char *value = label_of(draw, entry);
    return value &&
           (draw->share_count == 0 || strcmp(value, label_of(draw, draw->shares[0].entry)) == 0);
}

/* Nodes of an entry are alike: each gets no more than the one before, so that none is drawn
 * twice. */
static bool is_in_order(const struct draw *draw, const struct share *share)
{
    if (share == draw->shares || share[-1].entry != share->entry)
        return true;
    for (uint32_t i = 0; i < draw->pods->pod_entry_count; i++)
        if (share->taken[i] != share[-1].taken[i])
            return share->taken[i] < share[-1].taken[i];
    return true;
}

/* So many nodes one of the entry stands for. */
static uint64_t stands_for(const struct draw *draw, uint32_t entry)
{
    return draw->nodes.one_of_all
               ? node_count_exact(draw->worker->catalog, draw->state->nodes[entry])
               : 1;
}

/* So many pods the node can have; if it stands for all of its entry, all of them. */
static uint64_t most_pods(const struct draw *draw, uint32_t entry)
{
    if (!draw->nodes.most || draw->nodes.most[entry] == UINT32_MAX)
        return UINT64_MAX;
    return draw->nodes.most[entry] * stands_for(draw, entry);
}

/* So many pods of the revision that do not terminate the node can have. */
static uint64_t most_of_revision(const struct draw *draw, uint32_t entry, uint32_t revision)
{
    const struct population *population = draw->worker->population;
    const struct others *others = population->options.others;
    const uint32_t kind = state_template(draw->worker, draw->state, entry)->node;
    if (!others->gathered)
        return UINT64_MAX;
    const uint32_t most = others->gathered[(size_t)revision * others->group_count +
                                           population->node_kinds.items[kind].group];
    return most == UINT32_MAX ? UINT64_MAX : most * stands_for(draw, entry);
}

/* So many more pods of the class `item` the last node can have, beside those that it got of the
 * classes before. */
static uint64_t room_beside_own(const struct draw *draw, uint32_t item)
{
    const struct share *share = &draw->shares[draw->share_count - 1];
    const struct class_info *class = class_info(draw->worker, draw->pods->pods[item].pod);
    uint64_t room = most_of_revision(draw, share->entry, class->revision);
    if (class->stage == STAGE_TERMINATING)
        return UINT64_MAX;
    for (uint32_t i = 0; i < item && room != UINT64_MAX; i++) {
        const struct class_info *other = class_info(draw->worker, draw->pods->pods[i].pod);
        if (other->revision == class->revision && other->stage != STAGE_TERMINATING)
            room -= share->taken[i];
    }
    return room;
}

static void give_next(struct draw *draw, uint32_t entry);

/* Chooses how many pods of the class `item`, and of those after it, the last node gets; then what
 * further nodes get. */
static void choose(struct draw *draw, uint32_t item, uint32_t count)
{
    struct share *share = &draw->shares[draw->share_count - 1];
    if (draw->choices > CHOICES_MOST)
        return;
    if (item == draw->pods->pod_entry_count) {
        if (count == 0 || !is_in_order(draw, share))
            return;
        hand_out(draw);
        give_next(draw, share->entry);
        return;
    }
    const uint32_t left = draw->left[item];
    const uint64_t room = most_pods(draw, share->entry) - count;
    const uint64_t own_room = room_beside_own(draw, item);
    for (uint32_t taken = 0; taken <= left && taken <= room && taken <= own_room; taken++) {
        share->taken[item] = taken;
        draw->left[item] = left - taken;
        choose(draw, item + 1, count + taken);
    }
    draw->left[item] = left;
}

/* Gives pods to one more node, of the entry or of one after it. */
static void give_next(struct draw *draw, uint32_t entry)
{
    for (; entry < draw->state->node_count; entry++) {
        if (!may_get_pods(draw, entry))
            continue;
        const struct arena_mark mark = arena_mark(&draw->worker->scratch);
        draw->shares[draw->share_count++] = (struct share){
            entry, ARENA_ARRAY(&draw->worker->scratch, uint32_t, draw->pods->pod_entry_count + 1)};
        choose(draw, 0, 0);
        draw->share_count--;
        arena_rewind(&draw->worker->scratch, mark);
    }
}

bool pool_draw(struct worker *worker, const struct state *state, struct pool_nodes nodes,
               void (*use)(void *context, const struct state *drawn), void *context)
{
    struct draw draw = {.worker = worker,
                        .state = state,
                        .nodes = nodes,
                        .pool = pool_entry(worker, state),
                        .use = use,
                        .context = context};
    draw.pods = config_at(worker, state->nodes[draw.pool].config);
    draw.left = ARENA_ARRAY(&worker->scratch, uint32_t, draw.pods->pod_entry_count + 1);
    draw.shares = ARENA_ARRAY(&worker->scratch, struct share, draw.pods->pod_count + 1);
    for (uint32_t i = 0; i < draw.pods->pod_entry_count; i++)
        draw.left[i] = draw.pods->pods[i].count;
    give_next(&draw, 0);
    return draw.choices <= CHOICES_MOST;
}
