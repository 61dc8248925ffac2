/* SPDX-License-Identifier: Apache-2.0 */
/* Claims that the API server refuses to a StatefulSet. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_CLAIMS_H
#define FATHOM_CLUSTER_BUILD_BUILD_CLAIMS_H

#include "cluster/forward.h"

/* Finds the ordinals whose claims LimitRanges or quotas refuse: their pods are not created. */
void refuse_claims(struct population *population);

#endif
