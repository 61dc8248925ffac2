/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Map from strings to pointers, and the string interner built on it.
 *
 * Entries keep the order of insertion, so that walking a map gives the same
 * order in every run. Keys are not copied: they must live as long as the map
 * (map_intern copies). Nothing is ever removed.
 */
#ifndef FATHOM_BASE_MAP_H
#define FATHOM_BASE_MAP_H

#include "base/arena.h"

struct map_entry {
    const char *key;
    uint64_t hash;
    void *value;
};

struct map {
    struct arena *arena;
    struct map_entry *entries; /* in order of insertion */
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots; /* entry index + 1; 0: free */
    uint32_t slot_count;
};

void map_init(struct map *map, struct arena *arena);
/* Begins as a copy of another map, with the same keys and values. */
void map_copy(struct map *map, struct arena *arena, const struct map *other);

/* NULL when there is none. */
void *map_get(const struct map *map, const char *key);
/* The entry for `key`, added with a NULL value if there is none. The pointer
 * is good until the next addition. */
struct map_entry *map_put(struct map *map, const char *key);

/* The one copy of this text in the map's arena: equal texts give equal
 * pointers. A map used for this is used for nothing else. */
const char *map_intern(struct map *map, const char *text, size_t length);

#define MAP_EACH(map, entry)                       \
    for (struct map_entry *entry = (map)->entries; \
         entry && entry != (map)->entries + (map)->count; entry++)

#endif
