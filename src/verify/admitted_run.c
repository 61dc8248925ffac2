/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/admitted_run.h"

#include <string.h>

/* Does the run stay in one state at its end, where it can only try in vain? */
static bool stays(const struct run_path *path)
{
    const size_t *offsets = path->offsets;
    for (uint32_t i = path->loop_from; i < path->step_count; i++) {
        const size_t length = offsets[i + 1] - offsets[i];
        if (offsets[i + 2] - offsets[i + 1] != length ||
            memcmp(path->words + offsets[i], path->words + offsets[i + 1],
                   length * sizeof(*path->words)) != 0)
            return false;
    }
    return true;
}

/* Where more is refused, a state of rest stays one, and so does a path of admitted steps to it.
 * What goes round is another matter: statuses and leases may be refused meanwhile. That no run
 * comes to a state is not shown by one path at all. Where users alone are refused, they might as
 * well do nothing. */
bool is_admitted_run(struct worker *worker, const struct population_findings *findings,
                     const struct property *property, const struct run_path *path)
{
    if (findings->webhooks_refuse &&
        ((path->loops && !path->loop_rests && !stays(path)) ||
         property->kind == PROPERTY_ALWAYS_POSSIBLE || property->kind == PROPERTY_REACHABLE))
        return false;
    for (uint32_t i = 0; i < path->step_count; i++) {
        const struct step step = {.action = path->steps[i].action,
                                  .argument = path->steps[i].argument};
        if (population_step_is_doubtful(worker, path->words + path->offsets[i],
                                        (uint32_t)(path->offsets[i + 1] - path->offsets[i]), &step))
            return false;
    }
    return true;
}
