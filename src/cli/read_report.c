/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/read_report.h"

bool session_read_report(struct session *session, const char *path, struct told_reports *reports)
{
    const struct option_list *intents = &session->options.intent;
    const struct string_list wanted = {intents->items, intents->count};
    struct problems problems;
    problems_init(&problems, &session->arena);
    const bool good = told_report_read(&session->arena, path, reports, &problems);
    session_complain(session, &problems);
    if (!good || told_report_select(reports, &wanted))
        return good;
    session_say(session, "--intent: the report has no violation of that name");
    return false;
}
