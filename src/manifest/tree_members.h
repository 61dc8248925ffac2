/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of a mapping that ends, and the text of their keys.
 */
#ifndef FATHOM_MANIFEST_TREE_MEMBERS_H
#define FATHOM_MANIFEST_TREE_MEMBERS_H

#include "manifest/tree_builder.h"

/* The text of a key that YAML takes for a scalar of another kind, as it is
 * written after the detour over JSON: `0x10` is the key "16". Scratch memory. */
const char *tree_key_text(struct arena *scratch, const struct tree_scalar *scalar);

/* Reports duplicate keys and merges merge keys. The members may be moved; gives their number. */
uint32_t tree_settle_members(struct tree_builder *builder, struct member **members, uint32_t count,
                             bool has_merge);

/* Marks the key that merges; compared by address. */
extern const char tree_merge_key[];

#endif
