/* SPDX-License-Identifier: Apache-2.0 */
/* How the old version of DeschedulerPolicy is read. */
#ifndef FATHOM_OBJECT_DESCHEDULER_POLICY_V1ALPHA1_H
#define FATHOM_OBJECT_DESCHEDULER_POLICY_V1ALPHA1_H

#include "object/descheduler_policy.h"
#include "object/schema.h"

extern const struct schema descheduler_policy_v1alpha1_schema;
void descheduler_policy_convert_v1alpha1(struct reading *reading, const struct path *path,
                                         void *object);

#endif
