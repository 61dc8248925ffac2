/* SPDX-License-Identifier: Apache-2.0 */
#include "base/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_port(const char *text, uint16_t *port)
{
    if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 5)
        return false;
    const long value = strtol(text, NULL, 10);
    *port = htons((uint16_t)value);
    return value <= UINT16_MAX;
}

bool listen_address(const char *text, struct sockaddr_storage *address, bool *local)
{
    char host[64];
    const char *colon = strrchr(text, ':');
    const bool bracketed = *text == '[' && colon && colon > text && colon[-1] == ']';
    const char *start = text + bracketed;
    const size_t length = colon ? (size_t)(colon - start) - bracketed : 0;
    if (!length || length >= sizeof(host))
        return false;
    snprintf(host, sizeof(host), "%.*s", (int)length, start);
    memset(address, 0, sizeof(*address));
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    if (strcmp(host, "localhost") == 0)
        snprintf(host, sizeof(host), "127.0.0.1");
    if (!bracketed && inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        *local = ntohl(four->sin_addr.s_addr) >> 24 == 127;
        return read_port(colon + 1, &four->sin_port);
    }
    if (bracketed && inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        *local = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
        return read_port(colon + 1, &six->sin6_port);
    }
    return false;
}

void listen_write(const struct sockaddr_storage *address, uint16_t port, char *text, size_t size)
{
    char host[INET6_ADDRSTRLEN] = "";
    const bool six = address->ss_family == AF_INET6;
    inet_ntop(address->ss_family,
              six ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                  : (const void *)&((const struct sockaddr_in *)address)->sin_addr,
              host, sizeof(host));
    snprintf(text, size, "http://%s%s%s:%u", six ? "[" : "", host, six ? "]" : "", port);
}
