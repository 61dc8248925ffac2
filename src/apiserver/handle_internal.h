/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that handle requests share (handle*.c). */
#ifndef FATHOM_APISERVER_HANDLE_INTERNAL_H
#define FATHOM_APISERVER_HANDLE_INTERNAL_H

#include "apiserver/apiserver.h"
#include "apiserver/change.h"
#include "apiserver/target.h"
#include "base/vec.h"
#include "manifest/manifest.h"

/* One request on its way to its response. */
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

/* handle.c */
void call_refuse(const struct call *call, struct status status);
void call_respond(const struct call *call, unsigned status, const struct datum *object);
struct change call_change(const struct call *call);
void call_lock(const struct call *call);
void call_unlock(const struct call *call);
/* Those that are selected, held. False, after a refusal, if the selectors make no sense. */
bool call_select(const struct call *call, snapshot_vec *snapshots, uint64_t *version);
/* As a list; lets them go. */
void call_respond_list(const struct call *call, const snapshot_vec *snapshots, uint64_t version);

/* handle_body.c: NULL after a refusal. */
const struct datum *call_read_body(const struct call *call);
/* JSON that is no object of the API: a patch. It lives as long as the reader. */
const struct value *call_read_patch(const struct call *call, struct manifest_reader *reader);
/* What was put together otherwise, as if it had come over the wire. */
const struct datum *call_read_again(const struct call *call, const struct datum *object);
bool call_is_media_type(const char *content_type, const char *wanted);
void call_refuse_media_type(const struct call *call, const char *accepted);

/* handle_write.c */
void handle_create(const struct call *call);
void handle_update(const struct call *call);
void handle_patch(const struct call *call);

/* handle_scale.c: the Scale of an object, and what becomes of the object with another. */
bool scale_is_served(const struct resource_type *type);
const struct datum *scale_of(struct arena *arena, const struct datum *object);
struct change_result scale_update(const struct call *call, const struct change *change,
                                  const struct datum *scale);
bool call_is_scale(const struct call *call);
/* Responds with the Scale of the object. */
void call_respond_scale(const struct call *call, const struct datum *object);

/* handle_delete.c */
void handle_delete(const struct call *call);
void handle_delete_all(const struct call *call);

#endif
