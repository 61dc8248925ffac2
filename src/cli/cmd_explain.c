/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom explain`: from a violation back to what it comes from. */
#include "cli/read_report.h"

int cmd_explain(struct session *session)
{
    struct told_reports reports;
    if (session->line.operands.count == 0) {
        session_say(session, "expected a report (REPORT.json), found nothing");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    if (!session_read_report(session, session->line.operands.items[0], &reports))
        return EXIT_INPUT;
    return session_report(session, RESULT_EXPLANATION, &reports, VERDICT_HOLDS);
}
