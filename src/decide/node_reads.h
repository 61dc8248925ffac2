/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of numbers of nodes, noted while a model is explored.
 *
 * States of two clusters that differ only in how many nodes they have are the same but for one
 * count for each group: that of its pristine nodes, which are as at the start. A decision that
 * reads such a count says here under which condition on the numbers of nodes it would be the same.
 * The conjunction of all of these conditions is the region of the exploration (size_region.h): for
 * every size in it, the graph of states is the same.
 *
 * Most reads need no condition: a count that is multiplied by the pods on such a node, because a
 * pristine node has none. Every other read of view_node.count is one of these:
 *
 *   node_count_exact     the number itself decides: no other number of nodes of this group
 *   node_count_exceeds   a comparison with a number
 *   node_sum_*           a sum of counts, compared, or the argument of a function
 *
 * docs/every-size.md has the argument, and what is not followed.
 *
 * A catalog whose `node_reads` is NULL notes nothing, which is the usual case.
 */
#ifndef FATHOM_DECIDE_NODE_READS_H
#define FATHOM_DECIDE_NODE_READS_H

#include "decide/size_region.h"
#include "decide/view.h"

/* Sizes beyond this number of nodes are never claimed if a function was followed to it. */
enum { SIZE_FOLLOWED_MOST = 1000000 };

struct node_reads {
    uint32_t group_count;
    const int32_t *nodes;                /* by group: of the explored size */
    uint32_t open;                       /* bits: groups that are without a maximum */
    uint32_t pristine[SIZE_GROUPS_MOST]; /* by group: the config of its pristine nodes */
    bool scores_vary;  /* true once scores were met that depend on the number of nodes */
    bool keeps_scores; /* true if not only the best nodes matter, but their scores, too ... */
    bool keeps_raw;    /* ... and those from which plugins make them */
    struct size_region *region;
};

/* A number that is so many nodes now, and one more with each node of these groups. */
struct node_sum {
    int64_t value;
    uint32_t groups; /* bits */
    bool mixed;      /* a group was added twice: nothing is known of other sizes */
};

/* No other number of nodes of these groups, for this reason. */
void node_reads_pin(struct node_reads *reads, uint32_t groups, const char *why);

/* The nodes of a state: each group must keep a pristine node, or it is explored at this number of
 * nodes only. */
void node_reads_state(struct node_reads *reads, const struct view_node *nodes, uint32_t count);

/* The group whose pristine nodes have the config, as a bit; 0: none. */
static inline uint32_t node_reads_group(const struct node_reads *reads, uint32_t config)
{
    for (uint32_t g = 0; g < reads->group_count; g++)
        if (reads->pristine[g] == config)
            return UINT32_C(1) << g;
    return 0;
}

uint32_t node_count_noted(const struct catalog *catalog, struct view_node nodes);
bool node_count_compared(const struct catalog *catalog, struct view_node nodes, uint32_t than);

/* How many nodes; only this number counts. */
static inline uint32_t node_count_exact(const struct catalog *catalog, struct view_node nodes)
{
    return catalog->node_reads ? node_count_noted(catalog, nodes) : nodes.count;
}

/* Are there more nodes than that? */
static inline bool node_count_exceeds(const struct catalog *catalog, struct view_node nodes,
                                      uint32_t than)
{
    return catalog->node_reads ? node_count_compared(catalog, nodes, than) : nodes.count > than;
}

void node_sum_note(const struct catalog *catalog, struct node_sum *sum, uint32_t config);

static inline void node_sum_add(const struct catalog *catalog, struct node_sum *sum,
                                struct view_node nodes)
{
    sum->value += nodes.count;
    if (catalog->node_reads)
        node_sum_note(catalog, sum, nodes.config);
}

/* Nothing changes as long as the sum is one of these. */
void node_sum_keep(const struct catalog *catalog, const struct node_sum *sum, int64_t least,
                   int64_t most);

/* Is the sum greater? */
bool node_sum_exceeds(const struct catalog *catalog, const struct node_sum *sum, int64_t than);

/* The values of the sum that are in the region so far, up to those of the largest cluster that is
 * followed. */
struct size_slab node_sum_bounds(const struct catalog *catalog, const struct node_sum *sum);

/* Only this value counts. */
int64_t node_sum_exact(const struct catalog *catalog, const struct node_sum *sum);

/*
 * Narrows the region to the values around the present one for which `same` is true. It has to be
 * true of an interval: as soon as it is false, it stays false in that direction. With `for_ever`,
 * what is true of the largest cluster that is followed is true of all larger ones.
 */
void node_sum_follow(const struct catalog *catalog, const struct node_sum *sum, bool for_ever,
                     bool (*same)(void *context, int64_t value), void *context);

/* The last value from `from` towards `end` for which `same` is true; it is true of `from`. */
int64_t size_last_same(int64_t from, int64_t end, bool (*same)(void *context, int64_t value),
                       void *context);

#endif
