/* SPDX-License-Identifier: Apache-2.0 */
/* Why the API server refuses pods, in its own words, and what to change. */
#include "report/answers.h"

#include <string.h>

/* The last such step of this workload; NULL: there is none. */
static const struct story_step *find_refusal(const struct report *report,
                                             const struct verify_result *result)
{
    const uint32_t own = scope_find_workload(report->scope, &result->intent->workload);
    for (uint32_t i = result->step_count; i-- > 0;) {
        const struct story_step *step = &result->steps[i].told;
        if (strcmp(step->action, "refuse-pods") == 0 && step->workload == own)
            return step;
    }
    return NULL;
}

static const char *remedy_of(const struct verify_result *result, const struct cause *finding)
{
    const char *path = finding->sources.count > 0 ? finding->sources.items[0].path : "";
    if (strncmp(path, "webhooks", strlen("webhooks")) == 0)
        return "a namespaceSelector or objectSelector that leaves out the pods that serve the "
               "webhook; or failurePolicy: Ignore";
    if (strcmp(path, "spec.hard") != 0)
        return NULL;
    return result->intent->kind == INTENT_ROLLOUT_COMPLETES
               ? "a quota with room for the pods that a rollout adds; or maxUnavailable: 1 and "
                 "maxSurge: 0, so that an old pod makes room for a new one"
               : "a quota with room for all pods that are wanted, or fewer pods";
}

bool cause_explain_refusal(struct arena *arena, const struct report *report,
                           const struct verify_result *result, struct cause *finding)
{
    const struct story_step *step = find_refusal(report, result);
    if (!step)
        return false;
    VEC_PUSH(arena, &finding->reasons, step->detail);
    for (uint32_t i = 0; i < step->why.count; i++)
        VEC_PUSH(arena, &finding->reasons, arena_printf(arena, "  %s", step->why.items[i]));
    finding->remedy = remedy_of(result, finding);
    return true;
}
