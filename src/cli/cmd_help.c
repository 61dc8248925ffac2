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
    const struct option_list *words = &session->line.operands;
    if (words->count == 1 && help_topic(session, words->items[0], stdout))
        return EXIT_HOLDS;
    const struct command_choice choice = command_of(words->items, words->count, &problems);
    const bool unexpected = choice.command != COMMAND_NONE && choice.words < words->count;
    if (unexpected)
        problem_error(&problems, (struct place){0}, NULL, "unexpected argument \"%s\" for help",
                      words->items[choice.words]);
    if (problems.count) {
        session_complain(session, &problems);
        if (unexpected)
            session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (choice.group)
        help_group(session, choice.group, stdout);
    else
        help_command(session, choice.command, stdout);
    return EXIT_HOLDS;
}
