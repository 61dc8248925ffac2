/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One way to show that workloads can be explored one at a time (focus.c): it makes no
 * difference where a pod is put, so it does not matter that workloads compete for places.
 *
 * From the state in hand on no event can come, and no pod ever leaves a node that is
 * up (a workload that, followed alone, removes one ends the attempt). So only the number of new
 * pods is read once they are bound: by controllers, by autoscalers, and by intents
 * that are not about places. The place of a pod can only decide whether
 * another pod finds a place. Let N be the sum of the pods that each workload, followed alone,
 * binds at most. If fewer than N pods, whichever they are and wherever they go, cannot
 * take all nodes away from any of them (the scheduler is asked: scheduler_room), and none
 * of them tolerates a node that has failed, then by induction over a run of all workloads
 * every pod that waits is bound some time, and what each workload does in the run is, except for
 * places, what it does alone.
 *
 * For the same reason, of equally good places only the first is tried.
 */
#include "cluster/reduce/focus_anywhere.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "object/taint.h"

/* Does the node have a NoExecute taint? */
static bool evicts(const struct node *node)
{
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        if (node->spec.taints[t].effect == TAINT_NO_EXECUTE)
            return true;
    return false;
}

bool places_are_alike(struct worker *worker, const struct state *state)
{
    const struct population *population = worker->population;
    if (!intents_ignore(population, IGNORES_PLACES) || population->has_pressure ||
        population->admission_matters)
        return false;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        if (config_condition(worker, config->id) == NODE_UP && evicts(config->template->node))
            return false;
    }
    return true;
}

/* May a pod of one of the classes come to a node that is not up? That place differs from others:
 * the pod does not start there, and may have to leave again. */
static bool may_be_lost(struct worker *worker, const struct state *start, const uint32_t *classes,
                        uint32_t count)
{
    for (uint32_t n = 0; n < start->node_count; n++) {
        const struct view view = {
            .catalog = worker->catalog, .nodes = &start->nodes[n], .node_count = 1};
        if (config_condition(worker, view.nodes->config) == NODE_UP)
            continue;
        for (uint32_t c = 0; c < count; c++)
            if (scheduler_room(worker->scheduler, &view, classes[c], classes, count, 1) > 0)
                return true;
    }
    return false;
}

bool room_suffices(struct worker *worker, const struct state *start, const uint32_t *new_pods)
{
    const struct population *population = worker->population;
    const struct view view = {
        .catalog = worker->catalog, .nodes = start->nodes, .node_count = start->node_count};
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t *classes = ARENA_ARRAY(&worker->scratch, uint32_t, population->managed_count + 1);
    uint32_t count = 0;
    uint64_t pods = 0;
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const uint32_t revision = population->workloads.items[w].first_revision;
        if (new_pods[w] > 0)
            classes[count++] = population->revisions.items[revision].pending_class;
        pods += new_pods[w];
    }
    bool suffices = !may_be_lost(worker, start, classes, count);
    for (uint32_t c = 0; c < count && suffices; c++)
        suffices =
            scheduler_room(worker->scheduler, &view, classes[c], classes, count, pods) >= pods;
    arena_rewind(&worker->scratch, mark);
    return suffices;
}
