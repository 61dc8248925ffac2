/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From notes to a change graph: which write was caused by which (docs/trace.md).
 *
 * Causes are found by rules, and every edge says by which and how sure it is.
 * CPIDs are given as an instrumented control plane would have given them: a
 * change from outside is a root, a controller's write merges the contexts of its
 * causes. CPIDs that objects carry are kept.
 */
#ifndef FATHOM_TRACING_IMPORT_IMPORT_H
#define FATHOM_TRACING_IMPORT_IMPORT_H

#include "tracing/import/change_graph.h"
#include "tracing/import/notes.h"

struct import_options {
    enum change_label trust; /* the weakest label whose edges carry CPIDs on */
};

/* Sorts the notes by their commits, as far as known. */
void notes_order(struct note_collection *collection);

/* Notes must be in order. The graph lives in the collection's arena. */
void change_import(struct note_collection *collection, const struct import_options *options,
                   struct change_graph *graph);

#endif
