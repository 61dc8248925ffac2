/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of LowNodeUtilization and HighNodeUtilization. */
#ifndef FATHOM_OBJECT_DESCHEDULER_UTILIZATION_H
#define FATHOM_OBJECT_DESCHEDULER_UTILIZATION_H

#include "object/descheduler_policy.h"
#include "object/schema.h"

extern const struct schema low_utilization_arguments_schema;
extern const struct schema high_utilization_arguments_schema;
void low_utilization_arguments_validate(struct reading *reading, const struct path *path,
                                        const void *arguments);
void high_utilization_arguments_validate(struct reading *reading, const struct path *path,
                                         const void *arguments);

#endif
