/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 6902, with the pointers of RFC 6901. */
#include "apiserver/patch.h"

#include <string.h>

enum { POINTER_MOST = 100 };

struct pointer {
    const char *parts[POINTER_MOST];
    uint32_t count;
};

static char *unescaped(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_strndup(arena, text, length);
    char *to = copy;
    for (const char *from = copy; *from; from++) {
        if (from[0] == '~' && (from[1] == '0' || from[1] == '1')) {
            *to++ = from[1] == '0' ? '~' : '/';
            from++;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return copy;
}

static bool read_pointer(struct arena *arena, const char *text, struct pointer *pointer,
                         const char **why)
{
    *pointer = (struct pointer){0};
    while (*text == '/') {
        const size_t length = strcspn(text + 1, "/");
        if (pointer->count == POINTER_MOST) {
            *why = "a path of the JSON patch is too long";
            return false;
        }
        pointer->parts[pointer->count++] = unescaped(arena, text + 1, length);
        text += 1 + length;
    }
    if (!*text)
        return true;
    *why = "a path of the JSON patch does not start with \"/\"";
    return false;
}

/* An index into a list: below `count`, or (`-`) behind its end. */
static bool read_index(const char *part, uint32_t count, uint32_t *index)
{
    if (strcmp(part, "-") == 0) {
        *index = count;
        return true;
    }
    if (!*part || strspn(part, "0123456789") != strlen(part) || strlen(part) > 8 ||
        (part[0] == '0' && part[1]))
        return false;
    *index = 0;
    for (; *part; part++)
        *index = *index * 10 + (uint32_t)(*part - '0');
    return *index <= count;
}

static const struct datum *look_up(const struct datum *value, const struct pointer *pointer)
{
    for (uint32_t i = 0; value && i < pointer->count; i++) {
        uint32_t index = 0;
        if (value->kind == DATUM_OBJECT)
            value = datum_member(value, pointer->parts[i]);
        else if (value->kind == DATUM_LIST && read_index(pointer->parts[i], value->count, &index) &&
                 index < value->count)
            value = value->items[index];
        else
            value = NULL;
    }
    return value;
}

enum edit { EDIT_ADD, EDIT_REPLACE, EDIT_REMOVE };

static const struct datum *edit(struct arena *arena, const struct datum *value,
                                const struct pointer *pointer, uint32_t depth, enum edit how,
                                const struct datum *content, const char **why);

static const struct datum *edit_list(struct arena *arena, const struct datum *list,
                                     const struct pointer *pointer, uint32_t depth, enum edit how,
                                     const struct datum *content, const char **why)
{
    uint32_t index = 0;
    const bool last = depth + 1 == pointer->count;
    const bool found = read_index(pointer->parts[depth], list->count, &index);
    if (!found || (index == list->count && !(last && how == EDIT_ADD))) {
        *why = "a path of the JSON patch names no item of its list";
        return NULL;
    }
    const struct datum **items = ARENA_ARRAY(arena, const struct datum *, list->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        if (i == index && last && how == EDIT_ADD)
            items[count++] = content;
        if (i == list->count)
            break;
        if (i != index || (last && how == EDIT_ADD))
            items[count++] = list->items[i];
        else if (!last)
            items[count++] = edit(arena, list->items[i], pointer, depth + 1, how, content, why);
        else if (how == EDIT_REPLACE)
            items[count++] = content;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!items[i]) {
            *why = *why ? *why : "a list cannot hold null";
            return NULL;
        }
    return datum_list(arena, items, count);
}

static const struct datum *edit(struct arena *arena, const struct datum *value,
                                const struct pointer *pointer, uint32_t depth, enum edit how,
                                const struct datum *content, const char **why)
{
    if (depth == pointer->count)
        return content;
    if (value && value->kind == DATUM_LIST)
        return edit_list(arena, value, pointer, depth, how, content, why);
    if (!value || value->kind != DATUM_OBJECT) {
        *why = "a path of the JSON patch leads nowhere";
        return NULL;
    }
    const char *key = pointer->parts[depth];
    const struct datum *member = datum_member(value, key);
    const bool last = depth + 1 == pointer->count;
    if (!member && (!last || how != EDIT_ADD)) {
        *why = arena_printf(arena, "the JSON patch needs \"%s\", which is not there", key);
        return NULL;
    }
    const struct datum *changed =
        last ? content : edit(arena, member, pointer, depth + 1, how, content, why);
    return *why ? NULL : patch_member(arena, value, key, changed);
}

static const struct datum *apply_operation(struct arena *arena, const struct datum *object,
                                           const struct value *operation, const char **why)
{
    const char *name = value_find_string(operation, "op");
    const char *path = value_find_string(operation, "path");
    struct pointer pointer;
    struct pointer source;
    if (!name || !path) {
        *why = "an operation of the JSON patch has no op or no path";
        return NULL;
    }
    if (!read_pointer(arena, path, &pointer, why))
        return NULL;
    if (strcmp(name, "remove") == 0)
        return edit(arena, object, &pointer, 0, EDIT_REMOVE, NULL, why);
    const bool moves = strcmp(name, "move") == 0;
    if (moves || strcmp(name, "copy") == 0) {
        const char *from = value_find_string(operation, "from");
        if (!from || !read_pointer(arena, from, &source, why)) {
            *why = *why ? *why : "an operation of the JSON patch has no from";
            return NULL;
        }
        const struct datum *moved = look_up(object, &source);
        if (!moved) {
            *why = arena_printf(arena, "the JSON patch needs \"%s\", which is not there", from);
            return NULL;
        }
        if (moves)
            object = edit(arena, object, &source, 0, EDIT_REMOVE, NULL, why);
        return *why ? NULL : edit(arena, object, &pointer, 0, EDIT_ADD, moved, why);
    }
    const struct value *written = value_find(operation, "value");
    const struct datum *content = written ? patch_content(arena, written, why) : NULL;
    if (*why)
        return NULL;
    if (strcmp(name, "add") == 0)
        return edit(arena, object, &pointer, 0, EDIT_ADD, content, why);
    if (strcmp(name, "replace") == 0)
        return edit(arena, object, &pointer, 0, EDIT_REPLACE, content, why);
    if (strcmp(name, "test") != 0) {
        *why = arena_printf(arena, "the JSON patch has an unknown op \"%s\"", name);
        return NULL;
    }
    if (!datum_equal(look_up(object, &pointer), content)) {
        *why = arena_printf(arena, "testing path %s failed", path);
        return NULL;
    }
    return object;
}

const struct datum *patch_json(struct arena *arena, const struct datum *object,
                               const struct value *patch, const char **why)
{
    *why = NULL;
    if (patch->kind != VALUE_SEQUENCE) {
        *why = "a JSON patch is a list of operations";
        return NULL;
    }
    VALUE_EACH_ITEM(patch, operation)
    {
        object = apply_operation(arena, object, operation, why);
        if (*why)
            return NULL;
    }
    return object;
}
