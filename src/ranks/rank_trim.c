/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes away states that no state leads to, until there are none: the rest lies on cycles or behind
 * them (suspects.c does the same in one process). Nothing is kept of the steps but how many lead to
 * each state, so a state that is taken away is expanded once more, and the owners of its successors
 * count one arrival less.
 */
#include "ranks/rank_run.h"

static bool begin(struct rank_run *run)
{
    for (uint32_t id = 0; id < run->table.count; id++) {
        if (*LIST_AT(&run->arrivals, uint32_t, id) > 0)
            continue;
        uint32_t *next = list_push(&run->next_queue, sizeof(*next));
        if (!next) {
            rank_end(run, EXPLORE_MEMORY);
            return false;
        }
        *next = id;
    }
    return true;
}

/* True: there is a state to be taken away on some rank. */
static bool next_round(struct rank_run *run, bool *going)
{
    const struct list done = run->queue;
    run->queue = run->next_queue;
    run->next_queue = done;
    run->next_queue.count = 0;
    uint64_t left = run->queue.count;
    if (!rank_agree(run) || !link_reduce(run->link, LINK_SUM, &left, 1))
        return false;
    *going = left > 0;
    return true;
}

bool rank_trim(struct rank_run *run)
{
    bool going = true;
    run->pass = PASS_TRIM;
    (void)begin(run);
    for (;;) {
        if (!next_round(run, &going))
            return false;
        if (!going)
            return true;
        for (uint32_t i = 0; i < run->queue.count && !rank_is_ending(run); i++)
            rank_expand(run, *LIST_AT(&run->queue, uint32_t, i), 0);
        if (!link_close_phase(run->link))
            return false;
    }
}
