/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/trail.h"

#include <string.h>

void trail_init(struct trail *trail, struct memory *memory)
{
    *trail = (struct trail){.memory = memory};
}

void trail_release(struct trail *trail)
{
    memory_release(trail->memory, trail->ids, trail->capacity * sizeof(uint32_t));
    memory_release(trail->memory, trail->steps, trail->capacity * sizeof(uint32_t));
    *trail = (struct trail){.memory = trail->memory};
}

void trail_clear(struct trail *trail)
{
    trail->count = 0;
    trail->begun = false;
}

/* Capacity counts states; `count` counts steps, so a trail of one state has 0. */
static bool reserve(struct trail *trail, uint32_t states)
{
    if (states <= trail->capacity)
        return true;
    uint32_t capacity = trail->capacity == 0 ? 16 : trail->capacity * 2;
    if (capacity < states)
        capacity = states;
    uint32_t *ids = memory_try_allocate(trail->memory, capacity * sizeof(uint32_t));
    uint32_t *steps = memory_try_allocate(trail->memory, capacity * sizeof(uint32_t));
    if (!ids || !steps) {
        memory_release(trail->memory, ids, capacity * sizeof(uint32_t));
        memory_release(trail->memory, steps, capacity * sizeof(uint32_t));
        return false;
    }
    if (trail->ids) {
        memcpy(ids, trail->ids, trail->capacity * sizeof(uint32_t));
        memcpy(steps, trail->steps, trail->capacity * sizeof(uint32_t));
    }
    memory_release(trail->memory, trail->ids, trail->capacity * sizeof(uint32_t));
    memory_release(trail->memory, trail->steps, trail->capacity * sizeof(uint32_t));
    trail->ids = ids;
    trail->steps = steps;
    trail->capacity = capacity;
    return true;
}

bool trail_push(struct trail *trail, uint32_t step, uint32_t id)
{
    if (!reserve(trail, trail->begun ? trail->count + 2 : 1))
        return false;
    if (!trail->begun) {
        trail->begun = true;
        trail->ids[0] = id;
        return true;
    }
    trail->steps[trail->count++] = step;
    trail->ids[trail->count] = id;
    return true;
}
