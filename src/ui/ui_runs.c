/* SPDX-License-Identifier: Apache-2.0 */
/* Runs by hand, and two runs side by side. */
#include "ui/ui_runs.h"

#include "ui/asking.h"
#include "ui/program_call.h"
#include "ui/workspace.h"

#include <string.h>

/* A run that goes on beyond another one does so for so many steps at most. */
enum { STEPS_MOST = 10000, STEPS_ON = 100 };

/* The steps that were taken already, a line each, for --take. */
static const char *write_steps(struct ui_asking *asking, const char *folder, uint32_t *count)
{
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(asking->body, "take");
    const cJSON *step = NULL;
    struct text text;
    text_init(&text, asking->work->memory);
    *count = 0;
    cJSON_ArrayForEach(step, steps)
    {
        const char *line = cJSON_GetStringValue(step);
        if (!line || strpbrk(line, "\r\n") || ++*count > STEPS_MOST) {
            text_release(&text);
            return "expected take: a list of steps";
        }
        text_printf(&text, "%s\n", line);
    }
    cJSON *file = cJSON_CreateArray();
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", ".steps");
    cJSON_AddStringToObject(item, "text", text_content(&text));
    cJSON_AddItemToArray(file, item);
    const char *why = workspace_write(&asking->arena, folder, file);
    cJSON_Delete(file);
    text_release(&text);
    return why;
}

/* Names of groups and workloads, and numbers. */
static bool is_setup(const char *setup)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/=,";
    return *setup && *setup != '-' && strspn(setup, letters) == strlen(setup);
}

/* NULL, or what is wrong with a setup that was given. */
static const char *wrong_setup(const char *setup)
{
    return setup && !is_setup(setup) ? "setup: expected NAME=N,..." : NULL;
}

/* What every simulation of a page has in common. */
static void add_simulation(struct ui_asking *asking, const char *files, const char *setup,
                           uint32_t steps)
{
    asking_add(asking, "simulate");
    asking_add_files(asking, files);
    asking_add_option(asking, "--steps", arena_printf(&asking->arena, "%u", steps));
    asking_add_option(asking, "--kubernetes-version", asking_field(asking, "kubernetesVersion"));
    asking_add_option(asking, "--unit", asking_field(asking, "unit"));
    asking_add_option(asking, "--timeout", "30s");
    asking_add_option(asking, "-o", "run");
    if (setup) {
        asking_add(asking, "--setup");
        asking_add(asking, setup);
    }
    if (!asking_flag(asking, "everyStep"))
        asking_add(asking, "--as-verify");
}

void ui_answer_explore(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct ui_asking asking;
    uint32_t steps = 0;
    bool good = asking_begin(&asking, work, body, answer);
    const char *setup = asking_field(&asking, "setup");
    const char *why = good ? write_steps(&asking, asking.folder, &steps) : NULL;
    const cJSON *random = cJSON_GetObjectItemCaseSensitive(asking.body, "random");
    if (!why)
        why = wrong_setup(setup);
    if (good && why)
        ui_answer_error(answer, 400, "%s", why);
    if (good && !why) {
        const double more = cJSON_IsNumber(random) ? cJSON_GetNumberValue(random) : 0;
        const uint32_t total = steps + (uint32_t)(more > 0 && more <= STEPS_MOST ? more : 0);
        add_simulation(&asking, ASKING_AFTER, setup, total);
        asking_add(&asking, "--take");
        asking_add(&asking, ".steps");
        asking_add_option(&asking, "--seed", asking_field(&asking, "seed"));
        asking_answer(&asking, "run", answer);
    }
    asking_end(&asking, false);
}

/* ---- what if ---- */

/* Calls the command in this folder: its answer, or null. */
static bool put_run(struct ui_asking *asking, const char *folder, const char *key,
                    struct json_out *json, struct text *messages)
{
    struct text output;
    text_init(&output, asking->work->memory);
    program_call_run(asking->work->options->program, folder, asking->arguments, &output, messages);
    const bool good = output.length > 0 && output.length < PROGRAM_ANSWER_BYTES_MOST &&
                      text_content(&output)[0] == '{';
    if (good)
        json_raw(json, key, text_content(&output));
    else
        json_null(json, key);
    text_release(&output);
    return good;
}

/* A run with the files as they were, and the same with them as they are. */
static void put_two_runs(struct ui_asking *asking, const char *const folders[2], uint32_t steps,
                         struct ui_answer *answer)
{
    struct text messages;
    struct json_out json;
    text_init(&messages, asking->work->memory);
    json_out_init(&json, &answer->text, 0);
    json_object_begin(&json, NULL);
    add_simulation(asking, ASKING_BEFORE, asking_field(asking, "setup"), steps);
    asking_add(asking, "--take");
    asking_add(asking, ".steps");
    asking_add(asking, "-o");
    asking_add(asking, "json=.run.json");
    const bool good = put_run(asking, folders[0], "before", &json, &messages);
    asking->argument_count = 1; /* "fathom" */
    add_simulation(asking, ASKING_AFTER, asking_field(asking, "setupAfter"), steps + STEPS_ON);
    asking_add(asking, "--what-if");
    asking_add(asking, "../.before/.run.json");
    if (good)
        put_run(asking, folders[1], "after", &json, &messages);
    json_string(&json, "messages", text_content(&messages));
    json_object_end(&json);
    text_release(&messages);
}

void ui_answer_what_if(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct ui_asking asking;
    if (asking_begin(&asking, work, body, answer)) {
        const char *folders[2];
        uint32_t steps = 0;
        const char *why = asking_write_sides(&asking, folders);
        if (!why)
            why = write_steps(&asking, folders[0], &steps);
        if (!why)
            why = wrong_setup(asking_field(&asking, "setup"));
        if (!why)
            why = wrong_setup(asking_field(&asking, "setupAfter"));
        if (why)
            ui_answer_error(answer, 400, "%s", why);
        else
            put_two_runs(&asking, folders, steps, answer);
    }
    asking_end(&asking, false);
}
