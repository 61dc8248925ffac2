/* SPDX-License-Identifier: Apache-2.0 */
/* What intents about requests to Services have in common. */
#ifndef FATHOM_CLUSTER_INTENT_SERVICES_H
#define FATHOM_CLUSTER_INTENT_SERVICES_H

#include "cluster/forward.h"
#include "object/check.h"
#include "object/object.h"

/* Reports that time has clocks, that no Service selects the pods, and what `unknown` (NULL:
 * nothing) finds in the Services that do: a part that is not modelled, or NULL. */
void services_check(const struct scope *scope, const struct check_intent *intent,
                    const char *(*unknown)(const struct object *service),
                    struct problems *problems);

#endif
