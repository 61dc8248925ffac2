/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/phases.h"

#include <time.h>

uint64_t phases_thread_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void phases_note_most(atomic_uint_fast64_t *noted, uint64_t value)
{
    uint_fast64_t before = atomic_load(noted);
    while (value > before && !atomic_compare_exchange_weak(noted, &before, value))
        ;
}
