/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/library/http_post.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_MOST = 8192 };

struct http_post {
    char host[256];
    char port[8];
    char *head; /* the request up to the number of bytes */
    uint32_t timeout_ms;
    int socket; /* -1: not connected */
    int cancel; /* an eventfd: readable once it is over */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* http://HOST[:PORT][/PREFIX]; an IPv6 address stands in brackets. */
static bool read_address(struct http_post *post, const char *server, const char **prefix)
{
    static const char scheme[] = "http://";
    if (strncmp(server, scheme, sizeof(scheme) - 1) != 0)
        return false;
    const char *host = server + sizeof(scheme) - 1;
    const bool bracketed = *host == '[';
    host += bracketed;
    const size_t length = strcspn(host, bracketed ? "]" : ":/");
    const char *rest = host + length;
    if (!length || length >= sizeof(post->host) || (bracketed && *rest++ != ']'))
        return false;
    memcpy(post->host, host, length);
    snprintf(post->port, sizeof(post->port), "80");
    if (*rest == ':') {
        const size_t digits = strspn(++rest, "0123456789");
        if (!digits || digits > 5)
            return false;
        snprintf(post->port, sizeof(post->port), "%.*s", (int)digits, rest);
        rest += digits;
    }
    *prefix = rest;
    return (!*rest || *rest == '/') && !strpbrk(rest, " \t\r\n?#");
}

static bool is_header_text(const char *text)
{
    for (; *text; text++)
        if (*text < 0x21 || *text > 0x7E)
            return false;
    return true;
}

struct http_post *http_post_create(const char *server, const char *path, const char *token,
                                   uint32_t timeout_ms, const char **why)
{
    struct http_post *post = calloc(1, sizeof(*post));
    const char *prefix = "";
    if (!post)
        return NULL;
    post->socket = -1;
    post->timeout_ms = timeout_ms;
    post->cancel = eventfd(0, EFD_CLOEXEC);
    if (!read_address(post, server, &prefix))
        *why = "server: expected http://HOST[:PORT][/PREFIX]";
    else if (token && (!*token || !is_header_text(token)))
        *why = "token: expected visible ASCII characters";
    const bool good = !*why && post->cancel >= 0;
    const int prefix_length = (int)strlen(prefix) - (*prefix && prefix[strlen(prefix) - 1] == '/');
    const bool colons = strchr(post->host, ':') != NULL;
    if (!good || asprintf(&post->head,
                          "POST %.*s%s HTTP/1.1\r\nHost: %s%s%s:%s\r\n%s%s%s"
                          "Content-Type: application/json\r\nContent-Length: ",
                          prefix_length, prefix, path, colons ? "[" : "", post->host,
                          colons ? "]" : "", post->port, token ? "Authorization: Bearer " : "",
                          token ? token : "", token ? "\r\n" : "") < 0) {
        post->head = NULL;
        http_post_free(post);
        return NULL;
    }
    return post;
}

static void disconnect(struct http_post *post)
{
    if (post->socket >= 0)
        close(post->socket);
    post->socket = -1;
}

void http_post_free(struct http_post *post)
{
    if (!post)
        return;
    disconnect(post);
    if (post->cancel >= 0)
        close(post->cancel);
    free(post->head);
    free(post);
}

void http_post_cancel(struct http_post *post)
{
    const uint64_t one = 1;
    const ssize_t written = write(post->cancel, &one, sizeof(one));
    (void)written; /* it only fails when it was written already */
}

/* Until the socket is ready; false when time is over or it is cancelled. */
static bool wait_for(const struct http_post *post, short events, int64_t deadline_ms)
{
    struct pollfd wanted[2] = {{post->socket, events, 0}, {post->cancel, POLLIN, 0}};
    for (;;) {
        const int64_t left = deadline_ms - now_ms();
        if (left <= 0)
            return false;
        const int ready = poll(wanted, 2, (int)left);
        if (ready < 0 && errno != EINTR)
            return false;
        if (wanted[1].revents)
            return false;
        if (ready > 0)
            return true;
    }
}

static bool connect_to(struct http_post *post, const struct addrinfo *address, int64_t deadline_ms)
{
    post->socket = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (post->socket < 0)
        return false;
    const int one = 1;
    setsockopt(post->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    int failure = 0;
    socklen_t size = sizeof(failure);
    if (connect(post->socket, address->ai_addr, address->ai_addrlen) == 0 ||
        (errno == EINPROGRESS && wait_for(post, POLLOUT, deadline_ms) &&
         getsockopt(post->socket, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && !failure))
        return true;
    disconnect(post);
    return false;
}

static bool connect_anew(struct http_post *post, int64_t deadline_ms)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    if (getaddrinfo(post->host, post->port, &hints, &addresses) != 0)
        return false;
    bool connected = false;
    for (const struct addrinfo *next = addresses; next && !connected; next = next->ai_next)
        connected = connect_to(post, next, deadline_ms);
    freeaddrinfo(addresses);
    return connected;
}

static bool send_all(struct http_post *post, const char *bytes, size_t count, int64_t deadline_ms)
{
    while (count) {
        const ssize_t sent = send(post->socket, bytes, count, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        } else if ((sent < 0 && errno != EAGAIN && errno != EINTR) ||
                   !wait_for(post, POLLOUT, deadline_ms)) {
            return false;
        }
    }
    return true;
}

/* Bytes that came; 0 at the end, when time is over or anything else is wrong. */
static size_t receive(struct http_post *post, char *bytes, size_t most, int64_t deadline_ms)
{
    for (;;) {
        const ssize_t came = recv(post->socket, bytes, most, 0);
        if (came >= 0)
            return (size_t)came;
        if ((errno != EAGAIN && errno != EINTR) || !wait_for(post, POLLIN, deadline_ms))
            return 0;
    }
}

/* The value of a header, or NULL. Names are compared without case. */
static const char *header(const char *head, const char *name)
{
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, strlen(name)) == 0 && line[2 + strlen(name)] == ':')
            return line + 2 + strlen(name) + 1 + strspn(line + 2 + strlen(name) + 1, " \t");
    return NULL;
}

/* The head of the answer and what came with it of the body. */
static size_t read_head(struct http_post *post, char *buffer, size_t *head_length,
                        int64_t deadline_ms)
{
    size_t length = 0;
    for (;;) {
        const size_t came = receive(post, buffer + length, HEAD_MOST - length, deadline_ms);
        length += came;
        buffer[length] = '\0';
        const char *end = strstr(buffer, "\r\n\r\n");
        if (end) {
            *head_length = (size_t)(end - buffer) + 4;
            return length;
        }
        if (!came || length == HEAD_MOST)
            return 0;
    }
}

/* Every answer of the trace server has a length. */
static int read_answer(struct http_post *post, char *answer, size_t answer_size,
                       int64_t deadline_ms, bool *keep)
{
    char buffer[HEAD_MOST + 1];
    size_t head_length = 0;
    int status = 0;
    size_t length = read_head(post, buffer, &head_length, deadline_ms);
    if (!length || sscanf(buffer, "HTTP/1.%*1[01] %3d", &status) != 1)
        return 0;
    buffer[head_length - 2] = '\0';
    const char *size = header(buffer, "content-length");
    const char *connection = header(buffer, "connection");
    *keep = size && !(connection && strncasecmp(connection, "close", 5) == 0);
    size_t left = size ? strtoul(size, NULL, 10) : 0;
    size_t here = length - head_length;
    const char *body = buffer + head_length;
    size_t kept = 0;
    for (;;) {
        here = here < left ? here : left;
        const size_t copied = here < answer_size - 1 - kept ? here : answer_size - 1 - kept;
        memcpy(answer + kept, body, copied);
        kept += copied;
        left -= here;
        if (!left)
            break;
        body = buffer;
        here = receive(post, buffer, HEAD_MOST, deadline_ms);
        if (!here) {
            *keep = false;
            break;
        }
    }
    answer[kept] = '\0';
    return status;
}

static int attempt(struct http_post *post, const char *body, size_t length, char *answer,
                   size_t answer_size, int64_t deadline_ms)
{
    char size[32];
    bool keep = false;
    snprintf(size, sizeof(size), "%zu\r\n\r\n", length);
    int status = 0;
    if (send_all(post, post->head, strlen(post->head), deadline_ms) &&
        send_all(post, size, strlen(size), deadline_ms) &&
        send_all(post, body, length, deadline_ms))
        status = read_answer(post, answer, answer_size, deadline_ms, &keep);
    if (!keep)
        disconnect(post);
    return status;
}

int http_post_send(struct http_post *post, const char *body, size_t length, char *answer,
                   size_t answer_size)
{
    const int64_t deadline_ms = now_ms() + post->timeout_ms;
    const bool kept = post->socket >= 0;
    answer[0] = '\0';
    int status = 0;
    if (kept)
        status = attempt(post, body, length, answer, answer_size, deadline_ms);
    /* A connection that was kept may have been closed meanwhile. Sending a
     * record twice does no harm. */
    if (!status && connect_anew(post, deadline_ms))
        status = attempt(post, body, length, answer, answer_size, deadline_ms);
    return status;
}
