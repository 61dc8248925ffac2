/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling cycle: pre-filter, filter, score, choose.
 *
 * Mirrors pkg/scheduler/schedule_one.go and framework/runtime/framework.go
 * @ v1.26.15 (schedulePod, findNodesThatFitPod, RunFilterPluginsWithNominatedPods,
 * prioritizeNodes, selectHost).
 */
#include "decide/scheduler/cycle.h"
#include "decide/scheduler/follow_sizes.h"

#include <stdlib.h>
#include <string.h>

enum { SCRATCH_BYTES = 4 << 10 }; /* enough for most cycles */

struct scheduler *scheduler_create(struct arena *arena, struct catalog *catalog,
                                   const struct profiles *profiles)
{
    struct scheduler *scheduler = ARENA_NEW(arena, struct scheduler);
    scheduler->arena = arena;
    scheduler->catalog = catalog;
    scheduler->profiles = profiles;
    arena_init(&scheduler->scratch, arena->memory);
    arena_reserve(&scheduler->scratch, SCRATCH_BYTES);
    scheduler->empty = arena_mark(&scheduler->scratch);
    return scheduler;
}

struct plan *scheduler_plan(struct scheduler *scheduler, const struct pod_class *pod)
{
    const struct profile *profile =
        profiles_find(scheduler->profiles, pod->pod->spec.scheduler_name);
    if (!profile)
        return NULL;
    /* The node's name is no part of the shape. */
    if (pod->pod->spec.node_name) {
        for (uint32_t i = 0; i < scheduler->named_plans.count; i++)
            if (scheduler->named_plans.items[i]->pod == pod)
                return scheduler->named_plans.items[i];
        struct plan *plan = plan_create(scheduler->catalog, profile, pod);
        VEC_PUSH(scheduler->arena, &scheduler->named_plans, plan);
        return plan;
    }
    while (scheduler->plans.count <= pod->shape->id)
        VEC_PUSH(scheduler->arena, &scheduler->plans, NULL);
    if (!scheduler->plans.items[pod->shape->id])
        scheduler->plans.items[pod->shape->id] = plan_create(scheduler->catalog, profile, pod);
    return scheduler->plans.items[pod->shape->id];
}

static void make_room(struct scheduler *scheduler, uint32_t entries)
{
    if (entries <= scheduler->capacity && scheduler->capacity > 0)
        return;
    struct arena *arena = scheduler->arena;
    uint32_t capacity = entries < 16 ? 16 : 2 * entries;
    scheduler->capacity = capacity;
    scheduler->cycle.records = ARENA_ARRAY(arena, const struct record *, capacity);
    scheduler->cycle.feasible = ARENA_ARRAY(arena, bool, capacity);
    scheduler->decision.nodes = ARENA_ARRAY(arena, struct node_decision, capacity);
    scheduler->scores = ARENA_ARRAY(arena, int64_t, (size_t)capacity * PLUGINS_MOST);
    scheduler->weighted = ARENA_ARRAY(arena, int64_t, (size_t)capacity * PLUGINS_MOST);
    scheduler->best = ARENA_ARRAY(arena, uint32_t, capacity);
}

static struct verdict filter_global(const struct cycle *cycle, uint32_t entry,
                                    const struct load *base, const struct load *now,
                                    uint32_t filters_before)
{
    const struct plan *plan = cycle->plan;
    for (uint32_t i = 0; i < plan->global_filters.count; i++) {
        const struct listed_filter *global = &plan->global_filters.items[i];
        if (global->order > filters_before)
            break;
        struct trial trial = {.plan = plan,
                              .part = global->part,
                              .now = now,
                              .base = base,
                              .cycle = cycle,
                              .entry = entry};
        struct verdict verdict = global->plugin->filter(&trial);
        if (verdict.code != VERDICT_FEASIBLE) {
            verdict.plugin = global->plugin;
            return verdict;
        }
    }
    return verdict_feasible();
}

struct verdict cycle_filter(const struct cycle *cycle, uint32_t entry, const struct load *base,
                            const struct load *now, struct arena *texts)
{
    uint32_t local_filter;
    struct verdict local = plan_filter_local(cycle->plan, now, &local_filter, texts);
    struct verdict global = filter_global(cycle, entry, base, now, local_filter);
    return global.code != VERDICT_FEASIBLE ? global : local;
}

struct verdict cycle_filter_record(const struct cycle *cycle, uint32_t entry,
                                   const struct record *record)
{
    const struct verdict global =
        filter_global(cycle, entry, &record->load, &record->load, record->local_filter);
    return global.code != VERDICT_FEASIBLE ? global : record->local;
}

/* Filters the node that this pod is nominated to. A pod does not count against
 * itself, so the verdict that is kept for other pods cannot be used. */
static struct verdict examine_own_nominated(struct scheduler *scheduler, uint32_t entry)
{
    struct cycle *cycle = &scheduler->cycle;
    struct plan *plan = cycle->plan;
    const struct record *record = cycle->records[entry];
    const struct node_config *config =
        scheduler->catalog->configs.items[cycle->view->nodes[entry].config];
    struct load load;
    plan_load_init(plan, &scheduler->scratch, &load, config->template);
    plan_load_copy(plan, &load, &record->load);
    if (plan_load_nominate(plan, &load, config, cycle->pod)) {
        struct verdict verdict =
            cycle_filter(cycle, entry, &record->load, &load, plan->catalog->arena);
        if (verdict.code != VERDICT_FEASIBLE)
            return verdict;
    }
    return cycle_filter(cycle, entry, &record->load, &record->load, plan->catalog->arena);
}

static struct verdict examine(struct scheduler *scheduler, uint32_t entry)
{
    const struct cycle *cycle = &scheduler->cycle;
    const struct record *record = cycle->records[entry];
    if (entry == cycle->nominated_entry)
        return examine_own_nominated(scheduler, entry);
    if (record->has_nominated) {
        struct verdict verdict = filter_global(cycle, entry, &record->load, &record->nominated_load,
                                               record->nominated_local_filter);
        if (verdict.code == VERDICT_FEASIBLE)
            verdict = record->nominated_local;
        if (verdict.code != VERDICT_FEASIBLE)
            return verdict;
    }
    return cycle_filter_record(cycle, entry, record);
}

static void reject_all(struct decision *decision, struct verdict verdict)
{
    for (uint32_t i = 0; i < decision->node_count; i++)
        decision->nodes[i].verdict = verdict;
}

static bool is_named(const struct cycle *cycle, uint32_t entry, const struct string_list *names)
{
    const struct node_template *template = cycle->records[entry]->load.template;
    if (template->anonymous)
        return false;
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], template->node->meta.name) == 0)
            return true;
    return false;
}

/* Upstream looks the named nodes up and gives up if one is missing. */
static const char *find_missing_name(struct scheduler *scheduler, const struct string_list *names)
{
    if (scheduler->catalog->features.prefilter_ignores_missing)
        return NULL;
    for (uint32_t i = 0; i < names->count; i++)
        if (view_find_node(scheduler->cycle.view, names->items[i]) == VIEW_NONE)
            return arena_printf(scheduler->arena, "nodeinfo not found for node name \"%s\"",
                                names->items[i]);
    return NULL;
}

static void set_feasible(struct scheduler *scheduler, uint32_t entry, bool feasible)
{
    scheduler->cycle.feasible[entry] = feasible;
    if (feasible)
        scheduler->cycle.feasible_nodes += scheduler->cycle.view->nodes[entry].count;
}

static bool try_nominated_node(struct scheduler *scheduler)
{
    struct cycle *cycle = &scheduler->cycle;
    uint32_t entry = cycle->nominated_entry;
    if (entry == VIEW_NONE || examine(scheduler, entry).code != VERDICT_FEASIBLE)
        return false;
    reject_all(&scheduler->decision, verdict_no(VERDICT_NOT_EXAMINED, ""));
    scheduler->decision.nodes[entry].verdict = verdict_feasible();
    for (uint32_t i = 0; i < cycle->view->node_count; i++)
        set_feasible(scheduler, i, i == entry);
    return true;
}

static void find_feasible(struct scheduler *scheduler, const struct pre_filter_outcome *outcome)
{
    struct cycle *cycle = &scheduler->cycle;
    for (uint32_t i = 0; i < cycle->view->node_count; i++) {
        struct verdict verdict = verdict_no(VERDICT_NOT_EXAMINED, "");
        if (!outcome->narrowed || is_named(cycle, i, &outcome->node_names))
            verdict = examine(scheduler, i);
        scheduler->decision.nodes[i].verdict = verdict;
        set_feasible(scheduler, i, verdict.code == VERDICT_FEASIBLE);
    }
}

static void score_feasible(struct scheduler *scheduler)
{
    struct cycle *cycle = &scheduler->cycle;
    const struct plan *plan = cycle->plan;
    const struct profile *profile = plan->profile;
    for (uint32_t s = 0; s < profile->score_count; s++) {
        const struct plugin *plugin = profile->scores[s].plugin;
        const struct part *part = plan->score_parts[s];
        int64_t *scores = scheduler->scores + (size_t)s * scheduler->capacity;
        bool global = plugin->global_score && part->scores;
        if (global && plugin->pre_score)
            plugin->pre_score(cycle, part);
        CYCLE_EACH_FEASIBLE(cycle, entry)
        {
            const struct record *record = cycle->records[entry];
            scores[entry] = global ? plugin->score(&(struct trial){.plan = plan,
                                                                   .part = part,
                                                                   .now = &record->load,
                                                                   .base = &record->load,
                                                                   .cycle = cycle,
                                                                   .entry = entry})
                                   : record->scores[s];
        }
        if (plugin->normalise && part->scores)
            plugin->normalise(cycle, part, scores);
    }
}

static void sum_scores(struct scheduler *scheduler)
{
    const struct cycle *cycle = &scheduler->cycle;
    const struct profile *profile = cycle->plan->profile;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        int64_t *weighted = scheduler->weighted + (size_t)entry * PLUGINS_MOST;
        int64_t total = 0;
        for (uint32_t s = 0; s < profile->score_count; s++) {
            weighted[s] = scheduler->scores[(size_t)s * scheduler->capacity + entry] *
                          profile->scores[s].weight;
            total += weighted[s];
        }
        scheduler->decision.nodes[entry].scores = weighted;
        scheduler->decision.nodes[entry].total = total;
    }
}

static void choose_best(struct scheduler *scheduler)
{
    struct decision *decision = &scheduler->decision;
    int64_t highest = INT64_MIN;
    CYCLE_EACH_FEASIBLE(&scheduler->cycle, entry)
    {
        int64_t total = decision->nodes[entry].total;
        if (total > highest) {
            highest = total;
            decision->best_count = 0;
        }
        if (total == highest)
            scheduler->best[decision->best_count++] = entry;
    }
}

/* False when no node needs to be looked at any more. */
static bool pre_filter(struct scheduler *scheduler, struct pre_filter_outcome *outcome)
{
    const struct plan *plan = scheduler->cycle.plan;
    for (uint32_t i = 0; i < plan->profile->pre_filter_count; i++) {
        const struct plugin *plugin = plan->profile->pre_filters[i];
        if (!plugin->pre_filter)
            continue;
        plugin->pre_filter(plan, &plan->parts[plugin_number(plugin)], scheduler->cycle.view,
                           outcome);
        if (outcome->error)
            return false;
        if (outcome->verdict.code != VERDICT_FEASIBLE) {
            outcome->verdict.plugin = plugin;
            reject_all(&scheduler->decision, outcome->verdict);
            return false;
        }
    }
    return true;
}

static void gather(struct scheduler *scheduler)
{
    struct cycle *cycle = &scheduler->cycle;
    for (uint32_t i = 0; i < cycle->plan->global_filters.count; i++) {
        const struct listed_filter *global = &cycle->plan->global_filters.items[i];
        if (global->plugin->gather)
            global->plugin->gather(cycle, global->part);
    }
}

static void begin_cycle(struct scheduler *scheduler, struct plan *plan, const struct view *view,
                        uint32_t pod, uint32_t nominated_entry)
{
    arena_rewind(&scheduler->scratch, scheduler->empty);
    make_room(scheduler, view->node_count);
    struct cycle *cycle = &scheduler->cycle;
    cycle->plan = plan;
    cycle->view = view;
    cycle->pod = scheduler->catalog->pods.items[pod];
    cycle->nominated_entry = nominated_entry;
    cycle->feasible_nodes = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        cycle->records[i] =
            plan_record(plan, scheduler->catalog->configs.items[view->nodes[i].config]);
        cycle->feasible[i] = false;
        scheduler->decision.nodes[i] = (struct node_decision){0};
    }
    struct decision *decision = &scheduler->decision;
    decision->plan = plan;
    decision->error = NULL;
    decision->node_count = view->node_count;
    decision->best = scheduler->best;
    decision->best_count = 0;
    decision->feasible_nodes = 0;
    decision->nominated_entry = nominated_entry;
}

const struct decision *scheduler_decide(struct scheduler *scheduler, const struct view *view,
                                        uint32_t pod, uint32_t nominated_entry)
{
    struct plan *plan = scheduler_plan(scheduler, scheduler->catalog->pods.items[pod]);
    if (!plan)
        return NULL;
    plan_refresh(plan);
    begin_cycle(scheduler, plan, view, pod, nominated_entry);
    struct decision *decision = &scheduler->decision;
    if (view->node_count == 0) {
        decision->error = "no nodes available to schedule pods";
        return decision;
    }
    struct pre_filter_outcome outcome = {0};
    bool examining = pre_filter(scheduler, &outcome);
    decision->error = outcome.error;
    if (!examining)
        return decision;
    gather(scheduler);
    if (!try_nominated_node(scheduler)) {
        if (outcome.narrowed)
            decision->error = find_missing_name(scheduler, &outcome.node_names);
        if (decision->error)
            return decision;
        find_feasible(scheduler, &outcome);
    }
    decision->feasible_nodes = scheduler->cycle.feasible_nodes;
    score_feasible(scheduler);
    sum_scores(scheduler);
    choose_best(scheduler);
    if (view->catalog->node_reads)
        scheduler_follow_sizes(scheduler);
    return decision;
}

void decision_skipped_scores(const struct decision *decision, const struct view *view,
                             bool skipped[PLUGINS_MOST])
{
    const struct plan *plan = decision->plan;
    for (uint32_t i = 0; i < plan->profile->score_count; i++) {
        const struct part *part = plan->score_parts[i];
        const struct plugin *plugin = plan->profile->scores[i].plugin;
        skipped[i] = part->scores ? plugin->skips && plugin->skips(plan, part, view) : part->skips;
    }
}

void scheduler_release(struct scheduler *scheduler)
{
    arena_release(&scheduler->scratch);
}
