/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The items of a list that a strategic merge patch changes, found by their keys.
 *
 * The key of an item is one of its members, or the item itself. Of several items with one key the
 * first counts; if it is removed, the next.
 */
#ifndef FATHOM_APISERVER_PATCH_ITEMS_H
#define FATHOM_APISERVER_PATCH_ITEMS_H

#include "apiserver/patch.h"

struct patch_items {
    struct patching *patching;
    const char *key;            /* of the member; "": the items themselves are compared */
    const struct datum **items; /* NULL: it was removed */
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots; /* by hash of the key: the number of an item + 1; 0: free */
    uint32_t slot_count;
};

/* With the items of a list; NULL: none. Room for so many `more`. */
void patch_items_init(struct patch_items *items, struct patching *patching, const char *key,
                      const struct datum *list, uint32_t more);
/* The number of the first item with this key; UINT32_MAX: there is none, or the patch is given
 * up. */
uint32_t patch_items_find(const struct patch_items *items, const struct datum *wanted);
void patch_items_add(struct patch_items *items, const struct datum *item);
/* What is there in its place has the same key, or (NULL) there is nothing. */
void patch_items_replace(struct patch_items *items, uint32_t number, const struct datum *item);
const struct datum *patch_items_list(const struct patch_items *items);

#endif
