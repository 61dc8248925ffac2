/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do: each event at most so many times, whenever it likes. */
#include "cluster/budgets.h"
#include "cluster/clock.h"
#include "cluster/configs.h"
#include "cluster/progress.h"
#include "cluster/steps.h"
#include "decide/controller/disruption.h"
#include "decide/controller/eviction.h"

#include <string.h>

static struct happening event_of(uint32_t number, enum population_action action, uint32_t workload,
                                 uint32_t node, uint32_t amount)
{
    return (struct happening){.action = action,
                              .workload = workload,
                              .revision = UINT32_MAX,
                              .node = node,
                              .amount = amount,
                              .event = number};
}

struct population_state *state_after_event(struct expansion *expansion, uint32_t number)
{
    const struct check_event *event = expansion->population->events.items[number].event;
    struct population_state *next = state_copy(expansion->population, expansion->state);
    next->event_used[number]++;
    /* What waits for the first settling comes when all pods have started. */
    next->bound &= !(event->after_settled && expansion->settles);
    return next;
}

/* Is the entry one of the event's group, or the very node? */
bool event_concerns(const struct population *population, const struct check_event *event,
                    uint32_t config)
{
    const struct node_template *template = population->catalog->configs.items[config]->template;
    const struct template_info *info = &population->templates.items[template->id];
    if (event->group && strcmp(population->scope->groups[info->group].name, event->group) != 0)
        return false;
    return !event->node ||
           (!template->anonymous && strcmp(template->node->meta.name, event->node) == 0);
}

static void change_node(struct expansion *expansion, uint32_t number, uint32_t entry,
                        enum node_condition condition, enum population_action action)
{
    struct population *population = expansion->population;
    struct population_state *next = state_after_event(expansion, number);
    const struct happening happening = event_of(number, action, UINT32_MAX, entry, 1);
    state_move_node(population, next, entry,
                    config_with_condition(population, next->nodes[entry].config, condition));
    lifecycle_forget_taints(population, next);
    expansion_emit(expansion, next, &happening);
}

static void node_event(struct expansion *expansion, uint32_t number, enum node_condition condition,
                       enum population_action action)
{
    const struct population *population = expansion->population;
    const struct check_event *event = population->events.items[number].event;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        if (config_condition(population, config) == NODE_UP &&
            event_concerns(population, event, config))
            change_node(expansion, number, n, condition, action);
    }
}

static void maintenance(struct expansion *expansion, uint32_t number)
{
    const struct population *population = expansion->population;
    const struct check_event *event = population->events.items[number].event;
    int64_t busy = 0;
    for (uint32_t n = 0; n < expansion->state->node_count; n++) {
        const enum node_condition condition =
            config_condition(population, expansion->state->nodes[n].config);
        if (condition == NODE_CORDONED || condition == NODE_AWAY)
            busy += expansion->state->nodes[n].count;
    }
    if (busy < event->concurrent)
        node_event(expansion, number, event->drain ? NODE_CORDONED : NODE_AWAY,
                   ACT_EVENT_MAINTENANCE);
}

/* One ready pod uses another amount of CPU from now on. */
static void cpu_change(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    const uint32_t workload = population->events.items[number].workload;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        for (uint32_t p = 0; p < config->pod_entry_count; p++) {
            const struct class_info info = population->classes.items[config->pods[p].pod];
            if (info.stage != STAGE_READY ||
                population->revisions.items[info.revision].workload != workload)
                continue;
            const uint32_t first = population->events.items[number].first_level;
            for (uint32_t l = first;
                 l < first + population->events.items[number].event->level_count; l++) {
                if (l == info.level)
                    continue;
                struct population_state *next = state_after_event(expansion, number);
                const struct happening happening = event_of(number, ACT_EVENT_CPU, workload, n, l);
                state_move_node(population, next, n,
                                config_replace(population, state->nodes[n].config,
                                               config->pods[p].pod,
                                               class_like(population, &info, STAGE_READY, l)));
                expansion_emit(expansion, next, &happening);
            }
        }
    }
}

/* The workload bears another of the totals from now on. */
static void load(struct expansion *expansion, uint32_t number)
{
    const struct population_event *event = &expansion->population->events.items[number];
    const struct workload *workload = &expansion->population->workloads.items[event->workload];
    const uint32_t before = expansion->state->loads[workload->load - 1];
    for (uint32_t t = 0; t < event->event->total_count; t++) {
        const uint32_t now = event->first_level + t + 1;
        if (before > 0 && workload->totals.items[before - 1] == workload->totals.items[now - 1])
            continue;
        struct population_state *next = state_after_event(expansion, number);
        const struct happening happening =
            event_of(number, ACT_EVENT_LOAD, event->workload, UINT32_MAX, t);
        next->loads[workload->load - 1] = now;
        expansion_emit(expansion, next, &happening);
    }
}

static void set_replicas(struct expansion *expansion, uint32_t number, uint32_t workload,
                         int32_t replicas, enum population_action action)
{
    struct population *population = expansion->population;
    struct population_state *next = state_after_event(expansion, number);
    const struct happening happening =
        event_of(number, action, workload, UINT32_MAX, (uint32_t)replicas);
    state_set_replicas(population, next, workload, replicas);
    expansion_emit(expansion, next, &happening);
}

static void scale(struct expansion *expansion, uint32_t number)
{
    const struct population_event *event = &expansion->population->events.items[number];
    for (uint32_t i = 0; i < event->event->to_count; i++)
        if (expansion->state->present[event->workload] != WORKLOAD_ABSENT &&
            event->event->to[i] != expansion->state->replicas[event->workload])
            set_replicas(expansion, number, event->workload, event->event->to[i], ACT_EVENT_SCALE);
}

/* Of a workload that comes, maybe again: pods that terminate are no failures of
 * a new Job (step_jobs.c counts them on top). */
static void begin_anew(const struct population *population, struct population_state *next,
                       const struct apply_effect *effect)
{
    struct workload_status *status = &next->statuses[effect->workload];
    status->current = population->revisions.items[effect->revision].number;
    for (uint32_t n = 0; n < next->node_count; n++) {
        const struct config_facts *facts = config_facts(population, next->nodes[n].config);
        for (uint32_t p = 0; p < facts->pod_count; p++)
            if (population->workloads.items[effect->workload].kind == OBJECT_JOB &&
                facts->pods[p].revision == effect->revision)
                status->failed -= (int32_t)(facts->pods[p].terminating * next->nodes[n].count);
    }
}

static void apply(struct expansion *expansion, uint32_t number, enum population_action action)
{
    struct population *population = expansion->population;
    const struct population_event *event = &population->events.items[number];
    struct population_state *next = state_after_event(expansion, number);
    struct happening happening = event_of(number, action, UINT32_MAX, UINT32_MAX, 0);
    for (uint32_t i = 0; i < event->effects.count; i++) {
        const struct apply_effect *effect = &event->effects.items[i];
        const bool comes = next->present[effect->workload] == WORKLOAD_ABSENT;
        happening.workload = effect->workload;
        next->present[effect->workload] = effect->revision;
        next->statuses[effect->workload].spec = effect->spec;
        if (comes)
            begin_anew(population, next, effect);
        if (effect->gives_replicas || comes ||
            (effect->changes_replicas && expansion->state->event_used[number] == 0))
            state_set_replicas(population, next, effect->workload, effect->replicas);
    }
    /* A controller's deeds are not counted; that it has been there once is. */
    if (event->event->repeats)
        next->event_used[number] = 1;
    expansion_emit(expansion, next, &happening);
}

/* Is what the event applied still what holds? */
static bool holds(const struct population_state *state, const struct apply_effect *effect)
{
    return state->present[effect->workload] == effect->revision &&
           state->statuses[effect->workload].spec == effect->spec;
}

/* Only the first time does a missing field take anything back. */
static bool differs(const struct population_event *event, const struct population_state *state,
                    bool first)
{
    for (uint32_t i = 0; i < event->effects.count; i++) {
        const struct apply_effect *effect = &event->effects.items[i];
        const bool replicas = first ? effect->changes_replicas : effect->gives_replicas;
        if (!holds(state, effect) ||
            (replicas && state->replicas[effect->workload] != effect->replicas))
            return true;
    }
    return false;
}

void step_reapplies(struct expansion *expansion, bool settled)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->event->repeats &&
            (!event->event->after_settled || settled || expansion->state->settled_once) &&
            differs(event, expansion->state, expansion->state->event_used[e] == 0))
            apply(expansion, e, ACT_REAPPLY);
    }
}

/* The user sees that this was no good idea, and applies the manifests that were
 * there in the beginning. */
void step_rollbacks(struct expansion *expansion)
{
    struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->event->kind != EVENT_APPLY || !event->event->recovers ||
            expansion->state->event_used[e] == 0)
            continue;
        struct population_state *next = state_copy(population, expansion->state);
        struct happening happening = event_of(e, ACT_EVENT_ROLLBACK, UINT32_MAX, UINT32_MAX, 0);
        for (uint32_t i = 0; i < event->effects.count; i++) {
            const struct apply_effect *effect = &event->effects.items[i];
            const struct workload *workload = &population->workloads.items[effect->workload];
            if (!effect->differs || !holds(expansion->state, effect))
                continue;
            happening.workload = effect->workload;
            next->present[effect->workload] = workload->present;
            next->statuses[effect->workload].spec = 0;
            if (effect->changes_replicas)
                state_set_replicas(population, next, effect->workload, workload->replicas);
        }
        if (happening.workload != UINT32_MAX)
            expansion_emit(expansion, next, &happening);
    }
}

void step_events(struct expansion *expansion, bool settled)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (event->repeats || expansion->state->event_used[e] >= (uint32_t)event->at_most ||
            (event->after_settled && !settled && !expansion->state->settled_once))
            continue;
        switch (event->kind) {
        case EVENT_NODE_FAILURE:
        case EVENT_ZONE_OUTAGE:
        case EVENT_PARTITION: event_takes_nodes(expansion, e); break;
        case EVENT_LOAD: load(expansion, e); break;
        case EVENT_DELETE: event_deletes(expansion, e); break;
        case EVENT_MAINTENANCE: maintenance(expansion, e); break;
        case EVENT_NODE_PRESSURE: pressure_event(expansion, e); break;
        case EVENT_CPU_CHANGE: cpu_change(expansion, e); break;
        case EVENT_SCALE: scale(expansion, e); break;
        case EVENT_APPLY: apply(expansion, e, ACT_EVENT_APPLY); break;
        default: break;
        }
    }
}

/* ---- budgets ---- */

static bool budget_is_deleted(const struct population *population,
                              const struct population_state *state,
                              const struct pod_disruption_budget *budget)
{
    return population->deletes &&
           object_is_deleted(population, state, "PodDisruptionBudget", &budget->meta);
}

bool budget_guards(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision)
{
    const struct pod *pod = population->revisions.items[revision].pod;
    return strcmp(budget->meta.namespace, pod->meta.namespace) == 0 && budget->selector &&
           label_selector_matches(budget->selector, &pod->meta.labels);
}

static struct eviction_budget budget_now(const struct population *population,
                                         const struct population_state *state,
                                         const struct pod_disruption_budget *budget)
{
    struct budget_pod_class *pods =
        ARENA_ARRAY((struct arena *)(uintptr_t)&population->scratch, struct budget_pod_class,
                    2 * population->revisions.count + 1);
    int32_t *scales = ARENA_ARRAY((struct arena *)(uintptr_t)&population->scratch, int32_t,
                                  population->workloads.count + 1);
    uint32_t count = 0;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        scales[w] = state->replicas[w];
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (!budget_guards(population, budget, r))
            continue;
        const uint32_t ready = state_ready(population, state, r);
        const uint32_t active = state_active(population, state, r);
        const struct workload *of =
            &population->workloads.items[population->revisions.items[r].workload];
        const bool scaled =
            !of->bystander && of->kind != OBJECT_DAEMON_SET && of->kind != OBJECT_JOB;
        uint32_t owner = population->revisions.items[r].workload;
        if (of->bystander)
            owner = of->budget_owner;
        else if (!scaled)
            owner = BUDGET_UNKNOWN_OWNER; /* the disruption controller knows no scale of it */
        const uint32_t there =
            active + jobs_finished(population, state, population->revisions.items[r].workload);
        if (!scaled && there == 0)
            continue;
        pods[count++] = (struct budget_pod_class){ready, owner, true, false, BUDGET_NOT_DISRUPTED};
        pods[count++] =
            (struct budget_pod_class){there - ready, owner, false, false, BUDGET_NOT_DISRUPTED};
    }
    struct budget_status status = {0};
    budget_decide(budget, pods, count, scales, population->workloads.count, &status);
    return (struct eviction_budget){
        .current_healthy = status.current_healthy,
        .desired_healthy = status.desired_healthy,
        .disruptions_allowed = status.disruptions_allowed,
        .observed = true,
        .unhealthy_eviction_policy = budget->unhealthy_eviction_policy,
    };
}

int32_t budget_allows(const struct population *population, const struct population_state *state,
                      const struct pod_disruption_budget *budget)
{
    return budget_now(population, state, budget).disruptions_allowed;
}

const struct view_budget *state_budgets(struct population *population,
                                        const struct population_state *state, uint32_t *count)
{
    const struct surroundings *around = &population->catalog->surroundings;
    struct view_budget *budgets =
        ARENA_ARRAY(&population->scratch, struct view_budget, around->budgets.count + 1);
    *count = 0;
    for (uint32_t b = 0; b < around->budgets.count; b++)
        if (!budget_is_deleted(population, state, around->budgets.items[b]))
            budgets[(*count)++] =
                (struct view_budget){around->budgets.items[b],
                                     budget_allows(population, state, around->budgets.items[b])};
    return budgets;
}

bool eviction_is_allowed(const struct population *population, const struct population_state *state,
                         uint32_t revision, bool ready)
{
    const struct surroundings *around = &population->catalog->surroundings;
    struct eviction_budget budgets[8];
    uint32_t count = 0;
    for (uint32_t b = 0; b < around->budgets.count && count < 8; b++)
        if (budget_guards(population, around->budgets.items[b], revision) &&
            !budget_is_deleted(population, state, around->budgets.items[b]))
            budgets[count++] = budget_now(population, state, around->budgets.items[b]);
    /* One that never becomes ready runs, and its budget guards it. */
    const bool runs = ready || population->revisions.items[revision].never_ready;
    const struct eviction_pod pod = {.phase = runs ? POD_RUNNING : POD_PENDING, .ready = ready};
    return eviction_allowed(eviction_decide(&population->options.features, &pod, budgets, count));
}
