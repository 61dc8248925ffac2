/* SPDX-License-Identifier: Apache-2.0 */
/* The next version of workloads, as `kubectl rollout restart` makes it: the same templates with
 * another annotation. */
#ifndef FATHOM_SETUP_NEXT_RELEASE_H
#define FATHOM_SETUP_NEXT_RELEASE_H

#include "object/object.h"

/* Does its controller replace pods when the template changes, without anybody's help? */
bool next_release_rolls(const struct object *object);

/* Adds the next version of the workload to `release`. False if it has no document. */
bool next_release_add(struct arena *arena, const struct object *object, struct objects *release);

#endif
