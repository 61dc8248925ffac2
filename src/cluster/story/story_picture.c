/* SPDX-License-Identifier: Apache-2.0 */
/* The cluster as it is, with the names that the run has given. */
#include "cluster/actor/step_stateful_sets.h"
#include "cluster/ask/daemon_sets.h"
#include "cluster/ask/room_held.h"
#include "cluster/intent/intents.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_load.h"
#include "expression/expression.h"
#include "object/storage_zones.h"

/* What the controller of the workload has come to, or waits for. */
static const char *note_of(struct storyteller *teller, const struct state *state, uint32_t workload)
{
    const struct workload *of = &teller->population->workloads.items[workload];
    if (of->kind == OBJECT_STATEFUL_SET)
        return stateful_set_note(teller->worker, state, workload, teller->arena);
    static const char *const ends[] = {
        [JOB_IS_COMPLETE] = "it is complete",
        [JOB_HAS_FAILED] = "it has failed",
        [JOB_WILL_COMPLETE] = "it will be complete when its last pod has ended",
        [JOB_WILL_FAIL] = "it will have failed when its last pod has ended",
    };
    return of->kind == OBJECT_JOB ? ends[state->statuses[workload].over] : NULL;
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

struct story_values storyteller_values(struct storyteller *teller, uint32_t intent)
{
    struct worker *worker = teller->worker;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct story_values values = {
        .items = ARENA_ARRAY(teller->arena, struct expression_part, STORY_VALUES_MOST)};
    values.count = intent_parts(worker, state_unpack(worker, teller->words, teller->length), intent,
                                teller->arena, values.items, STORY_VALUES_MOST);
    arena_rewind(&worker->scratch, mark);
    return values;
}

const struct autoscaling *storyteller_autoscaling(const struct storyteller *teller)
{
    return teller->population->autoscaling;
}

uint32_t storyteller_count_nodes(struct storyteller *teller, uint32_t number)
{
    struct worker *worker = teller->worker;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *state = state_unpack(worker, teller->words, teller->length);
    uint32_t count = 0;
    for (uint32_t n = 0; n < state->listed_count; n++)
        if (config_scaled_group(worker, state->nodes[n].config) == number)
            count += state->nodes[n].count;
    arena_rewind(&worker->scratch, mark);
    return count;
}

static const char *zone_of(const struct worker *worker, uint32_t config)
{
    const uint32_t kind = config_template(worker, config)->node;
    const struct population *population = worker->population;
    const uint32_t group = population->node_kinds.items[kind].group;
    return labels_find(&population->scope->groups[group].node->meta.labels, LABEL_ZONE);
}

static struct story_node picture_node(struct storyteller *teller, const struct named_node *node)
{
    static const char *const stages[] = {"starting", "", "terminating", "bound", ""};
    struct worker *worker = teller->worker;
    struct arena *arena = teller->arena;
    const enum node_condition condition = config_condition(worker, node->config);
    const bool pressed =
        condition_is_up(condition) && value_of_node(worker, node->config).detail != 0;
    struct story_node told = {
        .name = node->name,
        .condition = pressed ? "under pressure" : condition_traits[condition].word,
        .zone = zone_of(worker, node->config),
        .placed = ARENA_ARRAY(arena, struct story_pod, node->pods.count + 1),
        .cpu.allocatable = room_of_node(worker, node->config, ROOM_CPU),
        .memory.allocatable = room_of_node(worker, node->config, ROOM_MEMORY),
    };
    VEC(const char *) pods = {0};
    for (uint32_t p = 0; p < node->pods.count; p++) {
        const uint32_t class = node->pods.items[p].class;
        const enum pod_stage stage = class_info(worker, class)->stage;
        const char *name = teller->pods.items[node->pods.items[p].pod].name;
        if (stage == STAGE_WAITING)
            continue;
        told.placed[pods.count] = (struct story_pod){
            name, stages[stage], teller->workload_names[class_revision(worker, class)->workload]};
        told.cpu.requested += room_request(worker, class, ROOM_CPU);
        told.memory.requested += room_request(worker, class, ROOM_MEMORY);
        if (*stages[stage])
            name = arena_printf(arena, "%s (%s)", name, stages[stage]);
        VEC_PUSH(arena, &pods, name);
    }
    told.pods = (struct string_list){pods.items, pods.count};
    return told;
}

void storyteller_picture(struct storyteller *teller, struct story_picture *picture)
{
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
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        picture->nodes[n] = picture_node(teller, &teller->nodes.items[n]);
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        VEC(const char *) waiting = {0};
        if (workload->setup->cron_job && state->present[w] == WORKLOAD_ABSENT &&
            state_workload_active(worker, state, w) == 0)
            continue; /* no Job has this place */
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
        struct story_workload *told = &picture->workloads[picture->workload_count++];
        *told = (struct story_workload){
            .name = teller->workload_names[w],
            .replicas = wanted,
            .waiting = {waiting.items, waiting.count},
            .note = note_of(teller, state, w),
        };
        story_load(teller, state, w, told);
    }
    arena_rewind(&worker->scratch, mark);
}
