/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes threads stand still while one of them changes what all of them read
 * (a table that grows).
 *
 * Threads enter before they touch shared tables and leave after. In between
 * they call gate_pause often; it costs one relaxed load while no thread wants
 * to close the gate. A single thread never waits.
 */
#ifndef FATHOM_EXPLORE_GATE_H
#define FATHOM_EXPLORE_GATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint32_t inside;
    uint32_t waiting;
    atomic_bool wanted;
    uint64_t waited_ns; /* by the clock, all threads together */
};

void gate_init(struct gate *gate);
void gate_release(struct gate *gate);

void gate_enter(struct gate *gate);
void gate_leave(struct gate *gate);

/* True: all others stand still until gate_open. False: another thread was first,
 * has done its change, and the caller should look again whether there is still
 * something to do. Only for threads that are inside. */
bool gate_close(struct gate *gate);
void gate_open(struct gate *gate);

void gate_wait(struct gate *gate);

static inline void gate_pause(struct gate *gate)
{
    if (atomic_load_explicit(&gate->wanted, memory_order_relaxed))
        gate_wait(gate);
}

#endif
