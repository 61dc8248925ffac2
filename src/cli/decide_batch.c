/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/decide_batch.h"

#include "manifest/manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static size_t without_line_end(const char *line, size_t length)
{
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    return length;
}

/* True if every line could be answered. */
static bool answer_lines(struct batch *batch, FILE *in, FILE *out)
{
    bool all_good = true;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    for (uint32_t number = 1; (length = getline(&line, &capacity, in)) >= 0; number++) {
        const size_t content = without_line_end(line, (size_t)length);
        if (strspn(line, " \t") >= content)
            continue;
        const struct arena_mark mark = arena_mark(&batch->arena);
        struct problems problems;
        problems_init(&problems, &batch->arena);
        all_good &= answer_line(batch, line, content, number, &problems);
        text_append_char(&batch->line, '\n');
        fwrite(text_content(&batch->line), 1, batch->line.length, out);
        fflush(out);
        session_complain(batch->session, &problems);
        arena_rewind(&batch->arena, mark);
    }
    free(line);
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

static bool ask_decider(void *context, struct arena *arena, const struct value *scenario,
                        struct json_out *json, struct problems *problems)
{
    const struct decider *decider = context;
    return decider->decide_scenario(arena, scenario, json, problems);
}

int decide_batch(struct session *session, const struct decider *decider, FILE *in, FILE *out)
{
    void *context = (void *)(uintptr_t)decider; /* only ever read */
    return batch_run(session, decider->name, ask_decider, context, in, out) ? EXIT_HOLDS
                                                                            : EXIT_INPUT;
}
