/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/ui_request.h"

#include "ui/page/page.h"
#include "ui/program_call.h"
#include "ui/workspace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ARGUMENTS_MOST = 2048, OPTION_BYTES_MOST = 64, STEPS_MOST = 10000 };

/* What a request has brought, while it is answered. */
struct asking {
    struct ui_work *work;
    struct arena arena;
    cJSON *body;
    const char *folder; /* with its manifests */
    const char *arguments[ARGUMENTS_MOST + 1];
    uint32_t argument_count;
};

bool ui_path_is_open(const char *path)
{
    return strcmp(path, "/") == 0;
}

void ui_answer_error(struct ui_answer *answer, unsigned status, const char *format, ...)
{
    struct json_out json;
    struct text sentence;
    va_list arguments;
    text_init(&sentence, answer->text.memory);
    va_start(arguments, format);
    text_vprintf(&sentence, format, arguments);
    va_end(arguments);
    text_reset(&answer->text);
    json_out_init(&json, &answer->text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "error", text_content(&sentence));
    json_object_end(&json);
    answer->status = status;
    text_release(&sentence);
}

/* ---- what a request brings ---- */

static const char *field(const struct asking *asking, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(asking->body, name));
}

static void add_argument(struct asking *asking, const char *argument)
{
    if (asking->argument_count < ARGUMENTS_MOST)
        asking->arguments[asking->argument_count++] = argument;
    asking->arguments[asking->argument_count] = NULL;
}

/* The manifests, as options of a command. */
static void add_files(struct asking *asking)
{
    const cJSON *file = NULL;
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(asking->body, "files"))
    {
        add_argument(asking, "-f");
        add_argument(asking, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "name")));
    }
}

/* An option with a value that is a word; others are left out. */
static void add_option(struct asking *asking, const char *name, const char *value)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    if (!value || !*value || *value == '-' || strlen(value) > OPTION_BYTES_MOST ||
        strspn(value, letters) != strlen(value))
        return;
    add_argument(asking, name);
    add_argument(asking, value);
}

static bool begin_asking(struct asking *asking, struct ui_work *work, const struct text *body,
                         struct ui_answer *answer)
{
    const unsigned number = atomic_fetch_add(&work->folders, 1);
    *asking = (struct asking){.work = work};
    arena_init(&asking->arena, work->memory);
    asking->body = cJSON_ParseWithLength(text_content(body), body->length);
    asking->folder = arena_printf(&asking->arena, "%s/%u", work->options->folder, number);
    const char *why = mkdir(asking->folder, 0700) != 0 ? strerror(errno) : NULL;
    if (!why)
        why = workspace_write(&asking->arena, asking->folder,
                              cJSON_GetObjectItemCaseSensitive(asking->body, "files"));
    if (why)
        ui_answer_error(answer, 400, "%s", why);
    add_argument(asking, "fathom");
    return !why;
}

static void end_asking(struct asking *asking, bool keeps_folder)
{
    if (!keeps_folder)
        workspace_remove(asking->folder);
    cJSON_Delete(asking->body);
    arena_release(&asking->arena);
}

/* ---- commands ---- */

/* Runs the command: {"exit", "messages", KEY: what it answered}, an object or a text. */
static void answer_call(struct asking *asking, const char *key, struct ui_answer *answer)
{
    struct text output;
    struct text complaints;
    struct json_out json;
    text_init(&output, asking->work->memory);
    text_init(&complaints, asking->work->memory);
    const int code = program_call_run(asking->work->options->program, asking->folder,
                                      asking->arguments, &output, &complaints);
    json_out_init(&json, &answer->text, 0);
    json_object_begin(&json, NULL);
    json_integer(&json, "exit", code);
    json_string(&json, "messages", text_content(&complaints));
    if (output.length > 0 && text_content(&output)[0] == '{')
        json_raw(&json, key, text_content(&output));
    else if (output.length > 0)
        json_string(&json, key, text_content(&output));
    else
        json_null(&json, key);
    json_object_end(&json);
    text_release(&output);
    text_release(&complaints);
}

static void answer_check(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct asking asking;
    if (begin_asking(&asking, work, body, answer)) {
        add_argument(&asking, "check-manifests");
        add_files(&asking);
        add_option(&asking, "-o", "json");
        answer_call(&asking, "report", answer);
    }
    end_asking(&asking, false);
}

/* The steps that were taken already, a line each, for --take. */
static const char *write_steps(struct asking *asking, uint32_t *count)
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
    const char *why = workspace_write(&asking->arena, asking->folder, file);
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

static void answer_explore(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct asking asking;
    uint32_t steps = 0;
    bool good = begin_asking(&asking, work, body, answer);
    const char *why = good ? write_steps(&asking, &steps) : NULL;
    const char *setup = field(&asking, "setup");
    const cJSON *random = cJSON_GetObjectItemCaseSensitive(asking.body, "random");
    if (!why && setup && !is_setup(setup))
        why = "setup: expected NAME=N,...";
    if (why)
        ui_answer_error(answer, 400, "%s", why);
    if (good && !why) {
        const double more = cJSON_IsNumber(random) ? cJSON_GetNumberValue(random) : 0;
        const uint32_t total = steps + (uint32_t)(more > 0 && more <= STEPS_MOST ? more : 0);
        add_argument(&asking, "simulate");
        add_files(&asking);
        add_argument(&asking, "--take");
        add_argument(&asking, ".steps");
        add_option(&asking, "--steps", arena_printf(&asking.arena, "%u", total));
        add_option(&asking, "--seed", field(&asking, "seed"));
        add_option(&asking, "--kubernetes-version", field(&asking, "kubernetesVersion"));
        add_option(&asking, "--timeout", "30s");
        add_option(&asking, "-o", "run");
        if (setup) {
            add_argument(&asking, "--setup");
            add_argument(&asking, setup);
        }
        if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(asking.body, "everyStep")))
            add_argument(&asking, "--as-verify");
        answer_call(&asking, "run", answer);
    }
    end_asking(&asking, false);
}

/* The same files before and after a change, as `fathom diff` tells them apart. */
static void answer_compare(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct asking asking;
    const char *why = NULL;
    if (begin_asking(&asking, work, body, answer)) {
        static const char *const sides[] = {"before", "files"};
        const char *folders[2];
        for (int i = 0; i < 2 && !why; i++) {
            folders[i] = arena_printf(&asking.arena, "%s/.%s", asking.folder, sides[i]);
            why = mkdir(folders[i], 0700) != 0
                      ? strerror(errno)
                      : workspace_write(&asking.arena, folders[i],
                                        cJSON_GetObjectItemCaseSensitive(asking.body, sides[i]));
        }
        add_argument(&asking, "diff");
        add_argument(&asking, ".before");
        add_argument(&asking, ".files");
        add_option(&asking, "--timeout", "1m");
        add_option(&asking, "--kubernetes-version", field(&asking, "kubernetesVersion"));
        if (why)
            ui_answer_error(answer, 400, "%s", why);
        else
            answer_call(&asking, "text", answer);
    }
    end_asking(&asking, false);
}

/* One ServiceObjective, with the other files as its manifests. */
static void answer_objective(struct ui_work *work, const struct text *body,
                             struct ui_answer *answer)
{
    struct asking asking;
    if (begin_asking(&asking, work, body, answer)) {
        const char *objective = field(&asking, "objective");
        const cJSON *file = NULL;
        bool found = false;
        add_argument(&asking, "slo");
        cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(asking.body, "files"))
        {
            const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "name"));
            const bool is_it = objective && strcmp(name, objective) == 0;
            found |= is_it;
            if (!is_it)
                add_argument(&asking, "-f");
            add_argument(&asking, name);
        }
        add_option(&asking, "--question", "objective");
        add_option(&asking, "--timeout", "20s");
        add_option(&asking, "-o", "svg");
        if (found)
            answer_call(&asking, "picture", answer);
        else
            ui_answer_error(answer, 400, "expected objective: the name of one of the files");
    }
    end_asking(&asking, false);
}

static void answer_verify(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct asking asking;
    uint32_t number = 0;
    if (begin_asking(&asking, work, body, answer)) {
        add_argument(&asking, "verify");
        add_files(&asking);
        add_option(&asking, "--progress", "always");
        add_option(&asking, "--timeout", field(&asking, "timeout"));
        add_option(&asking, "--interleaving", field(&asking, "interleaving"));
        add_option(&asking, "--kubernetes-version", field(&asking, "kubernetesVersion"));
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(asking.body, "heatmap")))
            add_argument(&asking, "--heatmap");
        add_argument(&asking, "-o");
        add_argument(&asking, "html=.report.html");
        add_argument(&asking, "-o");
        add_argument(&asking, "json=.report.json");
        number = verify_jobs_start(work->jobs, asking.folder, asking.arguments);
        if (number > 0)
            text_printf(&answer->text, "{\"job\":%u}", number);
        else
            ui_answer_error(answer, 429, "too many verifications are running");
    }
    end_asking(&asking, number > 0);
}

/* ---- jobs ---- */

/* "/api/jobs/3", "/api/jobs/3/page" */
static void answer_job(struct ui_work *work, const char *method, const char *path,
                       struct ui_answer *answer)
{
    char *end = NULL;
    const unsigned long value = strtoul(path, &end, 10);
    const uint32_t number = value <= UINT32_MAX ? (uint32_t)value : 0;
    const bool get = strcmp(method, "GET") == 0;
    struct json_out json;
    bool found = false;
    json_out_init(&json, &answer->text, 0);
    if (get && *end == '\0')
        found = verify_jobs_tell(work->jobs, number, &json);
    else if (get && strcmp(end, "/page") == 0)
        found = verify_jobs_read(work->jobs, number, ".report.html", &answer->text);
    else if (get && strcmp(end, "/report") == 0)
        found = verify_jobs_read(work->jobs, number, ".report.json", &answer->text);
    else if (!get && strcmp(end, "/stop") == 0 && verify_jobs_stop(work->jobs, number)) {
        found = true;
        text_append_string(&answer->text, "{}");
    }
    if (!found)
        ui_answer_error(answer, 404, "there is nothing at %s", path);
    else if (strcmp(end, "/page") == 0) /* for a parser: as a page of its own it would be trusted */
        answer->type = "text/plain; charset=utf-8";
}

/* ---- all of them ---- */

static void answer_page(struct ui_answer *answer)
{
    static const char *const parts[] = {
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Fathom</title>\n<style>",
        "</style>\n</head>\n<body>\n<div id=\"workbench\"></div>\n"
        "<noscript>The workbench needs JavaScript.</noscript>\n<script type=\"module\">",
        "</script>\n</body>\n</html>\n"};
    text_append_string(&answer->text, parts[0]);
    text_append(&answer->text, (const char *)ui_style, ui_style_length);
    text_append_string(&answer->text, parts[1]);
    text_append(&answer->text, (const char *)ui_script, ui_script_length);
    text_append_string(&answer->text, parts[2]);
    answer->type = "text/html; charset=utf-8";
    answer->page = true;
}

void ui_answer_request(struct ui_work *work, const char *method, const char *path,
                       const struct text *body, struct ui_answer *answer)
{
    static const char jobs[] = "/api/jobs/";
    const bool get = strcmp(method, "GET") == 0;
    const bool post = strcmp(method, "POST") == 0;
    answer->status = 200;
    answer->type = "application/json";
    if (get && strcmp(path, "/") == 0)
        answer_page(answer);
    else if (get && strcmp(path, "/api/files") == 0)
        text_append_string(&answer->text, work->options->files);
    else if (post && strcmp(path, "/api/check") == 0)
        answer_check(work, body, answer);
    else if (post && strcmp(path, "/api/compare") == 0)
        answer_compare(work, body, answer);
    else if (post && strcmp(path, "/api/explore") == 0)
        answer_explore(work, body, answer);
    else if (post && strcmp(path, "/api/objective") == 0)
        answer_objective(work, body, answer);
    else if (post && strcmp(path, "/api/verify") == 0)
        answer_verify(work, body, answer);
    else if ((get || post) && strncmp(path, jobs, sizeof(jobs) - 1) == 0)
        answer_job(work, method, path + sizeof(jobs) - 1, answer);
    else
        ui_answer_error(answer, 404, "there is nothing at %s", path);
}
