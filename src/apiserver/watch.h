/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A watch: what changes, one JSON line a change, from a resource version on.
 *
 * A watch has no thread of its own: watch_read waits in the thread of the caller.
 * It holds its place in the store's history; if that is forgotten before it is
 * read, the watch ends with an error event (410), after which clients list again.
 */
#ifndef FATHOM_APISERVER_WATCH_H
#define FATHOM_APISERVER_WATCH_H

#include "apiserver/apiserver.h"
#include "base/stream_room.h"

#include <sys/types.h>

struct watch_target {
    const struct resource_type *type;
    const struct resource_version_served *version;
    const char *name_space; /* "": all */
    const char *name;       /* "": all */
};

/* NULL, with the response filled, if the request makes no sense. */
struct watch *watch_open(struct apiserver *server, const struct watch_target *target,
                         const struct http_request *request, struct http_response *response);
/* Waits for something to send and gives up to `most` bytes of it; 0: the end. */
size_t watch_read(struct watch *watch, struct stream_room *room, char *buffer, size_t most);
/* Are objects kept for it as they were when it began? */
bool watch_keeps_objects(const struct watch *watch);
void watch_close(struct watch *watch);

#endif
