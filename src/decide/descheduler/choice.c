/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/choice.h"

#include "base/error.h"

enum { SLOTS_AT_FIRST = 16 };

static bool is_zero(struct signature signature)
{
    return signature.left == 0 && signature.right == 0;
}

static struct signature *find_slot(const struct signature_set *set, struct signature signature)
{
    uint32_t slot = (uint32_t)signature.left & (set->slot_count - 1);
    while (!is_zero(set->slots[slot]) && !signature_equal(set->slots[slot], signature))
        slot = (slot + 1) & (set->slot_count - 1);
    return &set->slots[slot];
}

static void grow(struct arena *arena, struct signature_set *set)
{
    const struct signature_set old = *set;
    set->slot_count = old.slot_count > 0 ? old.slot_count * 2 : SLOTS_AT_FIRST;
    set->slots = ARENA_ARRAY(arena, struct signature, set->slot_count);
    for (uint32_t i = 0; i < old.slot_count; i++)
        if (!is_zero(old.slots[i]))
            *find_slot(set, old.slots[i]) = old.slots[i];
}

bool signature_set_add(struct arena *arena, struct signature_set *set, struct signature signature)
{
    if (is_zero(signature)) {
        const bool is_new = !set->has_zero;
        set->has_zero = true;
        set->count += is_new;
        return is_new;
    }
    if (set->count * 2 >= set->slot_count)
        grow(arena, set);
    struct signature *slot = find_slot(set, signature);
    if (!is_zero(*slot))
        return false;
    *slot = signature;
    set->count++;
    return true;
}

void choice_init(struct choice *choice, struct arena *arena, bool remembers)
{
    *choice = (struct choice){.arena = arena, .remembers = remembers};
}

void choice_rewind(struct choice *choice)
{
    choice->position = 0;
    choice->given_up = false;
}

uint32_t choice_pick(struct choice *choice, uint32_t count, struct signature state)
{
    if (count == 0)
        bug("a choice among no alternatives");
    choice->questions++;
    if (choice->given_up || count == 1)
        return 0;
    if (choice->position < choice->tape.count) {
        const struct choice_answer *answer = &choice->tape.items[choice->position++];
        if (answer->count != count)
            bug("a run asked %u alternatives where an earlier one asked %u", count, answer->count);
        return answer->taken;
    }
    if (choice->remembers && !signature_set_add(choice->arena, &choice->seen, state)) {
        choice->given_up = true;
        return 0;
    }
    const struct choice_answer answer = {.taken = 0, .count = count};
    VEC_PUSH(choice->arena, &choice->tape, answer);
    choice->position++;
    return 0;
}

bool choice_advance(struct choice *choice)
{
    while (choice->tape.count > 0) {
        struct choice_answer *last = &choice->tape.items[choice->tape.count - 1];
        if (++last->taken < last->count)
            return true;
        choice->tape.count--;
    }
    return false;
}
