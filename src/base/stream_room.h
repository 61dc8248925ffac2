/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for what is written for one client and not yet read by it.
 *
 * Whoever writes a piece of an answer asks for room first, and may have to wait.
 */
#ifndef FATHOM_BASE_STREAM_ROOM_H
#define FATHOM_BASE_STREAM_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Pieces are about this large, and as large as one object if that is more. */
enum { STREAM_PIECE_BYTES = 64 << 10 };

struct stream_room {
    int socket; /* whose other end may go away meanwhile; -1: none */
    /* The client holds so many bytes from now on; false: there is no room for them, and the stream
     * is to end. */
    bool (*take)(struct stream_room *room, size_t bytes);
};

/* NULL: there is always room. */
static inline bool stream_room_take(struct stream_room *room, size_t bytes)
{
    return !room || room->take(room, bytes);
}

#endif
