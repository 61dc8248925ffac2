/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One second under the rule `queueThreshold`. The order of its parts and every
 * comparison are those of the published models, which the data of test/data/slo
 * pin down; the names in brackets are theirs.
 *
 * Queues saturate one above what the objective allows. So a state in which the
 * objective is broken does not say how badly.
 */
#include "slo/threshold.h"

/* ---- requests come ---- */

static uint32_t capped(uint32_t queue, uint32_t more, uint32_t most)
{
    return more > most + 1 - queue ? most + 1 : queue + more;
}

static void share_evenly(const struct slo_service *service, struct threshold_state *state,
                         uint32_t each)
{
    for (uint32_t i = 0; each > 0 && i < state->on; i++)
        state->queue[i] = capped(state->queue[i], each, service->queue_most);
}

/* The published Node.js model looks at all pods, not only those that serve, and
 * a queue that is full cannot take one more. */
static bool deal_as_published(const struct slo_service *service, struct threshold_state *state,
                              uint32_t remainder)
{
    const uint32_t next = state->next;
    for (uint32_t i = 1; i <= service->pods_max; i++) {
        const bool after = i >= next && i < next + remainder;
        const bool around = i < next && i + state->on < next + remainder;
        if (!after && !around)
            continue;
        if (state->queue[i - 1] > service->queue_most)
            return false;
        state->queue[i - 1]++;
    }
    state->next = (next + remainder - 1) % state->on + 1;
    return true;
}

static void deal(const struct slo_service *service, struct threshold_state *state,
                 uint32_t remainder)
{
    /* Whose turn it was may have been dropped meanwhile. */
    uint32_t turn = (state->next - 1) % state->on;
    for (; remainder > 0; remainder--) {
        state->queue[turn] = capped(state->queue[turn], 1, service->queue_most);
        turn = (turn + 1) % state->on;
    }
    state->next = turn + 1;
}

/* One after the other to the shortest queue, the first of equals: the short ones
 * are filled up to the next longer one, all at a time. */
static void fill_least_loaded(const struct slo_service *service, struct threshold_state *state,
                              uint32_t requests)
{
    while (requests > 0) {
        uint32_t least = UINT32_MAX;
        uint32_t above = service->queue_most + 1;
        uint32_t count = 0;
        for (uint32_t i = 0; i < state->on; i++) {
            const uint32_t queue = state->queue[i];
            if (queue < least) {
                above = least < above ? least : above;
                least = queue;
                count = 1;
            } else if (queue == least) {
                count++;
            } else if (queue < above) {
                above = queue;
            }
        }
        if (count == 0 || least > service->queue_most)
            return;
        const uint32_t levels = requests / count < above - least ? requests / count : above - least;
        const uint32_t single = levels == 0 ? requests : 0;
        uint32_t given = 0;
        for (uint32_t i = 0; i < state->on; i++)
            if (state->queue[i] == least && (levels > 0 || given < single)) {
                state->queue[i] += levels > 0 ? levels : 1;
                given++;
            }
        requests -= levels > 0 ? levels * count : requests;
    }
}

bool threshold_allocate(const struct slo_service *service, struct threshold_state *state,
                        uint32_t requests)
{
    if (service->balancing == SLO_LEAST_LOADED) {
        fill_least_loaded(service, state, requests);
        return true;
    }
    const uint32_t each = requests / state->on;
    const uint32_t remainder = requests - each * state->on;
    share_evenly(service, state, each);
    switch (service->balancing) {
    case SLO_ROUND_ROBIN_PUBLISHED: return deal_as_published(service, state, remainder);
    case SLO_ROUND_ROBIN: deal(service, state, remainder); return true;
    default: return true;
    }
}

/* ---- the rest of the second ---- */

/* The threshold on the last pod, then the one on the first; both see the queues
 * as they are before anything is handled, and the queue of a dropped pod stays. */
static void scale(const struct slo_service *service, struct threshold_state *state,
                  struct threshold_second *second)
{
    if (state->elapsed < service->interval)
        return;
    second->checked = true;
    if (state->queue[state->on - 1] >= service->up) {
        if (!state->creating)
            second->marks |= SLO_MARK_ASKED;
        state->creating = 1;
    }
    if (state->queue[0] <= service->down && state->on > service->pods_min) {
        state->on--;
        second->marks |= SLO_MARK_DROPPED;
    }
    state->elapsed = 0;
}

static void tick(const struct slo_service *service, struct threshold_state *state,
                 struct threshold_second *second)
{
    state->elapsed++;
    if (state->creating && state->started >= service->startup) {
        state->creating = 0;
        state->started = 0;
        if (state->on < service->pods_max) {
            state->on++;
            second->marks |= SLO_MARK_STARTED;
        }
    } else if (state->creating) {
        state->started++;
    }
    state->position = slo_load_next(&service->load, state->position);
}

bool threshold_step(const struct slo_service *service, struct threshold_state *state,
                    uint32_t requests, struct threshold_second *second)
{
    *second = (struct threshold_second){.serving = state->on};
    const bool taken = threshold_allocate(service, state, requests);
    for (uint32_t i = 0; i < service->pods_max; i++)
        if (state->queue[i] > second->queue_peak)
            second->queue_peak = state->queue[i];
    if (second->queue_peak > service->queue_most)
        second->marks |= SLO_MARK_VIOLATED;
    if (!taken) {
        second->marks |= SLO_MARK_REFUSED;
        return false;
    }
    scale(service, state, second);
    for (uint32_t i = 0; i < service->pods_max; i++)
        state->queue[i] -= state->queue[i] < service->handled ? state->queue[i] : service->handled;
    tick(service, state, second);
    return true;
}

void threshold_initial(const struct slo_service *service, struct threshold_state *state)
{
    uint32_t *queue = state->queue;
    *state = (struct threshold_state){.on = service->pods_initial, .next = 1, .queue = queue};
    for (uint32_t i = 0; i < service->pods_max; i++)
        queue[i] = 0;
}
