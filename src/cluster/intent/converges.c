/* SPDX-License-Identifier: Apache-2.0 */
/* converges and rolloutCompletes: in the end every workload is, and stays, as its spec
 * wants it. */
#include "cluster/ask/daemon_sets.h"
#include "cluster/ask/progress.h"
#include "cluster/ask/tightness.h"
#include "cluster/intent_class.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

static bool is_unconverged(const struct judged *judged, uint32_t workload)
{
    return judged->state->present[workload] != WORKLOAD_ABSENT &&
           !workload_converged(judged->worker, judged->state, workload,
                               judged->intent->source->kind == INTENT_ROLLOUT_COMPLETES);
}

static bool wants_pods(const struct judged *judged, uint32_t workload)
{
    const struct state *state = judged->state;
    switch (judged->population->workloads.items[workload].kind) {
    case OBJECT_DAEMON_SET: return daemon_set_wanted(judged->worker, state, workload) > 0;
    case OBJECT_JOB: return !state_spec(judged->population, state, workload)->as.job->suspend;
    default: return state->replicas[workload] > 0;
    }
}

static bool any_wants_pods(const struct judged *judged)
{
    for (uint32_t w = 0; !judged->happening && w < judged->population->managed_count; w++)
        if (intent_concerns(judged->intent, w) && judged->state->present[w] != WORKLOAD_ABSENT &&
            wants_pods(judged, w))
            return true;
    return false;
}

/* ---- where a search looks first ---- */

static bool is_job(const struct population *population, const struct intent *intent,
                   uint32_t workload)
{
    return intent_concerns(intent, workload) &&
           population->workloads.items[workload].kind == OBJECT_JOB;
}

static bool asks_about_jobs(const struct population *population, const struct intent *intent)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (is_job(population, intent, w))
            return true;
    return false;
}

/* Pods of the Job on nodes that are drained. */
static int64_t pods_to_lose(const struct judged *judged, uint32_t workload)
{
    int64_t count = 0;
    for (struct pod_walk pods = pods_on_nodes(judged->worker, judged->state); pods_next(&pods);)
        if (judged->population->revisions.items[pods.info->revision].workload == workload &&
            config_condition(judged->worker, pods.config->id) == NODE_CORDONED)
            count += (int64_t)pods.count * pods.nodes;
    return count;
}

/* A Job is given up when it has lost so many pods. Those that terminate are lost already; what has
 * succeeded is not lost any more. */
static int64_t nearness(const struct judged *judged)
{
    enum { LOST = 1 << 20 };
    const struct state *state = judged->state;
    int64_t lost = 0;
    for (uint32_t w = 0; w < judged->population->managed_count; w++) {
        if (!is_job(judged->population, judged->intent, w) ||
            state->present[w] == WORKLOAD_ABSENT || state->statuses[w].over == JOB_IS_COMPLETE)
            continue;
        lost += 2 * ((int64_t)state->statuses[w].failed - state->statuses[w].succeeded +
                     state_workload_pods(judged->worker, state, w).terminating) +
                pods_to_lose(judged, w);
    }
    return lost * LOST + state_tightness(judged->worker, state);
}

const struct intent_class intent_converges = {
    .violated_by = VIOLATED_BY_LEAVING,
    .displeases = is_unconverged,
    .nearness = nearness,
    .knows_nearness = asks_about_jobs,
    .applies = any_wants_pods,
    .never_applied = "no workload ever wanted a pod",
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS |
               IGNORES_PLACES | IGNORES_ENDS | IGNORES_OTHER_NODES | IGNORES_WAITING |
               IGNORES_LOSSES,
    .blames = BLAMES_PROGRESS,
    .usual = 4,
};

/* Has the workload pods of another template than the present one? */
static bool has_outdated_pods(const struct judged *judged, uint32_t workload)
{
    const struct workload *of = &judged->population->workloads.items[workload];
    const struct revision *revisions = judged->population->revisions.items;
    const uint32_t present = judged->state->present[workload];
    for (uint32_t i = 0; i < of->revision_count && of->revision_count > of->ordinal_count; i++)
        if (revisions[of->first_revision + i].number != revisions[present].number &&
            state_active(judged->worker, judged->state, of->first_revision + i) > 0)
            return true;
    return false;
}

/* Is a template rolled out, or does a step bring one? */
static bool any_rolls_out(const struct judged *judged)
{
    for (uint32_t w = 0; w < judged->population->managed_count; w++) {
        const uint32_t present = judged->state->present[w];
        if (!intent_concerns(judged->intent, w))
            continue;
        if (judged->next && judged->next->present[w] != present &&
            judged->next->present[w] != WORKLOAD_ABSENT)
            return true;
        if (!judged->happening && present != WORKLOAD_ABSENT && has_outdated_pods(judged, w))
            return true;
    }
    return false;
}

const struct intent_class intent_rollout_completes = {
    .violated_by = VIOLATED_BY_LEAVING,
    .displeases = is_unconverged,
    .applies = any_rolls_out,
    .never_applied = "there was nothing to roll out: no template ever changed",
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS |
               IGNORES_PLACES | IGNORES_ENDS | IGNORES_OTHER_NODES | IGNORES_WAITING |
               IGNORES_LOSSES,
    .refuses_jobs = true, /* a Job has nothing to roll out */
    .blames = BLAMES_ROLLOUT,
    .usual = 5,
};
