/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that create and change. */
#include "apiserver/handle_write.h"

#include "apiserver/handle_body.h"
#include "apiserver/handle_scale.h"
#include "apiserver/patch.h"

#include <string.h>

enum { DEPTH_MOST = 100 }; /* of what a patch may make */

static void respond_change(const struct call *call, const struct change_result *result,
                           unsigned status)
{
    if (result->refused)
        call_refuse(call, result->status);
    else if (call_is_scale(call))
        call_respond_scale(call, result->object);
    else
        call_respond(call, status, result->object);
}

void handle_create(const struct call *call)
{
    const struct datum *object = call_read_body(call);
    if (!object)
        return;
    const struct change change = call_change(call);
    call_lock(call);
    const struct change_result result = change_create(&change, object);
    call_unlock(call);
    respond_change(call, &result, 201);
}

static enum api_verb update_verb(const struct call *call)
{
    return *call->target.sub_resource ? API_UPDATE_STATUS : API_UPDATE;
}

static struct change_result update(const struct call *call, const struct change *change,
                                   const struct datum *object)
{
    return call_is_scale(call) ? scale_update(call, change, object)
                               : change_update(change, update_verb(call), object);
}

void handle_update(const struct call *call)
{
    const struct datum *object = call_read_body(call);
    if (!object)
        return;
    const struct change change = call_change(call);
    call_lock(call);
    const struct change_result result = update(call, &change, object);
    call_unlock(call);
    respond_change(call, &result, 200);
}

static bool deeper_than(const struct datum *value, int most)
{
    if (value->kind != DATUM_LIST && value->kind != DATUM_OBJECT)
        return false;
    for (uint32_t i = 0; i < value->count; i++)
        if (most == 0 ||
            deeper_than(value->kind == DATUM_LIST ? value->items[i] : value->members[i].value,
                        most - 1))
            return true;
    return false;
}

typedef const struct datum *patch_function(struct patching *patching, const struct datum *object,
                                           const struct value *patch);

static patch_function *find_patch(const struct call *call)
{
    const char *type = call->request->content_type;
    if (call_is_media_type(type, "application/merge-patch+json"))
        return patch_merge;
    if (call_is_media_type(type, "application/json-patch+json"))
        return patch_json;
    if (call_is_media_type(type, "application/strategic-merge-patch+json") &&
        !call->type->rules->custom)
        return patch_strategic;
    if (call_is_media_type(type, "application/apply-patch+yaml"))
        call_refuse(call, (struct status){
                              .code = 415,
                              .reason = "UnsupportedMediaType",
                              .message = "server-side apply is not supported by this server; use "
                                         "client-side apply (kubectl apply --server-side=false)",
                          });
    else
        call_refuse_media_type(call,
                               call->type->rules->custom
                                   ? "application/json-patch+json, application/merge-patch+json"
                                   : "application/json-patch+json, application/merge-patch+json, "
                                     "application/strategic-merge-patch+json");
    return NULL;
}

/* What the patch makes of the stored object; NULL after a refusal. */
static const struct datum *patched(const struct call *call, patch_function *apply,
                                   const struct datum *stored, const struct value *patch)
{
    struct patching patching = patching_begin(call->arena, call->type->kind);
    const struct datum *spoken =
        datum_with(call->arena, patch_plain(call->arena, stored), "apiVersion",
                   datum_string(call->arena, resource_api_version(call->arena, call->type,
                                                                  call->version->name)));
    if (call_is_scale(call))
        spoken = patch_plain(call->arena, scale_of(call->arena, stored));
    const struct datum *result = apply(&patching, spoken, patch);
    if (result && deeper_than(result, DEPTH_MOST)) {
        result = NULL;
        patching.why = "it is nested too deeply";
    }
    if (result)
        return call_read_again(call, result);
    const char *why = patching.why ? patching.why : "it is null";
    call_refuse(call, patching.too_large ? status_too_large(why)
                                         : status_of_error(call->arena, call->type,
                                                           call->target.name, API_INVALID, why));
    return NULL;
}

static void apply_patch(const struct call *call, patch_function *apply, const struct value *patch)
{
    const struct change change = call_change(call);
    struct change_result result = {.refused = true};
    call_lock(call);
    const struct datum *stored = change_stored(&change);
    const struct datum *object = stored ? patched(call, apply, stored, patch) : NULL;
    if (object)
        result = update(call, &change, object);
    call_unlock(call);
    if (object)
        respond_change(call, &result, 200);
    else if (!stored)
        call_refuse(call, status_of_error(call->arena, call->type, change.name, API_NOT_FOUND, ""));
}

void handle_patch(const struct call *call)
{
    patch_function *apply = find_patch(call);
    if (!apply)
        return;
    struct manifest_reader *reader = manifest_reader_create(call->arena->memory);
    const struct value *patch = call_read_patch(call, reader);
    if (patch)
        apply_patch(call, apply, patch);
    manifest_reader_free(reader);
}
