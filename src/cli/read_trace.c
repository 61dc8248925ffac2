/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/read_trace.h"

#include "cli/limit_options.h"
#include "cli/read_report.h"
#include "cli/trace_token.h"
#include "report/told_changes.h"
#include "tracing/import/import.h"
#include "tracing/import/kept_records.h"
#include "tracing/import/notes_read.h"
#include "tracing/import/records.h"

#include <string.h>

static bool read_trust(struct session *session, enum change_label *trust)
{
    const char *word = session->options.trust;
    for (int i = 0; i < CHANGE_LABEL_COUNT; i++)
        if (strcmp(change_label_names[i], word) == 0) {
            *trust = (enum change_label)i;
            return true;
        }
    session_say(session, "--trust: expected exact, owner or time-window, found \"%s\"", word);
    return false;
}

/* --max-input */
static bool read_limit(struct session *session, uint64_t *bytes_most)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    *bytes_most = limit_read_size("--max-input", session->options.max_input, &problems);
    session_complain(session, &problems);
    return problems.errors == 0;
}

/* The counterexamples of a report. */
static bool read_report(struct session *session, const char *path, struct change_graph *graph)
{
    struct told_reports reports;
    if (!session_read_report(session, path, &reports))
        return false;
    told_changes(&session->arena, &reports, graph);
    if (graph->spans.count > 0)
        return true;
    session_say(session, "%s: the report has no violation to show", path);
    return false;
}

static bool read_server(struct session *session, const char *cpid_text, struct record_batch *batch,
                        struct problems *problems)
{
    struct records_server server = {.url = session->options.server};
    struct records_cut cut = {0};
    struct fathom_trace_id cpid = {{0}};
    if (cpid_text && !fathom_trace_id_parse(cpid_text, strlen(cpid_text), &cpid))
        cpid = (struct fathom_trace_id){{0}};
    if (!trace_token_read(session, &server.token))
        return false;
    const bool good = server_records_load(&session->arena, &server, &cpid, batch, &cut, problems);
    for (uint32_t i = 0; i < cut.count; i++)
        session_say(session, "%s: warning: only the first %s of this CPID are shown", server.url,
                    cut.lists[i]);
    return good;
}

/* From where a trace server keeps them. Of a server only what has to do with this
 * CPID is asked for, if it is given in full. */
static bool read_kept(struct session *session, const char *cpid, struct change_graph *graph)
{
    struct record_batch batch = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    const bool good =
        session->options.server
            ? read_server(session, cpid, &batch, &problems)
            : store_records_load(&session->arena, session->options.store_file, &batch, &problems);
    session_complain(session, &problems);
    if (good)
        change_from_records(&session->arena, &batch, graph);
    return good;
}

/* What a cluster recorded: audit logs, dumps, Events, a recording. */
static bool read_notes(struct session *session, const struct import_options *options,
                       struct trace_input *input, struct problems *problems)
{
    const struct option_list *files = &session->options.filename;
    bool good = true;
    for (uint32_t i = 0; i < files->count; i++)
        good = notes_read(&input->notes, files->items[i], problems) && good;
    if (good) {
        notes_order(&input->notes);
        change_import(&input->notes, options, &input->graph);
    }
    return good;
}

bool session_read_trace(struct session *session, const char *cpid, struct trace_input *input)
{
    const struct option_list *files = &session->options.filename;
    struct problems problems;
    struct import_options options = {0};
    problems_init(&problems, &session->arena);
    note_collection_init(&input->notes, &session->arena);
    if (files->count == 0 && (session->options.server || session->options.store_file))
        return read_kept(session, cpid, &input->graph);
    if (files->count == 0) {
        session_say(session, "expected the records of a cluster (-f), found nothing");
        session_point_at_help(session);
        return false;
    }
    if (!read_trust(session, &options.trust) || !read_limit(session, &input->notes.bytes_most))
        return false;
    input->notes.run = (uint32_t)session->options.run;
    const enum trace_contents contents = files->count == 1
                                             ? trace_contents_of(&session->arena, files->items[0])
                                             : TRACE_CONTENTS_OTHER;
    if (contents == TRACE_CONTENTS_REPORT)
        return read_report(session, files->items[0], &input->graph);
    const bool good = contents == TRACE_CONTENTS_RECORDS
                          ? trace_read_records(&session->arena, files->items[0],
                                               input->notes.bytes_most, &input->graph, &problems)
                          : read_notes(session, &options, input, &problems);
    session_complain(session, &problems);
    return good;
}

bool session_keep_trace(struct session *session, const struct change_graph *graph)
{
    const struct options *options = &session->options;
    struct records_server server = {.url = options->server};
    struct problems problems;
    bool good = true;
    problems_init(&problems, &session->arena);
    if (options->store_file)
        good = store_records_save(&session->arena, options->store_file, graph, &problems);
    if (good && options->server)
        good = trace_token_read(session, &server.token) &&
               server_records_save(&session->arena, &server, graph, &problems);
    session_complain(session, &problems);
    return good;
}

bool session_find_cpid(struct session *session, const struct change_graph *graph, const char *text,
                       struct fathom_trace_id *cpid)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    const bool found = trace_find_cpid(graph, text, cpid, &problems);
    session_complain(session, &problems);
    return found;
}
