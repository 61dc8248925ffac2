/* SPDX-License-Identifier: Apache-2.0 */
/* Autoscalers in the words of who wrote them: a HorizontalPodAutoscaler may stand for a
 * ScaledObject (object/as_written.h), which has other fields. */
#ifndef FATHOM_SETUP_AUTOSCALER_WORDS_H
#define FATHOM_SETUP_AUTOSCALER_WORDS_H

#include "object/object.h"

/* "minReplicas" */
const char *autoscaler_fewest_field(struct arena *arena, const struct object *autoscaler);
/* "minReplicas 2" */
const char *autoscaler_fewest(struct arena *arena, const struct object *autoscaler);
/* "maxReplicas 8" */
const char *autoscaler_most(struct arena *arena, const struct object *autoscaler);

#endif
