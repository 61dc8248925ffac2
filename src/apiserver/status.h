/* SPDX-License-Identifier: Apache-2.0 */
/* `kind: Status`: what the API server says when something went wrong (or was
 * deleted), in Kubernetes' words, by which clients know what it was. */
#ifndef FATHOM_APISERVER_STATUS_H
#define FATHOM_APISERVER_STATUS_H

#include "apiserver/http_message.h"
#include "apiserver/resource_type.h"

struct status {
    unsigned code;
    const char *reason;
    const char *message;
    const char *name; /* of the object; NULL: none, as the next */
    const char *group;
    const char *kind; /* the plural, or (of Invalid) the kind */
    const struct datum *uid;
    /* Of Invalid: what is wrong, "spec.replicas: must be ..."; NULL otherwise. */
    const char *cause;
};

/* One line of JSON. */
void status_write(struct text *text, const struct status *status);
void status_respond(struct http_response *response, const struct status *status);

/* The status for a refusal of the verbs. */
struct status status_of_error(struct arena *arena, const struct resource_type *type,
                              const char *name, enum api_error error, const char *message);

/* Those that the server itself gives. */
struct status status_bad_request(const char *message);
struct status status_too_large(const char *message);
/* Comes with Retry-After. */
struct status status_too_many_requests(const char *message);
struct status status_path_unknown(void);
struct status status_method_not_allowed(void);
struct status status_expired(struct arena *arena, uint64_t asked, uint64_t oldest);

#endif
