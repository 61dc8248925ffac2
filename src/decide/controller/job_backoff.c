/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/job_backoff.h"

#include "decide/claim.h"
#include "decide/pod_requests.h"

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

bool job_backoff_waits(const struct features *features, int64_t failures, int64_t age)
{
    const int64_t most = features->job_backoff_600s ? SECONDS(600) : SECONDS(360);
    int64_t wait = SECONDS(10);
    if (failures == 0)
        return false;
    for (int64_t i = 1; i < failures && wait < most; i++)
        wait = 2 * wait < most ? 2 * wait : most;
    return wait > age;
}

/* The latest end so far; false if one of these containers has not ended. */
static bool see_end(const struct container_status *status, int64_t *latest)
{
    if (status->state != CONTAINER_TERMINATED || status->finished_at == TIME_NONE)
        return false;
    if (*latest == TIME_NONE || status->finished_at > *latest)
        *latest = status->finished_at;
    return true;
}

static bool is_sidecar(const struct features *features, const struct pod_spec *spec,
                       const char *name)
{
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        if (container_is_sidecar(features, &spec->init_containers[i]) &&
            claim_same_text(spec->init_containers[i].name, name))
            return true;
    return false;
}

static int64_t end_of_containers(const struct features *features, const struct pod *pod)
{
    const struct pod_status *status = &pod->status;
    int64_t latest = TIME_NONE;
    for (uint32_t i = 0; i < status->container_status_count; i++)
        if (!see_end(&status->container_statuses[i], &latest)) {
            latest = TIME_NONE;
            break;
        }
    for (uint32_t i = 0; i < status->init_container_status_count; i++)
        if (is_sidecar(features, &pod->spec, status->init_container_statuses[i].name) &&
            !see_end(&status->init_container_statuses[i], &latest))
            return TIME_NONE;
    return latest;
}

int64_t job_pod_finish_time(const struct features *features, const struct pod *pod)
{
    const int64_t end = end_of_containers(features, pod);
    if (end != TIME_NONE)
        return end;
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    if (ready && claim_same_text(ready->status, "False") &&
        ready->last_transition_time != TIME_NONE)
        return ready->last_transition_time;
    if (pod->meta.deletion_time != TIME_NONE)
        return pod->meta.deletion_time -
               duration_of_seconds(pod->meta.deletion_grace_seconds.set
                                       ? pod->meta.deletion_grace_seconds.value
                                       : 0);
    return pod->meta.creation_time;
}
