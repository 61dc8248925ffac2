/* SPDX-License-Identifier: Apache-2.0 */
/* What is in the body of a request. */
#include "apiserver/handle_body.h"

#include "apiserver/patch.h"
#include "apiserver/protobuf.h"

#include <string.h>

bool call_is_media_type(const char *content_type, const char *wanted)
{
    const size_t length = strlen(wanted);
    return strncmp(content_type, wanted, length) == 0 &&
           (!content_type[length] || strchr("; ", content_type[length]));
}

void call_refuse_media_type(const struct call *call, const char *accepted)
{
    call_refuse(call,
                (struct status){
                    .code = 415,
                    .reason = "UnsupportedMediaType",
                    .message = arena_printf(call->arena,
                                            "the body of the request was in an unknown format - "
                                            "accepted media types include: %s",
                                            accepted),
                });
}

static void refuse_unrecognized(const struct call *call, const struct problems *problems)
{
    const char *why =
        problems->count ? problem_format(call->arena, &problems->items[0]) : "it is null";
    call_refuse(call,
                status_bad_request(arena_printf(
                    call->arena, "the object provided is unrecognized (must be of type %s): %s",
                    call->type->kind, why)));
}

const struct value *call_read_patch(const struct call *call, struct manifest_reader *reader)
{
    struct problems problems;
    problems_init(&problems, call->arena);
    const struct document *document =
        manifest_reader_parse_json(reader, call->arena, (struct place){"body", 1, 1},
                                   call->request->body, call->request->body_length, &problems);
    if (!document)
        refuse_unrecognized(call, &problems);
    return document ? &document->root : NULL;
}

/* As YAML, of which JSON is a part. */
static const struct datum *read_yaml(const struct call *call)
{
    struct problems problems;
    struct documents documents = {0};
    problems_init(&problems, call->arena);
    const char *why = NULL;
    const struct datum *object = NULL;
    if (manifest_parse(call->arena, "body", call->request->body, call->request->body_length,
                       &documents, &problems) &&
        documents.count == 1)
        object = patch_content(call->arena, &documents.items[0].root, &why);
    if (object)
        return call_read_again(call, object);
    if (why)
        problem_error(&problems, (struct place){0}, NULL, "%s", why);
    refuse_unrecognized(call, &problems);
    return NULL;
}

/* As an object of the API; NULL after a refusal. */
static const struct datum *read_json(const struct call *call, const char *bytes, size_t count)
{
    struct problems problems;
    problems_init(&problems, call->arena);
    const struct place place = {"body", 1, 1};
    const struct datum *object =
        datum_read(call->arena, DATUM_REAL, place, bytes, count, &problems);
    if (object && !problems.errors)
        return object;
    refuse_unrecognized(call, &problems);
    return NULL;
}

/* The real form of what was put together in another way; NULL after a refusal. */
const struct datum *call_read_again(const struct call *call, const struct datum *object)
{
    struct text text;
    text_init(&text, call->arena->memory);
    const struct datum *again = NULL;
    datum_write(&text, DATUM_REAL, object);
    if (text.length > APISERVER_BODY_MOST)
        call_refuse(call, status_too_large(arena_printf(call->arena,
                                                        "the object would be larger than %d bytes",
                                                        APISERVER_BODY_MOST)));
    else
        again = read_json(call, text_content(&text), text.length);
    text_release(&text);
    return again;
}

static const struct datum *read_protobuf(const struct call *call)
{
    const char *why = NULL;
    const struct datum *object =
        protobuf_read(call->arena, call->request->body, call->request->body_length, &why);
    if (object)
        return call_read_again(call, object);
    call_refuse(call,
                (struct status){.code = 415, .reason = "UnsupportedMediaType", .message = why});
    return NULL;
}

const struct datum *call_read_body(const struct call *call)
{
    const char *type = call->request->content_type;
    if (!*type || call_is_media_type(type, "application/json"))
        return read_json(call, call->request->body, call->request->body_length);
    if (call_is_media_type(type, "application/yaml"))
        return read_yaml(call);
    if (call_is_media_type(type, PROTOBUF_MEDIA_TYPE))
        return read_protobuf(call);
    call_refuse_media_type(call, "application/json, application/yaml, " PROTOBUF_MEDIA_TYPE);
    return NULL;
}
