/* SPDX-License-Identifier: Apache-2.0 */
/* The pod that admission is asked about. */
#ifndef FATHOM_DECIDE_QUOTA_CHOSEN_POD_H
#define FATHOM_DECIDE_QUOTA_CHOSEN_POD_H

#include "object/object.h"

/* The pod of that name (NAMESPACE/NAME), or the only one; NULL, and a problem, if there is none. */
const struct object *chosen_pod_find(const struct objects *objects, const char *name,
                                     struct problems *problems);

/* The same, read once more as its manifest has it, before admission completed it. */
bool chosen_pod_read(struct arena *arena, const struct objects *objects, const char *name,
                     struct object *pod, struct problems *problems);

#endif
