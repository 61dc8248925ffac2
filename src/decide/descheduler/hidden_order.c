/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/hidden_order.h"

enum { WORD_BITS = 64 };

static bool contains(const uint64_t *set, uint32_t item)
{
    return (set[item / WORD_BITS] >> (item % WORD_BITS)) & 1;
}

uint64_t *hidden_order_set(const struct hidden_order *order, const uint32_t *items, uint32_t count)
{
    uint64_t *set = ARENA_ARRAY(order->arena, uint64_t, order->item_count / WORD_BITS + 1);
    for (uint32_t i = 0; i < count; i++)
        set[items[i] / WORD_BITS] |= UINT64_C(1) << (items[i] % WORD_BITS);
    return set;
}

/* Does the fact say that its last comes after `item`, or after something that
 * is known to come after it? */
static bool follows(const struct hidden_order *order, const bool *later, uint32_t number,
                    uint32_t item)
{
    const struct hidden_fact *fact = &order->facts.items[number];
    if (fact->last == item)
        return false;
    if (contains(fact->before, item))
        return true;
    for (uint32_t i = 0; i < order->facts.count; i++)
        if (later[i] && i != number && contains(fact->before, order->facts.items[i].last))
            return true;
    return false;
}

bool hidden_order_allows(const struct hidden_order *order, uint32_t last, const uint64_t *set)
{
    if (order->facts.count == 0)
        return true;
    const struct arena_mark mark = arena_mark(order->arena);
    bool *later = ARENA_ARRAY(order->arena, bool, order->facts.count);
    bool allowed = true;
    for (bool grown = true; grown && allowed;) {
        grown = false;
        for (uint32_t i = 0; i < order->facts.count && allowed; i++) {
            if (later[i] || !follows(order, later, i, last))
                continue;
            later[i] = true;
            grown = true;
            allowed = !contains(set, order->facts.items[i].last);
        }
    }
    arena_rewind(order->arena, mark);
    return allowed;
}

void hidden_order_learn(struct hidden_order *order, uint32_t last, const uint64_t *set)
{
    const struct hidden_fact fact = {.last = last, .before = set};
    VEC_PUSH(order->arena, &order->facts, fact);
}
