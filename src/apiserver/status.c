/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/status.h"

#include "base/json_out.h"

#include <inttypes.h>
#include <string.h>

/* "spec.replicas" of "spec.replicas: must be ...". */
static void write_cause(struct json_out *json, const char *cause)
{
    const char *colon = strstr(cause, ": ");
    json_array_begin(json, "causes");
    json_object_begin(json, NULL);
    json_string(json, "reason", "FieldValueInvalid");
    json_string(json, "message", colon ? colon + 2 : cause);
    if (colon)
        json_string_of(json, "field", cause, (size_t)(colon - cause));
    json_object_end(json);
    json_array_end(json);
}

static void write_details(struct json_out *json, const struct status *status)
{
    json_object_begin(json, "details");
    if (status->name && *status->name)
        json_string(json, "name", status->name);
    if (status->group && *status->group)
        json_string(json, "group", status->group);
    json_string(json, "kind", status->kind);
    if (status->uid) {
        struct text uid;
        text_init(&uid, json->text->memory);
        datum_write(&uid, DATUM_REAL, status->uid);
        json_raw(json, "uid", text_content(&uid));
        text_release(&uid);
    }
    if (status->cause)
        write_cause(json, status->cause);
    json_object_end(json);
}

void status_write(struct text *text, const struct status *status)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "kind", "Status");
    json_string(&json, "apiVersion", "v1");
    json_object_begin(&json, "metadata");
    json_object_end(&json);
    json_string(&json, "status", status->code < 400 ? "Success" : "Failure");
    if (status->message)
        json_string(&json, "message", status->message);
    if (status->reason)
        json_string(&json, "reason", status->reason);
    if (status->kind)
        write_details(&json, status);
    if (status->code >= 400)
        json_unsigned(&json, "code", status->code);
    json_object_end(&json);
}

void status_respond(struct http_response *response, const struct status *status)
{
    response->status = status->code;
    response->content_type = "application/json";
    text_reset(&response->body);
    status_write(&response->body, status);
    text_append_char(&response->body, '\n');
}

struct status status_of_error(struct arena *arena, const struct resource_type *type,
                              const char *name, enum api_error error, const char *message)
{
    const char *resource = resource_qualified(arena, type);
    struct status status = {
        .message = message, .name = name, .group = type->group, .kind = type->plural};
    switch (error) {
    case API_NOT_FOUND:
        status.code = 404;
        status.reason = "NotFound";
        status.message = arena_printf(arena, "%s \"%s\" not found", resource, name);
        return status;
    case API_ALREADY_EXISTS:
        status.code = 409;
        status.reason = "AlreadyExists";
        status.message = arena_printf(arena, "%s \"%s\" already exists", resource, name);
        return status;
    case API_CONFLICT:
        status.code = 409;
        status.reason = "Conflict";
        status.message = arena_printf(arena, "Operation cannot be fulfilled on %s \"%s\": %s",
                                      resource, name, message);
        return status;
    case API_INVALID: {
        const char *kind =
            *type->group ? arena_printf(arena, "%s.%s", type->kind, type->group) : type->kind;
        status.code = 422;
        status.reason = "Invalid";
        status.kind = type->kind;
        status.cause = message;
        status.message = arena_printf(arena, "%s \"%s\" is invalid: %s", kind, name, message);
        return status;
    }
    case API_FORBIDDEN:
        status.code = 403;
        status.reason = "Forbidden";
        status.message = arena_printf(arena, "%s \"%s\" is forbidden: %s", resource, name, message);
        return status;
    case API_BAD_REQUEST: return status_bad_request(message);
    case API_INTERNAL_ERROR:
        status = (struct status){
            .code = 500,
            .reason = "InternalError",
            .message = arena_printf(arena, "Internal error occurred: %s", message),
        };
        return status;
    case API_NOT_SUPPORTED: return status_method_not_allowed();
    case API_TIMEOUT:
        status.code = 504;
        status.reason = "Timeout";
        return status;
    case API_SERVER_TIMEOUT:
        status.code = 504;
        status.reason = "ServerTimeout";
        return status;
    case API_OK:
    case API_OTHER: break;
    }
    status.code = 500;
    status.reason = "";
    return status;
}

struct status status_bad_request(const char *message)
{
    return (struct status){.code = 400, .reason = "BadRequest", .message = message};
}

struct status status_too_large(const char *message)
{
    return (struct status){.code = 413, .reason = "RequestEntityTooLarge", .message = message};
}

struct status status_too_many_requests(const char *message)
{
    return (struct status){.code = 429, .reason = "TooManyRequests", .message = message};
}

struct status status_path_unknown(void)
{
    return (struct status){.code = 404,
                           .reason = "NotFound",
                           .message = "the server could not find the requested resource"};
}

struct status status_method_not_allowed(void)
{
    return (struct status){
        .code = 405,
        .reason = "MethodNotAllowed",
        .message = "the server does not allow this method on the requested resource",
    };
}

struct status status_expired(struct arena *arena, uint64_t asked, uint64_t oldest)
{
    return (struct status){
        .code = 410,
        .reason = "Expired",
        .message = arena_printf(arena, "too old resource version: %" PRIu64 " (%" PRIu64 ")", asked,
                                oldest),
    };
}
