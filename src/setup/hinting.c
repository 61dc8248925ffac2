/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/hinting.h"

#include "manifest/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The member of the mapping, or the item of the list, that the path goes to next; NULL: it is not
 * there. `path` is put behind it. */
static const struct value *next_value(const struct value *value, const char **path,
                                      struct place *place)
{
    char name[64];
    const size_t length = strcspn(*path, ".[");
    const struct member *member = NULL;
    if (**path == '[') {
        const unsigned long index = strtoul(*path + 1, NULL, 10);
        *path += strcspn(*path, "]") + 1;
        if (value->kind != VALUE_SEQUENCE || index >= value->count)
            return NULL;
        *place = value_place(&value->items[index]);
        return &value->items[index];
    }
    if (length >= sizeof(name))
        return NULL;
    snprintf(name, sizeof(name), "%.*s", (int)length, *path);
    *path += length;
    member = value_find_member(value, name);
    if (!member)
        return NULL;
    *place = member_place(value, member);
    return &member->value;
}

static struct place place_of(const struct object *object, const char *path)
{
    struct place place = object->place;
    const struct value *value = object->source ? &object->source->root : NULL;
    while (value && *path) {
        path += *path == '.';
        value = next_value(value, &path, &place);
    }
    return place;
}

void hint_add(struct hinting *hinting, const struct object *object, const char *path,
              const char *text, const char *remedy)
{
    const struct hint hint = {
        .place = place_of(object, path),
        .path = path,
        .text = text,
        .remedy = remedy,
    };
    VEC_PUSH(hinting->arena, &hinting->found, hint);
}
