/* SPDX-License-Identifier: Apache-2.0 */
#include "base/connection_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { CLIENTS = 5 };

struct clients {
    struct connection_list list;
    struct connection_entry entries[CLIENTS];
    int far[CLIENTS];
};

static void open_one(struct clients *clients, int number)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    clients->far[number] = pair[1];
    connection_opened(&clients->list, &clients->entries[number], pair[0]);
}

/* Does the client see the end of its connection? */
static bool is_closed(const struct clients *clients, int number)
{
    char byte;
    return recv(clients->far[number], &byte, 1, MSG_DONTWAIT) == 0;
}

static void close_all(struct clients *clients, int count)
{
    for (int i = 0; i < count; i++) {
        connection_closed(&clients->list, &clients->entries[i]);
        close(clients->entries[i].socket);
        close(clients->far[i]);
    }
    assert_int_equal(clients->list.open, 0);
    assert_null(clients->list.first);
    connection_list_destroy(&clients->list);
}

/* A client that has asked, and was answered. */
static void open_known(struct clients *clients, int number)
{
    open_one(clients, number);
    connection_works(&clients->list, &clients->entries[number]);
    connection_waits(&clients->list, &clients->entries[number]);
}

static void who_has_waited_longest_goes(void **state)
{
    (void)state;
    struct clients clients;
    connection_list_init(&clients.list, 2);
    open_known(&clients, 0);
    open_known(&clients, 1);
    assert_false(is_closed(&clients, 0));
    connection_works(&clients.list, &clients.entries[0]);
    connection_waits(&clients.list, &clients.entries[0]); /* it has asked since */
    open_known(&clients, 2);
    assert_false(is_closed(&clients, 0));
    assert_true(is_closed(&clients, 1));
    open_known(&clients, 3);
    assert_true(is_closed(&clients, 0));
    assert_false(is_closed(&clients, 2));
    /* What is closing is not closed again, and does not come back. */
    connection_waits(&clients.list, &clients.entries[0]);
    open_known(&clients, 4);
    assert_true(is_closed(&clients, 2));
    assert_false(is_closed(&clients, 3));
    assert_false(is_closed(&clients, 4));
    close_all(&clients, 5);
}

static void who_is_served_stays(void **state)
{
    (void)state;
    struct clients clients;
    connection_list_init(&clients.list, 2);
    for (int i = 0; i < 2; i++) {
        open_one(&clients, i);
        connection_works(&clients.list, &clients.entries[i]);
    }
    open_one(&clients, 2);
    assert_true(is_closed(&clients, 2));
    assert_false(is_closed(&clients, 0));
    assert_false(is_closed(&clients, 1));
    close_all(&clients, 3);
}

/* The first client has been silent for longer than all others, and stays while they are many. */
static void many_strangers_close_before_others(void **state)
{
    (void)state;
    struct clients clients;
    connection_list_init(&clients.list, 3);
    open_one(&clients, 0);
    connection_works(&clients.list, &clients.entries[0]);
    connection_waits(&clients.list, &clients.entries[0]);
    open_one(&clients, 1);
    open_one(&clients, 2);
    open_one(&clients, 3);
    assert_false(is_closed(&clients, 0));
    assert_true(is_closed(&clients, 1));
    /* Now one of three is a stranger. */
    connection_works(&clients.list, &clients.entries[2]);
    connection_works(&clients.list, &clients.entries[3]);
    connection_waits(&clients.list, &clients.entries[3]);
    open_one(&clients, 4);
    assert_true(is_closed(&clients, 0));
    assert_false(is_closed(&clients, 3));
    assert_false(is_closed(&clients, 4));
    assert_int_equal(clients.list.strangers, 1);
    close_all(&clients, 5);
    assert_int_equal(clients.list.strangers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_waited_longest_goes),
        cmocka_unit_test(who_is_served_stays),
        cmocka_unit_test(many_strangers_close_before_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
