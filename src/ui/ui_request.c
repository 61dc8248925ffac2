/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/ui_request.h"

#include "ui/asking.h"
#include "ui/page/page.h"
#include "ui/program_call.h"
#include "ui/ui_runs.h"

#include <stdlib.h>
#include <string.h>

bool ui_path_is_open(const char *path)
{
    return strcmp(path, "/") == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

bool ui_request_is_light(const char *method, const char *path)
{
    if (strncmp(path, "/api/jobs/", strlen("/api/jobs/")) == 0)
        return !ends_with(path, "/page") && !ends_with(path, "/report");
    return strcmp(method, "POST") != 0;
}

/* ---- commands ---- */

static void answer_check(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct ui_asking asking;
    if (asking_begin(&asking, work, body, answer)) {
        asking_add(&asking, "check-manifests");
        asking_add_files(&asking, ASKING_AFTER);
        asking_add_option(&asking, "-o", "json");
        asking_answer(&asking, "report", answer);
    }
    asking_end(&asking, false);
}

/* What changes, as `fathom diff` tells it. */
static void answer_compare(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct ui_asking asking;
    if (asking_begin(&asking, work, body, answer)) {
        const char *folders[2];
        const char *why = asking_write_sides(&asking, folders);
        asking_add(&asking, "diff");
        asking_add(&asking, ".before");
        asking_add(&asking, ".files");
        asking_add_option(&asking, "--timeout", "1m");
        asking_add_option(&asking, "--kubernetes-version",
                          asking_field(&asking, "kubernetesVersion"));
        if (why)
            ui_answer_error(answer, 400, "%s", why);
        else
            asking_answer(&asking, "text", answer);
    }
    asking_end(&asking, false);
}

/* One ServiceObjective, with the other files as its manifests. */
static void answer_objective(struct ui_work *work, const struct text *body,
                             struct ui_answer *answer)
{
    struct ui_asking asking;
    if (asking_begin(&asking, work, body, answer)) {
        const char *objective = asking_field(&asking, "objective");
        const cJSON *file = NULL;
        bool found = false;
        asking_add(&asking, "slo");
        cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(asking.body, "files"))
        {
            const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "name"));
            const bool is_it = objective && strcmp(name, objective) == 0;
            found |= is_it;
            if (!is_it)
                asking_add(&asking, "-f");
            asking_add(&asking, name);
        }
        asking_add_option(&asking, "--question", "objective");
        asking_add_option(&asking, "--timeout", "20s");
        asking_add_option(&asking, "-o", "svg");
        if (found)
            asking_answer(&asking, "picture", answer);
        else
            ui_answer_error(answer, 400, "expected objective: the name of one of the files");
    }
    asking_end(&asking, false);
}

static void add_verify(struct ui_asking *asking)
{
    asking_add(asking, "verify");
    asking_add_files(asking, ASKING_AFTER);
    asking_add_option(asking, "--progress", "always");
    asking_add_option(asking, "--timeout", asking_field(asking, "timeout"));
    asking_add_option(asking, "--interleaving", asking_field(asking, "interleaving"));
    asking_add_option(asking, "--kubernetes-version", asking_field(asking, "kubernetesVersion"));
    if (asking_flag(asking, "heatmap"))
        asking_add(asking, "--heatmap");
}

/* A ControllerCheck. What it names is not run: a link to the page can bring one. */
static void add_controller(struct ui_asking *asking)
{
    const cJSON *file = NULL;
    asking_add(asking, "controller");
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(asking->body, ASKING_AFTER))
        asking_add(asking, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "name")));
    asking_add(asking, "--machines-only");
    asking_add_option(asking, "--progress", "always");
    asking_add_option(asking, "--timeout", asking_field(asking, "timeout"));
}

static void answer_verify(struct ui_work *work, const struct text *body, struct ui_answer *answer)
{
    struct ui_asking asking;
    uint32_t number = 0;
    if (asking_begin(&asking, work, body, answer)) {
        if (asking_flag(&asking, "controller"))
            add_controller(&asking);
        else
            add_verify(&asking);
        asking_add(&asking, "-o");
        asking_add(&asking, "html=.report.html");
        asking_add(&asking, "-o");
        asking_add(&asking, "json=.report.json");
        number = verify_jobs_start(work->jobs, asking.folder, asking.arguments);
        if (number > 0)
            text_printf(&answer->text, "{\"job\":%u}", number);
        else
            ui_answer_error(answer, 429, "too many verifications are running");
    }
    asking_end(&asking, number > 0);
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
    else if (answer->text.length > PROGRAM_ANSWER_BYTES_MOST)
        ui_answer_error(answer, 413, "it has more than %d bytes", PROGRAM_ANSWER_BYTES_MOST);
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
        ui_answer_explore(work, body, answer);
    else if (post && strcmp(path, "/api/objective") == 0)
        answer_objective(work, body, answer);
    else if (post && strcmp(path, "/api/verify") == 0)
        answer_verify(work, body, answer);
    else if (post && strcmp(path, "/api/what-if") == 0)
        ui_answer_what_if(work, body, answer);
    else if ((get || post) && strncmp(path, jobs, sizeof(jobs) - 1) == 0)
        answer_job(work, method, path + sizeof(jobs) - 1, answer);
    else
        ui_answer_error(answer, 404, "there is nothing at %s", path);
}
