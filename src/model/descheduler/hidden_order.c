/* SPDX-License-Identifier: Apache-2.0 */
#include "model/descheduler/hidden_order.h"

static bool contains(const uint32_t *items, uint32_t count, uint32_t item)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i] == item)
            return true;
    return false;
}

/* Does the fact say that its last comes after `item`, or after something that
 * is known to come after it? */
static bool follows(const struct hidden_order *order, const bool *later, uint32_t number,
                    uint32_t item)
{
    const struct hidden_fact *fact = &order->facts.items[number];
    if (contains(fact->before, fact->count, item))
        return true;
    for (uint32_t i = 0; i < order->facts.count; i++)
        if (later[i] && contains(fact->before, fact->count, order->facts.items[i].last))
            return true;
    return false;
}

bool hidden_order_allows(const struct hidden_order *order, uint32_t last, const uint32_t *others,
                         uint32_t count)
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
            allowed = !contains(others, count, order->facts.items[i].last);
        }
    }
    arena_rewind(order->arena, mark);
    return allowed;
}

void hidden_order_learn(struct hidden_order *order, uint32_t last, const uint32_t *others,
                        uint32_t count)
{
    uint32_t *before = ARENA_ARRAY(order->arena, uint32_t, count + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (others[i] != last)
            before[kept++] = others[i];
    const struct hidden_fact fact = {.last = last, .before = before, .count = kept};
    VEC_PUSH(order->arena, &order->facts, fact);
}
