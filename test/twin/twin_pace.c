/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When those may act that act every few seconds or minutes.
 *
 * Before the steps of a state are handed out, its fast steps are gone through once without handing
 * them out: has a controller of workloads, or the scheduler, something to do?
 */
#include "twin/twin_internal.h"

/* Of a controller of workloads, or of the scheduler. */
static bool is_prompt(enum twin_action action)
{
    switch (action) {
    case TWIN_ACT_DEPLOYMENT_SYNC:
    case TWIN_ACT_SET_CREATE:
    case TWIN_ACT_SET_DELETE:
    case TWIN_ACT_STATEFUL_CREATE:
    case TWIN_ACT_STATEFUL_DELETE:
    case TWIN_ACT_STATEFUL_STATUS:
    case TWIN_ACT_DAEMON_SYNC:
    case TWIN_ACT_JOB_CREATE:
    case TWIN_ACT_JOB_DELETE:
    case TWIN_ACT_JOB_COMPLETE:
    case TWIN_ACT_JOB_FAIL:
    case TWIN_ACT_JOB_FAILURE_POLICY:
    case TWIN_ACT_JOB_FAILED_INDEXES:
    case TWIN_ACT_JOB_SUCCESS_POLICY:
    case TWIN_ACT_JOB_SUCCEED:
    case TWIN_ACT_JOB_ENDED:
    case TWIN_ACT_BIND:
    case TWIN_ACT_UNSCHEDULABLE:
    case TWIN_ACT_PREEMPT:
    case TWIN_ACT_CHOOSE_VICTIMS:
    case TWIN_ACT_DELETE_VICTIM: return true;
    default: return false;
    }
}

static bool is_periodic(enum twin_action action)
{
    switch (action) {
    case TWIN_ACT_AUTOSCALE:
    case TWIN_ACT_SYNC:
    case TWIN_ACT_DESCHEDULE:
    case TWIN_ACT_NODES_ADD:
    case TWIN_ACT_NODES_GIVE_UP:
    case TWIN_ACT_BACKOFF_AGES:
    case TWIN_ACT_SCALE_DOWN_FAILS:
    case TWIN_ACT_CYCLE:
    case TWIN_ACT_REAPPLY: return true;
    default: return false;
    }
}

bool twin_has_periodic(const struct twin *twin)
{
    const struct check *check = twin->scope->check;
    bool found = (check->controllers.descheduler && check->controllers.descheduler->policy) ||
                 check->controllers.cluster_autoscaler;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        found |= twin->workloads[w].setup && twin->workloads[w].setup->autoscaler;
    for (uint32_t e = 0; e < check->event_count; e++)
        found |= check->events[e].repeats;
    return found;
}

void twin_look_ahead(struct twin_run *run)
{
    struct twin_run probe = {.twin = run->twin, .state = run->state, .probes = true};
    if (run->probes)
        return;
    twin_fast_steps(&probe);
    run->prompt = probe.prompt;
}

/* Has whoever makes the workload's pods seen how many the autoscaler wants? A Deployment writes it
 * down at its present set. Others have seen it when they do something. */
static bool is_seen(const struct twin *twin, const struct twin_state *before,
                    const struct twin_state *next, enum twin_action action, uint32_t workload)
{
    const uint32_t scaled = twin->scaled_workload;
    const uint32_t present = next->present[scaled];
    if (present == NOBODY)
        return true;
    if (twin->workloads[scaled].kind == OBJECT_DEPLOYMENT)
        return next->set_replicas[present] >= 0 &&
               next->set_desired[present] == next->replicas[scaled];
    const bool schedules = action == TWIN_ACT_BIND || action == TWIN_ACT_UNSCHEDULABLE ||
                           action == TWIN_ACT_PREEMPT || action == TWIN_ACT_CHOOSE_VICTIMS ||
                           action == TWIN_ACT_DELETE_VICTIM;
    const bool acts = is_prompt(action) && !schedules;
    return (acts && workload == scaled) || next->replicas[scaled] != before->replicas[scaled];
}

bool twin_note_pace(struct twin_run *run, struct twin_state *next, enum twin_action action,
                    uint32_t workload, enum twin_pace pace)
{
    const struct twin *twin = run->twin;
    if (run->probes) {
        run->prompt |= pace == FAST && is_prompt(action);
        return false;
    }
    const bool changes =
        pace != IDLE || (action != TWIN_ACT_UNSCHEDULABLE && action != TWIN_ACT_MULTI_ATTACH &&
                         !twin_is_refusal(action) && action != TWIN_ACT_SETTLED);
    if (twin->interleaving == TWIN_CONTROLLERS && twin->has_periodic && changes)
        next->early =
            !is_prompt(action) && !is_periodic(action) && (run->state->early || !run->prompt);
    const bool writes = action == TWIN_ACT_AUTOSCALE || action == TWIN_ACT_SYNC;
    if (next->unseen && !writes && is_seen(twin, run->state, next, action, workload))
        next->unseen = 0;
    return true;
}

bool twin_kubelets_lag(const struct twin_run *run, uint32_t workload)
{
    const struct twin *twin = run->twin;
    int32_t ending = 0;
    if (twin->clocked || twin->interleaving == TWIN_SETTLED || is_bystander(twin, workload))
        return false;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        ending += pod->stage == POD_TERMINATES && workload_of(twin, pod) == workload &&
                  condition_works((enum twin_condition)run->state->conditions[pod->node]);
    }
    return ending > run->state->replicas[workload];
}

bool twin_periodic_may_act(const struct twin_run *run, bool rests)
{
    switch (run->twin->interleaving) {
    case TWIN_RACING:
    case TWIN_FULL: return true;
    case TWIN_CONTROLLERS: return rests || !run->prompt || run->state->early;
    default: return rests;
    }
}
