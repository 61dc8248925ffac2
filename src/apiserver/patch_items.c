/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/patch_items.h"

#include <string.h>

static const struct datum *key_of(const struct patch_items *items, const struct datum *item)
{
    return *items->key ? datum_member(item, items->key) : item;
}

static uint64_t hash_of(const struct datum *key)
{
    return key ? key->hash : 0;
}

/* Items with one key stand behind one another, in order. Many of them are work. */
static void index_item(struct patch_items *items, uint32_t number)
{
    uint64_t slot = hash_of(key_of(items, items->items[number]));
    for (; items->slots[slot & (items->slot_count - 1)]; slot++)
        if (patching_spend(items->patching, 1))
            return;
    items->slots[slot & (items->slot_count - 1)] = number + 1;
}

void patch_items_init(struct patch_items *items, struct patching *patching, const char *key,
                      const struct datum *list, uint32_t more)
{
    struct arena *arena = patching->arena;
    const uint32_t count = list && list->kind == DATUM_LIST ? list->count : 0;
    *items = (struct patch_items){
        .patching = patching, .key = key, .capacity = count + more + 1, .slot_count = 16};
    items->items = ARENA_ARRAY(arena, const struct datum *, items->capacity);
    while (items->slot_count < 2 * items->capacity)
        items->slot_count *= 2;
    items->slots = ARENA_ARRAY(arena, uint32_t, items->slot_count);
    for (uint32_t i = 0; i < count; i++)
        patch_items_add(items, list->items[i]);
}

uint32_t patch_items_find(const struct patch_items *items, const struct datum *wanted)
{
    for (uint64_t slot = hash_of(wanted);; slot++) {
        const uint32_t number = items->slots[slot & (items->slot_count - 1)];
        if (!number || patching_spend(items->patching, 1))
            return UINT32_MAX;
        const struct datum *item = items->items[number - 1];
        if (item && datum_equal(key_of(items, item), wanted))
            return number - 1;
    }
}

void patch_items_add(struct patch_items *items, const struct datum *item)
{
    if (items->count == items->capacity)
        bug("a patch adds more items than it has");
    items->items[items->count] = item;
    index_item(items, items->count++);
}

void patch_items_replace(struct patch_items *items, uint32_t number, const struct datum *item)
{
    items->items[number] = item;
}

const struct datum *patch_items_list(const struct patch_items *items)
{
    const struct datum **kept = ARENA_ARRAY(items->patching->arena, const struct datum *,
                                            items->count > 0 ? items->count : 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < items->count; i++)
        if (items->items[i])
            kept[count++] = items->items[i];
    return datum_list(items->patching->arena, kept, count);
}
