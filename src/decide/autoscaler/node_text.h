/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_AUTOSCALER_NODE_TEXT_H
#define FATHOM_DECIDE_AUTOSCALER_NODE_TEXT_H

#include "base/arena.h"
#include "object/node.h"

struct value; /* manifest/document.h */

/* A node as the autoscaler writes it into the error that it could not be tainted: with all its
 * fields, as Go prints them. `source` is the node's document. */
const char *node_text(struct arena *arena, const struct node *node, const struct value *source);

#endif
