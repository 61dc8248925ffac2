/* SPDX-License-Identifier: Apache-2.0 */
/* What intents about requests to Services have in common. */
#ifndef FATHOM_CLUSTER_INTENT_SERVICES_H
#define FATHOM_CLUSTER_INTENT_SERVICES_H

#include "cluster/forward.h"
#include "object/check.h"
#include "object/object.h"

/* For an intent whose class needs Services: reports that time has clocks, that no Service selects
 * the pods, and what of those that do is not modelled. */
void services_check(const struct scope *scope, const struct check_intent *intent,
                    struct problems *problems);

#endif
