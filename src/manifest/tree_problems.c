/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a builder finds wrong, with the path of the value that is being built.
 * The path is read off the frames that are open.
 */
#include "manifest/tree_problems.h"

#include "base/text.h"

static void append_step(struct tree_builder *builder, struct text *path, uint32_t level)
{
    const struct tree_frame *frame = &builder->frames[level];
    if (frame->kind == VALUE_SEQUENCE) {
        const bool innermost = level + 1 == builder->depth;
        const uint32_t end = innermost ? builder->stack_count : builder->frames[level + 1].first;
        text_printf(path, "[%u]", (unsigned)(end - frame->first));
    } else if (frame->has_key) {
        text_printf(path, "%s%s", path->length > 0 ? "." : "", frame->key);
    }
}

/* "spec.containers[0].image"; NULL at the root. */
static const char *path_of(struct tree_builder *builder)
{
    struct text path;
    text_init(&path, builder->memory);
    for (uint32_t level = 0; level < builder->depth; level++)
        append_step(builder, &path, level);
    const char *kept =
        path.length > 0 ? arena_strdup(builder->problems->arena, text_content(&path)) : NULL;
    text_release(&path);
    return kept;
}

static void refuse(struct tree_builder *builder, uint32_t line, uint32_t column, const char *path,
                   const char *format, va_list arguments)
{
    const char *message = arena_vprintf(builder->problems->arena, format, arguments);
    const struct place place = {.file = builder->file, .line = line, .column = column};
    problem_error(builder->problems, place, path, "%s", message);
    builder->failed = true;
    builder->refusals++;
}

void tree_builder_warn(struct tree_builder *builder, uint32_t line, uint32_t column,
                       const char *message)
{
    const struct place place = {.file = builder->file, .line = line, .column = column};
    problem_warning(builder->problems, place, path_of(builder), "%s", message);
}

void tree_builder_refuse(struct tree_builder *builder, uint32_t line, uint32_t column,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(builder, line, column, path_of(builder), format, arguments);
    va_end(arguments);
}

void tree_builder_refuse_syntax(struct tree_builder *builder, uint32_t line, uint32_t column,
                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(builder, line, column, NULL, format, arguments);
    va_end(arguments);
}
