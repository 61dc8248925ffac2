/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many requests are worked on at a time.
 *
 * What a request brings is parsed, and a command answers it; both take many times the memory of
 * the request. Others wait for their turn, each in the thread of its connection.
 */
#ifndef FATHOM_UI_WORK_PLACES_H
#define FATHOM_UI_WORK_PLACES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct work_places {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    uint32_t free;
    bool closed;
};

void work_places_init(struct work_places *places);
void work_places_destroy(struct work_places *places);

/* Waits for a place. False: the server ends. */
bool work_places_take(struct work_places *places);
void work_places_leave(struct work_places *places);

/* Nobody gets one any more. */
void work_places_close(struct work_places *places);

#endif
