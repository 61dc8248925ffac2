/* SPDX-License-Identifier: Apache-2.0 */
/* A request, and what it makes the server keep. */
#include "tracing/server/server_internal.h"

struct request *request_create(struct trace_server *server, struct MHD_Connection *connection)
{
    struct request *request = memory_try_allocate_zeroed(server->memory, sizeof(*request));
    if (!request)
        return NULL;
    request->server = server;
    request->connection = connection;
    request->type = "application/json";
    arena_init(&request->arena, server->memory);
    text_init(&request->body, server->memory);
    text_init(&request->text, server->memory);
    const union MHD_ConnectionInfo *info =
        server->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    client_room_open(&request->room, &server->rooms, info ? info->connect_fd : -1);
    atomic_store(&request->room.sends, true);
    return request;
}

void request_free(struct request *request)
{
    struct trace_server *server = request->server;
    client_room_close(&request->room);
    text_release(&request->body);
    text_release(&request->text);
    arena_release(&request->arena);
    memory_release(server->memory, request, sizeof(*request));
}

void request_forget_input(struct request *request)
{
    request->batch = (struct record_batch){0};
    request->put = (struct store_put){0};
    text_release(&request->body);
    text_init(&request->body, request->server->memory);
    arena_release(&request->arena);
}

static bool hold(struct request *request)
{
    const size_t bytes =
        request->body.capacity + request->text.capacity + arena_bytes(&request->arena);
    return client_room_take(&request->room, bytes, false);
}

static void refuse_for_room(struct request *request)
{
    request_forget_input(request);
    text_release(&request->text);
    text_init(&request->text, request->server->memory);
    client_room_take(&request->room, 0, false);
    answer_error(request, 503, "too many requests at the same time");
}

bool request_hold(struct request *request)
{
    const bool fits = hold(request);
    if (!fits)
        refuse_for_room(request);
    return fits;
}

bool request_expect(struct request *request, size_t bytes)
{
    const bool fits = client_room_take(&request->room, bytes, false);
    if (!fits)
        refuse_for_room(request);
    return fits;
}
