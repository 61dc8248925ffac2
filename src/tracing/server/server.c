/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a request, and of the server. */
#include "tracing/server/server.h"

#include "base/clock.h"
#include "base/listen_address.h"
#include "base/web_page.h"
#include "tracing/server/server_internal.h"
#include "tracing/server/writer.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ROOM_MOST = 256 << 20, /* bytes of all requests and answers that are under way */
    BLOCK_BYTES = 32 << 10,
    IDLE_SECONDS = 60,
    CONNECTION_BYTES = 32 << 10,
};

/* ---- who may ask ---- */

static const char *header(const struct request *request, const char *name)
{
    return request->server->http.lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                         name);
}

static void check_permission(struct request *request)
{
    const struct trace_server *server = request->server;
    const char *token = server->options.token;
    if (!token) {
        const char *host = header(request, "Host");
        const char *origin = header(request, "Origin");
        if (server->local && !web_host_is_local(host))
            answer_error(request, 403, "Host: expected localhost, found \"%s\"", host);
        else if (!web_origin_is_own(origin, host))
            answer_error(request, 403, "Origin: expected no other page, found \"%s\"", origin);
        return;
    }
    if (request->route && request->route->open)
        return;
    if (web_token_is_given(header(request, "Authorization"), token))
        return;
    METRIC_ADD(request->server, unauthorized, 1);
    answer_error(request, 401, "expected the server's token (Authorization: Bearer ...)");
}

/* ---- requests ---- */

static ssize_t read_answer(void *context, uint64_t position, char *buffer, size_t most)
{
    struct request *request = context;
    const size_t left = request->text.length - (size_t)position;
    const size_t count = left < most ? left : most;
    memcpy(buffer, text_content(&request->text) + position, count);
    client_room_move(&request->room);
    return (ssize_t)count;
}

/* As clients read it. The request lives until its answer is sent. */
static struct MHD_Response *make_response(struct request *request)
{
    const struct http_library *http = &request->server->http;
    if (request->asset)
        return http->create_response_from_buffer(request->asset->length,
                                                 (void *)(uintptr_t)request->asset->bytes,
                                                 MHD_RESPMEM_PERSISTENT);
    request_forget_input(request);
    atomic_store(&request->room.sends, false);
    atomic_store(&request->room.at_work, false);
    (void)request_hold(request);
    if (request->text.length <= CLIENT_SMALL_BYTES) /* in one piece with its head */
        return http->create_response_from_buffer(request->text.length,
                                                 (void *)(uintptr_t)text_content(&request->text),
                                                 MHD_RESPMEM_PERSISTENT);
    return http->create_response_from_callback(request->text.length, BLOCK_BYTES, read_answer,
                                               request, NULL);
}

static struct connection_entry *entry_of(const struct request *request)
{
    const union MHD_ConnectionInfo *info = request->server->http.get_connection_info(
        request->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static enum MHD_Result send_answer(struct request *request)
{
    const struct http_library *http = &request->server->http;
    connection_waits(&request->server->connections, entry_of(request));
    struct MHD_Response *response = make_response(request);
    if (!response)
        return MHD_NO;
    METRIC_ADD(request->server, requests, 1);
    METRIC_ADD(request->server, requests_refused, request->status >= 400);
    http->add_response_header(response, "Content-Type", request->type);
    http->add_response_header(response, "X-Content-Type-Options", "nosniff");
    http->add_response_header(response, "Cache-Control", request->asset ? "no-cache" : "no-store");
    if (request->asset)
        http->add_response_header(response, "Content-Security-Policy", request->asset->policy);
    if (request->status == 401)
        http->add_response_header(response, "WWW-Authenticate", "Bearer");
    if (request->status == 429 || request->status == 503)
        http->add_response_header(response, "Retry-After", "1");
    const enum MHD_Result queued =
        http->queue_response(request->connection, request->status, response);
    http->destroy_response(response);
    return queued;
}

static void check_size(struct request *request, size_t bytes)
{
    const size_t most = request->server->options.body_most;
    if (bytes <= most)
        return;
    METRIC_ADD(request->server, too_large, 1);
    answer_error(request, 413, "expected at most %zu bytes", most);
}

/* The head of a request is there. A client that waits for "100 Continue" gets
 * the refusal at once; other clients get it after they have sent the body,
 * because they do not read before. */
static enum MHD_Result begin_request(struct request *request, const char *method, const char *path)
{
    const char *length = header(request, "Content-Length");
    route_find(request, method, path);
    check_permission(request);
    if (!request->answered && length)
        check_size(request, strtoull(length, NULL, 10));
    if (request->answered) {
        request->asset = NULL;
        if (header(request, "Expect"))
            return send_answer(request);
    }
    return MHD_YES;
}

/* A part of the body. MHD_NO: it is hopeless, the connection is closed. */
static enum MHD_Result take_body(struct request *request, const char *bytes, size_t count)
{
    struct trace_server *server = request->server;
    if (!request->answered)
        check_size(request, request->body.length + count);
    /* A text that grows is copied into one of twice its size. */
    if (!request->answered)
        (void)request_expect(request, 3 * (request->body.length + count));
    if (!request->answered) {
        text_append(&request->body, bytes, count);
        return MHD_YES;
    }
    request->skipped_bytes += count;
    return request->skipped_bytes > 8 * server->options.body_most ? MHD_NO : MHD_YES;
}

/* The request is whole. */
static enum MHD_Result finish_request(struct request *request)
{
    struct trace_server *server = request->server;
    connection_works(&server->connections, entry_of(request));
    if (!request->answered && request->route->records)
        intake_read(request);
    else if (!request->answered)
        request->route->answer(server, request);
    if (request->answered)
        return send_answer(request);
    request->waiting = true;
    atomic_store(&request->room.at_work, true);
    server->http.suspend_connection(request->connection);
    if (!writer_submit(server->writer, request)) {
        answer_error(request, 503, "the server is being stopped");
        server->http.resume_connection(request->connection);
    }
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *upload, size_t *upload_size, void **state)
{
    (void)version;
    struct request *request = *state;
    if (!request) {
        *state = request = request_create(context, connection);
        return request ? begin_request(request, method, path) : MHD_NO;
    }
    if (*upload_size) {
        const size_t count = *upload_size;
        *upload_size = 0;
        return take_body(request, upload, count);
    }
    return request->waiting ? send_answer(request) : finish_request(request);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    if (*state)
        request_free(*state);
    *state = NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode code)
{
    struct trace_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        connection_closed(&server->connections, *state);
        memory_release(server->memory, *state, sizeof(struct connection_entry));
        return;
    }
    const union MHD_ConnectionInfo *info =
        server->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *state = memory_allocate(server->memory, sizeof(struct connection_entry));
    connection_opened(&server->connections, *state, info ? info->connect_fd : -1);
}

/* ---- the server ---- */

static const char *start_daemon(struct trace_server *server, struct arena *arena)
{
    struct sockaddr_storage address;
    const struct server_options *options = &server->options;
    const char *error = NULL;
    if (!listen_address(options->listen, &address, &server->local))
        return arena_printf(arena,
                            "expected an address and a port to listen at, such as "
                            "127.0.0.1:7788 or [::1]:7788, found \"%s\"",
                            options->listen);
    if (!server->local && !options->token && !options->insecure)
        return arena_printf(arena,
                            "--listen %s: other machines could read and write everything without "
                            "a token; give one with --token-file or FATHOM_TRACE_TOKEN, or say "
                            "--insecure",
                            options->listen);
    if (!http_library_load(&server->http, &error))
        return error;
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                           (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    server->daemon = server->http.start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, server, MHD_OPTION_CONNECTION_LIMIT,
        options->connections_most + CONNECTIONS_SPARE, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024U, MHD_OPTION_END);
    if (!server->daemon)
        return arena_printf(arena, "cannot listen at %s: %s", options->listen, strerror(errno));
    const union MHD_DaemonInfo *info =
        server->http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    listen_write(&address, info ? info->port : 0, server->address, sizeof(server->address));
    return NULL;
}

struct trace_server *trace_server_start(struct memory *memory, const struct server_options *options,
                                        struct arena *arena, const char **error)
{
    struct trace_server *server = memory_try_allocate_zeroed(memory, sizeof(*server));
    if (!server) {
        *error = "memory is exhausted";
        return NULL;
    }
    server->memory = memory;
    server->options = *options;
    pthread_mutex_init(&server->store_lock, NULL);
    client_rooms_init(&server->rooms, ROOM_MOST);
    server->options.connections_most = connections_that_fit(options->connections_most, 1);
    connection_list_init(&server->connections, server->options.connections_most);
    rate_init(&server->rate, options->rate_most, clock_now_ns());
    server->store = trace_store_open(memory, options->store, &options->limits, arena, error);
    if (!server->store) {
        *error = arena_printf(arena, "%s: %s", options->store ? options->store : "memory", *error);
        trace_server_stop(server);
        return NULL;
    }
    server->writer = writer_start(server);
    *error = server->writer ? start_daemon(server, arena) : "a thread cannot be started";
    if (!*error)
        return server;
    trace_server_stop(server);
    return NULL;
}

const char *trace_server_address(const struct trace_server *server)
{
    return server->address;
}

bool trace_server_is_local(const struct trace_server *server)
{
    return server->local;
}

/* The writer answers all that wait before the daemon ends, and is still there
 * for those that come while it does. */
void trace_server_stop(struct trace_server *server)
{
    if (!server)
        return;
    if (server->daemon) {
        const MHD_socket listening = server->http.quiesce_daemon(server->daemon);
        if (listening != MHD_INVALID_SOCKET)
            close(listening);
    }
    writer_stop(server->writer);
    if (server->daemon)
        server->http.stop_daemon(server->daemon);
    writer_free(server->writer);
    trace_store_close(server->store);
    client_rooms_destroy(&server->rooms);
    connection_list_destroy(&server->connections);
    pthread_mutex_destroy(&server->store_lock);
    memory_release(server->memory, server, sizeof(*server));
}
