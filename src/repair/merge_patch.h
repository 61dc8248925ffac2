/* SPDX-License-Identifier: Apache-2.0 */
/* The strategic merge patch that makes one object of another. */
#ifndef FATHOM_REPAIR_MERGE_PATCH_H
#define FATHOM_REPAIR_MERGE_PATCH_H

#include "repair/tree.h"

/* As JSON on one line; "{}" if there is nothing to change. */
char *merge_patch_make(struct arena *arena, const struct value *before, const struct value *after);

#endif
