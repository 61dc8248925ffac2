/* SPDX-License-Identifier: Apache-2.0 */
/* One request on its way to its response, and what all handlers do with it. */
#ifndef FATHOM_APISERVER_CALL_H
#define FATHOM_APISERVER_CALL_H

#include "apiserver/apiserver.h"
#include "apiserver/change.h"
#include "apiserver/target.h"
#include "base/vec.h"

struct call {
    struct apiserver *server;
    struct arena *arena;
    const struct http_request *request;
    struct http_response *response;
    struct target target;
    const struct resource_type *type;
    const struct resource_version_served *version;
};

typedef VEC(struct snapshot *) snapshot_vec;

/* Responds with this failure. */
void call_refuse(const struct call *call, struct status status);
/* Responds with the object, as the request wants to have it. */
void call_respond(const struct call *call, unsigned status, const struct datum *object);
/* The change that the request asks for, without an object yet. */
struct change call_change(const struct call *call);
/* The lock of the objects and their types. */
void call_lock(const struct call *call);
void call_unlock(const struct call *call);
/* The objects that the request selects, held. False, after a refusal, if the
 * selectors make no sense. */
bool call_select(const struct call *call, snapshot_vec *snapshots, uint64_t *version);
/* Responds with these objects as a list, and lets them go. */
void call_respond_list(const struct call *call, const snapshot_vec *snapshots, uint64_t version);

#endif
