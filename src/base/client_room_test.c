/* SPDX-License-Identifier: Apache-2.0 */
#include "base/client_room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* Two clients that share 10 MiB; of the slow one the test has the other end. */
struct clients {
    struct client_rooms rooms;
    struct client_room slow;
    struct client_room other;
    int pair[2];
};

static void begin(struct clients *clients)
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, clients->pair), 0);
    client_rooms_init(&clients->rooms, 10 << 20);
    client_room_open(&clients->slow, &clients->rooms, clients->pair[0]);
    client_room_open(&clients->other, &clients->rooms, -1);
}

static void end(struct clients *clients)
{
    client_room_close(&clients->slow);
    client_room_close(&clients->other);
    assert_int_equal(clients->rooms.bytes_left, 10 << 20);
    client_rooms_destroy(&clients->rooms);
    close(clients->pair[0]);
    close(clients->pair[1]);
}

/* What the slow client finds: -1, nothing; 0, that it was closed. */
static ssize_t heard(const struct clients *clients)
{
    char byte = 0;
    return recv(clients->pair[1], &byte, 1, MSG_DONTWAIT);
}

/* A client that holds room and does not move is closed when another one needs it. */
static void clients_that_stall_make_room(void **state)
{
    (void)state;
    struct clients clients;
    begin(&clients);
    assert_true(client_room_take(&clients.slow, 8 << 20, true));
    assert_false(client_room_take(&clients.other, 4 << 20, false));
    assert_true(client_room_take(&clients.other, CLIENT_SMALL_BYTES, false));
    assert_int_equal(heard(&clients), -1);
    clients.slow.moved_ns -= (int64_t)(CLIENT_STALLED_SECONDS + 1) * 1000000000;
    atomic_store(&clients.slow.at_work, true);
    client_rooms_close_stalled(&clients.rooms);
    assert_int_equal(heard(&clients), -1);
    atomic_store(&clients.slow.at_work, false);
    client_rooms_close_stalled(&clients.rooms); /* it could be written to */
    assert_int_equal(heard(&clients), -1);
    atomic_store(&clients.slow.sends, true); /* and has sent nothing */
    client_rooms_close_stalled(&clients.rooms);
    assert_int_equal(heard(&clients), 0);
    assert_true(client_room_take(&clients.slow, 0, false));
    assert_true(client_room_take(&clients.other, 4 << 20, false));
    end(&clients);
}

/* A byte now and then is no move; whoever finds no room closes those who stall. */
static void clients_that_trickle_make_room(void **state)
{
    (void)state;
    struct clients clients;
    begin(&clients);
    atomic_store(&clients.slow.sends, true);
    assert_true(client_room_take(&clients.slow, 8 << 20, false));
    clients.slow.moved_ns -= (int64_t)(CLIENT_STALLED_SECONDS + 1) * 1000000000;
    const int64_t moved_ns = clients.slow.moved_ns;
    assert_true(client_room_take(&clients.slow, (8 << 20) + 3, false));
    assert_true(clients.slow.moved_ns == moved_ns);
    assert_false(client_room_take(&clients.other, 4 << 20, false));
    assert_int_equal(heard(&clients), 0);
    assert_true(client_room_take(&clients.slow, (8 << 20) + CLIENT_MOVE_BYTES, false));
    assert_true(clients.slow.moved_ns > moved_ns);
    end(&clients);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_that_stall_make_room),
        cmocka_unit_test(clients_that_trickle_make_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
