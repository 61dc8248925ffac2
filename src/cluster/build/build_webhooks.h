/* SPDX-License-Identifier: Apache-2.0 */
/* The webhooks of a model. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_WEBHOOKS_H
#define FATHOM_CLUSTER_BUILD_BUILD_WEBHOOKS_H

#include "cluster/forward.h"

/* Those that fail closed, whose Service selects pods of the model, and that are asked when pods are
 * created. All others are taken to answer. When all revisions are known. */
void add_webhooks(struct population *population);

#endif
