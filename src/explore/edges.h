/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The explored graph, kept when there is liveness to judge.
 *
 * Each thread appends the steps of the states it expands to a log of its own:
 * the id that a step leads to (4 bytes) and a label (2 bytes), a number that
 * stands for (fairness class, marks). `begins` tells for each state which log
 * and where. The last record of a state has EDGE_LAST set; a state always has at
 * least one record. Records without target say that a class is enabled, that a gate
 * is open, or that there are no steps at all.
 *
 * Atoms are kept too, packed to the bits that liveness looks at (1, 2, 4 or 8
 * bytes a state).
 */
#ifndef FATHOM_EXPLORE_EDGES_H
#define FATHOM_EXPLORE_EDGES_H

#include "explore/model.h"
#include "explore/region.h"

#include <assert.h>
#include <pthread.h>

enum { EDGE_LAST = 0x8000, LABELS_MOST = 0x7fff };
#define EDGE_NO_TARGET UINT32_MAX

/* What stands for an open gate in the place of a class. */
static inline uint32_t edge_gate(uint32_t gate)
{
    assert(gate < MODEL_GATES_MOST);
    return FAIRNESS_OPTIONAL - 1 - gate;
}

struct edge_label {
    uint32_t fairness;
    uint64_t marks;
};

struct label_known {
    struct edge_label label;
    uint32_t number_plus_one; /* 0: the entry is free */
};

/* A thread's cache of the labels that it used lately. */
struct labels_known {
    struct label_known *entries;
    uint32_t bits;
    uint32_t replaced; /* entries that were overwritten since the cache was last enlarged */
};

struct edge_log {
    struct region targets; /* uint32_t */
    struct region labels;  /* uint16_t */
    uint64_t count;
};

struct edges {
    struct memory *memory;
    struct region begins; /* uint64_t by id: log << 56 | place */
    struct region labels; /* struct edge_label; number 0 is 'no step' */
    uint32_t label_count;
    pthread_mutex_t mutex; /* guards the labels */
    struct edge_log **logs;
    uint32_t log_count;
};

bool edges_init(struct edges *edges, struct memory *memory, uint32_t log_count);
void edges_release(struct edges *edges);
uint64_t edges_count(const struct edges *edges);
uint64_t edges_bytes(const struct edges *edges);

void edge_log_init(struct edge_log *log, struct memory *memory);
void edge_log_release(struct edge_log *log);
bool edge_log_push(struct edge_log *log, uint32_t target, uint16_t label);

/* The number of a label; UINT16_MAX: there are too many, or no memory. */
uint16_t edges_label(struct edges *edges, struct labels_known *known, uint32_t fairness,
                     uint64_t marks);
/* The first entries, or more of them, all free. False: there is no memory for them. */
bool labels_known_enlarge(struct labels_known *known, struct memory *memory);
void labels_known_release(const struct labels_known *known, struct memory *memory);

static inline void edges_set_begin(struct edges *edges, uint32_t id, uint32_t log, uint64_t place)
{
    assert(log < edges->log_count);
    assert(place >> 56 == 0);
    assert(((uint64_t)id + 1) * sizeof(uint64_t) <= edges->begins.bytes);
    ((uint64_t *)edges->begins.base)[id] = (uint64_t)log << 56 | place;
}

static inline const struct edge_label *edges_label_at(const struct edges *edges, uint16_t number)
{
    assert((uint32_t)(number & ~EDGE_LAST) < edges->label_count);
    return (const struct edge_label *)edges->labels.base + (number & ~EDGE_LAST);
}

/* Walks the records of a state that is expanded:
 *     for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) */
struct edge_walk {
    const uint32_t *targets;
    const uint16_t *labels;
    uint32_t target;
    uint16_t label;
    bool ended;
};

static inline struct edge_walk edges_of(const struct edges *edges, uint32_t id)
{
    assert(((uint64_t)id + 1) * sizeof(uint64_t) <= edges->begins.bytes);
    const uint64_t begin = ((const uint64_t *)edges->begins.base)[id];
    const struct edge_log *log = edges->logs[begin >> 56];
    const uint64_t place = begin & ((UINT64_C(1) << 56) - 1);
    return (struct edge_walk){.targets = (const uint32_t *)log->targets.base + place,
                              .labels = (const uint16_t *)log->labels.base + place};
}

static inline bool edge_next(struct edge_walk *walk)
{
    if (walk->ended)
        return false;
    walk->target = *walk->targets++;
    walk->label = *walk->labels++;
    walk->ended = (walk->label & EDGE_LAST) != 0;
    return true;
}

/* May a run stay in this state for ever? It may if the state has no step other than
 * optional ones. */
bool edges_rest(const struct edges *edges, uint32_t id);

/* Which atoms are kept, and in how many bytes. */
struct atom_packing {
    uint64_t used;
    uint32_t bytes; /* 0: none are used */
};

void atom_packing_init(struct atom_packing *packing, uint64_t used);
void atoms_store(const struct atom_packing *packing, void *base, uint32_t id, uint64_t atoms);
uint64_t atoms_load(const struct atom_packing *packing, const void *base, uint32_t id);

#endif
