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

static bool read_pointer(struct patching *patching, const char *text, struct pointer *pointer)
{
    *pointer = (struct pointer){0};
    while (*text == '/') {
        const size_t length = strcspn(text + 1, "/");
        if (pointer->count == POINTER_MOST) {
            patching->why = "a path of the JSON patch is too long";
            return false;
        }
        pointer->parts[pointer->count++] = unescaped(patching->arena, text + 1, length);
        text += 1 + length;
    }
    if (!*text)
        return true;
    patching->why = "a path of the JSON patch does not start with \"/\"";
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

static const struct datum *edit(struct patching *patching, const struct datum *value,
                                const struct pointer *pointer, uint32_t depth, enum edit how,
                                const struct datum *content);

static const struct datum *edit_list(struct patching *patching, const struct datum *list,
                                     const struct pointer *pointer, uint32_t depth, enum edit how,
                                     const struct datum *content)
{
    uint32_t index = 0;
    const bool last = depth + 1 == pointer->count;
    const bool found = read_index(pointer->parts[depth], list->count, &index);
    if (!found || (index == list->count && !(last && how == EDIT_ADD))) {
        patching->why = "a path of the JSON patch names no item of its list";
        return NULL;
    }
    if (patching_spend(patching, patching_work(list)))
        return NULL;
    const struct datum **items =
        ARENA_ARRAY(patching->arena, const struct datum *, list->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        if (i == index && last && how == EDIT_ADD)
            items[count++] = content;
        if (i == list->count)
            break;
        if (i != index || (last && how == EDIT_ADD))
            items[count++] = list->items[i];
        else if (!last)
            items[count++] = edit(patching, list->items[i], pointer, depth + 1, how, content);
        else if (how == EDIT_REPLACE)
            items[count++] = content;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!items[i]) {
            patching->why = patching->why ? patching->why : "a list cannot hold null";
            return NULL;
        }
    return datum_list(patching->arena, items, count);
}

static const struct datum *edit(struct patching *patching, const struct datum *value,
                                const struct pointer *pointer, uint32_t depth, enum edit how,
                                const struct datum *content)
{
    if (depth == pointer->count)
        return content;
    if (value && value->kind == DATUM_LIST)
        return edit_list(patching, value, pointer, depth, how, content);
    if (!value || value->kind != DATUM_OBJECT) {
        patching->why = "a path of the JSON patch leads nowhere";
        return NULL;
    }
    const char *key = pointer->parts[depth];
    const struct datum *member = datum_member(value, key);
    const bool last = depth + 1 == pointer->count;
    if (!member && (!last || how != EDIT_ADD)) {
        patching->why =
            arena_printf(patching->arena, "the JSON patch needs \"%s\", which is not there", key);
        return NULL;
    }
    const struct datum *changed =
        last ? content : edit(patching, member, pointer, depth + 1, how, content);
    return patching->why ? NULL : patch_member(patching, value, key, changed);
}

/* The bytes of a value as JSON, about, or more than `most`. What is counted may be shared, and
 * written many times: that is what a copy adds. */
static size_t bytes_of(const struct datum *value, size_t most)
{
    size_t bytes = 2;
    if (value->kind == DATUM_STRING)
        bytes += value->count;
    for (uint32_t i = 0; value->kind == DATUM_LIST && i < value->count && bytes <= most; i++)
        bytes += bytes_of(value->items[i], most - bytes);
    for (uint32_t i = 0; value->kind == DATUM_OBJECT && i < value->count && bytes <= most; i++) {
        bytes += strlen(value->members[i].key) + 4;
        if (bytes <= most)
            bytes += bytes_of(value->members[i].value, most - bytes);
    }
    return bytes;
}

static bool spend_copy(struct patching *patching, const struct datum *copied)
{
    const size_t bytes = bytes_of(copied, patching->copied_bytes_left);
    if (bytes <= patching->copied_bytes_left) {
        patching->copied_bytes_left -= bytes;
        return false;
    }
    patching->too_large = true;
    patching->why = arena_printf(patching->arena,
                                 "the copies of the JSON patch are larger than %d bytes together",
                                 PATCH_COPIED_BYTES_MOST);
    return true;
}

static const struct datum *copy_or_move(struct patching *patching, const struct datum *object,
                                        const struct value *operation,
                                        const struct pointer *pointer, bool moves)
{
    struct pointer source;
    const char *from = value_find_string(operation, "from");
    if (!from || !read_pointer(patching, from, &source)) {
        patching->why =
            patching->why ? patching->why : "an operation of the JSON patch has no from";
        return NULL;
    }
    const struct datum *moved = look_up(object, &source);
    if (!moved) {
        patching->why =
            arena_printf(patching->arena, "the JSON patch needs \"%s\", which is not there", from);
        return NULL;
    }
    if (!moves && spend_copy(patching, moved))
        return NULL;
    if (moves)
        object = edit(patching, object, &source, 0, EDIT_REMOVE, NULL);
    return patching->why ? NULL : edit(patching, object, pointer, 0, EDIT_ADD, moved);
}

static const struct datum *apply_operation(struct patching *patching, const struct datum *object,
                                           const struct value *operation)
{
    const char *name = value_find_string(operation, "op");
    const char *path = value_find_string(operation, "path");
    struct pointer pointer;
    if (!name || !path) {
        patching->why = "an operation of the JSON patch has no op or no path";
        return NULL;
    }
    if (!read_pointer(patching, path, &pointer))
        return NULL;
    if (strcmp(name, "remove") == 0)
        return edit(patching, object, &pointer, 0, EDIT_REMOVE, NULL);
    if (strcmp(name, "move") == 0 || strcmp(name, "copy") == 0)
        return copy_or_move(patching, object, operation, &pointer, strcmp(name, "move") == 0);
    const struct value *written = value_find(operation, "value");
    const struct datum *content =
        written ? patch_content(patching->arena, written, &patching->why) : NULL;
    if (patching->why)
        return NULL;
    if (strcmp(name, "add") == 0)
        return edit(patching, object, &pointer, 0, EDIT_ADD, content);
    if (strcmp(name, "replace") == 0)
        return edit(patching, object, &pointer, 0, EDIT_REPLACE, content);
    if (strcmp(name, "test") != 0) {
        patching->why =
            arena_printf(patching->arena, "the JSON patch has an unknown op \"%s\"", name);
        return NULL;
    }
    if (!datum_equal(look_up(object, &pointer), content)) {
        patching->why = arena_printf(patching->arena, "testing path %s failed", path);
        return NULL;
    }
    return object;
}

const struct datum *patch_json(struct patching *patching, const struct datum *object,
                               const struct value *patch)
{
    if (patch->kind != VALUE_SEQUENCE) {
        patching->why = "a JSON patch is a list of operations";
        return NULL;
    }
    if (patch->count > PATCH_OPERATIONS_MOST) {
        patching->too_large = true;
        patching->why = arena_printf(patching->arena,
                                     "the allowed maximum operations in a JSON patch is %d, got %u",
                                     PATCH_OPERATIONS_MOST, patch->count);
        return NULL;
    }
    VALUE_EACH_ITEM(patch, operation)
    {
        object = apply_operation(patching, object, operation);
        if (patching->why)
            return NULL;
    }
    return object;
}
