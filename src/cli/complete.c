/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

/* ---- what the words so far mean ---- */

static const struct option *option_of(enum command_index command, const char *word)
{
    const size_t length = strcspn(word, "=");
    const struct option *found = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &option_table[i];
        const bool same =
            strncmp(word, "--", 2) == 0
                ? strlen(option->name) == length - 2 &&
                      strncmp(option->name, word + 2, length - 2) == 0
                : word[0] == '-' && option->letter && option->letter == word[strlen(word) - 1];
        if (same && (!found || option->commands >> command & 1))
            found = option;
    }
    return found;
}

/* The words that are neither options nor their values. */
static struct option_list operands_of(struct arena *arena, const char *const *words, uint32_t count)
{
    struct option_list operands = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct option *option =
            words[i][0] == '-' && words[i][1] ? option_of(COMMAND_NONE, words[i]) : NULL;
        if (words[i][0] != '-' || !words[i][1])
            VEC_PUSH(arena, &operands, words[i]);
        else if (option && option->kind != OPTION_FLAG && !strchr(words[i], '='))
            i++;
    }
    return operands;
}

static struct command_choice choice_of(struct arena *arena, const struct option_list *operands)
{
    struct problems unheard;
    problems_init(&unheard, arena);
    return command_of(operands->items, operands->count, &unheard);
}

/* ---- candidates ---- */

/* The names of commands after these words: first words, or second ones of a group. */
static void add_commands(struct arena *arena, const char *group, struct completions *candidates)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        const struct command *command = &command_table[i];
        const char *rest = group ? command_in_group(command, group) : command->name;
        if (!rest)
            continue;
        const size_t length = strcspn(rest, " ");
        candidates_add(arena, candidates, arena_strndup(arena, rest, length),
                       rest[length] ? "several commands" : command->summary);
    }
}

static void add_options(struct arena *arena, enum command_index command,
                        struct completions *candidates)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands >> command & 1)
            candidates_add(arena, candidates, arena_printf(arena, "--%s", option_table[i].name),
                           option_table[i].help);
}

/* The words before count for what files have: -f and Checks are read. */
static void take_options(struct session *session, const char *const *words, uint32_t count)
{
    struct problems unheard;
    const char **arguments = ARENA_ARRAY(&session->arena, const char *, count + 1U);
    problems_init(&unheard, &session->arena);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = words[i];
    options_read(&session->arena, (struct option_rows){option_table, OPTION_COUNT}, arguments,
                 &session->options, &session->line, &unheard);
}

void complete(struct session *session, const char *const *words, uint32_t count,
              struct completions *candidates)
{
    struct arena *arena = &session->arena;
    const char *begun = words[count - 1];
    const char *before = count > 1 ? words[count - 2] : "";
    const struct option_list operands = operands_of(arena, words, count - 1);
    const struct command_choice choice = choice_of(arena, &operands);
    const enum command_index command = choice.command;
    const struct option *option = before[0] == '-' ? option_of(command, before) : NULL;
    candidates->directive = COMPLETE_ONLY;
    if (option && option->kind != OPTION_FLAG && !strchr(before, '=')) {
        take_options(session, words, count - 2);
        complete_value(session, option, command, begun, candidates);
    } else if (begun[0] == '-' && strchr(begun, '=')) {
        take_options(session, words, count - 1);
        option = option_of(command, begun);
        if (option)
            complete_value(session, option, command, strchr(begun, '=') + 1, candidates);
        const char *head = arena_strndup(arena, begun, strcspn(begun, "=") + 1);
        for (uint32_t i = 0; i < candidates->count; i++)
            candidates->items[i].word =
                arena_printf(arena, "%s%s", head, candidates->items[i].word);
    } else if (begun[0] == '-') {
        add_options(arena, command, candidates);
    } else if (command == COMMAND_NONE) {
        add_commands(arena, choice.group, candidates);
    } else {
        if (operands.count == choice.words && choice.words == 1)
            add_commands(arena, operands.items[0], candidates);
        take_options(session, words, count - 1);
        complete_operand(session, command, candidates);
    }
}

int complete_print(struct session *session, const char *const *words)
{
    static const char *const nothing[] = {""};
    struct completions candidates = {0};
    uint32_t count = 0;
    while (words[count])
        count++;
    words = count ? words : nothing;
    count = count ? count : 1;
    complete(session, words, count, &candidates);
    const char *begun = words[count - 1];
    for (uint32_t i = 0; i < candidates.count; i++)
        if (strncmp(candidates.items[i].word, begun, strlen(begun)) == 0)
            printf("%s%s%s\n", candidates.items[i].word, candidates.items[i].meaning ? "\t" : "",
                   candidates.items[i].meaning ? candidates.items[i].meaning : "");
    printf(":%u\n", candidates.directive);
    return EXIT_HOLDS;
}
