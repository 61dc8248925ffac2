/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/plan.h"

typedef VEC(const char *) sentences;

/* Is there a controller that acts every now and then: an autoscaler, the descheduler? */
static bool has_periodic_controllers(const struct verify_plan *plan)
{
    const struct check *check = plan->scope.check;
    for (uint32_t w = 0; w < plan->scope.workload_count; w++)
        if (plan->scope.workloads[w].autoscaler)
            return true;
    return check && check->controllers.descheduler;
}

static bool asks_for(const struct verify_plan *plan, enum intent_kind kind)
{
    for (uint32_t i = 0; i < plan->intents.count; i++)
        if (plan->intents.items[i].kind == kind)
            return true;
    return false;
}

struct string_list verify_premises(struct arena *arena, const struct verify_plan *plan,
                                   const struct population_options *options)
{
    sentences premises = {0};
    const char *late = population_settles_late(arena, &plan->scope);
    const char *more = population_scores_more(&plan->scope);
    if (has_periodic_controllers(plan) && !options->full_interleaving)
        VEC_PUSH(arena, &premises,
                 "settle-first: periodic controllers (autoscaler, descheduler) act once the others "
                 "have come to rest (--interleaving full lifts this)");
    if (late && !options->full_interleaving)
        VEC_PUSH(arena, &premises, late);
    if (more)
        VEC_PUSH(arena, &premises, more);
    if (plan->scope.time == TIME_CLOCKED)
        VEC_PUSH(arena, &premises,
                 "clocked: periods and delays are as configured; binding, pulling images and "
                 "stopping take no time, and pods that begin together become ready together");
    if (asks_for(plan, INTENT_ENDPOINTS_LIVE))
        VEC_PUSH(arena, &premises,
                 "endpoints: 5 s after a pod was told to end nobody sends requests to it any "
                 "more, as long as another one is ready");
    VEC_PUSH(arena, &premises, arena_printf(arena, "Kubernetes 1.%d", options->features.minor));
    return (struct string_list){premises.items, premises.count};
}
