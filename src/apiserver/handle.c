/* SPDX-License-Identifier: Apache-2.0 */
/* From a request to its response: where it goes, and reading. */
#include "apiserver/discovery.h"
#include "apiserver/handle_internal.h"
#include "apiserver/render.h"
#include "apiserver/selection.h"
#include "apiserver/watch.h"

#include <string.h>

void call_refuse(const struct call *call, struct status status)
{
    status_respond(call->response, &status);
}

static struct object_store *store_of(const struct call *call)
{
    return &call->server->store;
}

void call_lock(const struct call *call)
{
    pthread_mutex_lock(&store_of(call)->lock);
}

void call_unlock(const struct call *call)
{
    pthread_mutex_unlock(&store_of(call)->lock);
}

static struct rendering rendering(const struct call *call)
{
    return rendering_of(call->server, call->arena, call->type, call->version, call->request);
}

void call_respond(const struct call *call, unsigned status, const struct datum *object)
{
    const struct rendering how = rendering(call);
    call->response->status = status;
    call->response->content_type = "application/json";
    render_object(&call->response->body, &how, object);
    text_append_char(&call->response->body, '\n');
}

struct change call_change(const struct call *call)
{
    return (struct change){
        .server = call->server,
        .arena = call->arena,
        .type = call->type,
        .version = call->version->name,
        .name_space = call->target.name_space,
        .name = call->target.name,
        .dry_run = strcmp(http_parameter(call->request, "dryRun"), "All") == 0,
    };
}

static void handle_get(const struct call *call)
{
    const struct change change = call_change(call);
    call_lock(call);
    const struct object_store_entry *entry =
        object_store_find(store_of(call), call->type, change.name_space, change.name);
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

/* Those that are selected, held. False, after a refusal, if it makes no sense. */
bool call_select(const struct call *call, snapshot_vec *snapshots, uint64_t *version)
{
    struct selection selection;
    const char *why = NULL;
    if (!selection_read(call->arena, call->type, call->request, &selection, &why)) {
        call_refuse(call, status_bad_request(why));
        return false;
    }
    call_lock(call);
    const struct object_store_range range =
        object_store_range(store_of(call), call->type, call->target.name_space);
    for (const struct object_store_entry *entry = range.first; entry != range.end; entry++)
        if (selection_matches(call->arena, &selection, entry->snapshot->object))
            VEC_PUSH(call->arena, snapshots, snapshot_hold(entry->snapshot));
    *version = store_of(call)->version;
    call_unlock(call);
    return true;
}

void call_respond_list(const struct call *call, const snapshot_vec *snapshots, uint64_t version)
{
    const struct rendering how = rendering(call);
    call->response->status = 200;
    call->response->content_type = "application/json";
    render_list(&call->response->body, &how, snapshots->items, snapshots->count, version);
    text_append_char(&call->response->body, '\n');
    for (uint32_t i = 0; i < snapshots->count; i++)
        snapshot_release(snapshots->items[i]);
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
    call->type = resource_type_find(&store_of(call)->types, call->target.group,
                                    call->target.version, call->target.plural, &call->version);
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
                    (struct status){
                        .code = 413,
                        .reason = "RequestEntityTooLarge",
                        .message = arena_printf(&arena, "Request entity too large: limit is %d",
                                                APISERVER_BODY_MOST),
                    });
    else if (call.target.kind == TARGET_RESOURCE)
        handle_resource(&call);
    else
        handle_discovery(&call);
    arena_release(&arena);
}
