/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in memory to documents: checks the bytes, picks the reader, splits
 * lists into their items. */
#include "manifest/manifest.h"

#include "manifest/list_items.h"
#include "manifest/manifest_internal.h"
#include "manifest/text_reader.h"
#include "manifest/tree_problems.h"

#include <assert.h>
#include <string.h>

struct manifest_reader {
    struct memory *memory;
    struct arena keys_arena; /* unused if the keys belong to somebody else's */
    struct tree_builder builder;
};

struct manifest_reader *manifest_reader_create_with(struct memory *memory, struct arena *keys_arena,
                                                    bool lenient)
{
    struct manifest_reader *reader = memory_allocate(memory, sizeof(*reader));
    reader->memory = memory;
    arena_init(&reader->keys_arena, memory);
    tree_builder_init(&reader->builder, memory, keys_arena ? keys_arena : &reader->keys_arena);
    reader->builder.lenient = lenient;
    return reader;
}

struct manifest_reader *manifest_reader_create(struct memory *memory)
{
    return manifest_reader_create_with(memory, NULL, false);
}

void manifest_reader_free(struct manifest_reader *reader)
{
    if (!reader)
        return;
    tree_builder_release(&reader->builder);
    arena_release(&reader->keys_arena);
    memory_release(reader->memory, reader, sizeof(*reader));
}

static void report_syntax(struct tree_builder *builder, const struct json_syntax *syntax)
{
    tree_builder_refuse_syntax(builder, syntax->line, syntax->column, "no valid JSON: %s",
                               syntax->message);
}

const struct document *manifest_reader_parse_json(struct manifest_reader *reader,
                                                  struct arena *arena, struct place start,
                                                  const char *bytes, size_t count,
                                                  struct problems *problems)
{
    assert(start.line > 0 && start.column > 0);
    struct tree_builder *builder = &reader->builder;
    size_t skip;
    if (!text_check(bytes, count, start, &skip, problems))
        return NULL;
    struct roots roots = {0};
    struct json_syntax syntax;
    tree_builder_start_text(builder, arena, start.file, problems);
    const enum json_outcome outcome =
        json_read(builder, bytes + skip, count - skip, start, false, &roots, &syntax);
    if (outcome == JSON_NO_JSON)
        report_syntax(builder, &syntax);
    if (outcome != JSON_READ)
        return NULL;
    struct document *document = ARENA_NEW(arena, struct document);
    document->root = roots.items[0];
    return document;
}

static bool starts_like_json(const char *bytes, size_t count)
{
    size_t at = 0;
    while (at < count && strchr(" \t\r\n", bytes[at]))
        at++;
    return at < count && bytes[at] == '{';
}

static bool read_json_or_yaml(struct tree_builder *builder, const char *bytes, size_t count,
                              struct roots *roots)
{
    const struct place start = {.file = builder->file, .line = 1, .column = 1};
    struct json_syntax syntax;
    const enum json_outcome outcome = json_read(builder, bytes, count, start, true, roots, &syntax);
    if (outcome != JSON_NO_JSON)
        return outcome == JSON_READ;
    *roots = (struct roots){0};
    return yaml_read(builder, bytes, count, roots);
}

/* Somebody may have meant the items of a list as manifests. Any other list or scalar is the content
 * of a file that has nothing to do with objects. */
static bool lists_objects(const struct value *root)
{
    return root->kind == VALUE_SEQUENCE && root->count > 0 && value_find(&root->items[0], "kind");
}

static void leave_out(const struct value *root, struct problems *problems)
{
    static const char format[] = "no manifest (expected an object, found %s): left out";
    const char *found = value_describe(problems->arena, root);
    if (lists_objects(root))
        problem_warning(problems, value_place(root), NULL, format, found);
    else
        problem_remark(problems, value_place(root), NULL, format, found);
}

bool manifest_reader_parse(struct manifest_reader *reader, struct arena *arena, const char *file,
                           const char *bytes, size_t count, struct documents *documents,
                           struct problems *problems)
{
    const struct place start = {.file = file, .line = 1, .column = 1};
    size_t skip;
    if (!text_check(bytes, count, start, &skip, problems))
        return false;
    bytes += skip;
    count -= skip;
    struct roots roots = {0};
    tree_builder_start_text(&reader->builder, arena, file, problems);
    bool good = starts_like_json(bytes, count)
                    ? read_json_or_yaml(&reader->builder, bytes, count, &roots)
                    : yaml_read(&reader->builder, bytes, count, &roots);
    const uint32_t errors_before = problems->errors;
    for (uint32_t i = 0; i < roots.count && problems->errors - errors_before < TEXT_PROBLEMS_MOST;
         i++)
        if (reader->builder.lenient && roots.items[i].kind != VALUE_MAPPING)
            leave_out(&roots.items[i], problems);
        else
            good = list_items_append(arena, &roots.items[i], documents, problems) && good;
    return good;
}

bool manifest_parse(struct arena *arena, const char *file, const char *bytes, size_t count,
                    struct documents *documents, struct problems *problems)
{
    struct manifest_reader *reader = manifest_reader_create_with(arena->memory, arena, false);
    const bool good = manifest_reader_parse(reader, arena, file, bytes, count, documents, problems);
    manifest_reader_free(reader);
    return good;
}
