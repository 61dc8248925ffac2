/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connections of a server, of which there is a largest number.
 *
 * Clients that connect and say nothing, or say it very slowly, must not keep others out. When there
 * are too many connections, the one closes on which it has been the client's turn for the longest
 * time: to ask, to go on with its request, or to read the answer. Where it is the server's turn in
 * all of them, the new one closes.
 *
 * While more than half of all are strangers, who have never sent a whole request, one of these
 * closes: a client that asks now and then keeps its connection. With fewer of them there is no
 * difference, so that connections which asked once, long ago, cannot keep out those who are new.
 */
#ifndef FATHOM_BASE_CONNECTION_LIST_H
#define FATHOM_BASE_CONNECTION_LIST_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct connection_entry {
    int socket;
    bool waits;                    /* it is the client's turn */
    bool closing;                  /* it was told to */
    bool asked;                    /* it is no stranger */
    struct connection_entry *next; /* among those that wait, the longest first */
    struct connection_entry *previous;
};

struct connection_list {
    pthread_mutex_t lock;
    uint32_t most;
    uint32_t open;      /* without those that are closing */
    uint32_t strangers; /* of those */
    struct connection_entry *first;
    struct connection_entry *last;
};

/* A server should accept some more than `most`, because closing takes a moment. */
enum { CONNECTIONS_SPARE = 32 };

/* As many as wanted, or as the system has descriptors for; so many are asked for. */
uint32_t connections_that_fit(uint32_t wanted, uint32_t descriptors_each);

void connection_list_init(struct connection_list *list, uint32_t most);
void connection_list_destroy(struct connection_list *list);

/* It is the client's turn at first. Closes another one, or this one, if there are too many. */
void connection_opened(struct connection_list *list, struct connection_entry *entry, int socket);
/* Before its socket is closed. */
void connection_closed(struct connection_list *list, struct connection_entry *entry);

/* Its request is whole, or it listens for as long as it likes. */
void connection_works(struct connection_list *list, struct connection_entry *entry);
/* The answer is there to be read; or the next request may come. */
void connection_waits(struct connection_list *list, struct connection_entry *entry);

#endif
