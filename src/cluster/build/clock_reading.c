/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/build/clock_reading.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"

#include <string.h>

uint32_t reading_note(struct reading_times *reading, int64_t duration)
{
    reading->common = common_divisor(reading->common, duration);
    return reading->tick ? (uint32_t)(duration / reading->tick) : 0;
}

void reading_add_threshold(struct reading_times *reading, struct thresholds *to, int64_t duration)
{
    if (duration <= 0)
        return;
    const uint32_t ticks = reading_note(reading, duration);
    if (!reading->tick)
        return;
    uint32_t at = 0;
    while (at < to->count && to->items[at] < ticks)
        at++;
    if (at < to->count && to->items[at] == ticks)
        return;
    VEC_PUSH(&reading->population->arena, to, ticks);
    memmove(to->items + at + 1, to->items + at, (to->count - 1 - at) * sizeof(*to->items));
    to->items[at] = ticks;
}
