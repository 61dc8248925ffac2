/* SPDX-License-Identifier: Apache-2.0 */
/* "127.0.0.1:7788" and "[::1]:7788": where to listen. Names are not looked up, since they could be
 * more than the user means. */
#ifndef FATHOM_BASE_LISTEN_ADDRESS_H
#define FATHOM_BASE_LISTEN_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* False: it is no address. `*local`: only this machine can reach it. */
bool listen_address(const char *text, struct sockaddr_storage *address, bool *local);
/* "http://127.0.0.1:7788" */
void listen_write(const struct sockaddr_storage *address, uint16_t port, char *text, size_t size);

#endif
