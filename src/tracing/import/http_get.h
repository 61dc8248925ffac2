/* SPDX-License-Identifier: Apache-2.0 */
/* One question to a trace server over HTTP. TLS is not spoken; whoever needs it
 * has a tunnel or a proxy beside the server. */
#ifndef FATHOM_TRACING_IMPORT_HTTP_GET_H
#define FATHOM_TRACING_IMPORT_HTTP_GET_H

#include "base/text.h"

#include <stdbool.h>

/* `server` is http://HOST[:PORT][/PREFIX], `path` begins with a slash, `token` may be
 * NULL. The status of the answer, whose body is in `body`; 0, and `*why`, if
 * there is none. */
int http_get(const char *server, const char *path, const char *token, struct text *body,
             const char **why);

#endif
