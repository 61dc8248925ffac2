/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two sides mean the same without looking at what they do. */
#ifndef FATHOM_COMPARE_SAME_OBJECTS_H
#define FATHOM_COMPARE_SAME_OBJECTS_H

#include "compare/compare.h"

/* The same version and the same documents, in whatever order, and a Check that says the same. */
bool compare_same_objects(struct memory *memory, const struct compare_side *old,
                          const struct compare_side *new);

#endif
