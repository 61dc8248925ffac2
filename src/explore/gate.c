/* SPDX-License-Identifier: Apache-2.0 */
/* A monitor: `wanted` is written under the mutex and read outside of it only as
 * a hint that the gate may be wanted. */
#include "explore/gate.h"

#include "base/clock.h"

#include <assert.h>

void gate_init(struct gate *gate)
{
    *gate = (struct gate){0};
    pthread_mutex_init(&gate->mutex, NULL);
    pthread_cond_init(&gate->changed, NULL);
}

void gate_release(struct gate *gate)
{
    assert(gate->inside == 0);
    assert(gate->waiting == 0);
    pthread_mutex_destroy(&gate->mutex);
    pthread_cond_destroy(&gate->changed);
}

static bool is_wanted(struct gate *gate)
{
    return atomic_load_explicit(&gate->wanted, memory_order_relaxed);
}

static void wait_until_open(struct gate *gate)
{
    const int64_t began = clock_now_ns();
    gate->waiting++;
    pthread_cond_broadcast(&gate->changed);
    while (is_wanted(gate))
        pthread_cond_wait(&gate->changed, &gate->mutex);
    gate->waiting--;
    gate->waited_ns += (uint64_t)(clock_now_ns() - began);
}

void gate_enter(struct gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    while (is_wanted(gate))
        pthread_cond_wait(&gate->changed, &gate->mutex);
    gate->inside++;
    pthread_mutex_unlock(&gate->mutex);
}

void gate_leave(struct gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    assert(gate->inside > 0);
    gate->inside--;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

bool gate_close(struct gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    assert(gate->inside > 0);
    if (is_wanted(gate)) {
        wait_until_open(gate);
        pthread_mutex_unlock(&gate->mutex);
        return false;
    }
    atomic_store_explicit(&gate->wanted, true, memory_order_relaxed);
    while (gate->waiting + 1 < gate->inside)
        pthread_cond_wait(&gate->changed, &gate->mutex);
    return true;
}

void gate_open(struct gate *gate)
{
    assert(is_wanted(gate));
    atomic_store_explicit(&gate->wanted, false, memory_order_relaxed);
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

void gate_wait(struct gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    if (is_wanted(gate))
        wait_until_open(gate);
    pthread_mutex_unlock(&gate->mutex);
}
