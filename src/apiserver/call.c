/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/call.h"

#include "apiserver/list_stream.h"
#include "apiserver/selection.h"

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
    call->response->status = 200;
    call->response->content_type = "application/json";
    call->response->list = list_stream_open(call->server, call->request, call->type, call->version,
                                            snapshots->items, snapshots->count, version);
}
