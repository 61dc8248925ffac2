/* SPDX-License-Identifier: Apache-2.0 */
/* What the world may do: each event at most so many times, whenever it likes. */
#include "cluster/actor/actor.h"
#include "cluster/actor/steps.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/jobs.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "decide/controller/disruption.h"
#include "decide/controller/eviction.h"

#include <string.h>

void step_events(struct expansion *expansion, bool settled)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        const struct event_type *type = population->events.items[e].type;
        if (!type->emit || event->repeats ||
            expansion->state->event_used[e] >= (uint32_t)event->at_most ||
            (event->after_settled && !settled && !expansion->state->settled_once))
            continue;
        type->emit(expansion, e);
    }
}

static void step_rules(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].type->follow)
            population->events.items[e].type->follow(expansion, e);
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

static struct eviction_budget budget_now(struct population_worker *worker,
                                         const struct population_state *state,
                                         const struct pod_disruption_budget *budget)
{
    const struct population *population = worker->population;
    struct budget_pod_class *pods =
        ARENA_ARRAY(&worker->scratch, struct budget_pod_class, 2 * population->revisions.count + 1);
    int32_t *scales = ARENA_ARRAY(&worker->scratch, int32_t, population->workloads.count + 1);
    uint32_t count = 0;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        scales[w] = state->replicas[w];
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (!budget_guards(population, budget, r))
            continue;
        const uint32_t ready = state_ready(worker, state, r);
        const uint32_t active = state_active(worker, state, r);
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

int32_t budget_allows(struct population_worker *worker, const struct population_state *state,
                      const struct pod_disruption_budget *budget)
{
    return budget_now(worker, state, budget).disruptions_allowed;
}

const struct view_budget *state_budgets(struct population_worker *worker,
                                        const struct population_state *state, uint32_t *count)
{
    const struct population *population = worker->population;
    const struct surroundings *around = &population->catalog->surroundings;
    struct view_budget *budgets =
        ARENA_ARRAY(&worker->scratch, struct view_budget, around->budgets.count + 1);
    *count = 0;
    for (uint32_t b = 0; b < around->budgets.count; b++)
        if (!budget_is_deleted(population, state, around->budgets.items[b]))
            budgets[(*count)++] = (struct view_budget){
                around->budgets.items[b], budget_allows(worker, state, around->budgets.items[b])};
    return budgets;
}

bool eviction_is_allowed(struct population_worker *worker, const struct population_state *state,
                         uint32_t revision, bool ready)
{
    const struct population *population = worker->population;
    const struct surroundings *around = &population->catalog->surroundings;
    struct eviction_budget budgets[8];
    uint32_t count = 0;
    for (uint32_t b = 0; b < around->budgets.count && count < 8; b++)
        if (budget_guards(population, around->budgets.items[b], revision) &&
            !budget_is_deleted(population, state, around->budgets.items[b]))
            budgets[count++] = budget_now(worker, state, around->budgets.items[b]);
    /* One that never becomes ready runs, and its budget guards it. */
    const bool runs = ready || population->revisions.items[revision].never_ready;
    const struct eviction_pod pod = {.phase = runs ? POD_RUNNING : POD_PENDING, .ready = ready};
    return eviction_allowed(eviction_decide(eviction_rules_of(population->options.features.minor),
                                            &pod, budgets, count));
}

const struct actor actor_rule = {
    .name = "rules of the Check",
    .pace = PACE_FAST,
    .step = step_rules,
};
