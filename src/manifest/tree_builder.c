/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack of members and the stack of frames that point into it.
 *
 * Aliases: an anchor remembers its value, how many values that stands for and
 * how tall it is. An alias copies the value (sharing the children) and adds
 * these numbers to the counts, so a chain of aliases that would unfold to
 * billions of values is noticed while it is still short. An anchor whose value
 * has not ended cannot be used: there are no cycles.
 */
#include "manifest/tree_builder.h"

#include "manifest/tree_members.h"
#include "manifest/tree_problems.h"

#include <assert.h>
#include <string.h>

struct tree_anchor {
    struct value value;
    uint64_t values; /* that it stands for, itself included */
    uint32_t height; /* of its nesting; a scalar's is 0 */
    bool ended;
};

/* A pod's members and items fit; large lists make it grow. */
enum { STACK_CAPACITY_FIRST = 256 };

void tree_builder_init(struct tree_builder *builder, struct memory *memory,
                       struct arena *keys_arena)
{
    memset(builder, 0, sizeof(*builder));
    builder->memory = memory;
    map_init(&builder->keys, keys_arena);
    arena_init(&builder->scratch, memory);
    builder->stack_capacity = STACK_CAPACITY_FIRST;
    builder->stack = memory_allocate(memory, STACK_CAPACITY_FIRST * sizeof(*builder->stack));
}

void tree_builder_release(struct tree_builder *builder)
{
    memory_release(builder->memory, builder->stack,
                   builder->stack_capacity * sizeof(*builder->stack));
    arena_release(&builder->scratch);
}

void tree_builder_start_text(struct tree_builder *builder, struct arena *arena, const char *file,
                             struct problems *problems)
{
    builder->arena = arena;
    builder->file = file;
    builder->problems = problems;
    builder->failed = false;
    builder->refusals = 0;
    builder->duplicates = 0;
    builder->values_written = 0;
    builder->values_aliased = 0;
    tree_builder_start_document(builder);
}

void tree_builder_start_document(struct tree_builder *builder)
{
    builder->depth = 0;
    builder->stack_count = 0;
    builder->next_anchor = NULL;
    builder->root = (struct value){.kind = VALUE_NULL};
    if (builder->scratch.block)
        arena_release(&builder->scratch);
    map_init(&builder->anchors, &builder->scratch);
}

static const char *keep_key(struct tree_builder *builder, const char *text, size_t length)
{
    if (builder->keys.count < KEYS_SHARED_MOST)
        return map_intern(&builder->keys, text, length);
    return arena_strndup(builder->arena, text, length);
}

static bool set_key(struct tree_builder *builder, const struct tree_scalar *scalar)
{
    struct tree_frame *frame = &builder->frames[builder->depth - 1];
    if (scalar->kind == SCALAR_NULL) {
        tree_builder_refuse(builder, scalar->line, scalar->column,
                            "expected a string as key, found null");
        return false;
    }
    if (scalar->is_merge) {
        frame->key = tree_merge_key;
        frame->has_merge = true;
    } else if (scalar->kind == SCALAR_STRING) {
        frame->key = keep_key(builder, scalar->text, scalar->length);
    } else {
        const char *text = tree_key_text(&builder->scratch, scalar);
        frame->key = keep_key(builder, text, strlen(text));
    }
    frame->key_line = scalar->line;
    frame->key_column = scalar->column;
    frame->has_key = true;
    return true;
}

static void push_member(struct tree_builder *builder, const struct member *member)
{
    if (builder->stack_count == builder->stack_capacity) {
        const uint32_t wanted = builder->stack_capacity * 2;
        builder->stack = memory_resize(builder->memory, builder->stack,
                                       builder->stack_capacity * sizeof(*builder->stack),
                                       wanted * sizeof(*builder->stack));
        builder->stack_capacity = wanted;
    }
    builder->stack[builder->stack_count++] = *member;
}

static bool key_expected(const struct tree_builder *builder)
{
    if (builder->depth == 0)
        return false;
    const struct tree_frame *frame = &builder->frames[builder->depth - 1];
    return frame->kind == VALUE_MAPPING && !frame->has_key;
}

/* A finished value goes to the container that is open, or is the root. */
static void add_value(struct tree_builder *builder, const struct value *value, uint32_t height)
{
    if (builder->depth == 0) {
        builder->root = *value;
        return;
    }
    struct tree_frame *frame = &builder->frames[builder->depth - 1];
    assert(frame->kind == VALUE_SEQUENCE || frame->has_key);
    const struct member member = {.key = frame->key,
                                  .key_line = frame->key_line,
                                  .key_column = frame->key_column,
                                  .value = *value};
    push_member(builder, &member);
    frame->has_key = false;
    if (height > frame->height)
        frame->height = height;
}

static struct value scalar_value(struct tree_builder *builder, const struct tree_scalar *scalar)
{
    static const uint8_t kinds[] = {
        [SCALAR_NULL] = VALUE_NULL,     [SCALAR_FALSE] = VALUE_BOOLEAN,
        [SCALAR_TRUE] = VALUE_BOOLEAN,  [SCALAR_INTEGER] = VALUE_INTEGER,
        [SCALAR_FLOAT] = VALUE_FLOAT,   [SCALAR_NOT_FINITE] = VALUE_FLOAT,
        [SCALAR_STRING] = VALUE_STRING,
    };
    return (struct value){
        .text = arena_strndup(builder->arena, scalar->text, scalar->length),
        .file = builder->file,
        .line = scalar->line,
        .column = scalar->column,
        .count = (uint32_t)scalar->length,
        .kind = kinds[scalar->kind],
        .truth = scalar->kind == SCALAR_TRUE,
    };
}

static bool acceptable_scalar(struct tree_builder *builder, const struct tree_scalar *scalar)
{
    if (scalar->length > SCALAR_BYTES_MOST)
        tree_builder_refuse(builder, scalar->line, scalar->column,
                            "text of %zu bytes; at most %u are allowed", scalar->length,
                            (unsigned)SCALAR_BYTES_MOST);
    else if (memchr(scalar->text, '\0', scalar->length))
        tree_builder_refuse(builder, scalar->line, scalar->column, "text contains a NUL character");
    else if (scalar->kind == SCALAR_NOT_FINITE && !key_expected(builder))
        tree_builder_refuse(builder, scalar->line, scalar->column,
                            "expected a finite number, found %s", scalar->text);
    else
        return true;
    return false;
}

static void end_anchor(struct tree_anchor *anchor, const struct value *value, uint64_t values,
                       uint32_t height)
{
    anchor->value = *value;
    anchor->values = values;
    anchor->height = height;
    anchor->ended = true;
}

bool tree_builder_scalar(struct tree_builder *builder, const struct tree_scalar *scalar)
{
    if (!acceptable_scalar(builder, scalar))
        return false;
    builder->values_written++;
    struct tree_anchor *anchor = builder->next_anchor;
    builder->next_anchor = NULL;
    const bool is_key = key_expected(builder);
    if (is_key && !set_key(builder, scalar))
        return false;
    if (is_key && !anchor)
        return true;
    const struct value value = scalar_value(builder, scalar);
    if (anchor)
        end_anchor(anchor, &value, 1, 0);
    if (!is_key)
        add_value(builder, &value, 0);
    return true;
}

static bool refuse_container_as_key(struct tree_builder *builder, enum value_kind kind,
                                    uint32_t line, uint32_t column)
{
    tree_builder_refuse(builder, line, column,
                        "expected a string as key, found %s (is this a template that "
                        "has not been rendered?)",
                        value_kind_name(kind));
    return false;
}

static bool refuse_depth(struct tree_builder *builder, uint32_t line, uint32_t column)
{
    /* The path would be as long as the nesting is deep. */
    tree_builder_refuse_syntax(builder, line, column, "nested more than %d levels deep",
                               DOCUMENT_DEPTH_MOST);
    return false;
}

bool tree_builder_begin(struct tree_builder *builder, enum value_kind kind, uint32_t line,
                        uint32_t column)
{
    assert(kind == VALUE_SEQUENCE || kind == VALUE_MAPPING);
    if (key_expected(builder))
        return refuse_container_as_key(builder, kind, line, column);
    if (builder->depth == DOCUMENT_DEPTH_MOST)
        return refuse_depth(builder, line, column);
    builder->frames[builder->depth++] = (struct tree_frame){
        .kind = (uint8_t)kind,
        .line = line,
        .column = column,
        .first = builder->stack_count,
        .anchor = builder->next_anchor,
        .values_before = builder->values_written + builder->values_aliased,
    };
    builder->values_written++;
    builder->next_anchor = NULL;
    return true;
}

static const struct value *keep_items(struct tree_builder *builder, const struct member *children,
                                      uint32_t count)
{
    struct value *items = arena_allocate_raw(builder->arena, count * sizeof(*items), 8);
    for (uint32_t i = 0; i < count; i++)
        items[i] = children[i].value;
    return items;
}

static const struct member *keep_members(struct tree_builder *builder,
                                         const struct member *children, uint32_t count)
{
    struct member *members = arena_allocate_raw(builder->arena, count * sizeof(*members), 8);
    if (count > 0)
        memcpy(members, children, count * sizeof(*members));
    return members;
}

bool tree_builder_end(struct tree_builder *builder)
{
    assert(builder->depth > 0);
    struct tree_frame *frame = &builder->frames[builder->depth - 1];
    assert(!frame->has_key);
    struct member *children = builder->stack + frame->first;
    uint32_t count = builder->stack_count - frame->first;
    struct value value = {
        .file = builder->file, .line = frame->line, .column = frame->column, .kind = frame->kind};
    const struct arena_mark mark = arena_mark(&builder->scratch);
    if (frame->kind == VALUE_MAPPING) {
        count = tree_settle_members(builder, &children, count, frame->has_merge);
        value.members = keep_members(builder, children, count);
    } else {
        value.items = keep_items(builder, children, count);
    }
    arena_rewind(&builder->scratch, mark);
    value.count = count;
    builder->stack_count = frame->first;
    builder->depth--;
    const uint64_t values = builder->values_written + builder->values_aliased;
    if (frame->anchor)
        end_anchor(frame->anchor, &value, values - frame->values_before, frame->height + 1);
    add_value(builder, &value, frame->height + 1);
    return builder->refusals < TEXT_PROBLEMS_MOST;
}

void tree_builder_anchor(struct tree_builder *builder, const char *name)
{
    const char *kept = arena_strdup(&builder->scratch, name);
    builder->next_anchor = ARENA_NEW(&builder->scratch, struct tree_anchor);
    map_put(&builder->anchors, kept)->value = builder->next_anchor;
}

/* An alias in the place of a key is the scalar it stands for. */
static bool alias_as_key(struct tree_builder *builder, const struct value *value, uint32_t line,
                         uint32_t column)
{
    if (value->kind == VALUE_SEQUENCE || value->kind == VALUE_MAPPING)
        return refuse_container_as_key(builder, value->kind, line, column);
    struct tree_scalar scalar = {
        .kind = SCALAR_STRING, .text = value->text, .length = value->count};
    if (value->kind != VALUE_STRING)
        scalar.kind = scalar_resolve(value->text, value->count);
    scalar.line = line;
    scalar.column = column;
    return set_key(builder, &scalar);
}

bool tree_builder_alias(struct tree_builder *builder, const char *name, uint32_t line,
                        uint32_t column)
{
    const struct tree_anchor *anchor = map_get(&builder->anchors, name);
    if (!anchor) {
        tree_builder_refuse(builder, line, column, "no anchor &%s before this alias", name);
        return false;
    }
    if (!anchor->ended) {
        tree_builder_refuse(builder, line, column, "the value of anchor &%s contains itself", name);
        return false;
    }
    if (key_expected(builder))
        return alias_as_key(builder, &anchor->value, line, column);
    if (builder->depth + anchor->height > DOCUMENT_DEPTH_MOST)
        return refuse_depth(builder, line, column);
    builder->values_aliased += anchor->values;
    if (builder->values_aliased >
        ALIASED_VALUES_FREE + ALIASED_VALUES_RATIO * builder->values_written) {
        tree_builder_refuse(builder, line, column,
                            "aliases repeat too much: %llu values from %llu written",
                            (unsigned long long)builder->values_aliased,
                            (unsigned long long)builder->values_written);
        return false;
    }
    add_value(builder, &anchor->value, anchor->height);
    return true;
}
