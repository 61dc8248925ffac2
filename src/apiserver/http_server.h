/* SPDX-License-Identifier: Apache-2.0 */
/* The API server on a socket: HTTP/1.1, or HTTPS, a thread a connection. */
#ifndef FATHOM_APISERVER_HTTP_SERVER_H
#define FATHOM_APISERVER_HTTP_SERVER_H

#include "apiserver/apiserver.h"

struct http_server_settings {
    const char *address;     /* an IP address */
    uint16_t port;           /* 0: any that is free */
    const char *token;       /* that clients must bring; NULL: none */
    const char *certificate; /* PEM; NULL: no TLS */
    const char *key;         /* PEM */
    const char *client_ca;   /* PEM: clients must have a certificate of this; NULL: no */
    unsigned connections_most;
    size_t bytes_most; /* of memory, before requests are refused for a while; 0: no limit */
};

struct http_server;

/* Is it an address at which other machines may reach the server? */
bool http_address_is_public(const char *address);

/* NULL with `*why` (static) if it cannot be. The settings must live on. */
struct http_server *http_server_start(struct apiserver *server,
                                      const struct http_server_settings *settings,
                                      const char **why);
uint16_t http_server_port(const struct http_server *http);
/* Stops the API server, too, since its watches have to end. */
void http_server_stop(struct http_server *http);

#endif
