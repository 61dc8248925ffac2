/* SPDX-License-Identifier: Apache-2.0 */
/* Status and conditions. Mirrors pkg/controller/deployment/{sync,progress}.go
 * and util/deployment_util.go @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"

#include <string.h>

static const char *const reason_texts[] = {
    [DEPLOYMENT_REASON_OTHER] = "",
    [DEPLOYMENT_MINIMUM_AVAILABLE] = "MinimumReplicasAvailable",
    [DEPLOYMENT_MINIMUM_UNAVAILABLE] = "MinimumReplicasUnavailable",
    [DEPLOYMENT_NEW_SET_CREATED] = "NewReplicaSetCreated",
    [DEPLOYMENT_NEW_SET_FOUND] = "FoundNewReplicaSet",
    [DEPLOYMENT_NEW_SET_AVAILABLE] = "NewReplicaSetAvailable",
    [DEPLOYMENT_SET_UPDATED] = "ReplicaSetUpdated",
    [DEPLOYMENT_DEADLINE_EXCEEDED] = "ProgressDeadlineExceeded",
    [DEPLOYMENT_PAUSED] = "DeploymentPaused",
    [DEPLOYMENT_RESUMED] = "DeploymentResumed",
};

enum { REASON_COUNT = sizeof(reason_texts) / sizeof(*reason_texts) };

const char *deployment_reason_text(enum deployment_reason reason, const char *text)
{
    return reason == DEPLOYMENT_REASON_OTHER ? text : reason_texts[reason];
}

enum deployment_reason deployment_reason_of(const char *text)
{
    for (int reason = 1; text && reason < REASON_COUNT; reason++)
        if (strcmp(reason_texts[reason], text) == 0)
            return (enum deployment_reason)reason;
    return DEPLOYMENT_REASON_OTHER;
}

const struct deployment_condition *
deployment_condition_find(const struct deployment_status_facts *status,
                          enum deployment_condition_type type)
{
    for (uint32_t i = 0; i < status->condition_count; i++)
        if (status->conditions[i].type == type)
            return &status->conditions[i];
    return NULL;
}

static void remove_condition(struct deployment_status_facts *status,
                             enum deployment_condition_type type)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < status->condition_count; i++)
        if (status->conditions[i].type != type)
            status->conditions[kept++] = status->conditions[i];
    status->condition_count = kept;
}

static bool same_reason(const struct deployment_condition *a, const struct deployment_condition *b)
{
    if (a->reason != b->reason)
        return false;
    if (a->reason != DEPLOYMENT_REASON_OTHER)
        return true;
    return strcmp(a->reason_text ? a->reason_text : "", b->reason_text ? b->reason_text : "") == 0;
}

void progress_set_condition(struct deployment_status_facts *status,
                            struct deployment_condition condition)
{
    const struct deployment_condition *present = deployment_condition_find(status, condition.type);
    if (present && present->status == condition.status && same_reason(present, &condition))
        return;
    if (present && present->status == condition.status)
        condition.last_transition_time = present->last_transition_time;
    remove_condition(status, condition.type);
    status->conditions[status->condition_count++] = condition;
}

static struct deployment_condition condition_now(const struct deployment_sync *sync,
                                                 enum deployment_condition_type type,
                                                 enum tristate status,
                                                 enum deployment_reason reason)
{
    return (struct deployment_condition){
        .type = type,
        .status = status,
        .reason = reason,
        .last_update_time = sync->deployment.now,
        .last_transition_time = sync->deployment.now,
    };
}

bool progress_has_deadline(const struct deployment_sync *sync)
{
    return sync->deployment.progress_deadline_seconds != INT32_MAX;
}

void progress_check_paused(struct deployment_sync *sync)
{
    struct deployment_status_facts *status = &sync->deployment.status;
    const struct deployment_condition *present =
        deployment_condition_find(status, DEPLOYMENT_PROGRESSING);
    if (!progress_has_deadline(sync) ||
        (present && present->reason == DEPLOYMENT_DEADLINE_EXCEEDED))
        return;
    const bool noted = present && present->reason == DEPLOYMENT_PAUSED;
    if (noted == sync->deployment.paused)
        return;
    progress_set_condition(
        status, condition_now(sync, DEPLOYMENT_PROGRESSING, TRISTATE_UNSET,
                              sync->deployment.paused ? DEPLOYMENT_PAUSED : DEPLOYMENT_RESUMED));
    sync->decision->status = *status;
}

bool progress_complete(const struct deployment_sync *sync,
                       const struct deployment_status_facts *status)
{
    const int32_t wanted = sync->deployment.replicas;
    return status->updated_replicas == wanted && status->replicas == wanted &&
           status->available_replicas == wanted &&
           status->observed_generation >= sync->deployment.generation;
}

/* The sum over its sets; none if one of them, though synced, does not say. */
static struct optional_int terminating_sum(const struct deployment_sync *sync,
                                           const struct set_list *all)
{
    struct optional_int sum = {.set = sync->deployment.counts_terminating};
    for (uint32_t i = 0; i < all->count && sum.set; i++) {
        const struct replica_set_facts *set = &sync->seen[all->items[i]];
        if (set->terminating_replicas.set)
            sum.value += set->terminating_replicas.value;
        else if (set->synced)
            sum = (struct optional_int){0};
    }
    return sum;
}

static struct deployment_status_facts calculate(const struct deployment_sync *sync,
                                                const struct set_list *all, uint32_t new_set)
{
    struct deployment_status_facts status = sync->deployment.status;
    status.observed_generation = sync->deployment.generation;
    status.replicas = 0;
    status.ready_replicas = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        status.replicas += sync->seen[all->items[i]].status_replicas;
        status.ready_replicas += sync->seen[all->items[i]].ready_replicas;
    }
    status.updated_replicas = new_set == NO_SET ? 0 : sync->seen[new_set].status_replicas;
    status.available_replicas = (int32_t)sync_available_sum(sync, all);
    const int64_t unavailable = sync_replicas_sum(sync, all) - status.available_replicas;
    status.unavailable_replicas = (int32_t)(unavailable < 0 ? 0 : unavailable);
    status.terminating_replicas = terminating_sum(sync, all);
    const bool enough =
        status.available_replicas >= sync->deployment.replicas - sync->deployment.max_unavailable;
    progress_set_condition(
        &status,
        condition_now(sync, DEPLOYMENT_AVAILABLE, enough ? TRISTATE_TRUE : TRISTATE_FALSE,
                      enough ? DEPLOYMENT_MINIMUM_AVAILABLE : DEPLOYMENT_MINIMUM_UNAVAILABLE));
    return status;
}

void progress_write_status(struct deployment_sync *sync, const struct set_list *all,
                           uint32_t new_set)
{
    sync->decision->status = calculate(sync, all, new_set);
}

static bool progressing(const struct deployment_status_facts *before,
                        const struct deployment_status_facts *after)
{
    return after->updated_replicas > before->updated_replicas ||
           after->replicas - after->updated_replicas <
               before->replicas - before->updated_replicas ||
           after->ready_replicas > before->ready_replicas ||
           after->available_replicas > before->available_replicas;
}

static bool timed_out(const struct deployment_sync *sync,
                      const struct deployment_status_facts *status)
{
    const struct deployment_condition *condition =
        deployment_condition_find(status, DEPLOYMENT_PROGRESSING);
    if (!condition || condition->reason == DEPLOYMENT_NEW_SET_AVAILABLE)
        return false;
    if (condition->reason == DEPLOYMENT_DEADLINE_EXCEEDED)
        return true;
    const int64_t deadline =
        (int64_t)sync->deployment.progress_deadline_seconds * NANOSECONDS_PER_SECOND;
    return condition->last_update_time + deadline < sync->deployment.now;
}

static void judge_progress(const struct deployment_sync *sync,
                           struct deployment_status_facts *status)
{
    const struct deployment_condition *present =
        deployment_condition_find(&sync->deployment.status, DEPLOYMENT_PROGRESSING);
    if (status->replicas == status->updated_replicas && present &&
        present->reason == DEPLOYMENT_NEW_SET_AVAILABLE)
        return; /* it was complete before; only a new rollout makes it incomplete */
    if (progress_complete(sync, status)) {
        progress_set_condition(status, condition_now(sync, DEPLOYMENT_PROGRESSING, TRISTATE_TRUE,
                                                     DEPLOYMENT_NEW_SET_AVAILABLE));
    } else if (progressing(&sync->deployment.status, status)) {
        /* The time of the last update moves with every sign of progress. */
        struct deployment_condition condition =
            condition_now(sync, DEPLOYMENT_PROGRESSING, TRISTATE_TRUE, DEPLOYMENT_SET_UPDATED);
        if (present && present->status == TRISTATE_TRUE)
            condition.last_transition_time = present->last_transition_time;
        remove_condition(status, DEPLOYMENT_PROGRESSING);
        progress_set_condition(status, condition);
    } else if (timed_out(sync, status)) {
        progress_set_condition(status, condition_now(sync, DEPLOYMENT_PROGRESSING, TRISTATE_FALSE,
                                                     DEPLOYMENT_DEADLINE_EXCEEDED));
    }
}

/* A set that cannot create its pods says so in its status; the condition of the
 * new set takes precedence. */
static const struct replica_set_facts *failing_set(const struct deployment_sync *sync,
                                                   const struct set_list *all, uint32_t new_set)
{
    if (new_set != NO_SET && sync->seen[new_set].failure)
        return &sync->seen[new_set];
    for (uint32_t i = 0; i < all->count; i++)
        if (sync->seen[all->items[i]].failure)
            return &sync->seen[all->items[i]];
    return NULL;
}

void progress_write_rollout_status(struct deployment_sync *sync, const struct set_list *all,
                                   uint32_t new_set)
{
    struct deployment_status_facts status = calculate(sync, all, new_set);
    if (progress_has_deadline(sync))
        judge_progress(sync, &status);
    else
        remove_condition(&status, DEPLOYMENT_PROGRESSING);
    const struct replica_set_facts *failing = failing_set(sync, all, new_set);
    if (failing)
        progress_set_condition(&status, (struct deployment_condition){
                                            .type = DEPLOYMENT_REPLICA_FAILURE,
                                            .status = TRISTATE_TRUE,
                                            .reason_text = failing->failure,
                                            .last_update_time = failing->failure_time,
                                            .last_transition_time = failing->failure_time,
                                        });
    else
        remove_condition(&status, DEPLOYMENT_REPLICA_FAILURE);
    sync->decision->status = status;
}
