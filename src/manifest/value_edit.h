/* SPDX-License-Identifier: Apache-2.0 */
/* Trees are immutable: an edited mapping is a copy that shares the rest with the original. New
 * values have the place of the mapping that they come into. */
#ifndef FATHOM_MANIFEST_VALUE_EDIT_H
#define FATHOM_MANIFEST_VALUE_EDIT_H

#include "manifest/document.h"

/* The mapping with this member, in place of the one of that key, if there is one. NULL, or what is
 * no mapping, counts as empty. */
struct value value_with(struct arena *arena, const struct value *mapping, const char *key,
                        struct value member);
/* The mapping without the member of that key. */
struct value value_without(struct arena *arena, const struct value *mapping, const char *key);

/* At the place of `like`. */
struct value value_of_text(const struct value *like, const char *text);
struct value value_of_mapping(const struct value *like);
struct value value_of_item(struct arena *arena, const struct value *like, struct value item);

#endif
