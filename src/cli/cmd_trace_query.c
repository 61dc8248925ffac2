/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom trace query`: what is related to a CPID, where it comes from, and what
 * was done under it. */
#include "cli/read_trace.h"
#include "report/trace_reply.h"

#include <string.h>

static const char *const questions[TRACE_QUESTION_COUNT] = {"related", "roots", "mergelogs",
                                                            "spans"};

static bool read_question(struct session *session, struct trace_reply *reply)
{
    const struct option_list *operands = &session->line.operands;
    for (int i = 0; operands->count > 0 && i < TRACE_QUESTION_COUNT; i++)
        if (strcmp(operands->items[0], questions[i]) == 0) {
            reply->question = (enum trace_question)i;
            return true;
        }
    session_say(session, "trace query: expected related, roots, mergelogs or spans, found %s%s%s",
                operands->count ? "\"" : "", operands->count ? operands->items[0] : "nothing",
                operands->count ? "\"" : "");
    session_point_at_help(session);
    return false;
}

int cmd_trace_query(struct session *session)
{
    struct trace_input input = {0};
    struct trace_reply reply = {0};
    struct change_selection selection = {0};
    const struct option_list *operands = &session->line.operands;
    if (!read_question(session, &reply) ||
        !session_read_trace(session, operands->count > 1 ? operands->items[1] : NULL, &input))
        return EXIT_INPUT;
    if (session->line.operands.count > 1 &&
        !session_find_cpid(session, &input.graph, session->line.operands.items[1], &selection.cpid))
        return EXIT_INPUT;
    selection.backward = reply.question == TRACE_ROOTS;
    if (!change_select(&session->arena, &input.graph, &selection, &reply.graph)) {
        session_say(session, "there is no CPID %s in these records",
                    session->line.operands.items[1]);
        return EXIT_INPUT;
    }
    return session_report(session, RESULT_TRACE_REPLY, &reply, VERDICT_HOLDS);
}
