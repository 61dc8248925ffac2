/* SPDX-License-Identifier: Apache-2.0 */
/* What is seen in manifests without any search: objects that have no effect, or not the one that
 * they seem to have. A hint changes no verdict. */
#ifndef FATHOM_SETUP_HINTS_H
#define FATHOM_SETUP_HINTS_H

#include "object/object.h"

struct hint {
    struct place place;
    const char *path;
    const char *text;   /* a sentence without a full stop */
    const char *remedy; /* NULL: none is known */
};

struct hints {
    struct hint *items;
    uint32_t count;
    uint32_t capacity;
};

struct hints hints_find(struct arena *arena, const struct objects *objects);
/* "file:line:column: path: text" */
const char *hint_format(struct arena *arena, const struct hint *hint);

#endif
