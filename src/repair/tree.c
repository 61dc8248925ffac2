/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/tree.h"

#include "base/vec.h"
#include "manifest/manifest.h"
#include "manifest/value_edit.h"
#include "manifest/yaml_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- paths ---- */

static const char *unescaped(struct arena *arena, const char *key, size_t length)
{
    char *copy = arena_strndup(arena, key, length);
    for (char *c = copy; *c; c++)
        if (*c == '~')
            *c = '.';
    return copy;
}

const char *tree_key_escape(struct arena *arena, const char *key)
{
    char *copy = arena_strdup(arena, key);
    for (char *c = copy; *c; c++)
        if (*c == '.')
            *c = '~';
    return copy;
}

struct tree_path tree_path_parse(struct arena *arena, const char *text)
{
    VEC(struct tree_step) steps = {0};
    for (const char *rest = text; *rest;) {
        const size_t length = strcspn(rest, ".[");
        if (length > 0) {
            const struct tree_step step = {.key = unescaped(arena, rest, length)};
            VEC_PUSH(arena, &steps, step);
        }
        rest += length;
        if (*rest == '[') {
            const struct tree_step step = {.index = (uint32_t)strtoul(rest + 1, NULL, 10)};
            VEC_PUSH(arena, &steps, step);
            rest += strcspn(rest, "]");
            rest += *rest == ']';
        }
        rest += *rest == '.';
    }
    return (struct tree_path){steps.items, steps.count};
}

static const struct value *child_of(const struct value *value, const struct tree_step *step)
{
    if (step->key)
        return value_find(value, step->key);
    return value->kind == VALUE_SEQUENCE && step->index < value->count ? &value->items[step->index]
                                                                       : NULL;
}

const struct value *tree_find(const struct value *root, const struct tree_path *path)
{
    const struct value *value = root;
    for (uint32_t i = 0; value && i < path->count; i++)
        value = child_of(value, &path->steps[i]);
    return value;
}

const struct value *tree_find_text(struct arena *arena, const struct value *root, const char *path)
{
    const struct tree_path steps = tree_path_parse(arena, path);
    return tree_find(root, &steps);
}

/* ---- changed trees ---- */

static struct value with_item(struct arena *arena, const struct value *list, uint32_t index,
                              const struct value *item)
{
    struct value copy = *list;
    struct value *items = ARENA_ARRAY(arena, struct value, list->count + 1);
    memcpy(items, list->items, sizeof(*items) * list->count);
    items[index] = *item;
    copy.items = items;
    return copy;
}

static struct value without_item(struct arena *arena, const struct value *list, uint32_t index)
{
    struct value copy = *list;
    struct value *items = ARENA_ARRAY(arena, struct value, list->count + 1);
    copy.count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (i != index)
            items[copy.count++] = list->items[i];
    copy.items = items;
    return copy;
}

struct value tree_append(struct arena *arena, const struct value *list, const struct value *item)
{
    if (!list || list->kind != VALUE_SEQUENCE)
        return value_of_item(arena, item, *item);
    struct value longer = *list;
    struct value *items = ARENA_ARRAY(arena, struct value, list->count + 1);
    memcpy(items, list->items, sizeof(*items) * list->count);
    longer.items = items;
    longer.count = list->count + 1;
    return with_item(arena, &longer, list->count, item);
}

/* The parent with another child. */
static bool put_child(struct arena *arena, const struct value *parent, const struct tree_step *step,
                      const struct value *child, struct value *result)
{
    if (step->key) {
        if (!value_is_null(parent) && parent->kind != VALUE_MAPPING)
            return false;
        *result = value_with(arena, parent, step->key, *child);
        return true;
    }
    if (!parent || parent->kind != VALUE_SEQUENCE || step->index >= parent->count)
        return false;
    *result = with_item(arena, parent, step->index, child);
    return true;
}

static bool drop_child(struct arena *arena, const struct value *parent,
                       const struct tree_step *step, struct value *result)
{
    if (!parent || !child_of(parent, step))
        return false;
    *result = step->key ? value_without(arena, parent, step->key)
                        : without_item(arena, parent, step->index);
    return true;
}

/* The values along the path, the last of which is replaced or (NULL) dropped. */
static bool change(struct arena *arena, const struct value *root, const struct tree_path *path,
                   const struct value *value, struct value *result)
{
    const struct value **way = ARENA_ARRAY(arena, const struct value *, path->count + 1);
    if (path->count == 0)
        return false;
    way[0] = root;
    for (uint32_t i = 0; i + 1 < path->count; i++)
        way[i + 1] = way[i] ? child_of(way[i], &path->steps[i]) : NULL;
    const uint32_t last = path->count - 1;
    struct value child;
    if (value ? !put_child(arena, way[last], &path->steps[last], value, &child)
              : !drop_child(arena, way[last], &path->steps[last], &child))
        return false;
    for (uint32_t i = last; i-- > 0;) {
        struct value parent;
        if (!put_child(arena, way[i], &path->steps[i], &child, &parent))
            return false;
        child = parent;
    }
    *result = child;
    return true;
}

bool tree_set(struct arena *arena, const struct value *root, const struct tree_path *path,
              const struct value *value, struct value *result)
{
    return change(arena, root, path, value, result);
}

bool tree_remove(struct arena *arena, const struct value *root, const struct tree_path *path,
                 struct value *result)
{
    return change(arena, root, path, NULL, result);
}

/* ---- comparison ---- */

static bool same_members(const struct value *left, const struct value *right)
{
    if (left->count != right->count)
        return false;
    VALUE_EACH_MEMBER(left, member)
    {
        const struct value *other = value_find(right, member->key);
        if (!other || !tree_same(&member->value, other))
            return false;
    }
    return true;
}

bool tree_same(const struct value *left, const struct value *right)
{
    if (left->kind == VALUE_MAPPING && right->kind == VALUE_MAPPING)
        return same_members(left, right);
    if (left->kind != VALUE_SEQUENCE || right->kind != VALUE_SEQUENCE)
        return value_equal(left, right);
    bool same = left->count == right->count;
    for (uint32_t i = 0; same && i < left->count; i++)
        same = tree_same(&left->items[i], &right->items[i]);
    return same;
}

/* ---- from and to text ---- */

bool tree_read(struct arena *arena, const char *text, struct value *value)
{
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, arena);
    const char *whole = arena_printf(arena, "value: %s\n", text);
    if (!manifest_parse(arena, "<repair>", whole, strlen(whole), &documents, &problems) ||
        documents.count != 1)
        return false;
    const struct value *found = value_find(&documents.items[0].root, "value");
    if (found)
        *value = *found;
    return found != NULL;
}

static void write_json_string(struct text *text, const char *string)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    json_string(&json, NULL, string);
}

static void write_string(struct text *text, const char *string, bool quoted)
{
    if (quoted || string[strcspn(string, ",[]{}")])
        write_json_string(text, string);
    else
        yaml_write_string(text, string);
}

void tree_write(struct text *text, const struct value *value, bool quoted)
{
    const bool mapping = value->kind == VALUE_MAPPING;
    if (!mapping && value->kind != VALUE_SEQUENCE) {
        if (value->kind == VALUE_STRING)
            write_string(text, value->text, quoted);
        else
            text_append_string(text, value->kind == VALUE_NULL ? "null" : value->text);
        return;
    }
    text_append_char(text, mapping ? '{' : '[');
    for (uint32_t i = 0; i < value->count; i++) {
        text_append_string(text, i > 0 ? ", " : "");
        if (mapping) {
            write_string(text, value->members[i].key, quoted);
            text_append_string(text, ": ");
        }
        tree_write(text, mapping ? &value->members[i].value : &value->items[i], quoted);
    }
    text_append_char(text, mapping ? '}' : ']');
}
