/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/decide_batch.h"

#include "base/lines.h"
#include "manifest/manifest.h"

#include <errno.h>
#include <string.h>

enum { BATCH_LINE_MOST = 64 << 20 };

struct batch {
    struct session *session;
    const char *name;
    batch_answer *answer;
    void *context;
    struct manifest_reader *reader;
    struct arena arena; /* of one line */
    struct text line;
};

static void begin_answer(struct batch *batch, struct json_out *json, const struct value *scenario)
{
    text_reset(&batch->line);
    json_out_init(json, &batch->line, 0);
    json_object_begin(json, NULL);
    const struct value *id = value_find(scenario, "id");
    if (id)
        value_write_json(json, "id", id);
    else
        json_null(json, "id");
}

static void answer_error(struct batch *batch, const struct value *scenario,
                         const struct problems *problems)
{
    struct json_out json;
    begin_answer(batch, &json, scenario);
    const struct problem *first = problems->items;
    while (first->kind != PROBLEM_ERROR)
        first++;
    json_string(&json, "error", problem_format(&batch->arena, first));
    json_object_end(&json);
}

/* What is wrong with a scenario as a whole is wrong with its line. */
static void place_in_line(struct problems *problems, struct place start)
{
    for (uint32_t i = 0; i < problems->count; i++)
        if (!problems->items[i].place.file)
            problems->items[i].place = start;
}

static bool answer_line(struct batch *batch, const char *line, size_t length, uint32_t number,
                        struct problems *problems)
{
    const struct place start = {MANIFEST_STANDARD_INPUT, number, 1};
    const struct document *document =
        manifest_reader_parse_json(batch->reader, &batch->arena, start, line, length, problems);
    const struct value *scenario = document ? &document->root : NULL;
    if (scenario && scenario->kind != VALUE_MAPPING)
        value_expected(problems, scenario, NULL, "a scenario (a mapping)");
    struct json_out json;
    begin_answer(batch, &json, scenario);
    const bool good = scenario && !problems->errors &&
                      batch->answer(batch->context, &batch->arena, scenario, &json, problems);
    place_in_line(problems, start);
    if (good) {
        json_object_end(&json);
        return true;
    }
    if (!problems->errors)
        bug("%s refuses a scenario without saying why", batch->name);
    answer_error(batch, scenario, problems);
    return false;
}

static size_t without_line_end(const struct text *line)
{
    size_t length = line->length;
    while (length && text_content(line)[length - 1] == '\r')
        length--;
    return length;
}

static void complain_of_length(struct batch *batch, uint32_t number, struct problems *problems)
{
    problem_error(problems, (struct place){MANIFEST_STANDARD_INPUT, number, 1}, NULL,
                  "larger than %d MiB, the most that is read of a line", BATCH_LINE_MOST >> 20);
    answer_error(batch, NULL, problems);
}

/* True if every line could be answered. What follows a line without an end is not read. */
static bool answer_lines(struct batch *batch, FILE *in, FILE *out)
{
    bool all_good = true;
    bool too_long = false;
    struct text given;
    text_init(&given, &batch->session->memory);
    for (uint32_t number = 1; !too_long && line_read(in, BATCH_LINE_MOST, &given, &too_long);
         number++) {
        const char *line = text_content(&given);
        const size_t content = without_line_end(&given);
        if (strspn(line, " \t") >= content)
            continue;
        const struct arena_mark mark = arena_mark(&batch->arena);
        struct problems problems;
        problems_init(&problems, &batch->arena);
        if (too_long)
            complain_of_length(batch, number, &problems);
        all_good &= !too_long && answer_line(batch, line, content, number, &problems);
        text_append_char(&batch->line, '\n');
        fwrite(text_content(&batch->line), 1, batch->line.length, out);
        fflush(out);
        session_complain(batch->session, &problems);
        arena_rewind(&batch->arena, mark);
    }
    text_release(&given);
    return all_good;
}

bool batch_run(struct session *session, const char *name, batch_answer *answer, void *context,
               FILE *in, FILE *out)
{
    struct batch batch = {
        .session = session,
        .name = name,
        .answer = answer,
        .context = context,
        .reader = manifest_reader_create(&session->memory),
    };
    arena_init(&batch.arena, &session->memory);
    text_init(&batch.line, &session->memory);
    bool good = answer_lines(&batch, in, out);
    if (ferror(in)) {
        session_say(session, "%s: cannot be read: %s", MANIFEST_STANDARD_INPUT, strerror(errno));
        good = false;
    }
    text_release(&batch.line);
    arena_release(&batch.arena);
    manifest_reader_free(batch.reader);
    return good;
}

struct asked {
    const struct decider *decider;
    const struct features *features;
};

static bool ask_decider(void *context, struct arena *arena, const struct value *scenario,
                        struct json_out *json, struct problems *problems)
{
    const struct asked *asked = context;
    return asked->decider->decide_scenario(arena, scenario, asked->features, json, problems);
}

int decide_batch(struct session *session, const struct decider *decider,
                 const struct features *features, FILE *in, FILE *out)
{
    struct asked asked = {decider, features};
    return batch_run(session, decider->name, ask_decider, &asked, in, out) ? EXIT_HOLDS
                                                                           : EXIT_INPUT;
}
