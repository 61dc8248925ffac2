/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom help [COMMAND]` */
#include "cli/help.h"

int cmd_help(struct session *session)
{
    if (!session->line.operands.count) {
        help_overview(session, stdout);
        return EXIT_HOLDS;
    }
    struct problems problems;
    problems_init(&problems, &session->arena);
    const enum command_index command = command_find(session->line.operands.items[0], &problems);
    if (command == COMMAND_NONE) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    help_command(session, command, stdout);
    return EXIT_HOLDS;
}
