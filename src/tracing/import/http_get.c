/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP/1.0: the answer ends with the connection, and comes in one piece. */
#include "tracing/import/http_get.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMEOUT_SECONDS = 30 };

struct address {
    char host[256];
    char port[8];
    const char *prefix;
};

static bool read_address(const char *server, struct address *address)
{
    static const char scheme[] = "http://";
    if (strncmp(server, scheme, sizeof(scheme) - 1) != 0)
        return false;
    const char *host = server + sizeof(scheme) - 1;
    const bool bracketed = *host == '[';
    host += bracketed;
    const size_t length = strcspn(host, bracketed ? "]" : ":/");
    const char *rest = host + length;
    if (length == 0 || length >= sizeof(address->host) || (bracketed && *rest++ != ']'))
        return false;
    memcpy(address->host, host, length);
    address->host[length] = '\0';
    snprintf(address->port, sizeof(address->port), "80");
    if (*rest == ':') {
        const size_t digits = strspn(++rest, "0123456789");
        if (digits == 0 || digits > 5)
            return false;
        snprintf(address->port, sizeof(address->port), "%.*s", (int)digits, rest);
        rest += digits;
    }
    address->prefix = rest;
    return (!*rest || *rest == '/') && !strpbrk(rest, " \t\r\n?#");
}

static int connect_to(const struct address *address, const char **why)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const struct timeval patience = {.tv_sec = TIMEOUT_SECONDS};
    struct addrinfo *found = NULL;
    const int error = getaddrinfo(address->host, address->port, &hints, &found);
    int connection = -1;
    *why = error ? gai_strerror(error) : NULL;
    for (const struct addrinfo *one = found; !error && one && connection < 0; one = one->ai_next) {
        connection = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (connection < 0)
            continue;
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        if (connect(connection, one->ai_addr, one->ai_addrlen) != 0) {
            *why = strerror(errno);
            close(connection);
            connection = -1;
        }
    }
    if (found)
        freeaddrinfo(found);
    return connection;
}

static bool send_all(int connection, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

/* "HTTP/1.1 200 OK", headers, an empty line, the body; the body alone is left. */
static int split_answer(struct text *answer)
{
    const char *content = text_content(answer);
    const char *end = strstr(content, "\r\n\r\n");
    const char *status = strchr(content, ' ');
    if (!end || !status || strncmp(content, "HTTP/1.", 7) != 0)
        return 0;
    const int code = (int)strtol(status + 1, NULL, 10);
    const size_t head = (size_t)(end + 4 - content);
    memmove(answer->content, answer->content + head, answer->length - head + 1);
    answer->length -= head;
    return code;
}

int http_get(const char *server, const char *path, const char *token, struct text *body,
             const char **why)
{
    struct address address;
    if (!read_address(server, &address)) {
        *why = "expected http://HOST[:PORT][/PREFIX]";
        return 0;
    }
    const int connection = connect_to(&address, why);
    if (connection < 0)
        return 0;
    struct text request;
    char part[65536];
    ssize_t got = 0;
    text_init(&request, body->memory);
    size_t prefix = strlen(address.prefix);
    prefix -= prefix > 0 && address.prefix[prefix - 1] == '/';
    text_printf(&request, "GET %.*s%s HTTP/1.0\r\nHost: %s\r\n", (int)prefix, address.prefix, path,
                address.host);
    if (token)
        text_printf(&request, "Authorization: Bearer %s\r\n", token);
    text_append_string(&request, "\r\n");
    text_reset(body);
    if (send_all(connection, text_content(&request), request.length))
        while ((got = recv(connection, part, sizeof(part), 0)) > 0)
            text_append(body, part, (size_t)got);
    *why = got < 0 ? strerror(errno) : "it does not speak HTTP";
    text_release(&request);
    close(connection);
    return got < 0 || body->length == 0 ? 0 : split_answer(body);
}
