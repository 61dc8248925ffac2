/* SPDX-License-Identifier: Apache-2.0 */
#include "base/client_room.h"

#include "base/clock.h"

#include <poll.h>
#include <sys/socket.h>
#include <time.h>

static const int64_t second_ns = 1000000000;

void client_rooms_init(struct client_rooms *rooms, size_t bytes_most)
{
    *rooms = (struct client_rooms){.bytes_left = bytes_most};
    pthread_mutex_init(&rooms->lock, NULL);
    pthread_cond_init(&rooms->freed, NULL);
}

void client_rooms_destroy(struct client_rooms *rooms)
{
    pthread_cond_destroy(&rooms->freed);
    pthread_mutex_destroy(&rooms->lock);
}

static bool take_patiently(struct stream_room *stream, size_t bytes)
{
    return client_room_take((struct client_room *)stream, bytes, true);
}

void client_room_open(struct client_room *room, struct client_rooms *all, int socket)
{
    *room = (struct client_room){
        .stream = {socket, take_patiently}, .all = all, .moved_ns = clock_now_ns()};
    pthread_mutex_lock(&all->lock);
    room->next = all->first;
    if (all->first)
        all->first->previous = room;
    all->first = room;
    pthread_mutex_unlock(&all->lock);
}

void client_room_close(struct client_room *room)
{
    struct client_rooms *all = room->all;
    pthread_mutex_lock(&all->lock);
    if (room->previous)
        room->previous->next = room->next;
    else
        all->first = room->next;
    if (room->next)
        room->next->previous = room->previous;
    all->bytes_left += room->bytes;
    pthread_cond_broadcast(&all->freed);
    pthread_mutex_unlock(&all->lock);
}

/* Has the server not yet seen what the client did? It has sent, or made room for more. */
static bool is_to_be_served(const struct client_room *room)
{
    struct pollfd polled = {.fd = room->stream.socket,
                            .events = atomic_load(&room->sends) ? POLLIN : POLLOUT};
    return atomic_load(&room->at_work) || poll(&polled, 1, 0) > 0;
}

static bool is_stalled(const struct client_room *room, int64_t before)
{
    return (room->bytes > 0 || atomic_load(&room->keeps_objects)) && room->stream.socket >= 0 &&
           room->moved_ns < before && !is_to_be_served(room);
}

/* Whoever serves them notices that the connection is gone, and lets go. With the lock held. */
static void close_stalled(struct client_rooms *all)
{
    const int64_t before = clock_now_ns() - CLIENT_STALLED_SECONDS * second_ns;
    for (struct client_room *room = all->first; room; room = room->next)
        if (is_stalled(room, before))
            shutdown(room->stream.socket, SHUT_RDWR);
}

void client_rooms_close_stalled(struct client_rooms *rooms)
{
    pthread_mutex_lock(&rooms->lock);
    close_stalled(rooms);
    pthread_mutex_unlock(&rooms->lock);
}

static void wait_a_second(struct client_rooms *all)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&all->freed, &all->lock, &until);
}

/* What comes in bit by bit must have grown by some bytes. */
static void move_to(struct client_room *room, size_t bytes, bool patient)
{
    if (!patient && bytes > room->moved_bytes && bytes - room->moved_bytes < CLIENT_MOVE_BYTES)
        return;
    room->moved_bytes = bytes;
    room->moved_ns = clock_now_ns();
}

bool client_room_take(struct client_room *room, size_t bytes, bool patient)
{
    struct client_rooms *all = room->all;
    const size_t counted = bytes > CLIENT_SMALL_BYTES ? bytes : 0;
    const int64_t until = clock_now_ns() + CLIENT_PATIENCE_SECONDS * second_ns;
    pthread_mutex_lock(&all->lock);
    /* What it held was read; while it waits it is not in anybody's way. */
    if (patient) {
        all->bytes_left += room->bytes;
        room->bytes = 0;
    }
    while (patient && counted > all->bytes_left && clock_now_ns() < until) {
        close_stalled(all);
        wait_a_second(all);
    }
    const bool fits = counted <= all->bytes_left + room->bytes;
    if (fits) {
        all->bytes_left += room->bytes;
        all->bytes_left -= counted;
        room->bytes = counted;
        move_to(room, bytes, patient);
    } else {
        close_stalled(all); /* those who ask next may have better luck */
    }
    pthread_mutex_unlock(&all->lock);
    return fits;
}

void client_room_move(struct client_room *room)
{
    pthread_mutex_lock(&room->all->lock);
    room->moved_ns = clock_now_ns();
    pthread_mutex_unlock(&room->all->lock);
}
