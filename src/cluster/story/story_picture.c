/* SPDX-License-Identifier: Apache-2.0 */
/* The cluster as it is, with the names that the run has given. */
#include "cluster/actor/step_stateful_sets.h"
#include "cluster/ask/daemon_sets.h"
#include "cluster/intent/intents.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"

/* What the controller of the workload has come to, or waits for. */
static const char *note_of(struct storyteller *teller, const struct state *state, uint32_t workload)
{
    const struct workload *of = &teller->population->workloads.items[workload];
    if (of->kind == OBJECT_STATEFUL_SET)
        return stateful_set_note(teller->worker, state, workload, teller->arena);
    if (of->kind != OBJECT_JOB || state->statuses[workload].over == JOB_GOES_ON)
        return NULL;
    return state->statuses[workload].over == JOB_IS_COMPLETE ? "it is complete" : "it has failed";
}

uint32_t storyteller_whose(struct storyteller *teller, uint32_t intent)
{
    struct worker *worker = teller->worker;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const uint32_t whose =
        intent_whose(worker, state_unpack(worker, teller->words, teller->length), intent);
    arena_rewind(&worker->scratch, mark);
    return whose;
}

void storyteller_picture(struct storyteller *teller, struct story_picture *picture)
{
    static const char *const stages[] = {" (starting)", "", " (terminating)", " (bound)", ""};
    struct worker *worker = teller->worker;
    const struct population *population = teller->population;
    struct arena *arena = teller->arena;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *state = state_unpack(worker, teller->words, teller->length);
    *picture = (struct story_picture){
        .nodes = ARENA_ARRAY(arena, struct story_node, teller->nodes.count + 1),
        .node_count = teller->nodes.count,
        .workloads = ARENA_ARRAY(arena, struct story_workload, population->workloads.count + 1),
    };
    for (uint32_t n = 0; n < teller->nodes.count; n++) {
        const struct named_node *node = &teller->nodes.items[n];
        const enum node_condition condition = config_condition(worker, node->config);
        VEC(const char *) pods = {0};
        for (uint32_t p = 0; p < node->pods.count; p++) {
            const enum pod_stage stage = class_info(worker, node->pods.items[p].class)->stage;
            if (stage != STAGE_WAITING)
                VEC_PUSH(arena, &pods,
                         arena_printf(arena, "%s%s",
                                      teller->pods.items[node->pods.items[p].pod].name,
                                      stages[stage]));
        }
        const bool pressed =
            condition == NODE_UP && value_of_node(worker, node->config).detail != 0;
        picture->nodes[n] =
            (struct story_node){node->name,
                                pressed ? "under pressure" : condition_traits[condition].word,
                                {pods.items, pods.count}};
    }
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        VEC(const char *) waiting = {0};
        for (uint32_t r = 0; r < population->revisions.count; r++)
            for (uint32_t i = 0;
                 population->revisions.items[r].workload == w && i < teller->waiting[r].count; i++)
                VEC_PUSH(arena, &waiting, teller->pods.items[teller->waiting[r].items[i]].name);
        for (uint32_t n = 0; n < teller->nodes.count; n++)
            for (uint32_t i = 0; i < teller->nodes.items[n].pods.count; i++) {
                const struct placed_pod *placed = &teller->nodes.items[n].pods.items[i];
                if (class_info(worker, placed->class)->stage == STAGE_WAITING &&
                    class_revision(worker, placed->class)->workload == w)
                    VEC_PUSH(arena, &waiting, teller->pods.items[placed->pod].name);
            }
        if (workload->bystander && waiting.count == 0)
            continue;
        int32_t wanted = state->replicas[w];
        if (workload->bystander)
            wanted = (int32_t)waiting.count;
        else if (workload->kind == OBJECT_DAEMON_SET)
            wanted = (int32_t)daemon_set_wanted(worker, state, w);
        else if (state->statuses[w].over != JOB_GOES_ON)
            wanted = 0;
        picture->workloads[picture->workload_count++] = (struct story_workload){
            arena_strdup(arena, workload->setup->name),
            wanted,
            {waiting.items, waiting.count},
            note_of(teller, state, w),
        };
    }
    arena_rewind(&worker->scratch, mark);
}
