/* SPDX-License-Identifier: Apache-2.0 */
/* Paths into data: `spec.ports[0].name`, `metadata.annotations["a.b/c"]`. */
#include "kubeapi/datum.h"

#include <string.h>

/* The part of a path that comes next. */
struct path_part {
    const char *key; /* not NUL-terminated */
    size_t length;
    bool is_index;
    uint32_t index;
};

static void malformed(const char *path)
{
    bug("the path \"%s\" is malformed", path);
}

static const char *read_bracket(const char *rest, const char *path, struct path_part *part)
{
    rest++;
    if (*rest == '"') {
        const char *end = strchr(rest + 1, '"');
        if (!end || end[1] != ']')
            malformed(path);
        part->key = rest + 1;
        part->length = (size_t)(end - part->key);
        return end + 2;
    }
    part->is_index = true;
    const char *digit = rest;
    for (; *digit >= '0' && *digit <= '9' && digit - rest < 9; digit++)
        part->index = part->index * 10 + (uint32_t)(*digit - '0');
    if (digit == rest || *digit != ']')
        malformed(path);
    return digit + 1;
}

/* The text after the part. `path` is not empty. */
static const char *read_part(const char *path, struct path_part *part)
{
    *part = (struct path_part){0};
    const char *rest = path;
    if (*rest == '[') {
        rest = read_bracket(rest, path, part);
    } else {
        part->key = rest;
        part->length = strcspn(rest, ".[");
        if (part->length == 0)
            malformed(path);
        rest += part->length;
    }
    if (*rest == '.') {
        rest++;
        if (*rest == '\0')
            malformed(path);
    }
    return rest;
}

bool datum_path_is_well_formed(const char *path)
{
    const char *rest = path;
    while (*rest) {
        if (*rest == '[' && rest[1] == '"') {
            const char *end = strchr(rest + 2, '"');
            if (!end || end[1] != ']')
                return false;
            rest = end + 2;
        } else if (*rest == '[') {
            const size_t digits = strspn(rest + 1, "0123456789");
            if (digits == 0 || digits > 9 || rest[1 + digits] != ']')
                return false;
            rest += digits + 2;
        } else {
            const size_t length = strcspn(rest, ".[");
            if (length == 0)
                return false;
            rest += length;
        }
        if (*rest == '.' && *++rest == '\0')
            return false;
    }
    return rest != path;
}

static bool key_is(const struct path_part *part, const char *key)
{
    return strlen(key) == part->length && memcmp(key, part->key, part->length) == 0;
}

/* `ports.0` is `ports[0]` where that is a list. */
static bool read_index(const struct path_part *part, uint32_t *index)
{
    *index = part->index;
    if (part->is_index)
        return true;
    if (part->length == 0 || part->length > 9)
        return false;
    for (size_t i = 0; i < part->length; i++) {
        if (part->key[i] < '0' || part->key[i] > '9')
            return false;
        *index = *index * 10 + (uint32_t)(part->key[i] - '0');
    }
    return true;
}

static const struct datum *child(const struct datum *value, const struct path_part *part,
                                 const struct datum_keys *keys)
{
    uint32_t index = 0;
    if (!value)
        return NULL;
    if (value->kind == DATUM_LIST)
        return read_index(part, &index) && index < value->count ? value->items[index] : NULL;
    if (value->kind != DATUM_OBJECT || part->is_index)
        return NULL;
    for (uint32_t i = 0; i < value->count; i++) {
        const char *key = value->members[i].key;
        if (key_is(part, key) || (keys && keys->fits(keys, part->key, part->length, key)))
            return value->members[i].value;
    }
    return NULL;
}

const struct datum *datum_at_keys(const struct datum *value, const char *path,
                                  const struct datum_keys *keys)
{
    while (value && *path) {
        struct path_part part;
        path = read_part(path, &part);
        value = child(value, &part, keys);
    }
    return value;
}

const struct datum *datum_at(const struct datum *value, const char *path)
{
    return datum_at_keys(value, path, NULL);
}

static const struct datum *with_item(struct arena *arena, const struct datum *list, uint32_t index,
                                     const struct datum *item)
{
    const uint32_t count = list && list->kind == DATUM_LIST ? list->count : 0;
    const struct datum **items = ARENA_ARRAY(arena, const struct datum *, count + 1);
    uint32_t many = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct datum *kept = i == index ? item : list->items[i];
        if (kept)
            items[many++] = kept;
    }
    if (index >= count && item)
        items[many++] = item;
    return datum_list(arena, items, many);
}

static const struct datum *with_member(struct arena *arena, const struct datum *object,
                                       const char *key, const struct datum *member)
{
    const uint32_t count = object && object->kind == DATUM_OBJECT ? object->count : 0;
    struct datum_member *members = ARENA_ARRAY(arena, struct datum_member, count + 1);
    uint32_t many = 0;
    bool placed = false;
    for (uint32_t i = 0; i < count; i++) {
        const int order = strcmp(object->members[i].key, key);
        if (order >= 0 && !placed) {
            placed = true;
            members[many++] = (struct datum_member){.key = key, .value = member};
        }
        if (order != 0)
            members[many++] = object->members[i];
    }
    if (!placed)
        members[many++] = (struct datum_member){.key = key, .value = member};
    return datum_object(arena, members, many);
}

const struct datum *datum_with(struct arena *arena, const struct datum *value, const char *path,
                               const struct datum *member)
{
    if (*path == '\0')
        return member;
    struct path_part part;
    const char *rest = read_part(path, &part);
    const struct datum *old = child(value, &part, NULL);
    const struct datum *changed = datum_with(arena, old, rest, member);
    if (changed == old)
        return value;
    uint32_t index = 0;
    if (part.is_index || (value && value->kind == DATUM_LIST && read_index(&part, &index)))
        return with_item(arena, value, part.is_index ? part.index : index, changed);
    return with_member(arena, value, arena_strndup(arena, part.key, part.length), changed);
}
