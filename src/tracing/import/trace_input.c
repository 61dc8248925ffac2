/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/trace_input.h"

#include "base/lines.h"
#include "tracing/import/records.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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

enum trace_contents trace_contents_of(struct arena *arena, const char *path)
{
    enum { LINES_LOOKED_AT = 3 };
    struct lines lines;
    struct problems ignored;
    struct stat status;
    enum trace_contents contents = TRACE_CONTENTS_OTHER;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return contents;
    problems_init(&ignored, arena);
    bool more = lines_open(&lines, arena->memory, path, &ignored);
    for (int i = 0; i < LINES_LOOKED_AT && more && contents == TRACE_CONTENTS_OTHER; i++) {
        more = lines_next(&lines, &ignored);
        if (more && i == 0 && begins_with_records(text_content(&lines.text)))
            contents = TRACE_CONTENTS_RECORDS;
        else if (more && begins_with_report(text_content(&lines.text)))
            contents = TRACE_CONTENTS_REPORT;
    }
    lines_close(&lines);
    return contents;
}

bool trace_read_records(struct arena *arena, const char *path, uint64_t bytes_most,
                        struct change_graph *graph, struct problems *problems)
{
    struct lines lines;
    struct text whole;
    struct record_batch batch = {0};
    const char *error = NULL;
    text_init(&whole, arena->memory);
    bool good = lines_open(&lines, arena->memory, path, problems);
    lines.bytes_most = bytes_most;
    while (good && lines_next(&lines, problems)) {
        text_append(&whole, text_content(&lines.text), lines.text.length);
        text_append_char(&whole, '\n');
    }
    lines_close(&lines);
    good = good && problems->errors == 0;
    if (good && !record_batch_read(arena, RECORD_FORM_BOTH, text_content(&whole), whole.length,
                                   &batch, &error)) {
        problem_error(problems, (struct place){path, 0, 0}, NULL, "%s", error);
        good = false;
    }
    for (uint32_t i = 0; i < batch.refused.count; i++) {
        problem_error(problems, (struct place){path, 0, 0},
                      arena_printf(arena, "%ss[%u]", batch.refused.items[i].kind,
                                   batch.refused.items[i].index),
                      "%s", batch.refused.items[i].error);
        good = false;
    }
    if (good)
        change_from_records(arena, &batch, graph);
    text_release(&whole);
    return good;
}

bool trace_find_cpid(const struct change_graph *graph, const char *text,
                     struct fathom_trace_id *cpid, struct problems *problems)
{
    const size_t length = strlen(text);
    bool found = false;
    if (fathom_trace_id_parse(text, length, cpid))
        return true;
    if (length < 4) {
        problem_error(problems, (struct place){0}, NULL,
                      "expected a CPID, or at least 4 of its first digits, found \"%s\"", text);
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
            problem_error(problems, (struct place){0}, NULL, "several CPIDs begin with \"%s\"",
                          text);
            return false;
        }
        *cpid = *id;
        found = true;
    }
    if (!found)
        problem_error(problems, (struct place){0}, NULL, "no CPID is, or begins with, \"%s\"",
                      text);
    return found;
}
