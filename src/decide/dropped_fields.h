/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of pods that a version's API server drops, because the version does not
 * know them or has them switched off. Deciders do not look at them then; here the
 * user is told.
 */
#ifndef FATHOM_DECIDE_DROPPED_FIELDS_H
#define FATHOM_DECIDE_DROPPED_FIELDS_H

#include "decide/features.h"
#include "object/object.h"

/* A warning for each field, at the first pod or workload that has it; and for flags of a cluster
 * autoscaler that its version does not have. */
void dropped_fields_warn(const struct features *features, const struct objects *objects,
                         struct problems *problems);

#endif
