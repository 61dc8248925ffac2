/* SPDX-License-Identifier: Apache-2.0 */
/*
 * May this pod be evicted now? The eviction API's answer, in one place.
 *
 * Everything that removes pods through the eviction API asks the same question:
 * `kubectl drain`, the descheduler and the cluster autoscaler. Preemption reads
 * the same budgets, since it prefers victims whose budget allows it. The API
 * server answers from the *status* of the budgets that select the pod, which
 * may lag behind the pods; so the answer is a function of that status, and
 * spending a budget is a change of that status. Eviction by taint and by node
 * pressure does not ask at all.
 *
 * Everything here is a value: no memory, no order, no names.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_EVICTION_H
#define FATHOM_DECIDE_CONTROLLER_EVICTION_H

#include "decide/features.h"
#include "object/policy.h"

#include <stdbool.h>
#include <stdint.h>

/* What the API server looks at in a pod. */
struct eviction_pod {
    enum pod_phase phase;
    bool terminating;
    bool ready; /* its Ready condition is True */
};

/* What it looks at in a PodDisruptionBudget. */
struct eviction_budget {
    int32_t current_healthy;
    int32_t desired_healthy;
    int32_t disruptions_allowed;
    uint32_t disrupted_pod_count; /* evictions that the controller has not confirmed yet */
    bool observed;                /* the status is about the present generation */
    enum unhealthy_eviction_policy unhealthy_eviction_policy;
};

/* The rule that decided, in the order in which they are asked. */
enum eviction_rule {
    EVICTION_POD_FINISHED,           /* allowed: Succeeded, Failed, Pending or terminating */
    EVICTION_NO_BUDGET,              /* allowed: nothing guards the pod */
    EVICTION_SEVERAL_BUDGETS,        /* refused for good: the API does not support it (500) */
    EVICTION_UNHEALTHY_ALWAYS,       /* allowed: not ready and AlwaysAllow */
    EVICTION_UNHEALTHY_BUDGET_WHOLE, /* allowed: not ready and enough others are healthy */
    EVICTION_NOT_OBSERVED,           /* refused for now: the status is outdated (429) */
    EVICTION_BUDGET_NEGATIVE,        /* refused: the status is broken (403) */
    EVICTION_TOO_MANY_UNCONFIRMED,   /* refused: more than 2000 unconfirmed evictions (403) */
    EVICTION_BUDGET_EXHAUSTED,       /* refused for now (429) */
    EVICTION_BUDGET_SPENT,           /* allowed, and one disruption is used up */
    EVICTION_RULE_COUNT
};

/* `budgets` are those that select the pod (eviction_budget_selects). */
enum eviction_rule eviction_decide(const struct features *features, const struct eviction_pod *pod,
                                   const struct eviction_budget *budgets, uint32_t budget_count);

bool eviction_allowed(enum eviction_rule rule);
/* The HTTP code of the answer: 201, 403, 429 or 500. */
int eviction_http_code(enum eviction_rule rule);
/* A phrase for people: "the budget is exhausted". */
const char *eviction_rule_text(enum eviction_rule rule);

/* The status after an eviction that EVICTION_BUDGET_SPENT allowed. */
void eviction_spend(struct eviction_budget *budget);

/* Does the API server count this budget among those that guard the pod? Both
 * are of the same namespace. */
bool eviction_budget_selects(const struct features *features,
                             const struct pod_disruption_budget *budget,
                             const struct labels *pod_labels);

struct eviction_pod eviction_pod_of(const struct pod *pod);
struct eviction_budget eviction_budget_of(const struct pod_disruption_budget *budget);

#endif
