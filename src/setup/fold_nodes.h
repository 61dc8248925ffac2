/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_SETUP_FOLD_NODES_H
#define FATHOM_SETUP_FOLD_NODES_H

#include "base/vec.h"
#include "setup/scope_reads.h"
#include "setup/setup.h"

/* The Node objects as groups: one for each node that an object mentions, and
 * one for each set of other nodes that are equal in everything that is read of
 * them. Groups come in the order of their first nodes, names in the order of
 * the objects. */
void fold_nodes(struct arena *arena, const struct objects *objects, const struct reads *reads,
                struct setup_group **groups, uint32_t *count);

#endif
