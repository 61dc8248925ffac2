/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/asking.h"

#include "base/json_values.h"
#include "ui/program_call.h"
#include "ui/workspace.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_BYTES_MOST = 64, VALUES_MOST = 100000 };

const char *asking_field(const struct ui_asking *asking, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(asking->body, name));
}

bool asking_flag(const struct ui_asking *asking, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(asking->body, name)) != 0;
}

void asking_add(struct ui_asking *asking, const char *argument)
{
    if (asking->argument_count < ARGUMENTS_MOST)
        asking->arguments[asking->argument_count++] = argument;
    asking->arguments[asking->argument_count] = NULL;
}

/* The manifests of this name in the body, as options of a command. */
void asking_add_files(struct ui_asking *asking, const char *files)
{
    const cJSON *file = NULL;
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(asking->body, files))
    {
        asking_add(asking, "-f");
        asking_add(asking, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "name")));
    }
}

/* An option with a value that is a word; others are left out. */
void asking_add_option(struct ui_asking *asking, const char *name, const char *value)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    if (!value || !*value || *value == '-' || strlen(value) > OPTION_BYTES_MOST ||
        strspn(value, letters) != strlen(value))
        return;
    asking_add(asking, name);
    asking_add(asking, value);
}

bool asking_begin(struct ui_asking *asking, struct ui_work *work, const struct text *body,
                  struct ui_answer *answer)
{
    const unsigned number = atomic_fetch_add(&work->folders, 1);
    *asking = (struct ui_asking){.work = work};
    arena_init(&asking->arena, work->memory);
    if (json_has_more_values(text_content(body), body->length, VALUES_MOST)) {
        ui_answer_error(answer, 413, "expected at most %d values", VALUES_MOST);
        return false;
    }
    asking->body = cJSON_ParseWithLength(text_content(body), body->length);
    asking->folder = arena_printf(&asking->arena, "%s/%u", work->options->folder, number);
    const char *why = mkdir(asking->folder, 0700) != 0 ? strerror(errno) : NULL;
    if (!why)
        why = workspace_write(&asking->arena, asking->folder,
                              cJSON_GetObjectItemCaseSensitive(asking->body, "files"));
    if (why)
        ui_answer_error(answer, 400, "%s", why);
    asking_add(asking, "fathom");
    return !why;
}

void asking_end(struct ui_asking *asking, bool keeps_folder)
{
    if (!keeps_folder)
        workspace_remove(asking->folder);
    cJSON_Delete(asking->body);
    arena_release(&asking->arena);
}

/* The files before and after a change, in folders of their own. */
static const char *const sides[] = {ASKING_BEFORE, ASKING_AFTER};

const char *asking_write_sides(struct ui_asking *asking, const char *folders[2])
{
    const char *why = NULL;
    for (int i = 0; i < 2 && !why; i++) {
        folders[i] = arena_printf(&asking->arena, "%s/.%s", asking->folder, sides[i]);
        why = mkdir(folders[i], 0700) != 0
                  ? strerror(errno)
                  : workspace_write(&asking->arena, folders[i],
                                    cJSON_GetObjectItemCaseSensitive(asking->body, sides[i]));
    }
    return why;
}

void asking_answer(struct ui_asking *asking, const char *key, struct ui_answer *answer)
{
    struct text output;
    struct text complaints;
    struct json_out json;
    text_init(&output, asking->work->memory);
    text_init(&complaints, asking->work->memory);
    const int code = program_call_run(asking->work->options->program, asking->folder,
                                      asking->arguments, &output, &complaints);
    if (output.length >= PROGRAM_ANSWER_BYTES_MOST) {
        ui_answer_error(answer, 500, "the answer is too large");
        text_release(&output);
        text_release(&complaints);
        return;
    }
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
