/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows pkg/registry/core/pod/storage/eviction.go of v1.26 to v1.33. Left
 * out: retries after write conflicts and preconditions, because a step of the
 * model is atomic, and dry runs, which decide the same and change nothing.
 */
#include "decide/controller/eviction.h"

#include "base/error.h"
#include "decide/claim.h"

/* More unconfirmed evictions than this, and the API server waits for the
 * disruption controller to catch up. */
enum { UNCONFIRMED_MOST = 2000 };

static bool pod_is_unguarded(const struct eviction_pod *pod)
{
    switch (pod->phase) {
    case POD_PHASE_UNSET:
    case POD_PENDING:
    case POD_SUCCEEDED:
    case POD_FAILED: return true;
    case POD_RUNNING:
    case POD_UNKNOWN: break;
    }
    return pod->terminating;
}

static enum eviction_rule decide_unhealthy(const struct features *features,
                                           const struct eviction_budget *budget)
{
    if (features->unhealthy_eviction_policy &&
        budget->unhealthy_eviction_policy == UNHEALTHY_ALWAYS_ALLOW)
        return EVICTION_UNHEALTHY_ALWAYS;
    if (budget->desired_healthy > 0 && budget->current_healthy >= budget->desired_healthy)
        return EVICTION_UNHEALTHY_BUDGET_WHOLE;
    return EVICTION_RULE_COUNT;
}

enum eviction_rule eviction_decide(const struct features *features, const struct eviction_pod *pod,
                                   const struct eviction_budget *budgets, uint32_t budget_count)
{
    if (pod_is_unguarded(pod))
        return EVICTION_POD_FINISHED;
    if (budget_count == 0)
        return EVICTION_NO_BUDGET;
    if (budget_count > 1)
        return EVICTION_SEVERAL_BUDGETS;
    const struct eviction_budget *budget = &budgets[0];
    if (!pod->ready) {
        const enum eviction_rule rule = decide_unhealthy(features, budget);
        if (rule != EVICTION_RULE_COUNT)
            return rule;
    }
    if (!budget->observed)
        return EVICTION_NOT_OBSERVED;
    if (budget->disruptions_allowed < 0)
        return EVICTION_BUDGET_NEGATIVE;
    if (budget->disrupted_pod_count > UNCONFIRMED_MOST)
        return EVICTION_TOO_MANY_UNCONFIRMED;
    if (budget->disruptions_allowed == 0)
        return EVICTION_BUDGET_EXHAUSTED;
    return EVICTION_BUDGET_SPENT;
}

struct rule_row {
    int http_code;
    const char *text;
};

static const struct rule_row rule_table[EVICTION_RULE_COUNT] = {
    [EVICTION_POD_FINISHED] = {201,
                               "a pod that is pending, finished or terminating is not guarded"},
    [EVICTION_NO_BUDGET] = {201, "no budget selects the pod"},
    [EVICTION_SEVERAL_BUDGETS] = {500, "more than one budget selects the pod, which the eviction "
                                       "API does not support"},
    [EVICTION_UNHEALTHY_ALWAYS] = {201, "the pod is not ready and its budget lets such pods go"},
    [EVICTION_UNHEALTHY_BUDGET_WHOLE] = {201, "the pod is not ready and enough others are healthy"},
    [EVICTION_NOT_OBSERVED] = {429, "the budget was changed and its status is not yet computed"},
    [EVICTION_BUDGET_NEGATIVE] = {403, "the budget's status is broken: disruptions allowed is "
                                       "negative"},
    [EVICTION_TOO_MANY_UNCONFIRMED] = {403,
                                       "too many evictions wait for the disruption controller"},
    [EVICTION_BUDGET_EXHAUSTED] = {429, "the budget is exhausted"},
    [EVICTION_BUDGET_SPENT] = {201, "the budget allows it"},
};

static const struct rule_row *find_row(enum eviction_rule rule)
{
    if (rule < EVICTION_RULE_COUNT)
        return &rule_table[rule];
    bug("no such eviction rule: %d", (int)rule);
}

int eviction_http_code(enum eviction_rule rule)
{
    return find_row(rule)->http_code;
}

const char *eviction_rule_text(enum eviction_rule rule)
{
    return find_row(rule)->text;
}

bool eviction_allowed(enum eviction_rule rule)
{
    return eviction_http_code(rule) == 201;
}

void eviction_spend(struct eviction_budget *budget)
{
    if (budget->disruptions_allowed <= 0)
        bug("an exhausted budget cannot be spent");
    budget->disruptions_allowed--;
    budget->disrupted_pod_count++;
}

bool eviction_budget_selects(const struct features *features,
                             const struct pod_disruption_budget *budget,
                             const struct labels *pod_labels)
{
    const struct label_selector *selector = budget->selector;
    if (!selector)
        return false;
    const bool empty = selector->match_labels.count == 0 && selector->match_expression_count == 0;
    if (empty && !features->empty_selector_guards)
        return false;
    return label_selector_matches(selector, pod_labels);
}

struct eviction_pod eviction_pod_of(const struct pod *pod)
{
    return (struct eviction_pod){
        .phase = pod->status.phase,
        .terminating = pod->meta.deletion_time != TIME_NONE,
        .ready = pod_is_ready(pod),
    };
}

struct eviction_budget eviction_budget_of(const struct pod_disruption_budget *budget)
{
    return (struct eviction_budget){
        .current_healthy = budget->status.current_healthy,
        .desired_healthy = budget->status.desired_healthy,
        .disruptions_allowed = budget->status.disruptions_allowed,
        .disrupted_pod_count = budget->status.disrupted_pod_count,
        .observed = budget->status.observed_generation >= budget->meta.generation,
        .unhealthy_eviction_policy = budget->unhealthy_eviction_policy,
    };
}
