/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom trace import`: what a cluster's records say about its changes. */
#include "cli/read_trace.h"

int cmd_trace_import(struct session *session)
{
    struct trace_input input = {0};
    if (!session->options.filename.count) {
        session_say(session, "trace import: expected the records of a cluster (-f), found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (!session_read_trace(session, NULL, &input) || !session_keep_trace(session, &input.graph))
        return EXIT_INPUT;
    return session_report(session, RESULT_IMPORT, &input, VERDICT_HOLDS);
}
