/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kube_client.h"

#include "base/clock.h"
#include "base/input_file.h"
#include "base/late_library.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_MS = 5000,
    REQUEST_MS = 30000,
    STOP_MS = 2000, /* that a request may still take once an end is asked for */
    REPLY_BYTES_MOST = 256 << 20,
    LINE_BYTES_MOST = 16 << 20,
    TOKEN_BYTES_MOST = 64 << 10,
};

/* libcurl. */
#define CURL_FUNCTIONS(each)                                                                  \
    each(easy_cleanup) each(easy_getinfo) each(easy_init) each(easy_perform) each(easy_reset) \
        each(easy_setopt) each(easy_strerror) each(global_init) each(multi_add_handle)        \
            each(multi_cleanup) each(multi_info_read) each(multi_init) each(multi_perform)    \
                each(multi_poll) each(multi_remove_handle) each(slist_append) each(slist_free_all)

static struct {
#define MEMBER(name) __typeof__(curl_##name) *name;
    CURL_FUNCTIONS(MEMBER)
#undef MEMBER
} curl;

static bool load_library(const char **why)
{
    static const struct late_function functions[] = {
#define ROW(name) {"curl_" #name, offsetof(__typeof__(curl), name)},
        CURL_FUNCTIONS(ROW)
#undef ROW
    };
    if (curl.easy_init)
        return true;
    if (!late_library_load("libcurl.so.4", functions, sizeof(functions) / sizeof(*functions), &curl,
                           why))
        return false;
    curl.global_init(CURL_GLOBAL_DEFAULT);
    return true;
}

struct kube_client {
    struct memory *memory;
    const struct kube_access *access;
    const atomic_bool *stop;
    int stop_descriptor;
    CURL *easy; /* for requests, one after another */
    CURLM *multi;
    struct kube_stream *streams;
};

struct kube_stream {
    struct kube_client *client;
    struct kube_stream_hooks hooks;
    CURL *easy;
    struct curl_slist *headers;
    struct text pending; /* a line that is not whole yet */
    struct kube_stream *next;
};

struct kube_client *kube_client_create(struct memory *memory, const struct kube_access *access,
                                       const atomic_bool *stop, int stop_descriptor,
                                       const char **why)
{
    if (!load_library(why))
        return NULL;
    struct kube_client *client = memory_allocate(memory, sizeof(*client));
    *client = (struct kube_client){
        .memory = memory,
        .access = access,
        .stop = stop,
        .stop_descriptor = stop_descriptor,
        .easy = curl.easy_init(),
        .multi = curl.multi_init(),
    };
    if (!client->easy || !client->multi)
        bug("libcurl gives no handles");
    return client;
}

void kube_client_free(struct kube_client *client)
{
    while (client->streams)
        kube_stream_close(client->streams);
    curl.easy_cleanup(client->easy);
    curl.multi_cleanup(client->multi);
    memory_release(client->memory, client, sizeof(*client));
}

/* --- What requests and streams have in common --- */

static struct curl_slist *with_header(struct curl_slist *headers, const char *header)
{
    struct curl_slist *longer = curl.slist_append(headers, header);
    if (!longer)
        bug("libcurl gives no memory");
    return longer;
}

/* The token, as it is now. */
static bool read_token(const struct kube_access *access, char *token, size_t most)
{
    if (!access->token_file) {
        snprintf(token, most, "%s", access->token ? access->token : "");
        return *token != '\0';
    }
    FILE *file = input_open_stream(access->token_file);
    if (!file)
        return false;
    const size_t count = fread(token, 1, most - 1, file);
    fclose(file);
    token[count] = '\0';
    token[strcspn(token, "\r\n")] = '\0';
    return *token != '\0';
}

static struct curl_slist *add_authorization(const struct kube_access *access,
                                            struct curl_slist *headers)
{
    char *token = malloc(TOKEN_BYTES_MOST);
    char *header = malloc(TOKEN_BYTES_MOST + sizeof("Authorization: Bearer "));
    if (token && header && read_token(access, token, TOKEN_BYTES_MOST)) {
        snprintf(header, TOKEN_BYTES_MOST + sizeof("Authorization: Bearer "),
                 "Authorization: Bearer %s", token);
        headers = with_header(headers, header);
    }
    free(token);
    free(header);
    return headers;
}

static void set_credential(CURL *easy, const struct credential *credential, CURLoption blob,
                           CURLoption file)
{
    if (credential->content) {
        const struct curl_blob content = {(void *)(uintptr_t)credential->content,
                                          credential->length, CURL_BLOB_COPY};
        curl.easy_setopt(easy, blob, &content);
    } else if (credential->file) {
        curl.easy_setopt(easy, file, credential->file);
    }
}

static void prepare(const struct kube_client *client, CURL *easy, const char *path)
{
    const struct kube_access *access = client->access;
    const size_t length = strlen(access->server) + strlen(path) + 1;
    char *url = malloc(length);
    if (!url)
        bug("out of memory");
    snprintf(url, length, "%s%s", access->server, path);
    curl.easy_setopt(easy, CURLOPT_URL, url); /* copied */
    free(url);
    curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl.easy_setopt(easy, CURLOPT_USERAGENT, "fathom");
    curl.easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    set_credential(easy, &access->authority, CURLOPT_CAINFO_BLOB, CURLOPT_CAINFO);
    set_credential(easy, &access->certificate, CURLOPT_SSLCERT_BLOB, CURLOPT_SSLCERT);
    set_credential(easy, &access->key, CURLOPT_SSLKEY_BLOB, CURLOPT_SSLKEY);
    if (access->insecure) {
        curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (access->user && access->password) {
        curl.easy_setopt(easy, CURLOPT_USERNAME, access->user);
        curl.easy_setopt(easy, CURLOPT_PASSWORD, access->password);
    }
}

/* --- Requests --- */

struct download {
    struct text text;
    bool too_large;
    const struct kube_client *client;
    int64_t stop_ns; /* when the end was first seen; 0: not yet */
};

static size_t take_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct download *download = context;
    (void)size; /* is 1 */
    if (download->text.length + count > REPLY_BYTES_MOST) {
        download->too_large = true;
        return 0;
    }
    text_append(&download->text, bytes, count);
    return count;
}

/* While a request waits nobody else looks at signals that are held back. */
static bool is_stopped(const struct kube_client *client)
{
    struct pollfd look = {.fd = client->stop_descriptor, .events = POLLIN};
    return (client->stop && atomic_load(client->stop)) ||
           (client->stop_descriptor >= 0 && poll(&look, 1, 0) > 0);
}

/* Not 0: the request is given up. */
static int look_at_stop(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                        curl_off_t up_now)
{
    (void)total;
    (void)now;
    (void)up_total;
    (void)up_now;
    struct download *download = context;
    if (!is_stopped(download->client))
        return 0;
    if (!download->stop_ns)
        download->stop_ns = clock_now_ns();
    return clock_now_ns() - download->stop_ns > INT64_C(1000000) * STOP_MS;
}

static enum api_error error_of_status(unsigned status)
{
    switch (status) {
    case 400: return API_BAD_REQUEST;
    case 401:
    case 403: return API_FORBIDDEN;
    case 404: return API_NOT_FOUND;
    case 405: return API_NOT_SUPPORTED;
    case 409: return API_CONFLICT;
    case 422: return API_INVALID;
    case 429:
    case 503:
    case 504: return API_SERVER_TIMEOUT;
    case 408: return API_TIMEOUT;
    case 500: return API_INTERNAL_ERROR;
    default: return API_OTHER;
    }
}

/* By the reason that the API server gives; its code where the reason is none of ours. */
static enum api_error error_of_reply(unsigned status, const struct datum *content)
{
    enum api_error error = API_OTHER;
    const char *reason = datum_text(datum_member(content, "reason"), "");
    if (api_error_parse(reason, &error) && error != API_OK)
        return error;
    return error_of_status(status);
}

static struct kube_reply read_reply(struct arena *arena, unsigned status,
                                    const struct text *received)
{
    struct problems problems;
    problems_init(&problems, arena);
    struct kube_reply reply = {.status = status};
    reply.content = datum_read(arena, DATUM_REAL, (struct place){"response", 1, 1},
                               text_content(received), received->length, &problems);
    if (status >= 200 && status < 300) {
        if (!problems.errors)
            return reply;
        reply.error = API_OTHER;
        reply.message = problem_format(arena, &problems.items[0]);
        return reply;
    }
    reply.error = error_of_reply(status, reply.content);
    reply.message =
        arena_strdup(arena, datum_text(datum_member(reply.content, "message"),
                                       arena_printf(arena, "the API server answers %u", status)));
    reply.content = NULL;
    return reply;
}

/* A write whose answer was lost may have been applied; whoever asked must look again,
 * as after a Timeout of the API server itself. */
static struct kube_reply no_reply(struct arena *arena, CURLcode code, const struct download *got)
{
    return (struct kube_reply){
        .error = code == CURLE_OPERATION_TIMEDOUT ? API_TIMEOUT : API_SERVER_TIMEOUT,
        .message = arena_strdup(arena, got->too_large ? "the response is too large"
                                                      : curl.easy_strerror(code)),
    };
}

struct kube_reply kube_request(struct kube_client *client, struct arena *arena, const char *method,
                               const char *path, const struct datum *body)
{
    CURL *easy = client->easy;
    struct text sent;
    struct download got = {.client = client};
    struct curl_slist *headers = with_header(NULL, "Accept: application/json");
    text_init(&sent, client->memory);
    text_init(&got.text, client->memory);
    curl.easy_reset(easy);
    prepare(client, easy, path);
    if (body) {
        datum_write(&sent, DATUM_REAL, body);
        headers = with_header(headers, "Content-Type: application/json");
        headers = with_header(headers, "Expect:");
        curl.easy_setopt(easy, CURLOPT_POSTFIELDS, text_content(&sent));
        curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)sent.length);
    }
    headers = add_authorization(client->access, headers);
    curl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
    curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)REQUEST_MS);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, &got);
    curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, look_at_stop);
    curl.easy_setopt(easy, CURLOPT_XFERINFODATA, &got);
    curl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    const CURLcode code = curl.easy_perform(easy);
    long status = 0;
    curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    const struct kube_reply reply = code == CURLE_OK
                                        ? read_reply(arena, (unsigned)status, &got.text)
                                        : no_reply(arena, code, &got);
    curl.slist_free_all(headers);
    text_release(&sent);
    text_release(&got.text);
    return reply;
}

/* --- Streams --- */

static size_t take_lines(char *bytes, size_t size, size_t count, void *context)
{
    struct kube_stream *stream = context;
    (void)size; /* is 1 */
    const char *rest = bytes;
    const char *end = bytes + count;
    while (rest != end) {
        const char *newline = memchr(rest, '\n', (size_t)(end - rest));
        const char *stop = newline ? newline : end;
        if (stream->pending.length + (size_t)(stop - rest) > LINE_BYTES_MOST)
            return 0;
        text_append(&stream->pending, rest, (size_t)(stop - rest));
        if (!newline)
            break;
        if (stream->pending.length)
            stream->hooks.line(stream->hooks.context, stream->pending.content,
                               stream->pending.length);
        text_reset(&stream->pending);
        rest = newline + 1;
    }
    return count;
}

struct kube_stream *kube_stream_open(struct kube_client *client, const char *path,
                                     const struct kube_stream_hooks *hooks)
{
    struct kube_stream *stream = memory_allocate(client->memory, sizeof(*stream));
    *stream = (struct kube_stream){
        .client = client,
        .hooks = *hooks,
        .easy = curl.easy_init(),
        .headers = add_authorization(client->access, with_header(NULL, "Accept: application/json")),
        .next = client->streams,
    };
    if (!stream->easy)
        bug("libcurl gives no handles");
    client->streams = stream;
    text_init(&stream->pending, client->memory);
    prepare(client, stream->easy, path);
    curl.easy_setopt(stream->easy, CURLOPT_HTTPHEADER, stream->headers);
    curl.easy_setopt(stream->easy, CURLOPT_WRITEFUNCTION, take_lines);
    curl.easy_setopt(stream->easy, CURLOPT_WRITEDATA, stream);
    curl.easy_setopt(stream->easy, CURLOPT_PRIVATE, stream);
    /* A server that sends nothing for so long is taken to be gone: a live watch sends bookmarks. */
    curl.easy_setopt(stream->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl.easy_setopt(stream->easy, CURLOPT_LOW_SPEED_TIME, 300L);
    curl.multi_add_handle(client->multi, stream->easy);
    return stream;
}

void kube_stream_close(struct kube_stream *stream)
{
    struct kube_client *client = stream->client;
    struct kube_stream **link = &client->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    curl.multi_remove_handle(client->multi, stream->easy);
    curl.easy_cleanup(stream->easy);
    curl.slist_free_all(stream->headers);
    text_release(&stream->pending);
    memory_release(client->memory, stream, sizeof(*stream));
}

static void end_finished(struct kube_client *client)
{
    int left = 0;
    for (CURLMsg *message; (message = curl.multi_info_read(client->multi, &left));) {
        if (message->msg != CURLMSG_DONE)
            continue;
        struct kube_stream *stream = NULL;
        long status = 0;
        curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&stream);
        curl.easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
        const struct kube_stream_hooks hooks = stream->hooks;
        kube_stream_close(stream);
        hooks.end(hooks.context, (unsigned)status);
    }
}

void kube_streams_wait(struct kube_client *client, int64_t nanoseconds, int descriptor)
{
    struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN};
    int running = 0;
    if (nanoseconds > 0) {
        const int64_t milliseconds = (nanoseconds + 999999) / 1000000;
        curl.multi_poll(client->multi, &extra, descriptor >= 0, (int)milliseconds, NULL);
    }
    curl.multi_perform(client->multi, &running);
    end_finished(client);
}
