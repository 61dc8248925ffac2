/* SPDX-License-Identifier: Apache-2.0 */
/* The quotas of a model, and which pods they charge. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_QUOTAS_H
#define FATHOM_CLUSTER_BUILD_BUILD_QUOTAS_H

#include "cluster/forward.h"

/* When all revisions are known. Pods that do not state what a quota demands are refused for good;
 * others are refused while the quota has too little left (ask/quotas.h). */
void add_quotas(struct population *population);

#endif
