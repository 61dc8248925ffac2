/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list that goes to a client piece by piece.
 *
 * A list may be as large as all that is stored, and clients may read as slowly as
 * they like. So no list is written down as a whole: it holds the objects as they
 * were, and one piece of text.
 */
#ifndef FATHOM_APISERVER_LIST_STREAM_H
#define FATHOM_APISERVER_LIST_STREAM_H

#include "apiserver/render.h"
#include "base/stream_room.h"

/* Takes over the snapshots, which are held by the caller; the type is held, too. */
struct list_stream *list_stream_open(struct apiserver *server, const struct http_request *request,
                                     const struct resource_type *type,
                                     const struct resource_version_served *served,
                                     struct snapshot *const *snapshots, uint32_t count,
                                     uint64_t version);
/* Up to `most` bytes; 0: the end. */
size_t list_stream_read(struct list_stream *list, struct stream_room *room, char *buffer,
                        size_t most);
/* True if it ended before all was read. */
bool list_stream_broken(const struct list_stream *list);
void list_stream_close(struct list_stream *list);
/* All that is left of it at once; it is closed then. */
void list_stream_drain(struct list_stream *list, struct text *text);

#endif
