/* SPDX-License-Identifier: Apache-2.0 */
/* What an `apply` event may bring: workloads, new ones or others in place of those that are there.
 */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_APPLIED_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_APPLIED_H

struct problems;
struct scope;

/* Reports what the model cannot follow of what `apply` events bring. */
void supports_applied(const struct scope *scope, struct problems *problems);

#endif
