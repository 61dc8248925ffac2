/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/text_edit.h"

#include "manifest/yaml_writer.h"

#include <string.h>

struct editing {
    struct arena *arena;
    const char *text;
};

/* ---- places ---- */

/* The offset of a place: lines and characters count from 1. */
static size_t offset_of(const char *text, uint32_t line, uint32_t column)
{
    const char *at = text;
    for (uint32_t i = 1; i < line; i++) {
        const char *end = strchr(at, '\n');
        if (!end)
            return strlen(text);
        at = end + 1;
    }
    for (uint32_t i = 1; i < column && *at && *at != '\n'; i++)
        for (at++; ((unsigned char)*at & 0xC0) == 0x80;)
            at++;
    return (size_t)(at - text);
}

static size_t line_start(const char *text, size_t offset)
{
    while (offset > 0 && text[offset - 1] != '\n')
        offset--;
    return offset;
}

static size_t next_line(const char *text, size_t offset)
{
    const char *end = strchr(text + offset, '\n');
    return end ? (size_t)(end - text) + 1 : strlen(text);
}

static size_t indent_of(const char *text, size_t start)
{
    return strspn(text + start, " ");
}

/* Neither blank nor a comment. */
static bool has_content(const char *text, size_t start)
{
    const char c = text[start + indent_of(text, start)];
    return c != '\n' && c != '\r' && c != '#' && c != '\0';
}

/* Is the line a new document, or the end of one? */
static bool is_marker(const char *text, size_t start)
{
    return strncmp(text + start, "---", 3) == 0 || strncmp(text + start, "...", 3) == 0;
}

/* Where the lines end that belong to what begins on this line with this indentation: comments and
 * blank lines behind it do not. `items`: lines with a dash in the same column belong to it. */
static size_t block_end(const char *text, size_t start, size_t indent, bool items)
{
    size_t end = next_line(text, start);
    for (size_t at = end; text[at]; at = next_line(text, at)) {
        const size_t own = indent_of(text, at);
        if (!has_content(text, at))
            continue;
        if (is_marker(text, at) || own < indent ||
            (own == indent && !(items && text[at + own] == '-')))
            break;
        end = next_line(text, at);
    }
    return end;
}

/* ---- flow style ---- */

/* Behind the string that begins here. */
static size_t string_end(const char *text, size_t at)
{
    const char quote = text[at++];
    while (text[at] && text[at] != quote)
        at += text[at] == '\\' && quote == '"' && text[at + 1] ? 2 : 1;
    return text[at] ? at + 1 : at;
}

/* Behind the bracket that closes the one here. */
static size_t flow_end(const char *text, size_t at)
{
    uint32_t depth = 0;
    while (text[at]) {
        const char c = text[at];
        if (c == '"' || (c == '\'' && strchr(" ,:[{", text[at - 1]))) {
            at = string_end(text, at);
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

/* Behind a value that stands in flow style or is a scalar on one line; 0: it is something else. */
static size_t inline_end(const char *text, size_t at, const struct value *value)
{
    if (text[at] == '{' || text[at] == '[')
        return flow_end(text, at);
    if (value->kind == VALUE_MAPPING || value->kind == VALUE_SEQUENCE)
        return 0;
    if (text[at] == '"' || text[at] == '\'')
        return string_end(text, at);
    return strncmp(text + at, value->text, strlen(value->text)) == 0 && *value->text
               ? at + strlen(value->text)
               : 0;
}

/* ---- pieces ---- */

static char *replace(const struct editing *editing, size_t from, size_t to, const char *with)
{
    return arena_printf(editing->arena, "%.*s%s%s", (int)from, editing->text, with,
                        editing->text + to);
}

static const char *written(const struct editing *editing, const struct value *value, bool quoted)
{
    struct text text;
    text_init(&text, editing->arena->memory);
    tree_write(&text, value, quoted);
    return text_keep(&text, editing->arena);
}

static size_t place_of(const struct editing *editing, const struct value *value)
{
    return offset_of(editing->text, value->line, value->column);
}

static size_t key_place(const struct editing *editing, const struct member *member)
{
    return offset_of(editing->text, member->key_line, member->key_column);
}

static bool is_flow(const struct editing *editing, const struct value *value)
{
    const char c = editing->text[place_of(editing, value)];
    return c == '{' || c == '[';
}

/* JSON, or YAML that looks like it, has its keys in quotes. */
static bool is_quoted(const struct editing *editing, const struct value *mapping)
{
    return mapping->kind == VALUE_MAPPING && mapping->count > 0 &&
           editing->text[key_place(editing, &mapping->members[0])] == '"';
}

/* ---- something more ---- */

/* Before the bracket that closes. */
static char *put_into_flow(const struct editing *editing, const struct value *around,
                           const char *what)
{
    size_t end = flow_end(editing->text, place_of(editing, around)) - 1;
    while (end > 0 && strchr(" \t\r\n", editing->text[end - 1]))
        end--;
    return replace(editing, end, end,
                   arena_printf(editing->arena, "%s%s", around->count > 0 ? ", " : "", what));
}

static char *put_line(const struct editing *editing, size_t at, size_t indent, const char *what)
{
    const bool open = at > 0 && editing->text[at - 1] != '\n';
    return replace(
        editing, at, at,
        arena_printf(editing->arena, "%s%*s%s\n", open ? "\n" : "", (int)indent, "", what));
}

static char *put_member(const struct editing *editing, const struct value *mapping, const char *key,
                        const struct value *value)
{
    const bool quoted = is_quoted(editing, mapping);
    const struct value name = {.text = key, .kind = VALUE_STRING};
    const char *what = arena_printf(editing->arena, "%s: %s", written(editing, &name, quoted),
                                    written(editing, value, quoted));
    if (is_flow(editing, mapping))
        return put_into_flow(editing, mapping, what);
    if (mapping->count == 0)
        return NULL;
    const struct member *last = &mapping->members[mapping->count - 1];
    const size_t at = key_place(editing, last);
    const size_t indent = at - line_start(editing->text, at);
    return put_line(editing,
                    block_end(editing->text, line_start(editing->text, at), indent,
                              last->value.kind == VALUE_SEQUENCE),
                    indent, what);
}

/* The dash of a block item; SIZE_MAX: there is none on its line. */
static size_t dash_of(const struct editing *editing, const struct value *item)
{
    size_t at = place_of(editing, item);
    const size_t start = line_start(editing->text, at);
    while (at > start && editing->text[at - 1] == ' ')
        at--;
    return at > start && editing->text[at - 1] == '-' ? at - 1 : SIZE_MAX;
}

static char *put_item(const struct editing *editing, const struct value *list,
                      const struct value *item)
{
    if (is_flow(editing, list))
        return put_into_flow(
            editing, list,
            written(editing, item, list->count > 0 && is_quoted(editing, &list->items[0])));
    const size_t dash =
        list->count > 0 ? dash_of(editing, &list->items[list->count - 1]) : SIZE_MAX;
    if (dash == SIZE_MAX)
        return NULL;
    const size_t start = line_start(editing->text, dash);
    const size_t indent = dash - start;
    return put_line(editing, block_end(editing->text, start, indent + 1, false), indent,
                    arena_printf(editing->arena, "- %s", written(editing, item, false)));
}

/* ---- something less ---- */

/* With the comma behind it, or before it. */
static char *cut_from_flow(const struct editing *editing, size_t from, size_t to)
{
    const char *text = editing->text;
    const size_t behind = to + strspn(text + to, " \t\r\n");
    if (text[behind] == ',')
        return replace(editing, from, behind + 1 + strspn(text + behind + 1, " \t\r\n"), "");
    while (from > 0 && strchr(" \t\r\n", text[from - 1]))
        from--;
    return replace(editing, from > 0 && text[from - 1] == ',' ? from - 1 : from, to, "");
}

static char *cut_member(const struct editing *editing, const struct value *mapping, uint32_t number)
{
    const struct member *member = &mapping->members[number];
    const size_t at = key_place(editing, member);
    const size_t start = line_start(editing->text, at);
    if (is_flow(editing, mapping)) {
        const size_t end =
            inline_end(editing->text, place_of(editing, &member->value), &member->value);
        return end ? cut_from_flow(editing, at, end) : NULL;
    }
    if (indent_of(editing->text, start) != at - start) /* behind a dash */
        return number + 1 < mapping->count
                   ? replace(editing, at, key_place(editing, member + 1), "")
                   : NULL;
    return replace(
        editing, start,
        block_end(editing->text, start, at - start, member->value.kind == VALUE_SEQUENCE), "");
}

static char *cut_item(const struct editing *editing, const struct value *list, uint32_t number)
{
    const struct value *item = &list->items[number];
    if (is_flow(editing, list)) {
        const size_t end = inline_end(editing->text, place_of(editing, item), item);
        return end ? cut_from_flow(editing, place_of(editing, item), end) : NULL;
    }
    const size_t dash = dash_of(editing, item);
    if (dash == SIZE_MAX)
        return NULL;
    const size_t start = line_start(editing->text, dash);
    if (indent_of(editing->text, start) != dash - start)
        return NULL;
    return replace(editing, start, block_end(editing->text, start, dash - start + 1, false), "");
}

/* ---- something else ---- */

static uint32_t member_number(const struct value *mapping, const char *key)
{
    uint32_t number = 0;
    while (number < mapping->count && strcmp(mapping->members[number].key, key) != 0)
        number++;
    return number;
}

/* A block that becomes something else is written anew behind its key. */
static char *put_instead(const struct editing *editing, const struct value *mapping,
                         uint32_t number, const struct value *value)
{
    const struct member *member = &mapping->members[number];
    const size_t at = key_place(editing, member);
    const size_t start = line_start(editing->text, at);
    const char *colon = strchr(editing->text + at, ':');
    if (!colon || is_flow(editing, mapping))
        return NULL;
    return replace(
        editing, (size_t)(colon - editing->text) + 1,
        block_end(editing->text, start, at - start, member->value.kind == VALUE_SEQUENCE),
        arena_printf(editing->arena, " %s\n", written(editing, value, false)));
}

static char *put_value(const struct editing *editing, const struct value *parent,
                       const struct tree_step *step, const struct value *old,
                       const struct value *value)
{
    const size_t at = place_of(editing, old);
    const size_t end = inline_end(editing->text, at, old);
    if (end)
        return replace(
            editing, at, end,
            written(editing, value, editing->text[at] == '"' && is_quoted(editing, parent)));
    return step->key ? put_instead(editing, parent, member_number(parent, step->key), value) : NULL;
}

/* Mappings for the rest of the path around the value. */
static struct value nest(struct arena *arena, const struct tree_path *path, uint32_t from,
                         const struct value *value)
{
    struct value inner = *value;
    for (uint32_t i = path->count; i-- > from;) {
        struct member *member = ARENA_NEW(arena, struct member);
        *member = (struct member){.key = path->steps[i].key, .value = inner};
        inner = (struct value){.kind = VALUE_MAPPING, .members = member, .count = 1};
    }
    return inner;
}

static char *set(const struct editing *editing, const struct value *root,
                 const struct tree_path *path, const struct value *value)
{
    const struct value *parent = root;
    for (uint32_t i = 0; i < path->count; i++) {
        const struct tree_path step = {&path->steps[i], 1};
        const struct value *child = tree_find(parent, &step);
        const struct value nested = nest(editing->arena, path, i + 1, value);
        if (!child)
            return path->steps[i].key ? put_member(editing, parent, path->steps[i].key, &nested)
                                      : NULL;
        if (i + 1 == path->count || value_is_null(child))
            return put_value(editing, parent, &path->steps[i], child, &nested);
        parent = child;
    }
    return NULL;
}

static char *drop(const struct editing *editing, const struct value *root,
                  const struct tree_path *path)
{
    const struct tree_path above = {path->steps, path->count - 1};
    const struct tree_step *last = &path->steps[path->count - 1];
    const struct value *parent = tree_find(root, &above);
    if (!parent)
        return NULL;
    if (parent->count == 1 && above.count > 0 && !is_flow(editing, parent)) {
        const struct value empty = {.kind = last->key ? VALUE_MAPPING : VALUE_SEQUENCE};
        return set(editing, root, &above, &empty);
    }
    return last->key ? cut_member(editing, parent, member_number(parent, last->key))
                     : cut_item(editing, parent, last->index);
}

static char *append(const struct editing *editing, const struct value *root,
                    const struct tree_path *path, const struct value *item)
{
    const struct value *list = tree_find(root, path);
    if (list && list->kind == VALUE_SEQUENCE && list->count > 0)
        return put_item(editing, list, item);
    const struct value one = tree_append(editing->arena, NULL, item);
    return set(editing, root, path, &one);
}

/* The lines between the markers around it. */
static char *delete (const struct editing *editing, const struct value *root)
{
    const char *text = editing->text;
    size_t start = line_start(text, place_of(editing, root));
    size_t end = next_line(text, start);
    while (start > 0 && !is_marker(text, start))
        start = line_start(text, start - 1);
    while (text[end] && !is_marker(text, end))
        end = next_line(text, end);
    if (!is_marker(text, start) && text[end])
        end = next_line(text, end);
    return replace(editing, start, end, "");
}

char *text_edit_change(struct arena *arena, const char *text, const struct value *root,
                       const struct edit_change *change)
{
    const struct editing editing = {arena, text};
    const struct tree_path path = tree_path_parse(arena, change->path);
    switch (change->kind) {
    case CHANGE_SET: return set(&editing, root, &path, &change->value);
    case CHANGE_DROP: return drop(&editing, root, &path);
    case CHANGE_ITEM: return append(&editing, root, &path, &change->value);
    case CHANGE_DELETE: return delete (&editing, root);
    default: return NULL;
    }
}

char *text_edit_add(struct arena *arena, const char *text, const struct value *root)
{
    struct text added;
    const size_t length = strlen(text);
    const char first = text[strspn(text, " \t\r\n")];
    if (first == '{' || first == '[') /* JSON has one document */
        return NULL;
    text_init(&added, arena->memory);
    text_append_string(&added, text);
    text_append_string(&added, length > 0 && text[length - 1] != '\n' ? "\n---\n" : "---\n");
    yaml_write(&added, root, 0);
    return text_keep(&added, arena);
}
