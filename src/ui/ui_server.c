/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/ui_server.h"

#include "base/http_library.h"
#include "base/listen_address.h"
#include "base/web_page.h"
#include "ui/page/page.h"
#include "ui/ui_request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BODY_BYTES_MOST = 16 << 20, CONNECTIONS_MOST = 64, IDLE_SECONDS = 120 };

struct ui_server {
    struct ui_options options;
    struct ui_work work;
    struct http_library http;
    struct MHD_Daemon *daemon;
    bool local;
    char address[128];
};

/* A request while it comes in. */
struct exchange {
    struct text body;
    struct ui_answer refusal; /* if it is not permitted: nothing of its body is kept */
    bool permitted;
    bool too_large;
};

static const char *header(const struct ui_server *server, struct MHD_Connection *connection,
                          const char *name)
{
    return server->http.lookup_connection_value(connection, MHD_HEADER_KIND, name);
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

/* The request is whole. */
static enum MHD_Result finish_request(struct ui_server *server, struct MHD_Connection *connection,
                                      const char *method, const char *path,
                                      const struct exchange *exchange)
{
    struct ui_answer answer = {.type = "application/json"};
    if (!exchange->permitted)
        return send_answer(server, connection, &exchange->refusal);
    text_init(&answer.text, server->work.memory);
    if (exchange->too_large)
        ui_answer_error(&answer, 413, "expected at most %d bytes", BODY_BYTES_MOST);
    else
        ui_answer_request(&server->work, method, path, &exchange->body, &answer);
    const enum MHD_Result queued = send_answer(server, connection, &answer);
    text_release(&answer.text);
    return queued;
}

/* Its headers are there. NULL: there is no memory for it. */
static struct exchange *begin_request(const struct ui_server *server,
                                      struct MHD_Connection *connection, const char *path)
{
    struct exchange *exchange = memory_try_allocate_zeroed(server->work.memory, sizeof(*exchange));
    if (!exchange)
        return NULL;
    text_init(&exchange->body, server->work.memory);
    text_init(&exchange->refusal.text, server->work.memory);
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
    exchange->too_large |= exchange->body.length + *upload_size > BODY_BYTES_MOST;
    if (exchange->permitted && !exchange->too_large)
        text_append(&exchange->body, upload, *upload_size);
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
    text_release(&exchange->body);
    text_release(&exchange->refusal.text);
    memory_release(server->work.memory, exchange, sizeof(*exchange));
    *state = NULL;
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
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_MOST, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
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
    if (server->daemon)
        server->http.stop_daemon(server->daemon);
    verify_jobs_free(server->work.jobs);
    memory_release(server->work.memory, server, sizeof(*server));
}
