/* SPDX-License-Identifier: Apache-2.0 */
#include "object/path.h"

#include <ctype.h>

const struct path path_root = {.kind = PATH_ROOT};

struct path path_field(const struct path *parent, const char *name)
{
    return (struct path){.parent = parent, .name = name, .kind = PATH_FIELD};
}

struct path path_item(const struct path *parent, uint32_t index)
{
    return (struct path){.parent = parent, .index = index, .kind = PATH_ITEM};
}

static bool is_plain_word(const char *name)
{
    if (!*name)
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return true;
}

char *path_text(struct arena *arena, const struct path *path)
{
    if (path->kind == PATH_ROOT)
        return arena_strdup(arena, "");
    const char *parent = path_text(arena, path->parent);
    if (path->kind == PATH_ITEM)
        return arena_printf(arena, "%s[%u]", parent, path->index);
    if (!is_plain_word(path->name))
        return arena_printf(arena, "%s[%s]", parent, path->name);
    return arena_printf(arena, "%s%s%s", parent, *parent ? "." : "", path->name);
}

const struct value *path_value(const struct value *root, const struct path *path)
{
    if (path->kind == PATH_ROOT)
        return root;
    const struct value *parent = path_value(root, path->parent);
    if (path->kind == PATH_FIELD)
        return value_find(parent, path->name);
    if (!parent || parent->kind != VALUE_SEQUENCE || path->index >= parent->count)
        return NULL;
    return &parent->items[path->index];
}

struct place path_place(const struct value *root, const struct path *path)
{
    const struct value *value = path_value(root, path);
    while (!value && path->parent) {
        path = path->parent;
        value = path_value(root, path);
    }
    return value_place(value ? value : root);
}
