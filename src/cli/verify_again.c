/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_again.h"

#include "base/shell_word.h"

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
    case OPTION_INDEX_shard:
    case OPTION_INDEX_shard_notes:
    case OPTION_INDEX_spill:
    case OPTION_INDEX_stats:
    case OPTION_INDEX_strict:
    case OPTION_INDEX_timeout:
    case OPTION_INDEX_trial:
    case OPTION_INDEX_verbose: return true;
    default: return false;
    }
}

/* Options that do not change what a report says. The number of threads is among them: a report that
 * shards were joined to is that of one process. */
static bool is_of_the_process(enum option_index option)
{
    switch (option) {
    case OPTION_INDEX_checkpoint:
    case OPTION_INDEX_help:
    case OPTION_INDEX_jobs:
    case OPTION_INDEX_no_color:
    case OPTION_INDEX_output:
    case OPTION_INDEX_progress:
    case OPTION_INDEX_quiet:
    case OPTION_INDEX_resume:
    case OPTION_INDEX_shard:
    case OPTION_INDEX_shard_notes:
    case OPTION_INDEX_spill:
    case OPTION_INDEX_stats:
    case OPTION_INDEX_verbose: return true;
    default: return false;
    }
}

/* Options that need not be the same for all shards: those of the process, and those of the report,
 * which whoever joins the shards gives. */
static bool is_of_one_shard(enum option_index option)
{
    return option == OPTION_INDEX_shard || option == OPTION_INDEX_shard_notes ||
           option == OPTION_INDEX_spill || option == OPTION_INDEX_help ||
           option_table[option].commands >> COMMAND_JOIN & 1;
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

/* Is the option, "--lag budgets", one of those that are given in its place? */
static bool is_replaced(const struct option *option, const struct string_list *others)
{
    const size_t length = strlen(option->name);
    for (uint32_t i = 0; i < others->count; i++)
        if (strncmp(others->items[i] + 2, option->name, length) == 0 &&
            strchr(" =", others->items[i][2 + length]))
            return true;
    return false;
}

static void add_options(struct session *session, bool (*leaves_out)(enum option_index option),
                        const struct string_list *others, arguments *list)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands >> session->line.command & 1 &&
            !leaves_out((enum option_index)i) && !is_replaced(&option_table[i], others))
            add_option(session, &option_table[i], list);
}

static void add_operands(struct session *session, arguments *list)
{
    for (uint32_t i = 0; i < session->line.operands.count; i++)
        VEC_PUSH(&session->arena, list, session->line.operands.items[i]);
}

static struct string_list describe_arguments(struct session *session,
                                             bool (*leaves_out)(enum option_index option))
{
    arguments list = {0};
    add_operands(session, &list);
    add_options(session, leaves_out, &(struct string_list){0}, &list);
    return (struct string_list){list.items, list.count};
}

/* ---- as one line ---- */

/* Of several Checks the one that the plan is of, if it was named. */
static void add_operand(struct session *session, const struct verify_plan *plan, arguments *list)
{
    const struct option_list *operands = &session->line.operands;
    for (uint32_t i = 0; plan->unit->file && i < operands->count; i++)
        if (strcmp(operands->items[i], plan->unit->file) == 0) {
            VEC_PUSH(&session->arena, list, operands->items[i]);
            return;
        }
    add_operands(session, list);
}

const char *verify_again_command(struct session *session, const struct verify_plan *plan,
                                 const struct check_intent *intent,
                                 const struct string_list *options)
{
    struct arena *arena = &session->arena;
    arguments kept = {0};
    arguments others = {0};
    if (plan->intents.count > 1)
        VEC_PUSH(arena, &others,
                 arena_printf(arena, "--intent=%s",
                              shell_word(arena, intent_format_option(arena, intent))));
    for (uint32_t i = 0; i < options->count; i++)
        VEC_PUSH(arena, &others, options->items[i]);
    add_operand(session, plan, &kept);
    add_options(session, is_of_no_consequence, &(struct string_list){others.items, others.count},
                &kept);
    const char *command = arena_printf(arena, "%s verify", session->program);
    for (uint32_t i = 0; i < kept.count; i++)
        command = arena_printf(arena, "%s %s", command, shell_word(arena, kept.items[i]));
    for (uint32_t i = 0; i < others.count; i++)
        command = arena_printf(arena, "%s %s", command, others.items[i]);
    return command;
}

struct made_from verify_again_describe(struct session *session, const struct verify_plan *plan,
                                       uint32_t unit)
{
    struct made_from input = made_from_plan(&session->arena, plan, unit,
                                            describe_arguments(session, is_of_no_consequence));
    input.command = describe_arguments(session, is_of_the_process);
    return input;
}

struct string_list verify_again_shard_arguments(struct session *session)
{
    return describe_arguments(session, is_of_one_shard);
}
