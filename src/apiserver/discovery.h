/* SPDX-License-Identifier: Apache-2.0 */
/* What the server has, as clients ask before anything else: groups, resources,
 * its version, and descriptions in OpenAPI. Called with the store's lock held. */
#ifndef FATHOM_APISERVER_DISCOVERY_H
#define FATHOM_APISERVER_DISCOVERY_H

#include "apiserver/apiserver.h"
#include "apiserver/target.h"

/* False: there is nothing of the kind. */
bool discovery_respond(const struct apiserver *server, struct arena *arena,
                       const struct target *target, const struct http_request *request,
                       struct http_response *response);

/* openapi.c */
void openapi_v2_respond(const struct http_request *request, struct http_response *response);
void openapi_v3_respond(const struct apiserver *server, struct arena *arena,
                        struct http_response *response);
bool openapi_v3_group_respond(const struct apiserver *server, struct arena *arena,
                              const struct target *target, struct http_response *response);

#endif
