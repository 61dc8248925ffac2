/* SPDX-License-Identifier: Apache-2.0 */
/* What is assumed of the CPU that autoscaled pods use. */
#ifndef FATHOM_SETUP_USAGE_ASSUMED_H
#define FATHOM_SETUP_USAGE_ASSUMED_H

#include "setup/setup.h"

/* Does the Check itself say what pods of this workload use? */
bool usage_is_given(const struct scope *scope, const struct object *workload);

/* A sentence for each workload whose autoscaler goes by CPU that nothing tells of. */
struct string_list usage_assumed(struct arena *arena, const struct scope *scope);

#endif
