/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom trace show`: a change and what it set in motion, for people and tools. */
#include "cli/trace_input.h"
#include "tracing/import/export.h"

struct picture {
    struct change_graph graph;
    struct export_options options;
};

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    const struct picture *picture = answer;
    (void)session;
    change_export_find(format)(&picture->graph, &picture->options, text);
}

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
        if (!trace_input_find(session, graph, merged, &options->merged))
            return false;
        selection->cpid = options->merged;
        return true;
    }
    return operands->count == 0 ||
           trace_input_find(session, graph, operands->items[0], &selection->cpid);
}

int cmd_trace_show(struct session *session)
{
    struct trace_input input = {0};
    struct picture picture = {0};
    struct change_selection selection;
    const char *cpid = session->options.merge_traces;
    if (session->line.operands.count > 0)
        cpid = session->line.operands.items[0];
    if (!trace_input_read(session, cpid, &input) ||
        !read_selection(session, &input.graph, &selection, &picture.options))
        return EXIT_INPUT;
    if (!change_select(&session->arena, &input.graph, &selection, &picture.graph)) {
        char text[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(&selection.cpid, text);
        session_say(session, "there is no CPID %s in these records", text);
        return EXIT_INPUT;
    }
    return session_answer(session, render, &picture) ? EXIT_HOLDS : EXIT_INPUT;
}
