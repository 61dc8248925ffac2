/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: binds one waiting pod, to any of the best nodes.
 *
 * Of the pods that can be placed those with the highest priority are next, in
 * any order among themselves. (The real queue is first come, first served, but
 * back-off mixes it; any order covers all.) A pod that fits nowhere is tried,
 * too: that it fails is a step that changes nothing, or preempts. Who preempts
 * is nominated to that node, and others of at most its priority leave room for
 * it there; without that, whatever replaces the victims could take the place
 * again, for ever.
 */
#include "model/population/population_internal.h"

#include <string.h>

struct placement {
    uint32_t revision;
    uint32_t nominated; /* the entry; VIEW_NONE: none */
    int32_t priority;
    uint32_t *entries;
    uint32_t count;
};

typedef VEC(struct placement) placement_list;

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

/* One nomination of the pod is over. The node that it was for may be the one
 * that changes in the same step, whose config is then given. */
static uint32_t drop_nomination(struct population *population, struct population_state *next,
                                const struct population_state *state, uint32_t revision,
                                uint32_t nominated, uint32_t entry, uint32_t config)
{
    const uint32_t class = population->revisions.items[revision].pending_class;
    if (nominated == VIEW_NONE)
        return config;
    if (nominated == entry)
        return config_nominate(population, config, class, false);
    state_move_node(population, next, nominated,
                    config_nominate(population, state->nodes[nominated].config, class, false));
    return config;
}

static void bind(struct expansion *expansion, uint32_t revision, uint32_t nominated, uint32_t entry)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    const struct happening happening = about(population, ACT_BIND, revision, entry);
    next->pending[revision]--;
    const uint32_t config = drop_nomination(population, next, expansion->state, revision, nominated,
                                            entry, next->nodes[entry].config);
    state_move_node(population, next, entry, config_with_new_pod(population, config, revision));
    expansion_emit(expansion, next, &happening);
}

/* Pods of a lower priority than this one lose what was kept for them. */
static uint32_t drop_lower(struct population *population, uint32_t config, int32_t priority)
{
    for (;;) {
        const struct node_config *node = population->catalog->configs.items[config];
        uint32_t lower = 0;
        while (lower < node->nominated_entry_count &&
               population->catalog->pods.items[node->nominated[lower].pod]->shape->priority >=
                   priority)
            lower++;
        if (lower == node->nominated_entry_count)
            return config;
        config = config_nominate(population, config, node->nominated[lower].pod, false);
    }
}

/* The victims begin to terminate; the pod waits on, with the place kept for it. */
static void preempt(struct expansion *expansion, uint32_t revision, uint32_t nominated,
                    const struct candidate *candidate)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    const struct revision *preemptor = &population->revisions.items[revision];
    uint32_t config = drop_nomination(population, next, expansion->state, revision, nominated,
                                      candidate->entry, next->nodes[candidate->entry].config);
    uint64_t victims = 0;
    for (uint32_t v = 0; v < candidate->victim_count; v++) {
        const uint32_t victim = population->classes.items[candidate->victims[v]].revision;
        victims |= victims_of(population, victim);
        config = config_replace(population, config, candidate->victims[v],
                                class_at(population, victim, STAGE_TERMINATING, 0));
    }
    config = drop_lower(population, config, preemptor->priority);
    config = config_nominate(population, config, preemptor->pending_class, true);
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
    const uint32_t nominated = decision->nominated_entry;
    uint32_t preempted = 0;
    if (!decision->error) {
        const struct preemption *preemption =
            scheduler_preempt(population->scheduler, view, decision);
        if (preemption->message && nominated != VIEW_NONE)
            return; /* its victims have not left yet */
        struct candidate *candidates =
            arena_copy(&population->scratch, preemption->candidates,
                       preemption->candidate_count * sizeof(*candidates));
        const uint32_t count = preemption->candidate_count;
        for (uint32_t c = 0; c < count; c++) {
            if (!candidates[c].chosen)
                continue;
            preempted++;
            if (candidates[c].entry >= expansion->state->node_count)
                candidates[c].entry = nominated; /* the rest of that entry */
            if (!waits_for_room(population, &candidates[c]))
                preempt(expansion, revision, nominated, &candidates[c]);
        }
    }
    if (preempted > 0)
        return;
    if (nominated == VIEW_NONE) {
        expansion_emit_idle(expansion, &failed);
        return;
    }
    struct population_state *next = state_copy(population, expansion->state);
    drop_nomination(population, next, expansion->state, revision, nominated, VIEW_NONE, 0);
    expansion_emit(expansion, next, &failed);
}

/* Tries one waiting pod: one that is nominated, or one that is not. */
static void try_to_place(struct expansion *expansion, const struct view *view, uint32_t revision,
                         uint32_t nominated, placement_list *placements)
{
    struct population *population = expansion->population;
    const struct decision *decision =
        scheduler_decide(population->scheduler, view,
                         population->revisions.items[revision].pending_class, nominated);
    if (!decision)
        return; /* no scheduler of this name: the pod waits for ever */
    if (decision->best_count == 0) {
        fail_to_place(expansion, view, revision, decision);
        return;
    }
    const struct placement placement = {
        .revision = revision,
        .nominated = nominated,
        .priority = population->revisions.items[revision].priority,
        .entries = arena_copy(&population->scratch, decision->best,
                              decision->best_count * sizeof(*decision->best)),
        .count = decision->best_count,
    };
    for (uint32_t e = 0; e < placement.count; e++)
        if (placement.entries[e] >= expansion->state->node_count)
            placement.entries[e] = nominated;
    VEC_PUSH(&population->scratch, placements, placement);
}

/* The node that a pod is nominated to has to stand alone in the view: the
 * others of its entry come last. */
static struct view view_apart(struct population *population, const struct view *view,
                              uint32_t entry)
{
    struct view apart = *view;
    if (view->nodes[entry].count == 1)
        return apart;
    struct view_node *nodes =
        ARENA_ARRAY(&population->scratch, struct view_node, view->node_count + 1);
    memcpy(nodes, view->nodes, view->node_count * sizeof(*nodes));
    nodes[view->node_count] = (struct view_node){nodes[entry].config, nodes[entry].count - 1};
    nodes[entry].count = 1;
    apart.nodes = nodes;
    apart.node_count++;
    return apart;
}

/* Those of the revision that are nominated; how many they are. */
static uint32_t try_nominated(struct expansion *expansion, const struct view *view,
                              uint32_t revision, placement_list *placements)
{
    struct population *population = expansion->population;
    uint32_t total = 0;
    for (uint32_t n = 0; n < view->node_count; n++) {
        const uint32_t count = config_nominations(
            population, view->nodes[n].config, population->revisions.items[revision].pending_class);
        if (count == 0)
            continue;
        const struct view apart = view_apart(population, view, n);
        try_to_place(expansion, &apart, revision, n, placements);
        total += count * view->nodes[n].count;
    }
    return total;
}

/* Is anybody above anybody else? Preemption looks at budgets, nothing else does. */
static bool some_may_preempt(const struct population *population)
{
    for (uint32_t r = 1; r < population->revisions.count; r++)
        if (population->revisions.items[r].priority != population->revisions.items[0].priority)
            return true;
    return false;
}

void step_scheduler(struct expansion *expansion)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    struct view view = {
        .catalog = population->catalog,
        .nodes = state->nodes,
        .node_count = state->node_count,
    };
    if (population->catalog->surroundings.budgets.count > 0 && some_may_preempt(population))
        view.budgets = state_budgets(population, state, &view.budget_count);
    placement_list placements = {0};
    int32_t highest = INT32_MIN;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (state->pending[r] == 0 || population->revisions.items[r].node_name)
            continue;
        if (state->pending[r] > try_nominated(expansion, &view, r, &placements))
            try_to_place(expansion, &view, r, VIEW_NONE, &placements);
    }
    for (uint32_t p = 0; p < placements.count; p++)
        highest = placements.items[p].priority > highest ? placements.items[p].priority : highest;
    for (uint32_t p = 0; p < placements.count; p++)
        for (uint32_t e = 0;
             placements.items[p].priority == highest && e < placements.items[p].count; e++)
            bind(expansion, placements.items[p].revision, placements.items[p].nominated,
                 placements.items[p].entries[e]);
}
