/* SPDX-License-Identifier: Apache-2.0 */
/* Modular verification: workloads that share nothing but the nodes, each by itself. */
#ifndef FATHOM_VERIFY_MODULAR_H
#define FATHOM_VERIFY_MODULAR_H

#include "verify/setup_query.h"

/* As setup_explore. A setup with several workloads is decided workload by workload where that is
 * possible, and as a whole for what is left. */
void modular_explore(const struct setup_query *query, struct memory *memory, struct memory *stories,
                     struct setup_outcome *outcome);

#endif
