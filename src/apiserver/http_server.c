/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/http_server.h"

#include "apiserver/list_stream.h"
#include "apiserver/status.h"
#include "apiserver/watch.h"
#include "base/client_room.h"
#include "base/connection_list.h"
#include "base/late_library.h"
#include "base/web_page.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARAMETERS_MOST = 64,
    HEADER_BYTES_MOST = 64 << 10, /* of a connection: its headers and its output */
    IDLE_SECONDS = 120,           /* after which a connection that says nothing is closed */
    STREAM_BLOCK_BYTES = 32 << 10,
    /* Reading an object takes some 20 times as much memory as its text. */
    WORKERS_MOST = 8,
    DESCRIPTORS_EACH = 2, /* a connection may have a watch, which has one of its own */
};

static const char retry_after[] = "1"; /* seconds */

static const size_t client_bytes_most = (size_t)256 << 20;

/* libmicrohttpd, and what is needed of the library that it brings for TLS. */
#define MHD_FUNCTIONS(each)                                                                    \
    each(add_response_header) each(create_response_from_buffer)                                \
        each(create_response_from_callback) each(destroy_response) each(get_connection_info)   \
            each(get_connection_values) each(get_daemon_info) each(is_feature_supported)       \
                each(lookup_connection_value) each(queue_response) each(set_connection_option) \
                    each(start_daemon) each(stop_daemon)

static struct {
#define MEMBER(name) __typeof__(MHD_##name) *name;
    MHD_FUNCTIONS(MEMBER)
#undef MEMBER
} mhd;

static struct {
    int (*certificate_verify_peers2)(void *session, unsigned *status);
} tls;

static bool load_libraries(const char **why)
{
    static const struct late_function functions[] = {
#define ROW(name) {"MHD_" #name, offsetof(__typeof__(mhd), name)},
        MHD_FUNCTIONS(ROW)
#undef ROW
    };
    static const struct late_function verify = {"gnutls_certificate_verify_peers2", 0};
    return late_library_load("libmicrohttpd.so.12", functions,
                             sizeof(functions) / sizeof(*functions), &mhd, why) &&
           late_library_load("libgnutls.so.30", &verify, 1, &tls, why);
}

struct http_server {
    struct apiserver *server;
    struct http_server_settings settings;
    struct MHD_Daemon *daemon;
    struct client_rooms rooms;
    struct connection_list connections;
    sem_t workers; /* requests that may be worked on at the same time */
    atomic_uint watches;
};

/* One request while it comes in. */
struct exchange {
    struct text body;
    struct client_room room; /* of the body */
    bool too_large;
    bool crowded_out; /* there is no room for its body */
};

/* --- Who may --- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    const char *value = mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

static bool has_certificate(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    unsigned status = 0;
    return info && info->tls_session &&
           tls.certificate_verify_peers2(info->tls_session, &status) >= 0 && !status;
}

static bool is_authenticated(const struct http_server *http, struct MHD_Connection *connection)
{
    const struct http_server_settings *settings = &http->settings;
    if (!settings->token && !settings->client_ca)
        return true;
    if (settings->client_ca && has_certificate(connection))
        return true;
    return settings->token &&
           web_token_is_given(header(connection, MHD_HTTP_HEADER_AUTHORIZATION), settings->token);
}

/* Without a token that identifies clients, only programs are answered (web_page.h): this server has
 * no pages of its own. */
static bool is_our_name(const struct http_server *http, struct MHD_Connection *connection)
{
    if (http->settings.token || http->settings.client_ca)
        return true;
    return !*header(connection, MHD_HTTP_HEADER_ORIGIN) &&
           web_host_is_local(header(connection, MHD_HTTP_HEADER_HOST));
}

/* --- Answers --- */

/* An answer that the client reads piece by piece. */
struct stream {
    struct client_room room;
    struct watch *watch;
    atomic_uint *watches; /* of the server */
    struct list_stream *list;
    struct text body; /* of any other answer */
    size_t sent;
    bool begun;
};

static int socket_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static struct connection_entry *entry_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static size_t read_body(struct stream *stream, char *buffer, size_t most)
{
    size_t count = stream->body.length - stream->sent;
    if (count > most)
        count = most;
    memcpy(buffer, text_content(&stream->body) + stream->sent, count);
    stream->sent += count;
    return count;
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t most)
{
    (void)position;
    struct stream *stream = context;
    size_t count = 0;
    if (stream->watch) {
        /* The headers go out with the first bytes, and clients wait for them; white space
         * between events means nothing. */
        if (!stream->begun && most > 0) {
            stream->begun = true;
            *buffer = '\n';
            return 1;
        }
        count = watch_read(stream->watch, &stream->room.stream, buffer, most);
        atomic_store(&stream->room.keeps_objects, watch_keeps_objects(stream->watch));
    } else if (stream->list) {
        count = list_stream_read(stream->list, &stream->room.stream, buffer, most);
        if (!count && list_stream_broken(stream->list))
            return MHD_CONTENT_READER_END_WITH_ERROR;
    } else {
        count = read_body(stream, buffer, most);
    }
    client_room_move(&stream->room);
    return count ? (ssize_t)count : (ssize_t)MHD_CONTENT_READER_END_OF_STREAM;
}

static void free_stream(void *context)
{
    struct stream *stream = context;
    if (stream->watch) {
        watch_close(stream->watch);
        atomic_fetch_sub(stream->watches, 1);
    }
    if (stream->list)
        list_stream_close(stream->list);
    text_release(&stream->body);
    client_room_close(&stream->room);
    free(stream);
}

/* Takes over what the response holds. */
static struct stream *stream_open(struct http_server *http, struct MHD_Connection *connection,
                                  struct http_response *response)
{
    struct stream *stream = malloc(sizeof(*stream));
    if (!stream)
        return NULL;
    *stream = (struct stream){.watch = response->watch,
                              .watches = &http->watches,
                              .list = response->list,
                              .body = response->body};
    client_room_open(&stream->room, &http->rooms, socket_of(connection));
    atomic_store(&stream->room.keeps_objects,
                 stream->list || (stream->watch && watch_keeps_objects(stream->watch)));
    text_init(&response->body, response->body.memory);
    response->watch = NULL;
    response->list = NULL;
    return stream;
}

/* NULL: there is no room for it. */
static struct MHD_Response *stream_response(struct http_server *http,
                                            struct MHD_Connection *connection,
                                            struct http_response *response)
{
    const bool has_length = !response->watch && !response->list;
    const uint64_t length = has_length ? response->body.length : MHD_SIZE_UNKNOWN;
    struct stream *stream = stream_open(http, connection, response);
    if (!stream)
        return NULL;
    struct MHD_Response *answer =
        client_room_take(&stream->room, stream->body.capacity, true)
            ? mhd.create_response_from_callback(length, STREAM_BLOCK_BYTES, read_stream, stream,
                                                free_stream)
            : NULL;
    if (!answer)
        free_stream(stream);
    return answer;
}

/* Watches last; an eighth of the connections is left for those who only ask. False, and the watch
 * is closed, if there are too many. */
static bool admit_watch(struct http_server *http, struct http_response *response)
{
    const uint32_t most = http->settings.connections_most - http->settings.connections_most / 8;
    if (!response->watch || atomic_fetch_add(&http->watches, 1) < most)
        return true;
    atomic_fetch_sub(&http->watches, 1);
    watch_close(response->watch);
    response->watch = NULL;
    return false;
}

/* `*result` is set; false: there is no room for the response. */
static bool try_response(struct http_server *http, struct MHD_Connection *connection,
                         struct http_response *response, enum MHD_Result *result)
{
    const bool small =
        !response->watch && !response->list && response->body.length <= CLIENT_SMALL_BYTES;
    if (!response->watch)
        connection_waits(&http->connections, entry_of(connection));
    if (response->watch) /* It may be silent for as long as nothing changes. */
        mhd.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
    struct MHD_Response *answer =
        small ? mhd.create_response_from_buffer(response->body.length,
                                                (void *)(uintptr_t)text_content(&response->body),
                                                MHD_RESPMEM_MUST_COPY)
              : stream_response(http, connection, response);
    *result = MHD_NO;
    if (!answer)
        return small;
    mhd.add_response_header(answer, MHD_HTTP_HEADER_CONTENT_TYPE, response->content_type);
    mhd.add_response_header(answer, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache, private");
    if (response->status == MHD_HTTP_TOO_MANY_REQUESTS)
        mhd.add_response_header(answer, MHD_HTTP_HEADER_RETRY_AFTER, retry_after);
    *result = mhd.queue_response(connection, response->status, answer);
    mhd.destroy_response(answer);
    return true;
}

static enum MHD_Result send_status(struct http_server *http, struct MHD_Connection *connection,
                                   const struct status *status)
{
    struct http_response response = {0};
    enum MHD_Result result = MHD_NO;
    text_init(&response.body, &http->server->memory);
    status_respond(&response, status);
    try_response(http, connection, &response, &result); /* so small that there is always room */
    text_release(&response.body);
    return result;
}

static enum MHD_Result send_crowded(struct http_server *http, struct MHD_Connection *connection)
{
    const struct status status =
        status_too_many_requests("other clients have requests and answers under way");
    return send_status(http, connection, &status);
}

/* The client must not ask again as if nothing had been done. */
static enum MHD_Result send_done(struct http_server *http, struct MHD_Connection *connection)
{
    const struct status status = {
        .code = 504,
        .reason = "Timeout",
        .message = "the request was carried out, but there is no room for its answer: other "
                   "clients have requests and answers under way"};
    return send_status(http, connection, &status);
}

static enum MHD_Result send_response(struct http_server *http, struct MHD_Connection *connection,
                                     struct http_response *response, bool reads)
{
    enum MHD_Result result = MHD_NO;
    const bool done = !reads && response->status < 300;
    if (admit_watch(http, response) && try_response(http, connection, response, &result))
        return result;
    return done ? send_done(http, connection) : send_crowded(http, connection);
}

/* Clients that do not read keep objects as they were, however often these change. */
static bool is_crowded(struct http_server *http)
{
    const size_t most = http->settings.bytes_most;
    if (!most || atomic_load(&http->server->memory.used_bytes) <= most)
        return false;
    client_rooms_close_stalled(&http->rooms);
    return true;
}

struct parameter_list {
    struct http_parameter items[PARAMETERS_MOST];
    uint32_t count;
};

static enum MHD_Result add_parameter(void *context, enum MHD_ValueKind kind, const char *key,
                                     const char *value)
{
    (void)kind;
    struct parameter_list *list = context;
    if (list->count == PARAMETERS_MOST)
        return MHD_NO;
    list->items[list->count++] = (struct http_parameter){key, value ? value : ""};
    return MHD_YES;
}

static void drop_body(struct exchange *exchange)
{
    text_release(&exchange->body);
    text_init(&exchange->body, exchange->body.memory);
    client_room_take(&exchange->room, 0, false);
}

static enum MHD_Result respond(struct http_server *http, struct MHD_Connection *connection,
                               const char *url, const char *method, struct exchange *exchange)
{
    struct parameter_list parameters = {.count = 0};
    mhd.get_connection_values(connection, MHD_GET_ARGUMENT_KIND, add_parameter, &parameters);
    const struct http_request request = {
        .method = strcmp(method, "HEAD") == 0 ? "GET" : method,
        .path = url,
        .parameters = parameters.items,
        .parameter_count = parameters.count,
        .accept = header(connection, MHD_HTTP_HEADER_ACCEPT),
        .content_type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
        .body = text_content(&exchange->body),
        .body_length = exchange->too_large ? SIZE_MAX : exchange->body.length,
    };
    struct http_response response = {0};
    text_init(&response.body, &http->server->memory);
    atomic_store(&exchange->room.at_work, true);
    while (sem_wait(&http->workers) != 0) {
    }
    apiserver_handle(http->server, &request, &response);
    sem_post(&http->workers);
    drop_body(exchange); /* the answer may wait for room, and take long to read */
    const enum MHD_Result result =
        send_response(http, connection, &response, strcmp(request.method, "GET") == 0);
    text_release(&response.body);
    return result;
}

/* --- Connections --- */

static bool is_health(const char *url)
{
    return strcmp(url, "/healthz") == 0 || strcmp(url, "/livez") == 0 ||
           strcmp(url, "/readyz") == 0;
}

static void take_upload(struct exchange *exchange, const char *bytes, size_t count)
{
    if (exchange->too_large || exchange->crowded_out)
        return;
    exchange->too_large = exchange->body.length + count > APISERVER_BODY_MOST;
    /* A text that grows is copied into one of twice its size. */
    exchange->crowded_out =
        !client_room_take(&exchange->room, 3 * (exchange->body.length + count), false);
    if (exchange->too_large || exchange->crowded_out)
        drop_body(exchange);
    else
        text_append(&exchange->body, bytes, count);
}

static enum MHD_Result access_handler(void *context, struct MHD_Connection *connection,
                                      const char *url, const char *method, const char *version,
                                      const char *upload, size_t *upload_size, void **state)
{
    (void)version;
    struct http_server *http = context;
    struct exchange *exchange = *state;
    if (!exchange) {
        exchange = malloc(sizeof(*exchange));
        if (!exchange)
            return MHD_NO;
        *exchange = (struct exchange){0};
        text_init(&exchange->body, &http->server->memory);
        client_room_open(&exchange->room, &http->rooms, socket_of(connection));
        atomic_store(&exchange->room.sends, true);
        *state = exchange;
        return MHD_YES;
    }
    if (*upload_size) {
        take_upload(exchange, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    connection_works(&http->connections, entry_of(connection));
    if (!is_our_name(http, connection)) {
        const struct status status = {
            .code = 403,
            .reason = "Forbidden",
            .message = "without a token, requests must not come from web pages, and must name "
                       "this server localhost or by its address"};
        return send_status(http, connection, &status);
    }
    if (!is_health(url) && !is_authenticated(http, connection)) {
        const struct status status = {
            .code = 401, .reason = "Unauthorized", .message = "Unauthorized"};
        return send_status(http, connection, &status);
    }
    if (exchange->crowded_out || is_crowded(http))
        return send_crowded(http, connection);
    return respond(http, connection, url, method, exchange);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    struct exchange *exchange = *state;
    if (!exchange)
        return;
    text_release(&exchange->body);
    client_room_close(&exchange->room);
    free(exchange);
    *state = NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode code)
{
    struct http_server *http = context;
    struct memory *memory = &http->server->memory;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        connection_closed(&http->connections, *state);
        memory_release(memory, *state, sizeof(struct connection_entry));
        return;
    }
    *state = memory_allocate(memory, sizeof(struct connection_entry));
    connection_opened(&http->connections, *state, socket_of(connection));
}

/* --- Start and end --- */

static bool read_address(const struct http_server_settings *settings,
                         struct sockaddr_storage *address)
{
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    memset(address, 0, sizeof(*address));
    if (inet_pton(AF_INET, settings->address, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(settings->port);
        return true;
    }
    if (inet_pton(AF_INET6, settings->address, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(settings->port);
        return true;
    }
    return false;
}

bool http_address_is_public(const char *address)
{
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, address, &four) == 1)
        return ntohl(four.s_addr) >> 24 != 127;
    return inet_pton(AF_INET6, address, &six) == 1 && !IN6_IS_ADDR_LOOPBACK(&six);
}

static struct MHD_Daemon *start_daemon(struct http_server *http, struct sockaddr_storage *address)
{
    const struct http_server_settings *settings = &http->settings;
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
                     MHD_USE_POLL | (address->ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    struct MHD_OptionItem secure[4] = {{MHD_OPTION_END, 0, NULL}};
    uint32_t count = 0;
    if (settings->certificate) {
        flags |= MHD_USE_TLS;
        secure[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0,
                                                  (void *)(uintptr_t)settings->certificate};
        secure[count++] =
            (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)settings->key};
        if (settings->client_ca)
            secure[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0,
                                                      (void *)(uintptr_t)settings->client_ca};
        secure[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    }
    return mhd.start_daemon(
        flags, settings->port, NULL, NULL, access_handler, http, MHD_OPTION_NOTIFY_COMPLETED,
        completed, NULL, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)address, MHD_OPTION_CONNECTION_LIMIT,
        settings->connections_most + CONNECTIONS_SPARE, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES_MOST, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U, MHD_OPTION_ARRAY, secure, MHD_OPTION_END);
}

static void release(struct http_server *http)
{
    sem_destroy(&http->workers);
    client_rooms_destroy(&http->rooms);
    connection_list_destroy(&http->connections);
    free(http);
}

struct http_server *http_server_start(struct apiserver *server,
                                      const struct http_server_settings *settings, const char **why)
{
    struct sockaddr_storage address;
    if (!read_address(settings, &address)) {
        *why = "expected an IP address";
        return NULL;
    }
    if (!load_libraries(why))
        return NULL;
    if (settings->certificate && mhd.is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
        *why = "libmicrohttpd was built without TLS";
        return NULL;
    }
    struct http_server *http = malloc(sizeof(*http));
    if (!http) {
        *why = strerror(ENOMEM);
        return NULL;
    }
    *http = (struct http_server){.server = server, .settings = *settings};
    http->settings.connections_most =
        connections_that_fit(settings->connections_most, DESCRIPTORS_EACH);
    client_rooms_init(&http->rooms, client_bytes_most);
    connection_list_init(&http->connections, http->settings.connections_most);
    sem_init(&http->workers, 0, WORKERS_MOST);
    errno = 0;
    http->daemon = start_daemon(http, &address);
    if (http->daemon)
        return http;
    *why = errno ? strerror(errno) : "the certificate or its key is not right";
    release(http);
    return NULL;
}

uint16_t http_server_port(const struct http_server *http)
{
    const union MHD_DaemonInfo *info = mhd.get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

void http_server_stop(struct http_server *http)
{
    apiserver_stop(http->server);
    mhd.stop_daemon(http->daemon);
    release(http);
}
