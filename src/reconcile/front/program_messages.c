/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and responses as the JSON lines of a program have them. */
#include "reconcile/front/program.h"

#include <string.h>

static bool is_text(const struct datum *value)
{
    return value && value->kind == DATUM_STRING;
}

static bool writes(enum api_verb verb)
{
    return verb == API_CREATE || verb == API_UPDATE || verb == API_UPDATE_STATUS;
}

/* A part of the key: given there, or in the object, or by the custom resource. */
static const char *key_part(const struct datum *key, const char *name, const struct datum *object,
                            const char *path, const char *fallback)
{
    const struct datum *part = datum_member(key, name);
    if (!part)
        part = datum_at(object, path);
    return datum_text(part, fallback);
}

bool program_read_request(const struct program *program, const struct program_process *process,
                          struct arena *arena, const struct datum *request,
                          const struct datum *custom_resource, struct api_request *result,
                          struct problems *problems)
{
    const char *wrong = NULL;
    const char *answer = text_content(&process->answer);
    const struct datum *key = datum_member(request, "key");
    const char *verb = datum_text(datum_member(request, "verb"), "");
    *result = (struct api_request){.object = datum_member(request, "obj")};
    result->key = (struct object_key){"", "", ""};
    if (request->kind != DATUM_OBJECT || !is_text(datum_member(request, "verb"))) {
        wrong = "whose req is not an object with a verb";
    } else if (!api_verb_parse(verb, &result->verb)) {
        wrong = arena_printf(arena,
                             "whose req has the unknown verb \"%s\" (get, list, create, update, "
                             "updateStatus, delete and ext are known)",
                             verb);
    } else if (result->verb != API_EXTERNAL) {
        const struct datum *object = writes(result->verb) ? result->object : NULL;
        result->key.kind = key_part(key, "kind", object, "kind", "");
        result->key.name_space =
            key_part(key, "namespace", object, "metadata.namespace",
                     datum_text(datum_at(custom_resource, "metadata.namespace"), ""));
        if (result->verb != API_LIST)
            result->key.name = key_part(key, "name", object, "metadata.name", "");
        const struct datum *preconditions = datum_member(request, "preconditions");
        result->uid_precondition = datum_member(preconditions, "uid");
        result->version_precondition = datum_member(preconditions, "resourceVersion");
        if (writes(result->verb) && (!object || object->kind != DATUM_OBJECT))
            wrong = arena_printf(arena, "whose req to %s has no obj", verb);
        else if (key && key->kind != DATUM_OBJECT)
            wrong = "whose req has a key that is not an object {\"kind\",\"namespace\",\"name\"}";
        else if (!*result->key.kind)
            wrong = arena_printf(arena, "whose req to %s has no key.kind", verb);
        else if (!*result->key.name && result->verb != API_LIST && result->verb != API_CREATE)
            wrong = arena_printf(arena, "whose req to %s has no key.name", verb);
    }
    if (wrong)
        program_complain(program, process, problems, "answered %.300s, %s", answer, wrong);
    return !wrong;
}

void program_write_response(struct text *text, const struct controller_response *response)
{
    if (!response) {
        text_append_string(text, "null");
        return;
    }
    if (response->error != API_OK)
        text_printf(text, "{\"err\":\"%s\"", api_error_name(response->error));
    else
        text_append_string(text, "{\"ok\":");
    if (response->error != API_OK && response->content)
        text_append_string(text, ",\"content\":");
    if (response->error == API_OK || response->content)
        datum_write(text, DATUM_TAGGED, response->content);
    text_append_char(text, '}');
}

bool program_read_response(const struct program *program, const struct program_process *process,
                           const struct datum *value, struct controller_response *response,
                           struct problems *problems)
{
    const struct datum *error = datum_member(value, "err");
    *response = (struct controller_response){.content = datum_member(value, "ok")};
    if (!error)
        return true;
    response->content = datum_member(value, "content");
    if (is_text(error) && api_error_parse(error->text, &response->error) &&
        response->error != API_OK)
        return true;
    program_complain(program, process, problems,
                     "answered %.300s, whose err is none of the known errors",
                     text_content(&process->answer));
    return false;
}
