/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of many ranks' states on rank 0, as numbers: each rank numbers its states that are to be
 * gathered, expands them once more, and the owner of a step's successor, who knows its number,
 * sends both to rank 0.
 */
#include "ranks/rank_run.h"

#include <string.h>

enum {
    RECORD_WORDS_MOST = 1 + EDGE_WORDS,
};

/* May a violating run be in it in the end? */
static bool is_left(struct rank_run *run, uint32_t id)
{
    return *LIST_AT(&run->arrivals, uint32_t, id) > 0 || *LIST_AT(&run->rests, uint8_t, id);
}

/* Numbers those of this rank from the number on that the ranks before it leave. */
static bool number_states(struct rank_run *run, bool all)
{
    uint64_t first = 0, count = 0;
    if (!region_grow(&run->numbers.items, sizeof(uint32_t) * ((size_t)run->table.count + 1)))
        rank_end(run, EXPLORE_MEMORY);
    if (!rank_agree(run))
        return false;
    for (uint32_t id = 0; id < run->table.count; id++)
        count += all || is_left(run, id);
    /* One after the other: each rank adds its count where the later ones look. */
    for (uint32_t rank = 0; rank < run->link->count; rank++) {
        uint64_t of_rank = rank == run->link->rank ? count : 0;
        if (!link_reduce(run->link, LINK_SUM, &of_rank, 1))
            return false;
        first += rank < run->link->rank ? of_rank : 0;
        run->options->statistics->gathered += run->link->rank == 0 ? of_rank : 0;
    }
    if (first + count >= TARGET_OUTSIDE)
        rank_end(run, EXPLORE_MEMORY); /* that many have no numbers */
    if (!rank_agree(run))
        return false;
    for (uint32_t id = 0; id < run->table.count; id++)
        *LIST_AT(&run->numbers, uint32_t, id) =
            all || is_left(run, id) ? (uint32_t)first++ : STATE_NONE;
    return true;
}

void rank_gather_step(struct rank_run *run, const struct step_head *head, const uint32_t *words,
                      uint32_t length)
{
    const uint32_t id = state_table_find(&run->table, words, length);
    struct graph_edge *edge = list_push(&run->edges, sizeof(*edge));
    if (!edge) {
        rank_end(run, EXPLORE_MEMORY);
        return;
    }
    const uint32_t number = id == STATE_NONE ? STATE_NONE : *LIST_AT(&run->numbers, uint32_t, id);
    *edge = (struct graph_edge){head->source, head->step,
                                number == STATE_NONE ? TARGET_OUTSIDE : number, head->fairness,
                                head->marks};
}

static void keep(struct rank_run *run, struct list *list, const void *item, size_t bytes)
{
    void *place = list_push(list, bytes);
    if (place)
        memcpy(place, item, bytes);
    else
        rank_end(run, EXPLORE_MEMORY);
}

void rank_take_graph(struct rank_run *run, const uint32_t *record)
{
    if (record[0] == RECORD_EDGE)
        keep(run, &run->gathered_edges, record + 1, sizeof(struct graph_edge));
    else if (record[0] == RECORD_NODE)
        keep(run, &run->gathered_nodes, record + 1, sizeof(struct graph_node));
    else
        keep(run, &run->gathered_begins, record + 1, sizeof(struct graph_begin));
}

static void send_item(struct rank_run *run, enum record_kind kind, const void *item, size_t bytes)
{
    uint32_t record[RECORD_WORDS_MOST] = {kind};
    memcpy(record + 1, item, bytes);
    if (run->link->rank == 0)
        rank_take_graph(run, record);
    else
        link_send(run->link, 0, record, 1 + (uint32_t)(bytes / sizeof(uint32_t)));
}

static void send_node(struct rank_run *run, uint32_t id)
{
    uint32_t length;
    const uint32_t *stored = state_table_at(&run->table, id, &length);
    memcpy(run->from, stored, length * sizeof(uint32_t));
    const struct graph_node node = {.number = *LIST_AT(&run->numbers, uint32_t, id),
                                    .atoms = rank_atoms(run, run->from, length)};
    send_item(run, RECORD_NODE, &node, sizeof(node));
}

/* What owners have found out goes to rank 0; its own is there already. */
static bool send_all(struct rank_run *run)
{
    for (uint32_t i = 0; i < run->edges.count && !rank_is_ending(run); i++)
        send_item(run, RECORD_EDGE, LIST_AT(&run->edges, struct graph_edge, i),
                  sizeof(struct graph_edge));
    for (uint32_t id = 0; id < run->table.count && !rank_is_ending(run); id++)
        if (*LIST_AT(&run->numbers, uint32_t, id) != STATE_NONE)
            send_node(run, id);
    for (uint32_t i = 0; run->link->rank != 0 && i < run->gathered_begins.count; i++)
        send_item(run, RECORD_BEGIN, LIST_AT(&run->gathered_begins, struct graph_begin, i),
                  sizeof(struct graph_begin));
    list_release(&run->edges);
    return link_close_phase(run->link) && rank_agree(run);
}

void rank_gather_release(struct rank_run *run)
{
    list_release(&run->numbers);
    list_release(&run->edges);
    list_release(&run->gathered_edges);
    list_release(&run->gathered_nodes);
    list_release(&run->gathered_begins);
}

bool rank_gather(struct rank_run *run, bool all)
{
    rank_gather_release(run);
    if (!number_states(run, all))
        return false;
    run->pass = PASS_GATHER;
    for (uint32_t id = 0; id < run->table.count && !rank_is_ending(run); id++) {
        run->gathering_source = *LIST_AT(&run->numbers, uint32_t, id);
        if (run->gathering_source != STATE_NONE)
            rank_expand(run, id, 0);
    }
    if (all)
        rank_add_initial(run);
    return link_close_phase(run->link) && rank_agree(run) && send_all(run);
}
