/* SPDX-License-Identifier: Apache-2.0 */
/* All states and steps of a small setup as a graph in the language of Graphviz,
 * with a counterexample drawn in it. */
#ifndef FATHOM_WALK_STATE_GRAPH_H
#define FATHOM_WALK_STATE_GRAPH_H

#include "walk/walk.h"

enum { STATE_GRAPH_MOST = 500 }; /* more cannot be looked at */

/* The counterexample that is drawn stronger than the rest; without one `walk`
 * has no steps. */
struct state_graph_path {
    const struct walk *walk;
    bool loops;
    uint32_t loop_from; /* from 0 */
};

/* One "digraph". False, with nothing written, if there are more than
 * STATE_GRAPH_MOST states. */
bool state_graph_write(struct memory *memory, const struct state_graph_path *path,
                       const char *title, struct text *text);

#endif
