/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_APISERVER_KUBECONFIG_TEXT_H
#define FATHOM_APISERVER_KUBECONFIG_TEXT_H

#include "apiserver/http_server.h"
#include "base/arena.h"
#include "base/text.h"

/* A kubeconfig for the server at this address, with its certificate and its token. */
void kubeconfig_text(struct arena *arena, const struct http_server_settings *settings,
                     const char *url, struct text *text);

#endif
