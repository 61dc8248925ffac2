/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ranks of one run say to each other: records that go from one to another, and questions
 * that all answer together.
 *
 * Records are gathered in batches, one for each receiver. A sender has at most a few batches on
 * their way to the same receiver (credits) and takes in what others send while it waits, so
 * no rank is flooded, and none waits for ever. A record is taken in by a function of the
 * receiver's, which sends nothing itself.
 *
 * Work is done in phases. All records of a phase have been taken in when it is closed.
 *
 * When a rank is interrupted it stops to communicate (`broken`): every call returns at once, and
 * what it gives has no meaning. The others learn of it from mpirun, which ends them, too.
 */
#ifndef FATHOM_RANKS_LINK_H
#define FATHOM_RANKS_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct link_internal;

struct link {
    uint32_t rank, count;
    bool broken;
    const atomic_bool *interrupted; /* NULL: nobody interrupts */
    void (*receive)(void *context, uint32_t from, const uint32_t *record, uint32_t words);
    void *receiver;
    uint64_t bytes_sent, batches_sent;
    struct link_internal *internal;
};

enum link_operation { LINK_SUM, LINK_LEAST, LINK_MOST, LINK_OR };

/* A record for another rank. */
void link_send(struct link *link, uint32_t to, const uint32_t *record, uint32_t words);
/* Takes in what is there. */
void link_poll(struct link *link);
/* All ranks have sent all records of this phase, and taken them in. False: broken. */
bool link_close_phase(struct link *link);
/* The numbers of all ranks together, number by number. False: broken. */
bool link_reduce(struct link *link, enum link_operation operation, uint64_t *numbers,
                 uint32_t count);
/* All get the bytes of one rank. False: broken. */
bool link_share(struct link *link, uint32_t root, void *bytes, uint32_t count);

#endif
