/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/http_server.h"

#include "apiserver/status.h"
#include "apiserver/watch.h"
#include "base/late_library.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARAMETERS_MOST = 64,
    HEADER_BYTES_MOST = 64 << 10, /* of a connection: its headers and its output */
    IDLE_SECONDS = 120,           /* after which a connection that says nothing is closed */
    WATCH_BLOCK_BYTES = 32 << 10,
};

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
};

/* One request while it comes in. */
struct exchange {
    struct text body;
    bool too_large;
};

/* --- Who may --- */

/* Takes as long for a wrong token as for a right one. */
static bool same_token(const char *given, const char *wanted)
{
    const size_t length = strlen(wanted);
    unsigned char difference = strlen(given) != length;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(wanted[i] ^ (strlen(given) == length ? given[i] : 0));
    return !difference;
}

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
    const char *given = header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    return settings->token && strncmp(given, "Bearer ", strlen("Bearer ")) == 0 &&
           same_token(given + strlen("Bearer "), settings->token);
}

static bool is_address(const char *host, size_t length)
{
    char text[INET6_ADDRSTRLEN + 1];
    unsigned char bytes[sizeof(struct in6_addr)];
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        host++;
        length -= 2;
    }
    if (length >= sizeof(text))
        return false;
    memcpy(text, host, length);
    text[length] = '\0';
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

/* A page in a browser can send requests here under a name that its owner makes point here.
 * Without a token that identifies clients, only localhost is accepted as the server's name. */
static bool is_our_name(const struct http_server *http, struct MHD_Connection *connection)
{
    if (http->settings.token || http->settings.client_ca)
        return true;
    const char *host = header(connection, MHD_HTTP_HEADER_HOST);
    const char *colon = strrchr(host, ':');
    const bool has_port = colon && !strchr(colon, ']');
    const size_t length = has_port ? (size_t)(colon - host) : strlen(host);
    /* Pages may send to addresses, too, but then say from where. */
    if (*header(connection, MHD_HTTP_HEADER_ORIGIN))
        return false;
    return !length || (length == strlen("localhost") && strncmp(host, "localhost", length) == 0) ||
           is_address(host, length);
}

/* --- Answers --- */

struct watch_response {
    struct watch *watch;
    int socket;
};

static ssize_t read_watch(void *context, uint64_t position, char *buffer, size_t most)
{
    struct watch_response *response = context;
    /* The headers go out with the first bytes, and clients wait for them; white space
     * between events means nothing. */
    if (position == 0 && most > 0) {
        *buffer = '\n';
        return 1;
    }
    const size_t count = watch_read(response->watch, response->socket, buffer, most);
    return count ? (ssize_t)count : (ssize_t)MHD_CONTENT_READER_END_OF_STREAM;
}

static void free_watch(void *context)
{
    struct watch_response *response = context;
    watch_close(response->watch);
    free(response);
}

static struct MHD_Response *watch_answer(struct MHD_Connection *connection, struct watch *watch)
{
    struct watch_response *own = malloc(sizeof(*own));
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!own) {
        watch_close(watch);
        return NULL;
    }
    *own = (struct watch_response){watch, info ? info->connect_fd : -1};
    /* It may be silent for as long as nothing changes. */
    mhd.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
    struct MHD_Response *answer = mhd.create_response_from_callback(
        MHD_SIZE_UNKNOWN, WATCH_BLOCK_BYTES, read_watch, own, free_watch);
    if (!answer)
        free_watch(own);
    return answer;
}

static enum MHD_Result send_response(struct MHD_Connection *connection,
                                     struct http_response *response)
{
    struct MHD_Response *answer =
        response->watch
            ? watch_answer(connection, response->watch)
            : mhd.create_response_from_buffer(response->body.length,
                                              (void *)(uintptr_t)text_content(&response->body),
                                              MHD_RESPMEM_MUST_COPY);
    if (!answer)
        return MHD_NO;
    mhd.add_response_header(answer, MHD_HTTP_HEADER_CONTENT_TYPE, response->content_type);
    mhd.add_response_header(answer, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache, private");
    const enum MHD_Result result = mhd.queue_response(connection, response->status, answer);
    mhd.destroy_response(answer);
    return result;
}

static enum MHD_Result send_status(struct http_server *http, struct MHD_Connection *connection,
                                   const struct status *status)
{
    struct http_response response = {0};
    text_init(&response.body, &http->server->memory);
    status_respond(&response, status);
    const enum MHD_Result result = send_response(connection, &response);
    text_release(&response.body);
    return result;
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

static enum MHD_Result respond(struct http_server *http, struct MHD_Connection *connection,
                               const char *url, const char *method, const struct exchange *exchange)
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
    apiserver_handle(http->server, &request, &response);
    const enum MHD_Result result = send_response(connection, &response);
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
    if (exchange->body.length + count > APISERVER_BODY_MOST) {
        exchange->too_large = true;
        text_release(&exchange->body);
        text_init(&exchange->body, exchange->body.memory);
    } else if (!exchange->too_large) {
        text_append(&exchange->body, bytes, count);
    }
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
        *state = exchange;
        return MHD_YES;
    }
    if (*upload_size) {
        take_upload(exchange, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
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
    free(exchange);
    *state = NULL;
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
        completed, NULL, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)address,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections_most, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES_MOST, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U, MHD_OPTION_ARRAY, secure, MHD_OPTION_END);
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
    errno = 0;
    http->daemon = start_daemon(http, &address);
    if (http->daemon)
        return http;
    *why = errno ? strerror(errno) : "the certificate or its key is not right";
    free(http);
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
    free(http);
}
