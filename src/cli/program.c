/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program: reads the command line, runs one command, gives its exit code.
 * The commands are in commands.def, one file each (cmd_*.c).
 */
#include "cli/program.h"

#include "base/vec.h"
#include "cli/complete.h"
#include "cli/config_file.h"
#include "cli/help.h"
#include "cli/limit_options.h"
#include "cli/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run_without_command(struct session *session, bool asked_anything)
{
    if (session->options.version) {
        session->line.command = COMMAND_VERSION;
        return cmd_version(session);
    }
    if (session->line.group) {
        if (session->options.help) {
            help_group(session, session->line.group, stdout);
            return EXIT_HOLDS;
        }
        session_say(session, "expected a command of %s", session->line.group);
        help_group(session, session->line.group, stderr);
        return EXIT_INPUT;
    }
    if (session->options.help) {
        help_overview(session, stdout);
        return EXIT_HOLDS;
    }
    if (asked_anything)
        session_say(session, "expected a command");
    help_overview(session, stderr);
    return EXIT_INPUT;
}

static int (*const commands[COMMAND_COUNT])(struct session *session) = {
#define COMMAND(constant, function, ...) [COMMAND_##constant] = function,
#include "cli/commands.def"
#undef COMMAND
};

static bool knows(enum command_index command, const char *argument)
{
    const size_t length = strcspn(argument, "=");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].commands >> command & 1 && length > 2 &&
            strlen(option_table[i].name) == length - 2 &&
            strncmp(argument + 2, option_table[i].name, length - 2) == 0)
            return true;
    return false;
}

/* What the configuration says counts as if it stood before the command line. The options that join
 * does not know counted when the shards were made. */
static bool read_config(struct session *session, const char *const *arguments,
                        struct problems *problems)
{
    struct config_file *config = ARENA_NEW(&session->arena, struct config_file);
    struct option_list all = {0};
    if (!config_file_read(session, config, problems))
        return false;
    for (uint32_t i = 0; i < config->arguments.count; i++)
        if (session->line.command != COMMAND_JOIN ||
            knows(COMMAND_JOIN, config->arguments.items[i]))
            VEC_PUSH(&session->arena, &all, config->arguments.items[i]);
    for (; *arguments; arguments++)
        VEC_PUSH(&session->arena, &all, *arguments);
    VEC_PUSH(&session->arena, &all, NULL);
    session->config = config;
    session->options = (struct options){0};
    return options_read(&session->arena, (struct option_rows){option_table, OPTION_COUNT},
                        all.items, &session->options, &session->line, problems);
}

int program_main(struct session *session, const char *const *arguments)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    if (arguments[0] && strcmp(arguments[0], "__complete") == 0)
        return complete_print(session, arguments + 1);
    const struct option_rows rows = {option_table, OPTION_COUNT};
    if (!options_read(&session->arena, rows, arguments, &session->options, &session->line,
                      &problems))
        return session_refuse(session, &problems);
    const enum command_index command = session->line.command;
    if (command == COMMAND_NONE)
        return run_without_command(session, arguments[0] != NULL);
    if (session->options.help) {
        help_command(session, command, stdout);
        return EXIT_HOLDS;
    }
    if ((command == COMMAND_VERIFY || command == COMMAND_JOIN) &&
        !read_config(session, arguments, &problems))
        return session_refuse(session, &problems);
    if (!outputs_can_write(session))
        return EXIT_INPUT;
    if (!limits_watch(session, &problems) || !limits_spill(session, &problems))
        return session_refuse(session, &problems);
    return commands[command](session);
}

int program_finish_output(struct session *session, int code)
{
    const bool failed_before = ferror(stdout);
    if (fflush(stdout) == 0 && !failed_before)
        return code;
    /* What kept an earlier write from being done keeps this one, too. */
    const bool known = !failed_before || write(STDOUT_FILENO, "", 0) < 0;
    session_say(session, "standard output: cannot be written: %s",
                known ? strerror(errno) : "a part is missing");
    return EXIT_INPUT;
}
