/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peterson's filter lock for n processes; for two it is his mutex as usually
 * shown. A process climbs n - 1 levels; on each it announces itself, then gives
 * way (it becomes the level's victim), and goes on when another is the victim
 * or nobody else has come so far.
 *
 * State: at[n], level[n], victim[n] (of level 1 .. n-1). The test of all others
 * is one step, as in the Promela model.
 */
#include "explore/zoo/zoo.h"

enum { OUTSIDE, ANNOUNCED, WAITING, CRITICAL };
enum { ANNOUNCE, GIVE_WAY, CLIMB, ENTER, LEAVE, ACTION_COUNT };
enum { ATOM_TWO_CRITICAL = 1, ATOM_FIRST_ANNOUNCED = 2, ATOM_FIRST_CRITICAL = 4 };

struct lock {
    uint32_t n;
};

static bool may_pass(const struct lock *lock, const uint8_t *at, uint32_t i)
{
    const uint8_t *level = at + lock->n;
    const uint8_t *victim = level + lock->n;
    if (victim[level[i]] != i)
        return true;
    for (uint32_t k = 0; k < lock->n; k++)
        if (k != i && level[k] >= level[i])
            return false;
    return true;
}

static void expand_process(const struct lock *lock, const uint8_t *at, uint32_t i,
                           struct zoo_turn *turn)
{
    const uint32_t n = lock->n;
    const uint32_t level = at[n + i];
    if (at[i] == WAITING && !may_pass(lock, at, i))
        return;
    uint8_t *next = zoo_turn_begin(turn);
    uint32_t action;
    if (at[i] == OUTSIDE) {
        action = ANNOUNCE;
        next[n + i] = 1;
        next[i] = ANNOUNCED;
    } else if (at[i] == ANNOUNCED) {
        action = GIVE_WAY;
        next[2 * n + level] = (uint8_t)i;
        next[i] = WAITING;
    } else if (at[i] == WAITING && level < n - 1) {
        action = CLIMB;
        next[n + i] = (uint8_t)(level + 1);
        next[i] = ANNOUNCED;
    } else if (at[i] == WAITING) {
        action = ENTER;
        next[i] = CRITICAL;
    } else {
        action = LEAVE;
        next[n + i] = 0;
        next[i] = OUTSIDE;
    }
    zoo_turn_emit(turn, action, i, i);
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct lock *lock = model->context;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t i = 0; i < lock->n; i++)
        expand_process(lock, (const uint8_t *)words, i, &turn);
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct lock *lock = model->context;
    const uint8_t *at = (const uint8_t *)words;
    const uint32_t critical = zoo_count_byte(at, lock->n, CRITICAL);
    return (critical > 1 ? ATOM_TWO_CRITICAL : 0U) |
           (at[0] == ANNOUNCED ? ATOM_FIRST_ANNOUNCED : 0U) |
           (at[0] == CRITICAL ? ATOM_FIRST_CRITICAL : 0U);
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"announce", "give way", "climb", "enter", "leave"};
    static const struct property properties[] = {
        {.name = "mutual_exclusion", .kind = PROPERTY_INVARIANT, .p.none = ATOM_TWO_CRITICAL},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "no_starvation",
         .kind = PROPERTY_LEADS_TO,
         .p.all = ATOM_FIRST_ANNOUNCED,
         .q.all = ATOM_FIRST_CRITICAL},
        {.name = "first_enters", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_FIRST_CRITICAL},
    };
    struct lock *lock = ARENA_NEW(arena, struct lock);
    lock->n = (uint32_t)values[0];
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_peterson.name,
        .context = lock,
        .length_least = zoo_words(3 * lock->n),
        .length_most = zoo_words(3 * lock->n),
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = lock->n,
        .atom_count = 3,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_peterson = {
    .name = "peterson",
    .parameters = {{"n", 2, 2, 8}},
    .create = create,
};
