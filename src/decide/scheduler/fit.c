/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/fit.h"

#include <string.h>

struct filter_fit *fit_create(struct arena *arena, struct scheduler *scheduler)
{
    enum { SCRATCH_BYTES = 4 << 10 };
    struct filter_fit *fit = ARENA_NEW(arena, struct filter_fit);
    fit->scheduler = scheduler;
    arena_init(&fit->scratch, arena->memory);
    arena_reserve(&fit->scratch, SCRATCH_BYTES);
    fit->empty = arena_mark(&fit->scratch);
    return fit;
}

void fit_release(struct filter_fit *fit)
{
    arena_release(&fit->scratch);
}

static void make_room(struct filter_fit *fit, uint32_t entries)
{
    if (entries < fit->capacity)
        return;
    fit->capacity = 2 * entries + 16;
    fit->cycle.records = ARENA_ARRAY(fit->scheduler->arena, const struct record *, fit->capacity);
    fit->cycle.feasible = ARENA_ARRAY(fit->scheduler->arena, bool, fit->capacity);
}

static const struct record *record_of(struct filter_fit *fit, uint32_t entry)
{
    const struct view *view = fit->cycle.view;
    return plan_record(fit->cycle.plan, view->catalog->configs.items[view->nodes[entry].config]);
}

/* Filters that look at other nodes, too, read the records of all nodes. */
static void gather(struct filter_fit *fit)
{
    struct cycle *cycle = &fit->cycle;
    const struct filter_list *filters = &cycle->plan->global_filters;
    if (filters->count == 0)
        return;
    make_room(fit, cycle->view->node_count);
    for (uint32_t i = 0; i < cycle->view->node_count; i++)
        cycle->records[i] = record_of(fit, i);
    for (uint32_t i = 0; i < filters->count; i++)
        if (filters->items[i].plugin->gather)
            filters->items[i].plugin->gather(cycle, filters->items[i].part);
}

static void pre_filter(struct filter_fit *fit)
{
    const struct plan *plan = fit->cycle.plan;
    struct pre_filter_outcome *outcome = &fit->outcome;
    *outcome = (struct pre_filter_outcome){0};
    fit->refused = false;
    for (uint32_t i = 0; i < plan->profile->pre_filter_count && !fit->refused; i++) {
        const struct plugin *plugin = plan->profile->pre_filters[i];
        if (!plugin->pre_filter)
            continue;
        plugin->pre_filter(plan, &plan->parts[plugin_number(plugin)], fit->cycle.view, outcome);
        fit->refused = outcome->error || outcome->verdict.code != VERDICT_FEASIBLE;
    }
    if (outcome->error)
        outcome->verdict = verdict_no(VERDICT_UNRESOLVABLE, outcome->error);
}

void fit_begin(struct filter_fit *fit, const struct view *view, uint32_t pod)
{
    struct cycle *cycle = &fit->cycle;
    arena_rewind(&fit->scratch, fit->empty);
    cycle->pod = view->catalog->pods.items[pod];
    cycle->plan = scheduler_plan(fit->scheduler, cycle->pod);
    cycle->view = view;
    cycle->nominated_entry = VIEW_NONE;
    plan_refresh(cycle->plan);
    pre_filter(fit);
    if (!fit->refused)
        gather(fit);
}

bool fit_may_examine(const struct filter_fit *fit, uint32_t entry)
{
    const struct view *view = fit->cycle.view;
    const struct node_config *config = view->catalog->configs.items[view->nodes[entry].config];
    if (fit->refused)
        return false;
    if (!fit->outcome.narrowed)
        return true;
    if (config->template->anonymous)
        return false;
    for (uint32_t i = 0; i < fit->outcome.node_names.count; i++)
        if (strcmp(fit->outcome.node_names.items[i], config->template->node->meta.name) == 0)
            return true;
    return false;
}

struct verdict fit_examine(struct filter_fit *fit, uint32_t entry)
{
    if (fit->refused)
        return fit->outcome.verdict;
    const struct record *record = record_of(fit, entry);
    if (fit->cycle.plan->global_filters.count == 0)
        return record->local;
    return cycle_filter_record(&fit->cycle, entry, record);
}
