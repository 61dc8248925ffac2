/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/work_places.h"

enum { PLACES = 3 };

void work_places_init(struct work_places *places)
{
    *places = (struct work_places){.free = PLACES};
    pthread_mutex_init(&places->lock, NULL);
    pthread_cond_init(&places->freed, NULL);
}

void work_places_destroy(struct work_places *places)
{
    pthread_cond_destroy(&places->freed);
    pthread_mutex_destroy(&places->lock);
}

bool work_places_take(struct work_places *places)
{
    pthread_mutex_lock(&places->lock);
    while (places->free == 0 && !places->closed)
        pthread_cond_wait(&places->freed, &places->lock);
    const bool taken = !places->closed;
    places->free -= taken;
    pthread_mutex_unlock(&places->lock);
    return taken;
}

void work_places_leave(struct work_places *places)
{
    pthread_mutex_lock(&places->lock);
    places->free++;
    pthread_cond_signal(&places->freed);
    pthread_mutex_unlock(&places->lock);
}

void work_places_close(struct work_places *places)
{
    pthread_mutex_lock(&places->lock);
    places->closed = true;
    pthread_cond_broadcast(&places->freed);
    pthread_mutex_unlock(&places->lock);
}
