/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutual exclusion by a token that goes round. A station wants in, may change
 * its mind while the token is elsewhere, enters when it holds the token and
 * passes it on when it leaves or when it does not want it.
 *
 * State: at[n], then the token's place. Stations idle or wait freely, and only
 * the holder may be critical: n * (2^n + 2^(n-1)) = 3 n 2^(n-1) states.
 *
 * Fairness makes the token go round (the holder always has a step that moves
 * it on); without, the others may dither for ever.
 */
#include "explore/zoo/zoo.h"

enum { IDLE, WAITING, CRITICAL };
enum { WANT, WITHDRAW, ENTER, LEAVE, PASS, ACTION_COUNT };
enum { ATOM_TWO_CRITICAL = 1, ATOM_TOKEN_AT_FIRST = 2, ATOM_WAITING = 4, ATOM_CRITICAL = 8 };

struct ring {
    uint32_t n;
};

static void pass(const struct ring *ring, uint8_t *next)
{
    next[ring->n] = (uint8_t)(next[ring->n] + 1U == ring->n ? 0 : next[ring->n] + 1U);
}

static void expand_station(const struct ring *ring, const uint8_t *at, uint32_t i,
                           struct zoo_turn *turn)
{
    const bool holds = at[ring->n] == i;
    if (at[i] == IDLE) {
        zoo_turn_begin(turn)[i] = WAITING;
        zoo_turn_emit(turn, WANT, i, i);
    }
    if (at[i] == WAITING) {
        zoo_turn_begin(turn)[i] = holds ? CRITICAL : IDLE;
        zoo_turn_emit(turn, holds ? ENTER : WITHDRAW, i, i);
    }
    if (at[i] == CRITICAL || (at[i] == IDLE && holds)) {
        uint8_t *next = zoo_turn_begin(turn);
        next[i] = IDLE;
        pass(ring, next);
        zoo_turn_emit(turn, at[i] == CRITICAL ? LEAVE : PASS, i, i);
    }
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct ring *ring = model->context;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t i = 0; i < ring->n; i++)
        expand_station(ring, (const uint8_t *)words, i, &turn);
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct ring *ring = model->context;
    const uint8_t *at = (const uint8_t *)words;
    const uint32_t critical = zoo_count_byte(at, ring->n, CRITICAL);
    return (critical > 1 ? ATOM_TWO_CRITICAL : 0U) | (at[ring->n] == 0 ? ATOM_TOKEN_AT_FIRST : 0U) |
           (at[0] == WAITING ? ATOM_WAITING : 0U) | (at[0] == CRITICAL ? ATOM_CRITICAL : 0U);
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"want", "withdraw", "enter", "leave", "pass"};
    static const struct property properties[] = {
        {.name = "mutual_exclusion", .kind = PROPERTY_INVARIANT, .p.none = ATOM_TWO_CRITICAL},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "token_returns", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_TOKEN_AT_FIRST},
        {.name = "waiting_enters",
         .kind = PROPERTY_LEADS_TO,
         .p.all = ATOM_WAITING,
         .q.all = ATOM_CRITICAL},
    };
    struct ring *ring = ARENA_NEW(arena, struct ring);
    ring->n = (uint32_t)values[0];
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_token_ring.name,
        .context = ring,
        .length_least = zoo_words(ring->n + 1),
        .length_most = zoo_words(ring->n + 1),
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = ring->n,
        .atom_count = 4,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_token_ring = {
    .name = "token_ring",
    .parameters = {{"n", 3, 2, 64}},
    .create = create,
};
