/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The alternating-bit protocol. The sender repeats a message with a bit until
 * the bit is acknowledged, then turns the bit; the receiver takes a message
 * whose bit it expects and acknowledges the last bit it saw. Channels are queues
 * of bounded length that may lose their head. Messages are numbered round, so
 * that one which is lost or doubled is noticed.
 *
 * State: send bit, send value, receive bit, receive value, wrong (a message was
 * not the expected one), then the queue of data (bit + 2 * value) and the queue
 * of acknowledgements.
 *
 * Each end is two fairness classes: repeating must not use up the turns of
 * taking an acknowledgement. Without loss every message then arrives; weak
 * fairness does not stop a channel that loses every message.
 */
#include "explore/zoo/zoo.h"

enum { SEND_BIT, SEND_VALUE, RECEIVE_BIT, RECEIVE_VALUE, WRONG, DATA };
enum { TRANSMIT, TAKE_ACK, RECEIVE, ACKNOWLEDGE, LOSE_DATA, LOSE_ACK, ACTION_COUNT };
enum { TRANSMITTER, ACKNOWLEDGED, RECEIVER, ACKNOWLEDGER, LOSS, CLASS_COUNT };
enum { ATOM_WRONG = 1, ATOM_AT_ONE = 2 };

struct protocol {
    uint32_t capacity;
    uint32_t values;
    bool lossy;
    uint32_t acks; /* where the second queue starts */
};

static uint8_t next_value(const struct protocol *protocol, uint8_t value)
{
    return (uint8_t)((value + 1U) % protocol->values);
}

static void expand_sender(const struct protocol *protocol, const uint8_t *state,
                          struct zoo_turn *turn)
{
    if (state[DATA] < protocol->capacity) {
        const unsigned message = state[SEND_BIT] + 2U * state[SEND_VALUE];
        zoo_queue_push(zoo_turn_begin(turn) + DATA, (uint8_t)message);
        zoo_turn_emit(turn, TRANSMIT, 0, TRANSMITTER);
    }
    if (state[protocol->acks] > 0) {
        uint8_t *next = zoo_turn_begin(turn);
        if (zoo_queue_pop(next + protocol->acks) == next[SEND_BIT]) {
            next[SEND_BIT] ^= 1;
            next[SEND_VALUE] = next_value(protocol, next[SEND_VALUE]);
        }
        zoo_turn_emit(turn, TAKE_ACK, 0, ACKNOWLEDGED);
    }
}

static void expand_receiver(const struct protocol *protocol, const uint8_t *state,
                            struct zoo_turn *turn)
{
    if (state[DATA] > 0) {
        uint8_t *next = zoo_turn_begin(turn);
        const uint8_t message = zoo_queue_pop(next + DATA);
        if ((message & 1) == next[RECEIVE_BIT]) {
            next[WRONG] = message >> 1 != next[RECEIVE_VALUE];
            next[RECEIVE_BIT] ^= 1;
            next[RECEIVE_VALUE] = next_value(protocol, next[RECEIVE_VALUE]);
        }
        zoo_turn_emit(turn, RECEIVE, 0, RECEIVER);
    }
    if (state[protocol->acks] < protocol->capacity) {
        zoo_queue_push(zoo_turn_begin(turn) + protocol->acks, state[RECEIVE_BIT] ^ 1);
        zoo_turn_emit(turn, ACKNOWLEDGE, 0, ACKNOWLEDGER);
    }
}

static void expand_loss(const struct protocol *protocol, const uint8_t *state,
                        struct zoo_turn *turn)
{
    if (state[DATA] > 0) {
        zoo_queue_pop(zoo_turn_begin(turn) + DATA);
        zoo_turn_emit(turn, LOSE_DATA, 0, LOSS);
    }
    if (state[protocol->acks] > 0) {
        zoo_queue_pop(zoo_turn_begin(turn) + protocol->acks);
        zoo_turn_emit(turn, LOSE_ACK, 0, LOSS);
    }
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct protocol *protocol = model->context;
    const uint8_t *state = (const uint8_t *)words;
    struct zoo_turn turn = {.sink = sink, .from = words, .length = length};
    expand_sender(protocol, state, &turn);
    expand_receiver(protocol, state, &turn);
    if (protocol->lossy)
        expand_loss(protocol, state, &turn);
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)model;
    (void)worker;
    (void)length;
    const uint8_t *state = (const uint8_t *)words;
    return (state[WRONG] ? ATOM_WRONG : 0U) | (state[RECEIVE_VALUE] == 1 ? ATOM_AT_ONE : 0U);
}

static const struct model *create(struct arena *arena, const int32_t *values)
{
    static const char *const actions[] = {"transmit",       "take an acknowledgement",
                                          "receive",        "acknowledge",
                                          "lose a message", "lose an acknowledgement"};
    static const struct property properties[] = {
        {.name = "in_order", .kind = PROPERTY_INVARIANT, .p.none = ATOM_WRONG},
        {.name = "deadlock_free", .kind = PROPERTY_DEADLOCK_FREE},
        {.name = "delivers", .kind = PROPERTY_ALWAYS_EVENTUALLY, .p.all = ATOM_AT_ONE},
    };
    struct protocol *protocol = ARENA_NEW(arena, struct protocol);
    protocol->capacity = (uint32_t)values[0];
    protocol->values = (uint32_t)values[1];
    protocol->lossy = values[2];
    protocol->acks = DATA + 1 + protocol->capacity;
    const uint32_t length = zoo_words(protocol->acks + 1 + protocol->capacity);
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){
        .name = zoo_alternating_bit.name,
        .context = protocol,
        .length_least = length,
        .length_most = length,
        .actions = actions,
        .action_count = ACTION_COUNT,
        .fairness_class_count = CLASS_COUNT,
        .atom_count = 2,
        .properties = properties,
        .property_count = sizeof(properties) / sizeof(*properties),
        .initial = zoo_initial_zero,
        .expand = expand,
        .atoms = atoms,
    };
    return model;
}

const struct zoo_entry zoo_alternating_bit = {
    .name = "alternating_bit",
    .parameters = {{"capacity", 2, 1, 100}, {"values", 3, 2, 100}, {"lossy", 1, 0, 1}},
    .create = create,
};
