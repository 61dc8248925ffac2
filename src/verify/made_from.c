/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/made_from.h"

#include "base/hash.h"
#include "base/input_file.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

bool input_file_hash(struct memory *memory, const char *name, uint64_t *hash)
{
    struct text content;
    char block[8192];
    FILE *file = name[0] != '<' ? input_reopen(name) : NULL;
    if (!file)
        return false;
    text_init(&content, memory);
    for (size_t count; (count = fread(block, 1, sizeof(block), file)) > 0;)
        text_append(&content, block, count);
    const bool good = !ferror(file);
    fclose(file);
    *hash = hash_bytes(text_content(&content), content.length);
    text_release(&content);
    return good;
}

typedef VEC(struct input_file) input_files;

static void add_file(struct arena *arena, input_files *files, const char *name)
{
    for (uint32_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return;
    struct input_file file = {.name = name};
    file.readable = input_file_hash(arena->memory, name, &file.hash);
    VEC_PUSH(arena, files, file);
}

static void add_files(struct arena *arena, input_files *files, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].place.file)
            add_file(arena, files, objects->items[i].place.file);
}

struct made_from made_from_plan(struct arena *arena, const struct verify_plan *plan, uint32_t unit,
                                struct string_list arguments)
{
    const struct check *check = plan->scope.check;
    input_files files = {0};
    add_files(arena, &files, &plan->unit->objects);
    for (uint32_t e = 0; check && e < check->event_count; e++)
        add_files(arena, &files, &plan->scope.applied[e]);
    return (struct made_from){
        .arguments = arguments,
        .unit = unit,
        .files = files.items,
        .file_count = files.count,
    };
}
