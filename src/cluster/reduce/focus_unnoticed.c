/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One way to show that workloads can be explored one at a time (focus.c): the pods of each go
 * where they would go without the others. Whenever a pod of it is placed,
 *
 *   - nodes that others have placed pods on, in whichever way they do so alone,
 *     are not among the best for it, nor do they change which the best are or how
 *     many nodes are feasible (the scheduler is asked, with such nodes in the view);
 *   - there are more of the best nodes than the others can ever take.
 *
 * By induction over a run of all: each node has new pods of one workload at most,
 * and to every other the best nodes are those of its own run, less some of many.
 */
#include "cluster/reduce/focus_unnoticed.h"
#include "cluster/reduce/focus.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

struct placing {
    struct focus_proof *proof;
    const struct state *state;
    uint32_t class;
    uint32_t *best; /* configs */
    uint32_t best_count;
    uint64_t best_nodes;
    uint64_t feasible_nodes;
};

static bool is_best(const struct placing *placing, uint32_t config)
{
    for (uint32_t i = 0; i < placing->best_count; i++)
        if (placing->best[i] == config)
            return true;
    return false;
}

/* Asks where the pod goes if no other workload acts. False: no scheduler is responsible. */
static bool place_alone(struct placing *placing)
{
    struct worker *worker = placing->proof->worker;
    const struct state *state = placing->state;
    const struct view view = {
        .catalog = worker->catalog, .nodes = state->nodes, .node_count = state->node_count};
    const struct decision *decision =
        scheduler_decide(worker->scheduler, &view, placing->class, VIEW_NONE);
    if (!decision)
        return false;
    placing->best = ARENA_ARRAY(&worker->scratch, uint32_t, decision->best_count + 1);
    for (uint32_t i = 0; i < decision->best_count; i++) {
        placing->best[placing->best_count++] = state->nodes[decision->best[i]].config;
        placing->best_nodes += state->nodes[decision->best[i]].count;
    }
    placing->feasible_nodes = decision->feasible_nodes;
    return true;
}

/* Does the pod go to the same nodes if these are there? Others have changed those from `own` on. */
static bool is_placed_alike(const struct placing *placing, const struct view_node *nodes,
                            uint32_t own, uint32_t count)
{
    struct worker *worker = placing->proof->worker;
    const struct view view = {.catalog = worker->catalog, .nodes = nodes, .node_count = count};
    const struct decision *decision =
        scheduler_decide(worker->scheduler, &view, placing->class, VIEW_NONE);
    if (decision->feasible_nodes != placing->feasible_nodes ||
        (decision->best_count == 0) != (placing->best_count == 0))
        return false;
    for (uint32_t i = 0; i < decision->best_count; i++)
        if (decision->best[i] >= own || !is_best(placing, nodes[decision->best[i]].config))
            return false;
    return true;
}

/* Can others change a node of the entry, so that another one is left if there was one? */
static bool may_take(const struct state *state, const struct view_node *nodes, uint32_t entry)
{
    return nodes[entry].count > 1 || (nodes[entry].count == 1 && state->nodes[entry].count == 1);
}

/* Tries all touches of others, as many in one view as there are nodes for them. */
static bool others_go_unnoticed(const struct placing *placing)
{
    const struct focus_proof *proof = placing->proof;
    const struct state *state = placing->state;
    const uint32_t own = state->node_count;
    struct view_node *nodes =
        ARENA_ARRAY(&proof->worker->scratch, struct view_node, own + proof->touches.count + 1);
    bool *done = ARENA_ARRAY(&proof->worker->scratch, bool, proof->touches.count + 1);
    for (;;) {
        uint32_t count = own;
        memcpy(nodes, state->nodes, own * sizeof(*nodes));
        for (uint32_t i = 0; i < proof->touches.count; i++) {
            const struct touch *touch = &proof->touches.items[i];
            uint32_t entry = 0;
            if (done[i] || touch->workload == proof->workload)
                continue;
            if (is_best(placing, touch->to))
                return false;
            while (entry < own && nodes[entry].config != touch->from)
                entry++;
            if (entry < own && !may_take(state, nodes, entry))
                continue;
            done[i] = true;
            if (entry == own)
                continue; /* the workload has touched all of them itself */
            nodes[entry].count--;
            nodes[count++] = (struct view_node){touch->to, 1};
        }
        if (count == own)
            return true;
        uint32_t kept = 0;
        uint32_t own_kept = 0;
        for (uint32_t n = 0; n < count; n++) {
            if (nodes[n].count > 0)
                nodes[kept++] = nodes[n];
            own_kept = n + 1 == own ? kept : own_kept;
        }
        if (!is_placed_alike(placing, nodes, own_kept, kept))
            return false;
    }
}

/* Others can take at most so many of the best nodes. */
static uint64_t taken_most(const struct placing *placing)
{
    const struct focus_proof *proof = placing->proof;
    uint64_t total = 0;
    for (uint32_t w = 0; w < proof->worker->population->managed_count; w++)
        for (uint32_t t = 0; w != proof->workload && t < proof->solos[w].takings.count; t++)
            if (is_best(placing, proof->solos[w].takings.items[t].config))
                total += proof->solos[w].takings.items[t].most;
    return total;
}

bool is_unaffected(struct focus_proof *proof, uint32_t workload)
{
    struct worker *worker = proof->worker;
    const struct solo *solo = &proof->solos[workload];
    const uint32_t revision = worker->population->workloads.items[workload].first_revision;
    bool good = true;
    proof->workload = workload;
    for (uint32_t i = 0; i < solo->states.count && good; i++) {
        const struct arena_mark mark = arena_mark(&worker->scratch);
        struct placing placing = {
            .proof = proof,
            .state = state_unpack(worker, solo->states.items[i].words, solo->states.items[i].count),
            .class = worker->population->revisions.items[revision].pending_class,
        };
        if (placing.state->pending[revision] > 0 && place_alone(&placing))
            good = (placing.best_count == 0 || placing.best_nodes > taken_most(&placing)) &&
                   others_go_unnoticed(&placing);
        arena_rewind(&worker->scratch, mark);
    }
    return good;
}
