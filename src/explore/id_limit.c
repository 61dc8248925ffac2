/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the limit on states is kept exactly, however many threads add states.
 *
 * A stored state has an id, so there are as many ids as the limit allows. Threads
 * take ids in blocks; once all are given out, a thread without one takes over half
 * of what another thread has left. When nobody has any left, as many states are
 * stored as the limit allows. The next new state is one too many: it gets an id as
 * well, and ends the search (worker.c). So a search that the limit ends has stored
 * one state more than it allows, which is what a single thread would have stored.
 */
#include "explore/id_limit.h"

void search_limit_ids(struct search *search)
{
    struct root_set *roots = &search->store.roots;
    const uint64_t unused = atomic_load(&roots->next_id) - search->state_count;
    const uint64_t most = search->options->states_most;
    roots->ids_most = most < UINT64_MAX - unused ? most + unused : UINT64_MAX;
}

bool worker_lacks_ids(const struct search_worker *worker)
{
    const struct root_set *roots = &worker->search->store.roots;
    const struct id_block *block = &worker->cursor.root_block;
    return block->next == block->end && atomic_load(&roots->next_id) >= roots->ids_most;
}

static struct id_block *largest_leftover(struct search *search)
{
    struct id_block *largest = &search->workers[0].cursor.root_block;
    for (uint32_t i = 1; i < search->worker_count; i++) {
        struct id_block *block = &search->workers[i].cursor.root_block;
        if (block->end - block->next > largest->end - largest->next)
            largest = block;
    }
    return largest;
}

bool worker_obtain_ids(struct search_worker *worker)
{
    struct root_set *roots = &worker->search->store.roots;
    struct id_block *own = &worker->cursor.root_block;
    struct id_block *from = largest_leftover(worker->search);
    const uint32_t left = from->end - from->next;
    if (left > 0) {
        const uint32_t middle = from->next + left / 2;
        *own = (struct id_block){middle, from->end};
        from->end = middle;
        return true;
    }
    const uint64_t next = atomic_load(&roots->next_id);
    if (next >= roots->capacity)
        return false;
    atomic_store(&roots->next_id, next + 1);
    *own = (struct id_block){(uint32_t)next, (uint32_t)next + 1};
    return true;
}
