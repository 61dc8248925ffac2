/* SPDX-License-Identifier: Apache-2.0 */
/* Names of objects as checks and reports write them: Deployment/default/web. */
#include "object/check.h"
#include "object/object.h"

#include <string.h>

bool object_name_parse(struct arena *arena, const char *text, struct object_name *name)
{
    enum { PARTS_MOST = 3 };
    const char *parts[PARTS_MOST];
    uint32_t count = 0;
    for (;;) {
        const size_t length = strcspn(text, "/");
        if (length == 0 || count == PARTS_MOST)
            return false;
        parts[count++] = arena_strndup(arena, text, length);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    if (count < 2)
        return false;
    *name = (struct object_name){parts[0], count == 3 ? parts[1] : NULL, parts[count - 1]};
    return true;
}

char *object_name_format(struct arena *arena, const struct object_name *name)
{
    if (name->namespace == NULL)
        return arena_printf(arena, "%s/%s", name->kind, name->name);
    return arena_printf(arena, "%s/%s/%s", name->kind, name->namespace, name->name);
}

bool object_name_means(const struct object_name *name, const char *kind,
                       const struct object_meta *meta)
{
    return name->name && strcmp(name->kind, kind) == 0 && strcmp(name->name, meta->name) == 0 &&
           (!name->namespace || (meta->namespace && strcmp(name->namespace, meta->namespace) == 0));
}

bool object_name_matches(const struct object_name *name, const struct object *object)
{
    return object_name_means(name, object->kind_name, object->meta);
}
