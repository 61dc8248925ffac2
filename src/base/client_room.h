/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that clients may hold by what they send and do not read.
 *
 * All clients share one amount: bodies of requests while they come in, and answers
 * that wait to be read. A client that needs more than is left waits for a while.
 * Meanwhile connections that hold room and on which the client has not moved for
 * some seconds are closed, so that clients that do not read, or do not finish what
 * they send, cannot keep others out.
 */
#ifndef FATHOM_BASE_CLIENT_ROOM_H
#define FATHOM_BASE_CLIENT_ROOM_H

#include "base/stream_room.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct client_rooms {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    size_t bytes_left;
    struct client_room *first;
};

/* What one client holds. */
struct client_room {
    struct stream_room stream; /* for those who write to the client */
    struct client_rooms *all;
    size_t bytes;
    atomic_bool keeps_objects; /* objects as they were are kept for it, too */
    atomic_bool sends;         /* its request is coming in; otherwise it is to read */
    atomic_bool at_work;       /* it is the server's turn */
    int64_t moved_ns;          /* when it last took something */
    size_t moved_bytes;        /* what it wanted to hold then */
    struct client_room *next;
    struct client_room *previous;
};

enum {
    CLIENT_SMALL_BYTES = 64 << 10, /* everybody has so much */
    /* Less than this is no move: clients must not keep room by sending a byte now and then. */
    CLIENT_MOVE_BYTES = 32 << 10,
    CLIENT_STALLED_SECONDS = 5,
    CLIENT_PATIENCE_SECONDS = 10,
};

void client_rooms_init(struct client_rooms *rooms, size_t bytes_most);
void client_rooms_destroy(struct client_rooms *rooms);

/* Holds nothing at first. */
void client_room_open(struct client_room *room, struct client_rooms *all, int socket);
void client_room_close(struct client_room *room);
/* Holds so many bytes from now on, instead of what it held. False: there is no room, and it holds
 * what it held. `patient`: holds nothing while it waits for others. */
bool client_room_take(struct client_room *room, size_t bytes, bool patient);

/* The client has read something. */
void client_room_move(struct client_room *room);

/* Closes connections that hold room, or objects, and do not move. */
void client_rooms_close_stalled(struct client_rooms *rooms);

#endif
