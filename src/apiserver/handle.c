/* SPDX-License-Identifier: Apache-2.0 */
/* From a request to its response: where it goes, and reading. */
#include "apiserver/discovery.h"
#include "apiserver/handle_delete.h"
#include "apiserver/handle_scale.h"
#include "apiserver/handle_write.h"
#include "apiserver/watch.h"

#include <string.h>

static void handle_get(const struct call *call)
{
    const struct change change = call_change(call);
    call_lock(call);
    const struct object_store_entry *entry =
        object_store_find(&call->server->store, call->type, change.name_space, change.name);
    struct snapshot *snapshot = entry ? snapshot_hold(entry->snapshot) : NULL;
    call_unlock(call);
    if (!snapshot) {
        call_refuse(call, status_of_error(call->arena, call->type, change.name, API_NOT_FOUND, ""));
        return;
    }
    if (call_is_scale(call))
        call_respond_scale(call, snapshot->object);
    else
        call_respond(call, 200, snapshot->object);
    snapshot_release(snapshot);
}

static void handle_list(const struct call *call)
{
    snapshot_vec snapshots = {0};
    uint64_t version = 0;
    if (call_select(call, &snapshots, &version))
        call_respond_list(call, &snapshots, version);
}

static void handle_watch(const struct call *call)
{
    const struct watch_target target = {call->type, call->version, call->target.name_space,
                                        call->target.name};
    watch_open(call->server, &target, call->request, call->response);
}

static bool is(const struct call *call, const char *method)
{
    return strcmp(call->request->method, method) == 0;
}

static void handle_collection(const struct call *call)
{
    const bool everywhere = call->type->namespaced && !*call->target.name_space;
    if (is(call, "GET") && http_parameter_true(call->request, "watch"))
        handle_watch(call);
    else if (is(call, "GET"))
        handle_list(call);
    else if (is(call, "POST") && !everywhere)
        handle_create(call);
    else if (is(call, "DELETE"))
        handle_delete_all(call);
    else
        call_refuse(call, status_method_not_allowed());
}

static void handle_named(const struct call *call)
{
    const bool part = *call->target.sub_resource;
    if (is(call, "GET") && http_parameter_true(call->request, "watch") && !part)
        handle_watch(call);
    else if (is(call, "GET"))
        handle_get(call);
    else if (is(call, "PUT"))
        handle_update(call);
    else if (is(call, "PATCH"))
        handle_patch(call);
    else if (is(call, "DELETE") && !part)
        handle_delete(call);
    else
        call_refuse(call, status_method_not_allowed());
}

static bool fits_scope(const struct call *call)
{
    if (call->type->namespaced)
        return *call->target.name_space || !*call->target.name;
    return !*call->target.name_space;
}

static void handle_resource(struct call *call)
{
    call_lock(call);
    call->type = resource_type_find(&call->server->store.types, call->target.group,
                                    call->target.version, call->target.plural, &call->version);
    if (call->type)
        resource_type_hold(call->type);
    call_unlock(call);
    const char *part = call->target.sub_resource;
    if (!call->type || !fits_scope(call) ||
        (*part && !(strcmp(part, "status") == 0 && call->version->status) &&
         !(call_is_scale(call) && scale_is_served(call->type))))
        call_refuse(call, status_path_unknown());
    else if (*call->target.name)
        handle_named(call);
    else
        handle_collection(call);
}

static void handle_discovery(const struct call *call)
{
    if (!is(call, "GET") && !is(call, "HEAD")) {
        call_refuse(call, status_method_not_allowed());
        return;
    }
    call_lock(call);
    const bool found =
        discovery_respond(call->server, call->arena, &call->target, call->request, call->response);
    call_unlock(call);
    if (!found)
        call_refuse(call, status_path_unknown());
}

void apiserver_handle(struct apiserver *server, const struct http_request *request,
                      struct http_response *response)
{
    struct arena arena;
    arena_init(&arena, &server->memory);
    struct call call = {
        .server = server,
        .arena = &arena,
        .request = request,
        .response = response,
        .target = target_parse(&arena, request->path),
    };
    if (request->body_length > APISERVER_BODY_MOST)
        call_refuse(&call,
                    status_too_large(arena_printf(&arena, "Request entity too large: limit is %d",
                                                  APISERVER_BODY_MOST)));
    else if (call.target.kind == TARGET_RESOURCE)
        handle_resource(&call);
    else
        handle_discovery(&call);
    resource_type_release(call.type);
    arena_release(&arena);
}
