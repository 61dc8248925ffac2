/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/budgets.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/jobs.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/disruption.h"
#include "decide/controller/eviction.h"

#include <string.h>

bool budget_counts(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision)
{
    return budget_counts_pod(budget, &population->revisions.items[revision].pod->meta);
}

bool budget_guards(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision)
{
    const struct object_meta *pod = &population->revisions.items[revision].pod->meta;
    return strcmp(budget->meta.namespace, pod->namespace) == 0 &&
           eviction_budget_selects(&population->options.features, budget, &pod->labels);
}

bool budgets_span_workloads(const struct population *population)
{
    const struct surroundings *around = &population->catalog->surroundings;
    for (uint32_t b = 0; b < around->budgets.count; b++) {
        uint32_t workload = UINT32_MAX;
        for (uint32_t r = 0; r < population->revisions.count; r++) {
            if (!budget_counts(population, around->budgets.items[b], r))
                continue;
            if (workload != UINT32_MAX && workload != population->revisions.items[r].workload)
                return true;
            workload = population->revisions.items[r].workload;
        }
    }
    return false;
}

static uint32_t owner_of(const struct population *population, const struct state *state,
                         uint32_t number)
{
    const struct workload *workload = &population->workloads.items[number];
    /* The disruption controller knows no scale of DaemonSets and Jobs. */
    const bool has_scale = workload->kind != OBJECT_DAEMON_SET && workload->kind != OBJECT_JOB;
    if (workload->bystander)
        return workload->budget_owner;
    return has_scale && state->present[number] != WORKLOAD_ABSENT ? number : BUDGET_UNKNOWN_OWNER;
}

/* The pods that the budget counts, of each revision in three classes: ready, not ready,
 * and terminating, which are not healthy but whose owner's scale counts; gives how many
 * classes there are. */
static uint32_t count_pods(struct worker *worker, const struct state *state,
                           const struct number_list *revisions, struct budget_pod_class *classes)
{
    const struct population *population = worker->population;
    uint32_t count = 0;
    for (uint32_t i = 0; i < revisions->count; i++) {
        const uint32_t r = revisions->items[i];
        const uint32_t workload = population->revisions.items[r].workload;
        const uint32_t owner = owner_of(population, state, workload);
        const uint32_t ready = state_ready(worker, state, r);
        const bool first = r == population->workloads.items[workload].first_revision;
        const uint32_t unready = state_active(worker, state, r) +
                                 (first ? jobs_finished(population, state, workload) : 0) - ready;
        const uint32_t ending = state_terminating(worker, state, r);
        classes[count++] =
            (struct budget_pod_class){ready, owner, true, false, BUDGET_NOT_DISRUPTED};
        classes[count++] =
            (struct budget_pod_class){unready, owner, false, false, BUDGET_NOT_DISRUPTED};
        classes[count++] =
            (struct budget_pod_class){ending, owner, false, true, BUDGET_NOT_DISRUPTED};
    }
    return count;
}

struct eviction_budget budget_now(struct worker *worker, const struct state *state, uint32_t number)
{
    const struct population *population = worker->population;
    const struct pod_disruption_budget *budget =
        worker->catalog->surroundings.budgets.items[number];
    const struct number_list *revisions = &population->budgets[number].counted;
    struct budget_pod_class *pods =
        ARENA_ARRAY(&worker->scratch, struct budget_pod_class, 3 * revisions->count + 1);
    struct budget_status status = {0};
    budget_decide(budget, pods, count_pods(worker, state, revisions, pods), state->replicas,
                  population->workloads.count, &status);
    return (struct eviction_budget){
        .current_healthy = status.current_healthy,
        .desired_healthy = status.desired_healthy,
        .disruptions_allowed = status.disruptions_allowed,
        .observed = true,
        .unhealthy_eviction_policy = budget->unhealthy_eviction_policy,
    };
}

/* Of the pods that are healthy the API asks only whether they are enough. */
uint32_t budget_note(const struct eviction_budget *status)
{
    const bool whole =
        status->desired_healthy > 0 && status->current_healthy >= status->desired_healthy;
    return (uint32_t)status->disruptions_allowed << 1 | whole;
}

struct eviction_budget budget_seen(struct worker *worker, const struct state *state,
                                   uint32_t number)
{
    const struct population *population = worker->population;
    const struct pod_disruption_budget *budget =
        worker->catalog->surroundings.budgets.items[number];
    if (!notes_have_budgets(population))
        return budget_now(worker, state, number);
    const uint32_t note = state->notes[population->note_of_budgets + number];
    return (struct eviction_budget){
        .current_healthy = note & 1,
        .desired_healthy = 1,
        .disruptions_allowed = (int32_t)(note >> 1),
        .observed = true,
        .unhealthy_eviction_policy = budget->unhealthy_eviction_policy,
    };
}

const struct view_budget *state_budgets(struct worker *worker, const struct state *state,
                                        uint32_t *count)
{
    const struct surroundings *around = &worker->catalog->surroundings;
    struct view_budget *budgets =
        ARENA_ARRAY(&worker->scratch, struct view_budget, around->budgets.count + 1);
    *count = 0;
    for (uint32_t b = 0; b < around->budgets.count; b++) {
        const struct pod_disruption_budget *budget = around->budgets.items[b];
        if (!object_is_deleted(worker->population, state, "PodDisruptionBudget", &budget->meta))
            budgets[(*count)++] = (struct view_budget){budget, budget_seen(worker, state, b)};
    }
    return budgets;
}

/* What the eviction API answers, and the number of the budget that it asks. */
static enum eviction_rule eviction_rule_of(struct worker *worker, const struct state *state,
                                           uint32_t revision, enum pod_stage stage, uint32_t *asked)
{
    const struct population *population = worker->population;
    const struct surroundings *around = &worker->catalog->surroundings;
    struct eviction_budget budgets[2]; /* two are one too many for the API already */
    uint32_t count = 0;
    const struct number_list *guards = &population->revisions.items[revision].guards;
    for (uint32_t i = 0; i < guards->count && count < 2; i++) {
        const struct pod_disruption_budget *budget = around->budgets.items[guards->items[i]];
        if (object_is_deleted(population, state, "PodDisruptionBudget", &budget->meta))
            continue;
        *asked = guards->items[i];
        budgets[count++] = budget_seen(worker, state, *asked);
    }
    /* A pod that never becomes ready runs once its kubelet has admitted it, and so its
     * budget guards it. */
    const bool ready = stage == STAGE_READY;
    const bool runs =
        ready || (stage == STAGE_STARTING && population->revisions.items[revision].never_ready);
    const struct eviction_pod pod = {.phase = runs ? POD_RUNNING : POD_PENDING, .ready = ready};
    return eviction_decide(&population->options.features, &pod, budgets, count);
}

bool eviction_is_allowed(struct worker *worker, const struct state *state, uint32_t revision,
                         enum pod_stage stage)
{
    uint32_t asked;
    return eviction_allowed(eviction_rule_of(worker, state, revision, stage, &asked));
}

void eviction_spends(struct worker *worker, struct state *next, uint32_t revision,
                     enum pod_stage stage)
{
    const struct population *population = worker->population;
    uint32_t asked = 0;
    if (!notes_have_budgets(population) ||
        eviction_rule_of(worker, next, revision, stage, &asked) != EVICTION_BUDGET_SPENT)
        return;
    struct eviction_budget budget = budget_seen(worker, next, asked);
    eviction_spend(&budget);
    next->notes[population->note_of_budgets + asked] = budget_note(&budget);
}
