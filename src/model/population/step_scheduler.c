/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: binds one waiting pod, to any of the best nodes.
 *
 * Of the pods that can be placed those with the highest priority are next, in
 * any order among themselves. (The real queue is first come, first served, but
 * back-off mixes it; any order covers all.) A pod that fits nowhere is tried,
 * too: that it fails is a step that changes nothing, or preempts.
 */
#include "model/population/population_internal.h"

#include <string.h>

struct placement {
    uint32_t revision;
    int32_t priority;
    uint32_t *entries;
    uint32_t count;
};

static struct happening about(const struct population *population, enum population_action action,
                              uint32_t revision, uint32_t entry)
{
    return (struct happening){
        .action = action,
        .workload = population->revisions.items[revision].workload,
        .revision = revision,
        .node = entry,
        .amount = 1,
    };
}

static void bind(struct expansion *expansion, uint32_t revision, uint32_t entry)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    const struct happening happening = about(population, ACT_BIND, revision, entry);
    next->pending[revision]--;
    state_move_node(population, next, entry,
                    config_with_new_pod(population, next->nodes[entry].config, revision));
    expansion_emit(expansion, next, &happening);
}

/* The victims begin to terminate; the pod waits on. */
static void preempt(struct expansion *expansion, uint32_t revision,
                    const struct candidate *candidate)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    uint32_t config = next->nodes[candidate->entry].config;
    uint64_t victims = 0;
    for (uint32_t v = 0; v < candidate->victim_count; v++) {
        const uint32_t victim = population->classes.items[candidate->victims[v]].revision;
        victims |= victims_of(population, victim);
        config = config_replace(population, config, candidate->victims[v],
                                class_at(population, victim, STAGE_TERMINATING, 0));
    }
    struct happening happening = about(population, ACT_PREEMPT, revision, candidate->entry);
    happening.amount = candidate->victim_count;
    happening.victims = victims;
    state_move_node(population, next, candidate->entry, config);
    expansion_emit(expansion, next, &happening);
}

/* Pods that terminate already make room without anybody being driven out. */
static bool waits_for_room(const struct population *population, const struct candidate *candidate)
{
    for (uint32_t v = 0; v < candidate->victim_count; v++)
        if (population->classes.items[candidate->victims[v]].stage == STAGE_TERMINATING)
            return true;
    return candidate->victim_count == 0;
}

static void fail_to_place(struct expansion *expansion, const struct view *view, uint32_t revision,
                          const struct decision *decision)
{
    struct population *population = expansion->population;
    const struct happening failed = about(population, ACT_UNSCHEDULABLE, revision, UINT32_MAX);
    uint32_t preempted = 0;
    if (!decision->error) {
        const struct preemption *preemption =
            scheduler_preempt(population->scheduler, view, decision);
        struct candidate *candidates =
            arena_copy(&population->scratch, preemption->candidates,
                       preemption->candidate_count * sizeof(*candidates));
        const uint32_t count = preemption->candidate_count;
        for (uint32_t c = 0; c < count; c++) {
            if (!candidates[c].chosen)
                continue;
            preempted++;
            if (!waits_for_room(population, &candidates[c]))
                preempt(expansion, revision, &candidates[c]);
        }
    }
    if (preempted == 0)
        expansion_emit_idle(expansion, &failed);
}

void step_scheduler(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    const struct view view = {
        .catalog = population->catalog,
        .nodes = state->nodes,
        .node_count = state->node_count,
    };
    VEC(struct placement) placements = {0};
    int32_t highest = INT32_MIN;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (state->pending[r] == 0 || revision->node_name)
            continue;
        const struct decision *decision =
            scheduler_decide(population->scheduler, &view, revision->pending_class, VIEW_NONE);
        if (!decision)
            continue; /* no scheduler of this name: the pod waits for ever */
        if (decision->best_count == 0) {
            fail_to_place(expansion, &view, r, decision);
            continue;
        }
        const struct placement placement = {
            .revision = r,
            .priority = revision->priority,
            .entries = arena_copy(&population->scratch, decision->best,
                                  decision->best_count * sizeof(*decision->best)),
            .count = decision->best_count,
        };
        VEC_PUSH(&population->scratch, &placements, placement);
        highest = revision->priority > highest ? revision->priority : highest;
    }
    for (uint32_t p = 0; p < placements.count; p++)
        for (uint32_t e = 0;
             placements.items[p].priority == highest && e < placements.items[p].count; e++)
            bind(expansion, placements.items[p].revision, placements.items[p].entries[e]);
}
