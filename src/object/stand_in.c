/* SPDX-License-Identifier: Apache-2.0 */
#include "object/stand_in.h"

#include "base/arena.h"
#include "manifest/value_edit.h"

#include <string.h>

bool stand_in_is_of(const struct value *root, const char *group, const char *kind)
{
    const char *version = value_find_string(root, "apiVersion");
    const char *found = value_find_string(root, "kind");
    return version && found && strncmp(version, group, strlen(group)) == 0 &&
           strcmp(found, kind) == 0;
}

static const char *space_of(const struct value *root)
{
    const char *space = value_find_string(value_find(root, "metadata"), "namespace");
    return space ? space : "default";
}

bool stand_in_same_space(const struct value *left, const struct value *right)
{
    return strcmp(space_of(left), space_of(right)) == 0;
}

bool stand_in_is_named(const struct value *root, const char *name)
{
    const char *found = value_find_string(value_find(root, "metadata"), "name");
    return found && strcmp(found, name) == 0;
}

struct document *stand_in_find(const struct standing *standing, const char *group, const char *kind,
                               const char *name, const struct value *like)
{
    for (uint32_t i = 0; i < standing->documents->count; i++) {
        struct document *document = &standing->documents->items[i];
        if (stand_in_is_of(&document->root, group, kind) &&
            stand_in_is_named(&document->root, name) && stand_in_same_space(&document->root, like))
            return document;
    }
    return NULL;
}

struct value stand_in_retyped(struct arena *arena, const struct value *root, const char *version,
                              const char *kind)
{
    const struct value first = value_with(arena, root, "apiVersion", value_of_text(root, version));
    return value_with(arena, &first, "kind", value_of_text(root, kind));
}

void stand_in_put(const struct standing *standing, struct document *document,
                  const struct value *root, const char *as)
{
    const struct member *kind = value_find_member(&document->root, "kind");
    problem_warning(standing->problems, member_place(&document->root, kind), "kind",
                    "%s is taken to be %s", kind->value.text, as);
    document->written = arena_copy(standing->arena, &document->root, sizeof(document->root));
    document->root = *root;
}
