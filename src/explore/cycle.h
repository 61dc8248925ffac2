/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One liveness property over the explored graph, as cycle.c and lasso.c see it.
 *
 * A violation is a run that stays for ever in a part of the graph (its terrain)
 * and meets some demands again and again. What that is for each property:
 *
 *                      terrain          demands              begins
 *   eventually p       not p            -                    initial states in the terrain
 *   eventually-always  all              a state without p    anywhere
 *   always-eventually  not p            -                    anywhere
 *   p leads to q       not q            -                    a state with p in the terrain
 *   no cycle           p, no `avoids`   `marks`, `visits`    anywhere
 *   always possible p  not p            no step leads out    anywhere
 *
 * and always: fair to every class, without a step that is taken finitely often only (model.h; where
 * the whole run stays in the terrain, it may take such steps on its way). If a set of states
 * satisfies all of this, so does every larger strongly connected set. A maximal strongly connected
 * component of the terrain that does not satisfy it therefore has no part that does: one pass over
 * the components decides, with no refinement. There is one exception: a run that never finds a gate
 * open owes nothing to the classes behind it. A component that fails because of such a class may
 * have a part without states in which the gate is open, so what is left of the terrain without
 * these is looked at, too. (`Always possible` speaks of all runs from a state, not of one: p
 * cannot be reached from it iff the runs from it end up in components without p that no step
 * leaves. Such a component is maximal already.)
 */
#ifndef FATHOM_EXPLORE_CYCLE_H
#define FATHOM_EXPLORE_CYCLE_H

#include "explore/search.h"
#include "explore/suspects.h"

/*
 * Some models distinguish one of several things that are alike (model.h, `orbit`). The
 * states of an orbit differ only in which of the things is the distinguished one. A run must
 * be fair to each of the things, whichever is distinguished, so a violating run consists of
 * states of orbits that lie in violating components as a whole, and these components consist
 * of such states alone.
 *   - The condition is necessary: whichever thing is distinguished, the states that a run
 *     visits again and again are strongly connected, and fair to this thing if the run is.
 *     The other states of the orbit are the same state with another thing distinguished, so
 *     they are visited by the same run.
 *   - It is sufficient: from any of these states a run can take the steps that are fair to
 *     the first thing, then those that are fair to the second, and so on; while a thing
 *     waits for the others the run stays in such states.
 * Fairness to the things that are not distinguished is not required, unless there is only
 * one of them: they share a fairness class, which could be served all the time although each
 * thing is served only now and then. So the search removes the orbits that have a state in
 * no violating component and judges the components of the rest, until nothing changes.
 */
struct cycle_search {
    struct search *search;
    const struct property *property;
    uint64_t avoids; /* marks of steps that are no part of a violating run in the end */
    const struct suspects *suspects; /* the only states that are looked at */
    uint32_t *component;             /* by id: the number of its component; 0: not reached */
    uint8_t *accepting;  /* bitmap by id: the state is in a component that violates the property */
    uint64_t id_count;   /* ids below are in the two arrays above */
    bool found;          /* there is a component that violates the property */
    bool doubted;        /* there may be one if things that are alike are distinguished */
    uint64_t components; /* how many components there are */
    bool locked_out;     /* a component does not do because of a class behind a gate */
    uint8_t *shut;       /* bitmap by id: reached states in which a gate is not open; NULL: all
                            states are looked at */
    uint8_t *left; /* bitmap by id: the states that have not been removed; NULL: no orbits have been
                      computed yet */
    struct limit_watch watch;
};

static inline uint64_t cycle_atoms(const struct cycle_search *cycle, uint32_t id)
{
    return atoms_load(&cycle->search->packing, cycle->search->atoms.base, id);
}

/* May a violating run be in this state in the end? */
static inline bool cycle_allows_state(const struct cycle_search *cycle, uint32_t id)
{
    const struct property *property = cycle->property;
    if (id >= cycle->search->expanded_ids)
        return false;
    if (cycle->left)
        return (cycle->left[id / 8] >> id % 8 & 1) != 0;
    switch (property->kind) {
    case PROPERTY_EVENTUALLY:
    case PROPERTY_ALWAYS_POSSIBLE:
    case PROPERTY_ALWAYS_EVENTUALLY: return !literals_hold(&property->p, cycle_atoms(cycle, id));
    case PROPERTY_LEADS_TO: return !literals_hold(&property->q, cycle_atoms(cycle, id));
    case PROPERTY_NO_CYCLE: return literals_hold(&property->p, cycle_atoms(cycle, id));
    default: return true;
    }
}

static inline bool cycle_allows_step(const struct cycle_search *cycle, const struct edge_walk *edge)
{
    return edge->target != EDGE_NO_TARGET &&
           (cycle->avoids == 0 ||
            (edges_label_at(&cycle->search->edges, edge->label)->marks & cycle->avoids) == 0);
}

/* Is the gate open in the state? */
static inline bool cycle_gate_is_open(const struct cycle_search *cycle, uint32_t id, uint32_t gate)
{
    const struct edges *edges = &cycle->search->edges;
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        if (edges_label_at(edges, edge.label)->fairness == edge_gate(gate))
            return true;
    }
    return false;
}

static inline bool cycle_accepts(const struct cycle_search *cycle, uint32_t id)
{
    assert(id < cycle->id_count);
    return (cycle->accepting[id / 8] >> id % 8 & 1) != 0;
}

/* Decides liveness on the states expanded so far. A violation is final;
 * `complete` tells whether its absence is. */
void cycle_judge(struct search *search, bool complete);

#endif
