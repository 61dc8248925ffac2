/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leader election of Chang and Roberts in a one-way ring. A process starts by
 * sending its identity on; started, it passes greater ones on, drops smaller
 * ones, and is elected when its own comes round. Identities fall along the
 * ring, which makes the most messages; so process 0 wins.
 *
 * State: started[n], leaders, wrong (someone else was elected), then the queue
 * that leads to each process. No cycles: every run ends with one leader, so
 * liveness holds even without fairness.
 */
#include "explore/zoo/zoo.h"

enum { START, RECEIVE, ACTION_COUNT };
enum { ATOM_ELECTED = 1, ATOM_WRONG = 2 };

struct ring {
    uint32_t n;
};

static uint8_t *queue_to(const struct ring *ring, uint8_t *state, uint32_t i)
{
    return state + ring->n + 2 + (size_t)(i % ring->n) * (ring->n + 1);
}

static void receive(const struct ring *ring, uint8_t *next, uint32_t i)
{
    const uint32_t identity = ring->n - i;
    const uint8_t message = zoo_queue_pop(queue_to(ring, next, i));
    if (message > identity) {
        zoo_queue_push(queue_to(ring, next, i + 1), message);
    } else if (message == identity) {
        next[ring->n]++;
        if (i != 0)
            next[ring->n + 1] = 1;
    }
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct ring *ring = model->context;
    const uint8_t *state = (const uint8_t *)words;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    for (uint32_t i = 0; i < ring->n; i++) {
        if (!state[i]) {
            uint8_t *next = zoo_turn_begin(&turn);
            next[i] = 1;
            zoo_queue_push(queue_to(ring, next, i + 1), (uint8_t)(ring->n - i));
            zoo_turn_emit(&turn, START, i, i);
        } else if (*queue_to(ring, (uint8_t *)words, i) > 0) {
            receive(ring, zoo_turn_begin(&turn), i);
            zoo_turn_emit(&turn, RECEIVE, i, i);
        }
    }
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    (void)length;
    const struct ring *ring = model->context;
    const uint8_t *state = (const uint8_t *)words;
    const bool wrong = state[ring->n + 1] || state[ring->n] > 1;
    return (state[ring->n] == 1 ? ATOM_ELECTED : 0U) | (wrong ? ATOM_WRONG : 0U);
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"start", "receive"};
    static const struct property properties[] = {
        {.name = "one_leader", .kind = PROPERTY_INVARIANT, .p.none = ATOM_WRONG},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "elects", .kind = PROPERTY_EVENTUALLY, .p.all = ATOM_ELECTED},
        {.name = "stays_elected", .kind = PROPERTY_EVENTUALLY_ALWAYS, .p.all = ATOM_ELECTED},
    };
    struct ring *ring = ARENA_NEW(arena, struct ring);
    ring->n = (uint32_t)values[0];
    const uint32_t length = zoo_words(ring->n + 2 + ring->n * (ring->n + 1));
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_leader_election.name,
        .context = ring,
        .length_least = length,
        .length_most = length,
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = ring->n,
        .atom_count = 2,
        .end_atoms = ATOM_ELECTED,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_leader_election = {
    .name = "leader_election",
    .parameters = {{"n", 3, 2, 14}},
    .create = create,
};
