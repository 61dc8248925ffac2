/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_NODE_FINGERPRINT_H
#define FATHOM_DECIDE_NODE_FINGERPRINT_H

#include "base/text.h"
#include "object/node.h"

/* A text that is equal for two nodes exactly when they differ only in their names,
 * the value of kubernetes.io/hostname, and the times at which their conditions
 * changed. */
void node_fingerprint(struct text *text, const struct node *node);

#endif
