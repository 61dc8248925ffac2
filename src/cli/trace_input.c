/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trace_input.h"

#include "base/lines.h"
#include "cli/told_report.h"
#include "cli/trace_records.h"
#include "tracing/import/counterexample.h"
#include "tracing/import/import.h"
#include "tracing/import/notes_read.h"
#include "tracing/import/records.h"

#include <string.h>
#include <sys/stat.h>

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

/* Records of a trace server are one JSON object with these two members. */
static bool begins_with_records(const char *line)
{
    return strncmp(line, "{\"mergelogs\":", 13) == 0 || strncmp(line, "{\"spans\":", 9) == 0;
}

/* A report of `fathom verify` or `fathom controller` says so in its first lines. */
static bool begins_with_report(const char *line)
{
    return strstr(line, "\"kind\": \"Report\"") || strstr(line, "\"kind\": \"ReportList\"");
}

enum contents { CONTENTS_OTHER, CONTENTS_RECORDS, CONTENTS_REPORT };

static enum contents contents_of(struct session *session, const char *path)
{
    enum { LINES_LOOKED_AT = 3 };
    struct lines lines;
    struct problems ignored;
    struct stat status;
    enum contents contents = CONTENTS_OTHER;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return contents;
    problems_init(&ignored, &session->arena);
    bool more = lines_open(&lines, &session->memory, path, &ignored);
    for (int i = 0; i < LINES_LOOKED_AT && more && contents == CONTENTS_OTHER; i++) {
        more = lines_next(&lines, &ignored);
        if (more && i == 0 && begins_with_records(text_content(&lines.text)))
            contents = CONTENTS_RECORDS;
        else if (more && begins_with_report(text_content(&lines.text)))
            contents = CONTENTS_REPORT;
    }
    lines_close(&lines);
    return contents;
}

static void add_violation(struct session *session, const struct told_report *report,
                          const struct told_violation *violation, struct change_graph *graph)
{
    struct counterexample_step *steps =
        ARENA_ARRAY(&session->arena, struct counterexample_step, violation->steps.count + 1);
    for (uint32_t i = 0; i < violation->steps.count; i++) {
        const struct told_step *told = &violation->steps.items[i];
        steps[i] = (struct counterexample_step){
            .actor = told->actor,
            .detail = told->detail,
            .object = told->object,
            .causes = told->causes.items,
            .cause_count = told->causes.count,
            .outside = told->outside,
        };
    }
    change_add_counterexample(graph, &(struct counterexample){
                                         .check = report->check,
                                         .intent = violation->label,
                                         .steps = steps,
                                         .step_count = violation->steps.count,
                                     });
}

/* The counterexamples of a report, one after the other. */
static bool read_report(struct session *session, const char *path, struct change_graph *graph)
{
    struct told_reports reports;
    if (!told_report_read(session, path, &reports) || !told_report_select(session, &reports))
        return false;
    graph->arena = &session->arena;
    for (uint32_t r = 0; r < reports.items.count; r++)
        for (uint32_t i = 0; i < reports.items.items[r].violations.count; i++)
            add_violation(session, &reports.items.items[r],
                          &reports.items.items[r].violations.items[i], graph);
    if (graph->spans.count > 0)
        return true;
    session_say(session, "%s: the report has no violation to show", path);
    return false;
}

static bool read_records(struct session *session, const char *path, struct change_graph *graph,
                         struct problems *problems)
{
    struct lines lines;
    struct text whole;
    struct record_batch batch = {0};
    const char *error = NULL;
    text_init(&whole, &session->memory);
    bool good = lines_open(&lines, &session->memory, path, problems);
    while (good && lines_next(&lines, problems)) {
        text_append(&whole, text_content(&lines.text), lines.text.length);
        text_append_char(&whole, '\n');
    }
    lines_close(&lines);
    good = good && problems->errors == 0;
    if (good && !record_batch_read(&session->arena, RECORD_FORM_BOTH, text_content(&whole),
                                   whole.length, &batch, &error)) {
        problem_error(problems, (struct place){path, 0, 0}, NULL, "%s", error);
        good = false;
    }
    for (uint32_t i = 0; i < batch.refused.count; i++) {
        problem_error(problems, (struct place){path, 0, 0},
                      arena_printf(&session->arena, "%ss[%u]", batch.refused.items[i].kind,
                                   batch.refused.items[i].index),
                      "%s", batch.refused.items[i].error);
        good = false;
    }
    if (good)
        change_from_records(&session->arena, &batch, graph);
    text_release(&whole);
    return good;
}

/* From where a trace server keeps them. Of a server only what has to do with this
 * CPID is asked for, if it is given in full. */
static bool read_kept(struct session *session, const char *cpid_text, struct change_graph *graph)
{
    const struct options *options = &session->options;
    struct record_batch batch = {0};
    struct fathom_trace_id cpid = {{0}};
    if (cpid_text && !fathom_trace_id_parse(cpid_text, strlen(cpid_text), &cpid))
        cpid = (struct fathom_trace_id){{0}};
    const bool good = options->server ? trace_server_load(session, options->server, &cpid, &batch)
                                      : trace_store_load(session, options->store_file, &batch);
    if (good)
        change_from_records(&session->arena, &batch, graph);
    return good;
}

bool trace_input_read(struct session *session, const char *cpid, struct trace_input *input)
{
    const struct option_list *files = &session->options.filename;
    struct problems problems;
    struct import_options options = {0};
    bool good = true;
    problems_init(&problems, &session->arena);
    note_collection_init(&input->notes, &session->arena);
    if (files->count == 0 && (session->options.server || session->options.store_file))
        return read_kept(session, cpid, &input->graph);
    if (files->count == 0) {
        session_say(session, "expected the records of a cluster (-f), found nothing");
        session_point_at_help(session);
        return false;
    }
    if (!read_trust(session, &options.trust))
        return false;
    input->notes.run = (uint32_t)session->options.run;
    const enum contents contents =
        files->count == 1 ? contents_of(session, files->items[0]) : CONTENTS_OTHER;
    if (contents == CONTENTS_REPORT)
        return read_report(session, files->items[0], &input->graph);
    if (contents == CONTENTS_RECORDS) {
        good = read_records(session, files->items[0], &input->graph, &problems);
    } else {
        for (uint32_t i = 0; i < files->count; i++)
            good = notes_read(&input->notes, files->items[i], &problems) && good;
        if (good) {
            notes_order(&input->notes);
            change_import(&input->notes, &options, &input->graph);
        }
    }
    session_complain(session, &problems);
    return good;
}

bool trace_input_find(struct session *session, const struct change_graph *graph, const char *text,
                      struct fathom_trace_id *cpid)
{
    const size_t length = strlen(text);
    bool found = false;
    if (fathom_trace_id_parse(text, length, cpid))
        return true;
    if (length < 4) {
        session_say(session, "expected a CPID, or at least 4 of its first digits, found \"%s\"",
                    text);
        return false;
    }
    for (uint32_t i = 0; i < graph->merges.count + graph->spans.count; i++) {
        const struct fathom_trace_id *id = i < graph->merges.count
                                               ? &graph->merges.items[i].cpid
                                               : &graph->spans.items[i - graph->merges.count].cpid;
        char digits[FATHOM_TRACE_ID_TEXT];
        fathom_trace_id_format(id, digits);
        if (strncasecmp(digits, text, length) != 0)
            continue;
        if (found && !fathom_trace_id_equal(id, cpid)) {
            session_say(session, "several CPIDs begin with \"%s\"", text);
            return false;
        }
        *cpid = *id;
        found = true;
    }
    if (!found)
        session_say(session, "no CPID is, or begins with, \"%s\"", text);
    return found;
}
