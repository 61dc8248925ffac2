/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_again.h"

#include <inttypes.h>
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

struct made_from verify_again_describe(struct session *session, const struct verify_plan *plan,
                                       uint32_t unit)
{
    return made_from_plan(&session->arena, plan, unit, describe_arguments(session));
}
