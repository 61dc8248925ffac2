/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state store: every state seen, exactly once, compressed.
 *
 * A state becomes a binary tree over its words. Pairs of words are interned (equal
 * pairs have one number), pairs of these numbers likewise, until two are left:
 * these are the state's root, four to eight bytes (root_set.h).
 *
 *     words   w0   w1 w2   w3   w4 0       6 words (5 and a zero), 4 items
 *             |     \ /    |     \ /
 *     items   w0     a     w3     b        nodes.pairs[a] = (w1, w2)
 *               \   /        \   /
 *                 c            d           nodes.pairs[c] = (w0, a)
 *
 *                                          root_set_pair(roots, id) = (c, d)
 *
 * The tree is balanced, so that both halves of a root have few distinct values
 * and what they share is large. For that a state is filled up with zeros to
 * 2^k words (every item is a pair) or 3*2^k words (word, pair, word, pair, ...).
 * The true length is stored with the root only in models of varying length.
 * Successors differ from their predecessor in few words, so most of their tree
 * is known already: packing compares with the tree of the state that is being
 * expanded (the cursor's base) and interns only what changed.
 *
 * Each thread works through a cursor of its own. Adding and finding are
 * lock-free; growing a full set needs the other threads to stand still, which
 * the caller sees to (`store_pack` and `store_add` say when).
 */
#ifndef FATHOM_EXPLORE_STORE_H
#define FATHOM_EXPLORE_STORE_H

#include "explore/root_set.h"

struct store {
    struct memory *memory;
    struct root_set roots; /* ids of states */
    struct pair_set nodes;
    uint32_t length_least, length_most;
    uint32_t block_size; /* ids a thread takes at once */
};

/* How the tree of a length is laid out: `padded` words, then `items` items, then
 * half as many, and so on down to two. All parts begin at even places. */
struct store_shape {
    uint32_t length; /* the state's */
    uint32_t padded; /* even, or 3 */
    uint32_t items;  /* a power of two, at least 2 */
    bool triples;    /* word, pair, word, pair, ... in place of pairs only */
};

struct store_known {
    uint64_t pair;
    uint32_t id_plus_one; /* 0: empty */
    uint32_t extra;
};

/* What a thread met lately, by hash; grows with use. Neighbours in the search
 * share most of their successors, so this answers most questions without a look
 * into the big tables. */
struct store_cache {
    struct store_known *entries;
    uint32_t bits;
    uint32_t bits_most;
    uint64_t misses;
};

struct store_cursor {
    struct store *store;
    struct store_shape base_shape, next_shape;
    uint32_t *base, *next; /* trees, all levels */
    struct store_cache known_nodes, known_roots;
    struct id_block root_block, node_block;
    uint64_t collisions;
};

bool store_init(struct store *store, struct memory *memory, uint32_t length_least,
                uint32_t length_most);
/* From now on threads take so many ids at once; 1: one thread is at work. */
void store_share(struct store *store, uint32_t block_size);
void store_release(struct store *store);
uint64_t store_bytes(const struct store *store);

bool store_cursor_init(struct store_cursor *cursor, struct store *store);
void store_cursor_release(struct store_cursor *cursor);

/* Makes state `id` the cursor's base and gives its words, which stay valid until
 * the next load. */
const uint32_t *store_load(struct store_cursor *cursor, uint32_t id, uint32_t *length);

/* Does the tree of state `id` have a length that states have, and only nodes that are there? For
 * trees that were read from a file. */
bool store_is_sound(struct store_cursor *cursor, uint32_t id);

/* The root of a state. False: store.nodes is full and must grow first. */
bool store_pack(struct store_cursor *cursor, const uint32_t *words, uint32_t length,
                uint64_t *root);

static inline struct store_known *store_cache_at(const struct store_cache *cache, uint32_t hash)
{
    return &cache->entries[hash >> (32 - cache->bits)];
}

void store_cache_enlarge(struct store_cache *cache, struct memory *memory);

static inline void store_cache_put(struct store_cache *cache, struct memory *memory, uint32_t hash,
                                   uint64_t pair, uint32_t extra, uint32_t id)
{
    if (++cache->misses >> cache->bits > 4 && cache->bits < cache->bits_most)
        store_cache_enlarge(cache, memory);
    *store_cache_at(cache, hash) = (struct store_known){pair, id + 1, extra};
}

/* The id of a state met lately, or PAIR_SET_NONE. */
static inline uint32_t store_recall(const struct store_cursor *cursor, uint64_t root,
                                    uint32_t length, uint32_t hash)
{
    const struct store_known *known = store_cache_at(&cursor->known_roots, hash);
    /* An empty entry gives PAIR_SET_NONE, too. */
    return known->pair == root && known->extra == length ? known->id_plus_one - 1 : PAIR_SET_NONE;
}

static inline void store_remember(struct store_cursor *cursor, uint64_t root, uint32_t length,
                                  uint32_t hash, uint32_t id)
{
    store_cache_put(&cursor->known_roots, cursor->store->memory, hash, root, length, id);
}

/* As root_set_add on the roots. PAIR_SET_NONE: store.roots must grow first. */
static inline uint32_t store_add(struct store_cursor *cursor, uint64_t root, uint32_t length,
                                 uint32_t hash, bool *is_new)
{
    return root_set_add(&cursor->store->roots, &cursor->root_block, cursor->store->block_size, root,
                        length, hash, is_new, &cursor->collisions);
}

/* The id of a state, or PAIR_SET_NONE if it is not stored. Adds nothing. */
uint32_t store_find(struct store_cursor *cursor, const uint32_t *words, uint32_t length);

#endif
