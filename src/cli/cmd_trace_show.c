/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom trace show`: a change and what it set in motion, for people and tools. */
#include "cli/read_trace.h"
#include "tracing/import/export.h"

/* The CPID that is asked for, as an operand or as the trace to merge into. */
static bool read_selection(struct session *session, const struct change_graph *graph,
                           struct change_selection *selection, struct export_options *options)
{
    const struct option_list *operands = &session->line.operands;
    const char *merged = session->options.merge_traces;
    *selection = (struct change_selection){
        .backward = session->options.backward,
        .service = session->options.service,
        .kind = session->options.kind,
    };
    if (merged && operands->count > 0) {
        session_say(session, "expected a CPID or --merge-traces, found both");
        return false;
    }
    if (merged) {
        if (!session_find_cpid(session, graph, merged, &options->merged))
            return false;
        selection->cpid = options->merged;
        return true;
    }
    return operands->count == 0 ||
           session_find_cpid(session, graph, operands->items[0], &selection->cpid);
}

int cmd_trace_show(struct session *session)
{
    struct trace_input input = {0};
    struct change_picture picture = {0};
    struct change_selection selection;
    const char *cpid = session->options.merge_traces;
    if (session->line.operands.count > 0)
        cpid = session->line.operands.items[0];
    if (!session_read_trace(session, cpid, &input) ||
        !read_selection(session, &input.graph, &selection, &picture.options))
        return EXIT_INPUT;
    if (!change_select(&session->arena, &input.graph, &selection, &picture.graph)) {
        char text[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(&selection.cpid, text);
        session_say(session, "there is no CPID %s in these records", text);
        return EXIT_INPUT;
    }
    return session_report(session, RESULT_CHANGES, &picture, VERDICT_HOLDS);
}
