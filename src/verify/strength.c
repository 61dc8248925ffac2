/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/strength.h"

#include "object/check.h"

typedef VEC(const char *) words;

const char *interleaving_name(enum population_interleaving interleaving)
{
    static const char *const names[] = {
        [INTERLEAVING_SETTLED] = "settled",
        [INTERLEAVING_CONTROLLERS] = "controllers",
        [INTERLEAVING_FULL] = "full",
        [INTERLEAVING_RACING] = "racing",
    };
    return names[interleaving];
}

/* ---- what makes a difference ---- */

static bool has_autoscaler(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
            return true;
    return false;
}

/* Does an autoscaler or the descheduler act, now or after an apply? */
static bool acts_by_the_clock(const struct scope *scope)
{
    bool acts = has_autoscaler(scope->objects) || scope_descheduler_policy(scope) ||
                (scope->check && scope->check->controllers.cluster_autoscaler);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        acts |= has_autoscaler(&scope->applied[e]);
    return acts;
}

/* Does a GitOps controller apply its manifests again and again? */
static bool reapplies(const struct scope *scope)
{
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        if (scope->check->events[e].repeats)
            return true;
    return false;
}

struct strength strength_asked(const struct verify_plan *plan,
                               const struct population_options *options)
{
    return (struct strength){options->interleaving, options->budgets_lag, options->sets_lag,
                             plan->scope.time == TIME_CLOCKED};
}

/* What `racing` adds nobody is asked to expect. */
static enum population_interleaving stronger_interleaving(enum population_interleaving asked)
{
    return asked < INTERLEAVING_FULL ? INTERLEAVING_FULL : asked;
}

struct strength strength_most(const struct verify_plan *plan,
                              const struct population_options *options)
{
    struct strength most = strength_asked(plan, options);
    if (acts_by_the_clock(&plan->scope) || reapplies(&plan->scope))
        most.interleaving = stronger_interleaving(most.interleaving);
    struct population_options stronger = *options;
    stronger.interleaving = most.interleaving;
    if (population_budgets_are_prompt(&plan->scope, &stronger))
        most.budgets_lag = true;
    if (population_replica_sets_are_prompt(&plan->scope, &stronger))
        most.sets_lag = true;
    return most;
}

bool strength_same(const struct strength *left, const struct strength *right)
{
    return left->interleaving == right->interleaving && left->budgets_lag == right->budgets_lag &&
           left->sets_lag == right->sets_lag && left->clocked == right->clocked;
}

bool strength_may_clock(const struct verify_plan *plan, const struct scope_options *options)
{
    return plan->scope.time != TIME_CLOCKED && options->time == TIME_UNSET &&
           (!plan->check || plan->check->time == TIME_UNSET) && acts_by_the_clock(&plan->scope);
}

uint32_t strength_list(const struct strength *asked, const struct strength *most,
                       struct strength list[STRENGTHS_MOST])
{
    uint32_t count = 0;
    for (int sets = asked->sets_lag; sets <= (int)most->sets_lag; sets++)
        for (int lag = asked->budgets_lag; lag <= (int)most->budgets_lag; lag++)
            for (int i = asked->interleaving; i <= (int)most->interleaving; i++) {
                const struct strength next = {(enum population_interleaving)i, lag, sets,
                                              most->clocked};
                if (!strength_same(&next, asked))
                    list[count++] = next;
            }
    return count;
}

/* ---- in words ---- */

struct string_list strength_options(struct arena *arena, const struct strength *asked,
                                    const struct strength *strength)
{
    words list = {0};
    if (strength->interleaving != asked->interleaving)
        VEC_PUSH(
            arena, &list,
            arena_printf(arena, "--interleaving %s", interleaving_name(strength->interleaving)));
    if (strength->budgets_lag != asked->budgets_lag || strength->sets_lag != asked->sets_lag)
        VEC_PUSH(arena, &list,
                 !strength->sets_lag      ? "--lag budgets"
                 : !strength->budgets_lag ? "--lag replicasets"
                                          : "--lag all");
    if (strength->clocked && !asked->clocked)
        VEC_PUSH(arena, &list, "--time clocked");
    return (struct string_list){list.items, list.count};
}

/* As the premises of the report begin. */
struct string_list strength_lifts(struct arena *arena, const struct strength *asked,
                                  const struct strength *strength)
{
    words list = {0};
    if (strength->interleaving != asked->interleaving)
        VEC_PUSH(arena, &list,
                 asked->interleaving == INTERLEAVING_SETTLED ? "settle-first"
                                                             : "controllers-first");
    if (strength->budgets_lag && !asked->budgets_lag)
        VEC_PUSH(arena, &list, "budget status does not lag");
    if (strength->sets_lag && !asked->sets_lag)
        VEC_PUSH(arena, &list, "ReplicaSets see at once which pods are left");
    if (strength->clocked && !asked->clocked)
        VEC_PUSH(arena, &list, "only the order of steps counts");
    return (struct string_list){list.items, list.count};
}
