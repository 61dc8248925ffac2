/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The custom resources to be reconciled, each with the moment when it is due.
 *
 * One that is asked for again before its turn comes is there once. After a round
 * that ended in an error it waits twice as long as the last time (5 ms at first,
 * 1000 s at most), after a good one for the resync period. A change makes it due at
 * once, but not before its back-off is over.
 */
#ifndef FATHOM_RUNTIME_WORK_QUEUE_H
#define FATHOM_RUNTIME_WORK_QUEUE_H

#include "kubeapi/verbs.h"

struct work_item {
    struct object_key key;
    int64_t due_ns;      /* INT64_MAX: not until something changes */
    int64_t earliest_ns; /* of the back-off */
    uint32_t failures;   /* rounds in a row that ended in an error */
    bool gone;           /* forgotten; its place is used again */
    bool changed;        /* while its round ran */
};

struct work_queue {
    struct memory *memory;
    struct work_item *items;
    uint32_t count;
    uint32_t capacity;
};

void work_queue_init(struct work_queue *queue, struct memory *memory);
void work_queue_release(struct work_queue *queue);

/* It changed, or is new: due now. The key is copied. */
void work_queue_add(struct work_queue *queue, const struct object_key *key, int64_t now_ns);
void work_queue_add_all(struct work_queue *queue, int64_t now_ns); /* all that are known */
/* The one that is due longest; NULL: none is due, and `*next_ns` says when one will be. */
struct work_item *work_queue_next(struct work_queue *queue, int64_t now_ns, int64_t *next_ns);

/* How its round went; from work_queue_next to here nothing else is taken. */
void work_queue_done(struct work_item *item, int64_t now_ns, int64_t resync_ns);
void work_queue_failed(struct work_item *item, int64_t now_ns);
void work_queue_forget(struct work_queue *queue, struct work_item *item);

#endif
