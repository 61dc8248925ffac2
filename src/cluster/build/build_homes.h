/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes that stay where they are. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_HOMES_H
#define FATHOM_CLUSTER_BUILD_BUILD_HOMES_H

#include "cluster/forward.h"

/* Finds the revisions whose pods have such a volume, and the places that it can be in. */
void find_homes(struct population *population);

#endif
