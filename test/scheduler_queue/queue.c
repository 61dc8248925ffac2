/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler_queue/queue.h"

#include "decide/scheduler/pod_affinity.h"

#include <string.h>

enum { WAIT_MOST_MS = 5 * 60 * 1000 };

void queue_init(struct queue *queue, struct catalog *catalog)
{
    *queue =
        (struct queue){.catalog = catalog, .backoff_initial_ms = 1000, .backoff_most_ms = 10000};
}

static bool same_but_for_count(const struct queue_run *left, const struct queue_run *right)
{
    return left->pod == right->pod && left->place == right->place &&
           left->attempts == right->attempts && left->failed_plugins == right->failed_plugins &&
           left->backoff_left_ms == right->backoff_left_ms &&
           left->wait_left_ms == right->wait_left_ms;
}

static void append_run(struct queue *queue, const struct queue_run *run)
{
    if (queue->runs.count > 0) {
        struct queue_run *last = &queue->runs.items[queue->runs.count - 1];
        if (same_but_for_count(last, run)) {
            last->count += run->count;
            return;
        }
    }
    VEC_PUSH(queue->catalog->arena, &queue->runs, *run);
}

void queue_push(struct queue *queue, uint32_t pod, uint32_t count)
{
    const struct pod_spec *spec = &queue->catalog->pods.items[pod]->pod->spec;
    bool gated =
        queue->catalog->features.pod_scheduling_readiness && spec->scheduling_gates.count > 0;
    struct queue_run run = {
        .pod = pod, .count = count, .place = gated ? QUEUE_GATED : QUEUE_ACTIVE};
    append_run(queue, &run);
}

static void remove_run(struct queue *queue, uint32_t at)
{
    queue->runs.count--;
    memmove(queue->runs.items + at, queue->runs.items + at + 1,
            (queue->runs.count - at) * sizeof(*queue->runs.items));
}

bool queue_pop(struct queue *queue, struct queue_run *popped)
{
    uint32_t next = VIEW_NONE;
    int32_t highest = INT32_MIN;
    for (uint32_t i = 0; i < queue->runs.count; i++) {
        const struct queue_run *run = &queue->runs.items[i];
        int32_t priority = queue->catalog->pods.items[run->pod]->shape->priority;
        if (run->place == QUEUE_ACTIVE && (next == VIEW_NONE || priority > highest)) {
            next = i;
            highest = priority;
        }
    }
    if (next == VIEW_NONE)
        return false;
    *popped = queue->runs.items[next];
    popped->count = 1;
    popped->attempts++;
    if (--queue->runs.items[next].count == 0)
        remove_run(queue, next);
    return true;
}

int64_t queue_backoff_ms(const struct queue *queue, uint32_t attempts)
{
    int64_t duration = queue->backoff_initial_ms;
    for (uint32_t i = 1; i < attempts; i++) {
        if (duration > queue->backoff_most_ms - duration)
            return queue->backoff_most_ms;
        duration += duration;
    }
    return duration;
}

void queue_park(struct queue *queue, const struct queue_run *popped, uint32_t failed_plugins,
                bool moved_meanwhile)
{
    struct queue_run run = {
        .pod = popped->pod,
        .count = popped->count,
        .place = moved_meanwhile ? QUEUE_BACKING_OFF : QUEUE_UNSCHEDULABLE,
        .attempts = popped->attempts,
        .failed_plugins = failed_plugins,
        .backoff_left_ms = queue_backoff_ms(queue, popped->attempts),
        .wait_left_ms = moved_meanwhile ? 0 : WAIT_MOST_MS,
    };
    append_run(queue, &run);
}

uint32_t queue_failed_plugins(const struct decision *decision)
{
    uint32_t plugins = 0;
    for (uint32_t i = 0; !decision->error && i < decision->node_count; i++)
        if (decision->nodes[i].verdict.plugin)
            plugins |= UINT32_C(1) << plugin_number(decision->nodes[i].verdict.plugin);
    return plugins;
}

static bool event_helps(const struct queue_run *run, uint32_t event)
{
    if (run->failed_plugins == 0)
        return true;
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if ((run->failed_plugins & (UINT32_C(1) << i)) && (plugin_registry[i]->events & event))
            return true;
    return false;
}

static void stop_waiting(struct queue_run *run)
{
    run->place = run->backoff_left_ms > 0 ? QUEUE_BACKING_OFF : QUEUE_ACTIVE;
    run->wait_left_ms = 0;
}

uint32_t queue_event(struct queue *queue, uint32_t event)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < queue->runs.count; i++) {
        struct queue_run *run = &queue->runs.items[i];
        if (run->place != QUEUE_UNSCHEDULABLE || !event_helps(run, event))
            continue;
        stop_waiting(run);
        moved += run->count;
    }
    return moved;
}

static bool wants_near(const struct catalog *catalog, const struct queue_run *run,
                       const struct pod_class *pod)
{
    const struct affinity_terms *terms = &catalog->pods.items[run->pod]->shape->required_affinity;
    for (uint32_t i = 0; i < terms->count; i++)
        if (affinity_term_matches(catalog, &terms->items[i], pod->pod, false))
            return true;
    return false;
}

uint32_t queue_pod_assigned(struct queue *queue, const struct pod_class *pod, uint32_t event)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < queue->runs.count; i++) {
        struct queue_run *run = &queue->runs.items[i];
        if (run->place != QUEUE_UNSCHEDULABLE || !wants_near(queue->catalog, run, pod) ||
            !event_helps(run, event))
            continue;
        stop_waiting(run);
        moved += run->count;
    }
    return moved;
}

void queue_elapse(struct queue *queue, int64_t ms)
{
    for (uint32_t i = 0; i < queue->runs.count; i++) {
        struct queue_run *run = &queue->runs.items[i];
        run->backoff_left_ms = run->backoff_left_ms > ms ? run->backoff_left_ms - ms : 0;
        if (run->place == QUEUE_BACKING_OFF && run->backoff_left_ms == 0)
            run->place = QUEUE_ACTIVE;
        if (run->place != QUEUE_UNSCHEDULABLE)
            continue;
        run->wait_left_ms -= ms;
        if (run->wait_left_ms <= 0)
            stop_waiting(run);
    }
}
