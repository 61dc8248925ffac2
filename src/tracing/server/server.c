/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a request, and of the server. */
#include "tracing/server/server.h"

#include "base/clock.h"
#include "tracing/server/server_internal.h"
#include "tracing/server/writer.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    BODIES_MOST = 256 << 20, /* bytes of all requests that are being read */
    IDLE_SECONDS = 60,
    CONNECTION_BYTES = 32 << 10,
    FILES_BESIDES = 64,
};

/* ---- who may ask ---- */

/* Takes the same time wherever the first difference is. */
static bool same_secret(const char *given, const char *expected)
{
    const size_t given_length = strlen(given);
    const size_t length = strlen(expected);
    volatile unsigned char difference = given_length != length;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)((i < given_length ? given[i] : 0) ^ expected[i]);
    return difference == 0;
}

static const char *header(const struct request *request, const char *name)
{
    return request->server->http.lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                         name);
}

/* Protects against DNS rebinding: a page whose name was made to point here must
 * not read answers, so the Host header must name this machine. */
static bool names_this_machine(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 && (!host[length] || host[length] == ':'))
            return true;
    }
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.:") == strlen(host);
}

static void check_permission(struct request *request)
{
    const struct trace_server *server = request->server;
    const char *token = server->options.token;
    static const char scheme[] = "Bearer ";
    if (!token) {
        const char *host = header(request, "Host");
        if (server->local && host && !names_this_machine(host))
            answer_error(request, 403, "Host: expected localhost, found \"%s\"", host);
        return;
    }
    if (request->route && request->route->open)
        return;
    const char *given = header(request, "Authorization");
    if (given && strncasecmp(given, scheme, sizeof(scheme) - 1) == 0 &&
        same_secret(given + sizeof(scheme) - 1, token))
        return;
    METRIC_ADD(request->server, unauthorized, 1);
    answer_error(request, 401, "expected the server's token (Authorization: Bearer ...)");
}

/* ---- requests ---- */

static struct request *request_create(struct trace_server *server,
                                      struct MHD_Connection *connection)
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
    return request;
}

static void request_free(struct request *request)
{
    struct trace_server *server = request->server;
    atomic_fetch_sub(&server->body_bytes, request->counted_bytes);
    text_release(&request->body);
    text_release(&request->text);
    arena_release(&request->arena);
    memory_release(server->memory, request, sizeof(*request));
}

static enum MHD_Result send_answer(struct request *request)
{
    const struct http_library *http = &request->server->http;
    const void *bytes = request->asset ? request->asset->bytes : text_content(&request->text);
    const size_t length = request->asset ? request->asset->length : request->text.length;
    struct MHD_Response *response =
        http->create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    METRIC_ADD(request->server, requests, 1);
    METRIC_ADD(request->server, requests_refused, request->status >= 400);
    http->add_response_header(response, "Content-Type", request->type);
    http->add_response_header(response, "X-Content-Type-Options", "nosniff");
    http->add_response_header(response, "Cache-Control", request->asset ? "no-cache" : "no-store");
    if (request->asset)
        http->add_response_header(response, "Content-Security-Policy",
                                  "default-src 'none'; connect-src 'self'; img-src 'self' data:; "
                                  "script-src 'self' 'unsafe-inline'; style-src 'self' "
                                  "'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                                  "frame-ancestors 'none'");
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
    if (!request->answered && atomic_fetch_add(&server->body_bytes, count) + count > BODIES_MOST) {
        atomic_fetch_sub(&server->body_bytes, count);
        answer_error(request, 503, "too many requests at the same time");
    } else if (!request->answered) {
        request->counted_bytes += count;
    }
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
    if (!request->answered && request->route->records)
        intake_read(request);
    else if (!request->answered)
        request->route->answer(server, request);
    if (request->answered)
        return send_answer(request);
    request->waiting = true;
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

/* ---- the server ---- */

static void allow_connections(uint32_t most)
{
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)most + FILES_BESIDES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

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
    if (!http_library_load(&server->http, &error))
        return error;
    allow_connections(options->connections_most);
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                           (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    server->daemon = server->http.start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_CONNECTION_LIMIT,
        options->connections_most, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
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
    pthread_mutex_destroy(&server->store_lock);
    memory_release(server->memory, server, sizeof(*server));
}
