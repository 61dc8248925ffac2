/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_again.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Options that change neither what is verified nor what may happen. */
static bool is_of_no_consequence(enum option_index option)
{
    switch (option) {
    case OPTION_INDEX_all:
    case OPTION_INDEX_checkpoint:
    case OPTION_INDEX_heatmap:
    case OPTION_INDEX_help:
    case OPTION_INDEX_jobs:
    case OPTION_INDEX_learn_scale:
    case OPTION_INDEX_max_states:
    case OPTION_INDEX_memory:
    case OPTION_INDEX_no_color:
    case OPTION_INDEX_output:
    case OPTION_INDEX_progress:
    case OPTION_INDEX_quiet:
    case OPTION_INDEX_resume:
    case OPTION_INDEX_setup:
    case OPTION_INDEX_strict:
    case OPTION_INDEX_timeout:
    case OPTION_INDEX_verbose: return true;
    default: return false;
    }
}

typedef VEC(const char *) arguments;

static void add_option(struct session *session, const struct option *option, arguments *list)
{
    struct arena *arena = &session->arena;
    const void *member = (const char *)&session->options + option->offset;
    switch (option->kind) {
    case OPTION_FLAG:
        if (*(const bool *)member)
            VEC_PUSH(arena, list, arena_printf(arena, "--%s", option->name));
        break;
    case OPTION_TEXT: {
        const char *value = *(const char *const *)member;
        if (value && (!option->initial || strcmp(value, option->initial) != 0))
            VEC_PUSH(arena, list, arena_printf(arena, "--%s=%s", option->name, value));
        break;
    }
    case OPTION_LIST: {
        const struct option_list *values = member;
        for (uint32_t i = 0; i < values->count; i++)
            VEC_PUSH(arena, list, arena_printf(arena, "--%s=%s", option->name, values->items[i]));
        break;
    }
    case OPTION_NUMBER:
        if (*(const uint64_t *)member)
            VEC_PUSH(arena, list,
                     arena_printf(arena, "--%s=%" PRIu64, option->name, *(const uint64_t *)member));
        break;
    case OPTION_OUTPUT: break;
    }
}

static struct string_list describe_arguments(struct session *session)
{
    arguments list = {0};
    for (uint32_t i = 0; i < session->line.operands.count; i++)
        VEC_PUSH(&session->arena, &list, session->line.operands.items[i]);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands >> session->line.command & 1 &&
            !is_of_no_consequence((enum option_index)i))
            add_option(session, &option_table[i], &list);
    return (struct string_list){list.items, list.count};
}

bool verify_again_hash(struct session *session, const char *name, uint64_t *hash)
{
    struct text content;
    char block[8192];
    FILE *file = name[0] != '<' ? fopen(name, "rb") : NULL;
    if (!file)
        return false;
    text_init(&content, &session->memory);
    for (size_t count; (count = fread(block, 1, sizeof(block), file)) > 0;)
        text_append(&content, block, count);
    const bool good = !ferror(file);
    fclose(file);
    *hash = hash_bytes(text_content(&content), content.length);
    text_release(&content);
    return good;
}

typedef VEC(struct report_file) report_files;

static void add_file(struct session *session, report_files *files, const char *name)
{
    for (uint32_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return;
    struct report_file file = {.name = name};
    file.readable = verify_again_hash(session, name, &file.hash);
    VEC_PUSH(&session->arena, files, file);
}

static void add_files(struct session *session, report_files *files, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].place.file)
            add_file(session, files, objects->items[i].place.file);
}

struct report_input verify_again_describe(struct session *session, const struct verify_plan *plan,
                                          uint32_t unit)
{
    const struct check *check = plan->scope.check;
    report_files files = {0};
    add_files(session, &files, &plan->unit->objects);
    for (uint32_t e = 0; check && e < check->event_count; e++)
        add_files(session, &files, &plan->scope.applied[e]);
    return (struct report_input){
        .arguments = describe_arguments(session),
        .unit = unit,
        .files = files.items,
        .file_count = files.count,
    };
}
