/* SPDX-License-Identifier: Apache-2.0 */
/* Containers start, exit and start again; pods end. Mirrors getPhase in
 * pkg/kubelet/kubelet_pods.go, computePodActions and killContainer in
 * pkg/kubelet/kuberuntime, calculateEffectiveGracePeriod in
 * pkg/kubelet/pod_workers.go and client-go's flowcontrol.Backoff @ v1.26.15,
 * and their later versions where the features say so. */
#include "decide/controller/kubelet.h"

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)
#define BACKOFF_FIRST  SECONDS(10)
#define BACKOFF_MOST   SECONDS(300)
#define BACKOFF_RESET  SECONDS(600) /* a container that ran so long begins anew */

static bool is_sidecar(const struct features *features, const struct kubelet_container *container)
{
    return features->sidecar_containers && container->sidecar;
}

static bool failed(const struct kubelet_container *container)
{
    return container->state == KUBELET_CONTAINER_EXITED && container->exit_code != 0;
}

static bool any_runs(const struct kubelet_container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (containers[i].state == KUBELET_CONTAINER_RUNNING)
            return true;
    return false;
}

struct phase_counts {
    uint32_t unfinished_init;
    uint32_t failed_init;
    uint32_t unstarted_sidecars;
    uint32_t waiting;
    uint32_t running;
    uint32_t stopped;
    uint32_t succeeded;
};

static void count_init(const struct features *features, const struct kubelet_container *container,
                       struct phase_counts *counts)
{
    const bool runs = container->state == KUBELET_CONTAINER_RUNNING;
    if (!is_sidecar(features, container)) {
        counts->unfinished_init += container->state != KUBELET_CONTAINER_EXITED;
        counts->failed_init += failed(container);
        return;
    }
    counts->running += runs;
    counts->waiting += container->state == KUBELET_CONTAINER_NEW;
    counts->unstarted_sidecars +=
        container->state == KUBELET_CONTAINER_NEW || (runs && !container->started);
}

static void count_container(const struct kubelet_container *container, struct phase_counts *counts)
{
    counts->waiting += container->state == KUBELET_CONTAINER_NEW;
    counts->running += container->state == KUBELET_CONTAINER_RUNNING;
    counts->stopped += container->state == KUBELET_CONTAINER_EXITED;
    counts->succeeded += container->state == KUBELET_CONTAINER_EXITED && container->exit_code == 0;
}

static enum pod_phase phase_of_stopped(const struct features *features,
                                       const struct kubelet_pod *pod,
                                       const struct phase_counts *counts)
{
    const bool all_succeeded = counts->stopped == counts->succeeded;
    if (pod->terminating && features->terminal_phase_on_delete)
        return all_succeeded ? POD_SUCCEEDED : POD_FAILED;
    if (pod->restart_policy == RESTART_ALWAYS)
        return POD_RUNNING;
    if (all_succeeded)
        return POD_SUCCEEDED;
    return pod->restart_policy == RESTART_NEVER ? POD_FAILED : POD_RUNNING;
}

enum pod_phase kubelet_phase(const struct features *features, const struct kubelet_pod *pod)
{
    struct phase_counts counts = {0};
    for (uint32_t i = 0; i < pod->init_container_count; i++)
        count_init(features, &pod->init_containers[i], &counts);
    for (uint32_t i = 0; i < pod->container_count; i++)
        count_container(&pod->containers[i], &counts);
    const bool initialised =
        features->sidecar_keeps_phase && any_runs(pod->containers, pod->container_count);
    if (counts.failed_init > 0 && pod->restart_policy == RESTART_NEVER)
        return POD_FAILED;
    if (counts.unfinished_init > 0 || (counts.unstarted_sidecars > 0 && !initialised) ||
        counts.waiting > 0)
        return POD_PENDING;
    if (counts.running > 0)
        return POD_RUNNING;
    return counts.stopped > 0 ? phase_of_stopped(features, pod, &counts) : POD_PENDING;
}

static bool has_sidecar(const struct features *features, const struct kubelet_pod *pod)
{
    for (uint32_t i = 0; i < pod->init_container_count; i++)
        if (is_sidecar(features, &pod->init_containers[i]))
            return true;
    return false;
}

enum init_progress { INIT_GOES_ON, INIT_DONE, INIT_FAILED };

/* One after the other; the last one that failed is tried again. */
static enum init_progress next_plain_init(const struct kubelet_pod *pod, bool *start_init)
{
    const struct kubelet_container *containers = pod->init_containers;
    const uint32_t count = pod->init_container_count;
    if (count == 0 || any_runs(pod->containers, pod->container_count))
        return INIT_DONE;
    for (uint32_t i = count; i > 0; i--)
        if (failed(&containers[i - 1])) {
            if (pod->restart_policy == RESTART_NEVER)
                return INIT_FAILED;
            start_init[i - 1] = true;
            return INIT_GOES_ON;
        }
    for (uint32_t i = count; i > 0; i--) {
        if (containers[i - 1].state == KUBELET_CONTAINER_RUNNING)
            return INIT_GOES_ON;
        if (containers[i - 1].state == KUBELET_CONTAINER_NEW)
            continue;
        if (i == count)
            return INIT_DONE;
        start_init[i] = true;
        return INIT_GOES_ON;
    }
    start_init[0] = true;
    return INIT_GOES_ON;
}

/* Is this init container done with, so that the next one may start? Starts it
 * anew if it has to be. */
static enum init_progress judge_init(const struct kubelet_pod *pod, bool sidecar, uint32_t index,
                                     bool *start_init)
{
    const struct kubelet_container *container = &pod->init_containers[index];
    if (container->state == KUBELET_CONTAINER_RUNNING)
        return sidecar && container->started ? INIT_DONE : INIT_GOES_ON;
    if (sidecar || failed(container)) {
        if (!sidecar && pod->restart_policy == RESTART_NEVER)
            return INIT_FAILED;
        start_init[index] = true;
        return INIT_GOES_ON;
    }
    return INIT_DONE;
}

/* With sidecars: from the last one that was ever started backwards; once the
 * place is found where initialisation stands, earlier sidecars are kept up. */
static enum init_progress next_init(const struct features *features, const struct kubelet_pod *pod,
                                    bool *start_init)
{
    const uint32_t count = pod->init_container_count;
    bool done = any_runs(pod->containers, pod->container_count);
    bool before = done; /* the container looked at was initialised before */
    for (uint32_t i = count; i > 0; i--) {
        const uint32_t index = i - 1;
        const bool sidecar = is_sidecar(features, &pod->init_containers[index]);
        if (pod->init_containers[index].state == KUBELET_CONTAINER_NEW) {
            start_init[index] |= before && sidecar;
            continue;
        }
        if (before && !sidecar)
            continue;
        const enum init_progress progress = judge_init(pod, sidecar, index, start_init);
        if (progress == INIT_FAILED)
            return INIT_FAILED;
        if (progress == INIT_DONE && i == count)
            done = true;
        else if (progress == INIT_DONE && !before)
            start_init[i] = true;
        before = true;
    }
    if (!before)
        start_init[0] = true;
    return done ? INIT_DONE : INIT_GOES_ON;
}

static bool starts(const struct kubelet_pod *pod, const struct kubelet_container *container)
{
    if (container->state == KUBELET_CONTAINER_NEW)
        return true;
    if (container->state == KUBELET_CONTAINER_RUNNING || pod->restart_policy == RESTART_NEVER)
        return false;
    return pod->restart_policy == RESTART_ALWAYS || container->exit_code != 0;
}

bool kubelet_next(const struct features *features, const struct kubelet_pod *pod, bool *start_init,
                  bool *start)
{
    for (uint32_t i = 0; i < pod->init_container_count; i++)
        start_init[i] = false;
    for (uint32_t i = 0; i < pod->container_count; i++)
        start[i] = false;
    const enum pod_phase phase = kubelet_phase(features, pod);
    if (pod->terminating || phase == POD_SUCCEEDED || phase == POD_FAILED)
        return true;
    const enum init_progress progress = has_sidecar(features, pod)
                                            ? next_init(features, pod, start_init)
                                            : next_plain_init(pod, start_init);
    bool over = progress == INIT_FAILED;
    if (progress == INIT_DONE) {
        over = true;
        for (uint32_t i = 0; i < pod->container_count; i++) {
            start[i] = starts(pod, &pod->containers[i]);
            over &= !start[i] && pod->containers[i].state != KUBELET_CONTAINER_RUNNING;
        }
    }
    for (uint32_t i = 0; over && i < pod->init_container_count; i++)
        start_init[i] = false; /* sidecars do not keep a pod alive */
    return over;
}

int64_t kubelet_backoff_left(const struct kubelet_backoff *backoff, int64_t finished)
{
    if (!backoff->known || backoff->age - finished > BACKOFF_RESET)
        return 0;
    const int64_t left = backoff->delay - finished;
    /* A record as old as that is thrown away, and the wait ends with it. */
    const int64_t kept = BACKOFF_RESET - backoff->age + 1;
    const int64_t least = left < kept ? left : kept;
    return least > 0 ? least : 0;
}

void kubelet_backoff_restart(struct kubelet_backoff *backoff, int64_t finished)
{
    if (!backoff->known || backoff->age - finished > BACKOFF_RESET)
        backoff->delay = BACKOFF_FIRST;
    else
        backoff->delay = 2 * backoff->delay < BACKOFF_MOST ? 2 * backoff->delay : BACKOFF_MOST;
    backoff->known = true;
    backoff->age = 0;
}

void kubelet_backoff_age(struct kubelet_backoff *backoff, int64_t nanoseconds)
{
    backoff->age += nanoseconds;
    if (backoff->age > BACKOFF_RESET)
        *backoff = (struct kubelet_backoff){0};
}

bool kubelet_past_deadline(struct optional_int deadline_seconds, int64_t start_age)
{
    return deadline_seconds.set && start_age >= deadline_seconds.value * NANOSECONDS_PER_SECOND;
}

int64_t kubelet_deletion_grace(struct optional_int requested, int64_t pod_grace_seconds,
                               bool assigned, enum pod_phase phase)
{
    const int64_t grace = requested.set ? requested.value : pod_grace_seconds;
    if (!assigned || phase == POD_FAILED || phase == POD_SUCCEEDED)
        return 0;
    return grace < 0 ? 1 : grace;
}

int64_t kubelet_effective_grace(const struct features *features, int64_t before,
                                struct optional_int deletion, struct optional_int override,
                                int64_t pod_grace_seconds)
{
    int64_t grace = before;
    bool overridden = false;
    if (deletion.set && (grace == 0 || deletion.value < grace)) {
        grace = deletion.value;
        overridden = true;
    }
    if (override.set && (grace == 0 || override.value < grace)) {
        grace = override.value;
        overridden = true;
    }
    if (grace == 0 && (!overridden || features->zero_grace_means_pods))
        grace = pod_grace_seconds;
    return grace < 1 ? 1 : grace;
}

int64_t kubelet_stop_seconds(const struct features *features, int64_t grace,
                             int64_t prestop_seconds)
{
    enum { GRACE_LEAST = 2 };
    const int64_t hook = prestop_seconds < grace ? prestop_seconds : grace;
    if (!features->prestop_uses_grace)
        return hook + grace;
    return hook + (grace - hook < GRACE_LEAST ? GRACE_LEAST : grace - hook);
}

uint32_t kubelet_stop_rank(const struct features *features, const struct kubelet_pod *pod,
                           bool is_init, uint32_t index)
{
    uint32_t rank = 0;
    if (!is_init || !is_sidecar(features, &pod->init_containers[index]))
        return 0;
    for (uint32_t i = index; i < pod->init_container_count; i++)
        rank += is_sidecar(features, &pod->init_containers[i]);
    return rank;
}

bool kubelet_removes(bool node_reachable, bool any_container_runs)
{
    return node_reachable && !any_container_runs;
}
