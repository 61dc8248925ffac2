/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing over an array of entries; at most half
 * of the slots are taken. */
#include "base/map.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

void map_init(struct map *map, struct arena *arena)
{
    *map = (struct map){.arena = arena};
}

void map_copy(struct map *map, struct arena *arena, const struct map *other)
{
    *map = *other;
    map->arena = arena;
    map->capacity = map->count; /* Entries are shared until one is added: then they move. */
    map->slots = arena_copy(arena, other->slots, other->slot_count * sizeof(*other->slots));
}

static bool matches(const struct map_entry *entry, uint64_t hash, const char *key, size_t length)
{
    return entry->hash == hash && strncmp(entry->key, key, length) == 0 &&
           entry->key[length] == '\0';
}

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t find(const struct map *map, uint64_t hash, const char *key, size_t length)
{
    const uint32_t mask = map->slot_count - 1;
    uint32_t slot = (uint32_t)hash & mask;
    while (map->slots[slot] != 0 &&
           !matches(&map->entries[map->slots[slot] - 1], hash, key, length))
        slot = (slot + 1) & mask;
    return slot;
}

static void grow(struct map *map)
{
    map->slot_count = map->slot_count ? map->slot_count * 2 : 16;
    map->slots = ARENA_ARRAY(map->arena, uint32_t, map->slot_count);
    const uint32_t mask = map->slot_count - 1;
    for (uint32_t i = 0; i < map->count; i++) {
        uint32_t slot = (uint32_t)map->entries[i].hash & mask;
        while (map->slots[slot] != 0)
            slot = (slot + 1) & mask;
        map->slots[slot] = i + 1;
    }
}

void *map_get(const struct map *map, const char *key)
{
    if (map->count == 0)
        return NULL;
    const size_t length = strlen(key);
    const uint32_t slot = find(map, hash_bytes(key, length), key, length);
    return map->slots[slot] ? map->entries[map->slots[slot] - 1].value : NULL;
}

static struct map_entry *put(struct map *map, const char *key, size_t length, bool copy)
{
    if ((map->count + 1) * 2 > map->slot_count)
        grow(map);
    const uint64_t hash = hash_bytes(key, length);
    const uint32_t slot = find(map, hash, key, length);
    if (map->slots[slot] == 0) {
        const char *kept = copy ? arena_strndup(map->arena, key, length) : key;
        if (map->count == map->capacity)
            map->entries =
                vec_grow(map->arena, map->entries, &map->capacity, sizeof(*map->entries));
        map->entries[map->count++] = (struct map_entry){.key = kept, .hash = hash};
        map->slots[slot] = map->count;
        return &map->entries[map->count - 1];
    }
    return &map->entries[map->slots[slot] - 1];
}

struct map_entry *map_put(struct map *map, const char *key)
{
    return put(map, key, strlen(key), false);
}

const char *map_intern(struct map *map, const char *text, size_t length)
{
    return put(map, text, length, true)->key;
}
