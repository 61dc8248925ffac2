/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of documents to documents: lists become their items. */
#ifndef FATHOM_MANIFEST_LIST_ITEMS_H
#define FATHOM_MANIFEST_LIST_ITEMS_H

#include "manifest/document.h"

/* Appends the root, or its items if it is a list. False if something in it
 * cannot be an object. */
bool list_items_append(struct arena *arena, const struct value *root, struct documents *documents,
                       struct problems *problems);

#endif
