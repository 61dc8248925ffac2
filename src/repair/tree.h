/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of document trees by their paths, and trees with a field changed.
 *
 * A path is written as "spec.template.spec.containers[0].image"; a dot in a key is a tilde. Trees
 * are immutable: a changed one shares everything with the original but the way to the field.
 */
#ifndef FATHOM_REPAIR_TREE_H
#define FATHOM_REPAIR_TREE_H

#include "manifest/document.h"

/* One name or index of a path. */
struct tree_step {
    const char *key; /* NULL: an item */
    uint32_t index;
};

struct tree_path {
    const struct tree_step *steps;
    uint32_t count;
};

struct tree_path tree_path_parse(struct arena *arena, const char *text);

/* A key as a part of a path. */
const char *tree_key_escape(struct arena *arena, const char *key);

/* The field; NULL: it is not there. */
const struct value *tree_find(const struct value *root, const struct tree_path *path);
const struct value *tree_find_text(struct arena *arena, const struct value *root, const char *path);

/* The tree with this value at the path; mappings on the way that are missing are made, and what is
 * null counts as missing. False: something on the way is no mapping, or has no such item. */
bool tree_set(struct arena *arena, const struct value *root, const struct tree_path *path,
              const struct value *value, struct value *result);
/* Without the field, or the item. False: it is not there. */
bool tree_remove(struct arena *arena, const struct value *root, const struct tree_path *path,
                 struct value *result);

/* The list with one more item at its end; NULL counts as empty. */
struct value tree_append(struct arena *arena, const struct value *list, const struct value *item);

/* Do both say the same? The order of keys does not count. */
bool tree_same(const struct value *left, const struct value *right);

/* A value from its text, as it stands behind "key: ". False: it is none. */
bool tree_read(struct arena *arena, const char *text, struct value *value);

/* The value on one line, as YAML's flow style; `quoted`: as JSON. */
void tree_write(struct text *text, const struct value *value, bool quoted);

#endif
