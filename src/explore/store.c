/* SPDX-License-Identifier: Apache-2.0 */
/* Tree compression after Laarman, van de Pol and Weber ("Parallel recursive state
 * compression for free", 2011). Departures: roots have dense numbers in order of
 * arrival, so that levels of the search are ranges of ids and need no queue;
 * tables grow; lengths vary. */
#include "explore/store.h"

#include <assert.h>
#include <string.h>

enum { KNOWN_BITS_FIRST = 7, KNOWN_NODES_BITS_MOST = 15, KNOWN_ROOTS_BITS_MOST = 14 };

bool store_init(struct store *store, struct memory *memory, uint32_t length_least,
                uint32_t length_most)
{
    assert(length_least <= length_most);
    *store = (struct store){.memory = memory,
                            .length_least = length_least,
                            .length_most = length_most,
                            .block_size = 1};
    root_set_init(&store->roots, memory, length_least, length_most);
    pair_set_init(&store->nodes, memory);
    return root_set_grow(&store->roots) && pair_set_grow(&store->nodes);
}

void store_share(struct store *store, uint32_t block_size)
{
    assert(block_size >= 1);
    store->block_size = block_size;
}

void store_release(struct store *store)
{
    root_set_release(&store->roots);
    pair_set_release(&store->nodes);
}

uint64_t store_bytes(const struct store *store)
{
    return root_set_bytes(&store->roots) + pair_set_bytes(&store->nodes);
}

/* Words filled up to at most half as much again, then fewer than twice as many
 * items; small states need a little more. */
static size_t tree_bytes(const struct store *store)
{
    return sizeof(uint32_t) * (4 * (size_t)store->length_most + 16);
}

static size_t cache_bytes(const struct store_cache *cache)
{
    return sizeof(struct store_known) << cache->bits;
}

static bool cache_init(struct store_cache *cache, struct memory *memory, uint32_t bits_most)
{
    *cache = (struct store_cache){.bits = KNOWN_BITS_FIRST, .bits_most = bits_most};
    cache->entries = memory_try_allocate_zeroed(memory, cache_bytes(cache));
    return cache->entries != NULL;
}

/* Without memory for a larger cache the present one is kept. */
void store_cache_enlarge(struct store_cache *cache, struct memory *memory)
{
    struct store_cache larger = *cache;
    larger.misses = 0;
    larger.bits = cache->bits_most - cache->bits > 3 ? cache->bits + 3 : cache->bits_most;
    larger.entries = memory_try_allocate_zeroed(memory, cache_bytes(&larger));
    cache->misses = 0;
    if (!larger.entries)
        return;
    memory_release(memory, cache->entries, cache_bytes(cache));
    *cache = larger;
}

bool store_cursor_init(struct store_cursor *cursor, struct store *store)
{
    *cursor = (struct store_cursor){.store = store};
    cursor->base_shape.length = cursor->next_shape.length = UINT32_MAX; /* none yet */
    cursor->base = memory_try_allocate(store->memory, tree_bytes(store));
    cursor->next = memory_try_allocate(store->memory, tree_bytes(store));
    if (cursor->base && cursor->next &&
        cache_init(&cursor->known_nodes, store->memory, KNOWN_NODES_BITS_MOST) &&
        cache_init(&cursor->known_roots, store->memory, KNOWN_ROOTS_BITS_MOST))
        return true;
    store_cursor_release(cursor);
    return false;
}

void store_cursor_release(struct store_cursor *cursor)
{
    if (!cursor->store)
        return;
    struct memory *memory = cursor->store->memory;
    memory_release(memory, cursor->base, tree_bytes(cursor->store));
    memory_release(memory, cursor->next, tree_bytes(cursor->store));
    memory_release(memory, cursor->known_nodes.entries, cache_bytes(&cursor->known_nodes));
    memory_release(memory, cursor->known_roots.entries, cache_bytes(&cursor->known_roots));
    *cursor = (struct store_cursor){0};
}

static void shape_for(struct store_shape *shape, uint32_t length)
{
    if (shape->length == length)
        return;
    uint32_t power = 2;
    while (power < length)
        power *= 2;
    shape->length = length;
    shape->triples = power > 2 && length <= power / 4 * 3;
    shape->padded = shape->triples ? power / 4 * 3 : power;
    shape->items = power > 2 ? power / 2 : 2;
}

/* Where the items begin, behind the words. */
static inline uint32_t *items_of(uint32_t *tree, const struct store_shape *shape)
{
    return tree + ((size_t)shape->padded + 1) / 2 * 2;
}

static inline uint64_t pair_at(const uint32_t *items)
{
    uint64_t pair;
    memcpy(&pair, items, sizeof(pair));
    return pair;
}

static inline void put_pair(uint32_t *items, uint64_t pair)
{
    memcpy(items, &pair, sizeof(pair));
}

/* Items into words. */
static void unpack_words(const struct store_shape *shape, const uint64_t *pairs, uint32_t *words,
                         const uint32_t *items)
{
    if (shape->padded == 2) {
        put_pair(words, pair_at(items));
    } else if (shape->triples) {
        for (size_t i = 0; i < shape->items / 2; i++) {
            words[3 * i] = items[2 * i];
            put_pair(words + 3 * i + 1, pairs[items[2 * i + 1]]);
        }
    } else {
        for (size_t i = 0; i < shape->items; i++)
            put_pair(words + 2 * i, pairs[items[i]]);
    }
}

const uint32_t *store_load(struct store_cursor *cursor, uint32_t id, uint32_t *length)
{
    const struct store *store = cursor->store;
    struct store_shape *shape = &cursor->base_shape;
    assert(id < atomic_load_explicit(&store->roots.next_id, memory_order_relaxed));
    shape_for(shape, store->roots.with_extras ? store->roots.extras[id] : store->length_most);
    const uint64_t *pairs = store->nodes.pairs;
    uint32_t *items = items_of(cursor->base, shape);
    /* The levels stand one behind the other: items, half as many, ..., two. */
    uint32_t *top = items + 2 * ((size_t)shape->items - 2);
    put_pair(top, root_set_pair(&store->roots, id));
    for (size_t size = 2; size < shape->items; size *= 2) {
        uint32_t *below = top - 2 * size;
        for (size_t i = 0; i < size; i++)
            put_pair(below + 2 * i, pairs[top[i]]);
        top = below;
    }
    unpack_words(shape, pairs, cursor->base, items);
    *length = shape->length;
    return cursor->base;
}

bool store_is_sound(struct store_cursor *cursor, uint32_t id)
{
    const struct store *store = cursor->store;
    struct store_shape *shape = &cursor->base_shape;
    const uint64_t nodes = atomic_load_explicit(&store->nodes.next_id, memory_order_relaxed);
    const uint32_t length = store->roots.with_extras ? store->roots.extras[id] : store->length_most;
    if (length < store->length_least || length > store->length_most)
        return false;
    shape_for(shape, length);
    uint32_t *items = items_of(cursor->base, shape);
    uint32_t *top = items + 2 * ((size_t)shape->items - 2);
    put_pair(top, root_set_pair(&store->roots, id));
    for (size_t size = 2; size < shape->items; size *= 2) {
        uint32_t *below = top - 2 * size;
        for (size_t i = 0; i < size; i++) {
            if (top[i] >= nodes)
                return false;
            put_pair(below + 2 * i, store->nodes.pairs[top[i]]);
        }
        top = below;
    }
    for (size_t i = shape->triples; shape->padded > 2 && i < shape->items;
         i += shape->triples ? 2 : 1)
        if (items[i] >= nodes)
            return false;
    return true;
}

static bool intern_slowly(struct store_cursor *cursor, uint64_t pair, uint32_t hash, uint32_t *id)
{
    bool is_new;
    uint64_t collisions = 0;
    *id = pair_set_add(&cursor->store->nodes, &cursor->node_block, cursor->store->block_size, pair,
                       hash, &is_new, &collisions);
    if (*id == PAIR_SET_NONE)
        return false;
    store_cache_put(&cursor->known_nodes, cursor->store->memory, hash, pair, 0, *id);
    return true;
}

static bool intern(struct store_cursor *cursor, uint64_t pair, uint32_t *id)
{
    const uint32_t hash = pair_hash(pair, 0);
    const struct store_known *known = store_cache_at(&cursor->known_nodes, hash);
    if (known->pair == pair && known->id_plus_one != 0) {
        *id = known->id_plus_one - 1;
        return true;
    }
    return intern_slowly(cursor, pair, hash, id);
}

/* The state filled up with zeros, at the beginning of the cursor's next tree. */
static void pad_words(struct store_cursor *cursor, const uint32_t *words, uint32_t length)
{
    assert(length >= cursor->store->length_least);
    assert(length <= cursor->store->length_most);
    shape_for(&cursor->next_shape, length);
    uint32_t *next = cursor->next;
    for (uint32_t i = 0; i < length; i++)
        next[i] = words[i];
    for (uint32_t i = length; i < cursor->next_shape.padded; i++)
        next[i] = 0;
}

typedef bool number_function(struct store_cursor *cursor, uint64_t pair, uint32_t *number);

static bool find_number(struct store_cursor *cursor, uint64_t pair, uint32_t *number)
{
    *number = pair_set_find(&cursor->store->nodes, pair);
    return *number != PAIR_SET_NONE;
}

/* The root of the next tree without help of the base, where `number` gives the
 * number of a pair or fails. */
static bool number_tree(struct store_cursor *cursor, number_function *number, uint64_t *root)
{
    const struct store_shape *shape = &cursor->next_shape;
    const uint32_t *words = cursor->next;
    uint32_t *items = items_of(cursor->next, shape);
    if (shape->padded == 2) {
        *root = pair_at(words);
        return true;
    }
    for (size_t i = 0; i < shape->items; i++) {
        if (shape->triples && i % 2 == 0)
            items[i] = words[i / 2 * 3];
        else if (!number(cursor, pair_at(words + (shape->triples ? i / 2 * 3 + 1 : 2 * i)),
                         &items[i]))
            return false;
    }
    for (size_t size = shape->items; size > 2; size /= 2) {
        for (size_t i = 0; i < size / 2; i++) {
            if (!number(cursor, pair_at(items + 2 * i), &items[size + i]))
                return false;
        }
        items += size;
    }
    *root = pair_at(items);
    return true;
}

static bool pack_afresh(struct store_cursor *cursor, uint64_t *root)
{
    return number_tree(cursor, intern, root);
}

/* The number of a pair, known already if the base has the same pair there. */
static inline bool number_pair(struct store_cursor *cursor, const uint32_t *at,
                               const uint32_t *base_at, uint32_t base_number, uint32_t *number)
{
    const uint64_t pair = pair_at(at);
    if (pair == pair_at(base_at)) {
        *number = base_number;
        return true;
    }
    return intern(cursor, pair, number);
}

/* Words into items, given a base of the same shape. */
static inline bool pack_words(struct store_cursor *cursor, uint32_t *items,
                              const uint32_t *base_items)
{
    const struct store_shape *shape = &cursor->next_shape;
    const uint32_t *words = cursor->next, *base = cursor->base;
    if (shape->padded == 2) {
        put_pair(items, pair_at(words));
        return true;
    }
    if (shape->triples) {
        for (size_t i = 0; i < shape->items / 2; i++) {
            items[2 * i] = words[3 * i];
            if (!number_pair(cursor, words + 3 * i + 1, base + 3 * i + 1, base_items[2 * i + 1],
                             &items[2 * i + 1]))
                return false;
        }
        return true;
    }
    for (size_t i = 0; i < shape->items; i++) {
        if (!number_pair(cursor, words + 2 * i, base + 2 * i, base_items[i], &items[i]))
            return false;
    }
    return true;
}

bool store_pack(struct store_cursor *cursor, const uint32_t *words, uint32_t length, uint64_t *root)
{
    pad_words(cursor, words, length);
    const struct store_shape *shape = &cursor->next_shape;
    if (cursor->base_shape.padded != shape->padded)
        return pack_afresh(cursor, root);
    uint32_t *items = items_of(cursor->next, shape);
    const uint32_t *base = items_of(cursor->base, shape);
    if (!pack_words(cursor, items, base))
        return false;
    for (size_t size = shape->items; size > 2; size /= 2) {
        for (size_t i = 0; i < size / 2; i++) {
            if (!number_pair(cursor, items + 2 * i, base + 2 * i, base[size + i], &items[size + i]))
                return false;
        }
        items += size;
        base += size;
    }
    *root = pair_at(items);
    return true;
}

uint32_t store_find(struct store_cursor *cursor, const uint32_t *words, uint32_t length)
{
    uint64_t root;
    pad_words(cursor, words, length);
    if (!number_tree(cursor, find_number, &root))
        return PAIR_SET_NONE;
    return root_set_find(&cursor->store->roots, root, length);
}
