/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of StatefulSets that a ResourceQuota has not enough for. */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_CLAIMS_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_CLAIMS_H

struct object;
struct support;

/* Which of several StatefulSets has its claims depends on who comes first, which the model does
 * not tell (build_claims.c): reports a quota that they might need more of than there is. */
void supports_claims(const struct support *support, const struct object *quota);

#endif
