/* SPDX-License-Identifier: Apache-2.0 */
/* Counterexamples of the population, followed by its twin. */
#include "twin/compare.h"

#include <stdio.h>
#include <string.h>

static void ignore(struct step_sink *sink, uint32_t class)
{
    (void)sink;
    (void)class;
}

/* All states that a run of these actions can lead to, one step after another. */
struct follower {
    struct step_sink sink;
    struct arena *arena;
    uint32_t action;
    struct map seen;
    VEC(const uint32_t *) next;
    uint64_t marks; /* of the steps taken last */
    uint32_t length;
};

static bool follow_step(struct step_sink *sink, const struct step *step)
{
    struct follower *follower = (struct follower *)sink;
    if (step->action != follower->action)
        return true;
    char *key = arena_allocate(follower->arena, (size_t)step->length * 8 + 1);
    for (uint32_t i = 0; i < step->length; i++)
        snprintf(key + (size_t)i * 8, 9, "%08x", step->words[i]);
    follower->marks |= step->marks;
    struct map_entry *entry = map_put(&follower->seen, key);
    if (!entry->value) {
        const uint32_t *copy =
            arena_copy(follower->arena, step->words, step->length * sizeof(uint32_t));
        entry->value = follower;
        VEC_PUSH(follower->arena, &follower->next, copy);
    }
    return true;
}

static bool start_step(struct step_sink *sink, const struct step *step)
{
    struct follower *follower = (struct follower *)sink;
    const uint32_t *copy =
        arena_copy(follower->arena, step->words, step->length * sizeof(uint32_t));
    follower->length = step->length;
    VEC_PUSH(follower->arena, &follower->next, copy);
    return true;
}

bool twin_follows(struct memory *memory, const struct model *twin, const struct property *property,
                  const struct run_path *path)
{
    struct arena arena;
    arena_init(&arena, memory);
    struct follower follower = {{start_step, ignore}, .arena = &arena};
    twin->initial(twin, NULL, &follower.sink);
    follower.sink.emit = follow_step;
    for (uint32_t i = 0; i < path->step_count && follower.next.count > 0; i++) {
        const uint32_t **now = follower.next.items;
        const uint32_t count = follower.next.count;
        memset(&follower.next, 0, sizeof(follower.next));
        map_init(&follower.seen, &arena);
        follower.action = path->steps[i].action;
        follower.marks = 0;
        for (uint32_t s = 0; s < count; s++)
            twin->expand(twin, NULL, now[s], follower.length, &follower.sink);
    }
    bool bad = property->kind != PROPERTY_INVARIANT && property->kind != PROPERTY_STEP_INVARIANT;
    if (property->kind == PROPERTY_STEP_INVARIANT)
        bad = follower.marks & property->marks;
    for (uint32_t s = 0; s < follower.next.count && property->kind == PROPERTY_INVARIANT; s++)
        bad = bad || !literals_hold(&property->p, twin->atoms(twin, NULL, follower.next.items[s],
                                                              follower.length));
    const bool good = follower.next.count > 0 && bad;
    arena_release(&arena);
    return good;
}
