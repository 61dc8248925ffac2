/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program: reads the command line, runs one command, gives its exit code.
 * The commands are in commands.def, one file each (cmd_*.c).
 */
#include "cli/help.h"
#include "cli/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* kubectl finds its plugins by the name of their file. */
static const char *program_name(const char *invoked_as)
{
    const char *slash = invoked_as ? strrchr(invoked_as, '/') : NULL;
    const char *name = slash ? slash + 1 : invoked_as;
    return name && strncmp(name, "kubectl-", strlen("kubectl-")) == 0 ? "kubectl fathom" : "fathom";
}

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

static int run(struct session *session, const char *const *arguments)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
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
    return commands[command](session);
}

/* A full disk must not look like a finished answer. */
static int finish_output(struct session *session, int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    session_say(session, "standard output: cannot be written: %s", strerror(errno));
    return EXIT_INPUT;
}

int main(int argc, char **argv)
{
    struct session session = {.program = program_name(argc > 0 ? argv[0] : NULL)};
    memory_init(&session.memory, SIZE_MAX);
    arena_init(&session.arena, &session.memory);
    static const char *const none[] = {NULL};
    int code = run(&session, argc > 0 ? (const char *const *)argv + 1 : none);
    code = finish_output(&session, code);
    arena_release(&session.arena);
    return code;
}
