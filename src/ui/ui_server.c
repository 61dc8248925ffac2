/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/ui_server.h"

#include "base/client_room.h"
#include "base/connection_list.h"
#include "base/http_library.h"
#include "base/listen_address.h"
#include "base/web_page.h"
#include "ui/page/page.h"
#include "ui/ui_request.h"
#include "ui/work_places.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* docs/ui.md says how much memory all of this is together. */
enum {
    BODY_BYTES_MOST = 16 << 20,
    HELD_BYTES_MOST = 256 << 20, /* bodies that come in, and answers that are not read */
    CONNECTIONS_MOST = 64,
    IDLE_SECONDS = 120,
    CONNECTION_BYTES = 32 << 10,
};

struct ui_server {
    struct ui_options options;
    struct ui_work work;
    struct http_library http;
    struct MHD_Daemon *daemon;
    struct connection_list connections;
    struct client_rooms rooms;
    struct work_places places;
    bool local;
    char address[128];
};

/* A request while it comes in. */
struct exchange {
    struct text body;
    struct client_room room;
    struct ui_answer refusal; /* if it is not permitted: nothing of its body is kept */
    bool permitted;
    bool too_large;
    bool crowded; /* there was no room for it beside others */
};

static const char *header(const struct ui_server *server, struct MHD_Connection *connection,
                          const char *name)
{
    return server->http.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static struct connection_entry *entry_of(const struct ui_server *server,
                                         struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        server->http.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info->socket_context;
}

static int socket_of(const struct ui_server *server, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        server->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* ---- who may ask ---- */

/* False, with the answer, if the request is not one of the page's. */
static bool is_permitted(const struct ui_server *server, struct MHD_Connection *connection,
                         const char *path, struct ui_answer *answer)
{
    const char *host = header(server, connection, "Host");
    const char *origin = header(server, connection, "Origin");
    if (server->local && !web_host_is_local(host))
        ui_answer_error(answer, 403, "Host: expected localhost, found \"%s\"", host);
    else if (!web_origin_is_own(origin, host))
        ui_answer_error(answer, 403, "Origin: expected no other page, found \"%s\"", origin);
    else if (!ui_path_is_open(path) &&
             !web_token_is_given(header(server, connection, "Authorization"),
                                 server->options.token))
        ui_answer_error(answer, 401, "expected the token (Authorization: Bearer ...)");
    return answer->status < 400;
}

/* ---- requests ---- */

static void add_headers(const struct ui_server *server, struct MHD_Response *response,
                        const struct ui_answer *answer)
{
    char policy[512];
    const struct http_library *http = &server->http;
    http->add_response_header(response, "Content-Type", answer->type);
    http->add_response_header(response, "X-Content-Type-Options", "nosniff");
    http->add_response_header(response, "Referrer-Policy", "no-referrer");
    http->add_response_header(response, "Cache-Control", "no-store");
    if (answer->page)
        snprintf(policy, sizeof(policy),
                 "default-src 'none'; connect-src 'self'; style-src %s; script-src %s; base-uri "
                 "'none'; form-action 'none'; frame-ancestors 'none'",
                 ui_style_hash, ui_script_hash);
    else
        snprintf(policy, sizeof(policy), "default-src 'none'; frame-ancestors 'none'");
    http->add_response_header(response, "Content-Security-Policy", policy);
}

static enum MHD_Result send_answer(const struct ui_server *server,
                                   struct MHD_Connection *connection,
                                   const struct ui_answer *answer)
{
    struct MHD_Response *response = server->http.create_response_from_buffer(
        answer->text.length, (void *)(uintptr_t)text_content(&answer->text), MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    add_headers(server, response, answer);
    const enum MHD_Result queued =
        server->http.queue_response(connection, answer->status, response);
    server->http.destroy_response(response);
    return queued;
}

static void refuse_crowd(struct ui_answer *answer)
{
    ui_answer_error(answer, 503, "the server has too much to do: try again later");
}

static void answer_whole(struct ui_server *server, const char *method, const char *path,
                         struct exchange *exchange, struct ui_answer *answer)
{
    const bool light = ui_request_is_light(method, path);
    if (exchange->too_large) {
        ui_answer_error(answer, 413, "expected at most %d bytes", BODY_BYTES_MOST);
    } else if (exchange->crowded || (!light && !work_places_take(&server->places))) {
        refuse_crowd(answer);
    } else {
        ui_answer_request(&server->work, method, path, &exchange->body, answer);
        if (!light)
            work_places_leave(&server->places);
    }
    text_release(&exchange->body);
    text_init(&exchange->body, server->work.memory);
    if (!client_room_take(&exchange->room, answer->text.length, true))
        refuse_crowd(answer);
}

/* The request is whole. */
static enum MHD_Result finish_request(struct ui_server *server, struct MHD_Connection *connection,
                                      const char *method, const char *path,
                                      struct exchange *exchange)
{
    struct ui_answer answer = {.type = "application/json"};
    if (!exchange->permitted)
        return send_answer(server, connection, &exchange->refusal);
    connection_works(&server->connections, entry_of(server, connection));
    atomic_store(&exchange->room.at_work, true);
    text_init(&answer.text, server->work.memory);
    answer_whole(server, method, path, exchange, &answer);
    const enum MHD_Result queued = send_answer(server, connection, &answer);
    text_release(&answer.text);
    atomic_store(&exchange->room.at_work, false);
    connection_waits(&server->connections, entry_of(server, connection));
    return queued;
}

/* Keeps a part of the body, if it is to be answered. */
static void take_upload(struct exchange *exchange, const char *path, const char *bytes, size_t size)
{
    const size_t length = exchange->body.length + size;
    exchange->too_large |= length > BODY_BYTES_MOST;
    if (!exchange->permitted || exchange->too_large || exchange->crowded || ui_path_is_open(path))
        return;
    exchange->crowded = !client_room_take(&exchange->room, length, false);
    if (!exchange->crowded)
        text_append(&exchange->body, bytes, size);
}

/* Its headers are there. NULL: there is no memory for it. */
static struct exchange *begin_request(struct ui_server *server, struct MHD_Connection *connection,
                                      const char *path)
{
    struct exchange *exchange = memory_try_allocate_zeroed(server->work.memory, sizeof(*exchange));
    if (!exchange)
        return NULL;
    text_init(&exchange->body, server->work.memory);
    text_init(&exchange->refusal.text, server->work.memory);
    client_room_open(&exchange->room, &server->rooms, socket_of(server, connection));
    atomic_store(&exchange->room.sends, true);
    exchange->refusal.type = "application/json";
    exchange->permitted = is_permitted(server, connection, path, &exchange->refusal);
    return exchange;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *upload, size_t *upload_size, void **state)
{
    struct ui_server *server = context;
    struct exchange *exchange = *state;
    (void)version;
    if (!exchange) {
        *state = begin_request(server, connection, path);
        return *state ? MHD_YES : MHD_NO;
    }
    if (*upload_size == 0)
        return finish_request(server, connection, method, path, exchange);
    take_upload(exchange, path, upload, *upload_size);
    *upload_size = 0;
    return MHD_YES;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    const struct ui_server *server = context;
    struct exchange *exchange = *state;
    (void)connection;
    (void)code;
    if (!exchange)
        return;
    client_room_close(&exchange->room);
    text_release(&exchange->body);
    text_release(&exchange->refusal.text);
    memory_release(server->work.memory, exchange, sizeof(*exchange));
    *state = NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode code)
{
    struct ui_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        connection_closed(&server->connections, *state);
        memory_release(server->work.memory, *state, sizeof(struct connection_entry));
        return;
    }
    *state = memory_allocate(server->work.memory, sizeof(struct connection_entry));
    connection_opened(&server->connections, *state, socket_of(server, connection));
}

/* ---- the server ---- */

static const char *start_daemon(struct ui_server *server, struct arena *arena)
{
    struct sockaddr_storage address;
    const char *error = NULL;
    if (!listen_address(server->options.listen, &address, &server->local))
        return arena_printf(arena,
                            "expected an address and a port to listen at, such as "
                            "127.0.0.1:7789 or [::1]:7789, found \"%s\"",
                            server->options.listen);
    if (!http_library_load(&server->http, &error))
        return error;
    const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                           MHD_USE_POLL | (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    server->daemon = server->http.start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, server, MHD_OPTION_CONNECTION_LIMIT,
        server->connections.most + CONNECTIONS_SPARE, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_END);
    if (!server->daemon)
        return arena_printf(arena, "cannot listen at %s: %s", server->options.listen,
                            strerror(errno));
    const union MHD_DaemonInfo *info =
        server->http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    listen_write(&address, info ? info->port : 0, server->address, sizeof(server->address));
    return NULL;
}

struct ui_server *ui_server_start(struct memory *memory, const struct ui_options *options,
                                  struct arena *arena, const char **error)
{
    struct ui_server *server = memory_allocate(memory, sizeof(*server));
    memset(server, 0, sizeof(*server));
    server->options = *options;
    server->work.memory = memory;
    server->work.options = &server->options;
    server->work.jobs = verify_jobs_create(memory, options->program);
    connection_list_init(&server->connections, connections_that_fit(CONNECTIONS_MOST, 8));
    client_rooms_init(&server->rooms, HELD_BYTES_MOST);
    work_places_init(&server->places);
    *error = start_daemon(server, arena);
    if (!*error)
        return server;
    ui_server_stop(server);
    return NULL;
}

const char *ui_server_address(const struct ui_server *server)
{
    return server->address;
}

bool ui_server_is_local(const struct ui_server *server)
{
    return server->local;
}

void ui_server_stop(struct ui_server *server)
{
    work_places_close(&server->places);
    if (server->daemon)
        server->http.stop_daemon(server->daemon);
    work_places_destroy(&server->places);
    client_rooms_destroy(&server->rooms);
    connection_list_destroy(&server->connections);
    verify_jobs_free(server->work.jobs);
    memory_release(server->work.memory, server, sizeof(*server));
}
