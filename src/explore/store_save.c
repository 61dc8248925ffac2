/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/store_save.h"

enum { PAIRS_AT_ONCE = 1024 };

/* Whole pairs, whatever the width of the records. */
static void save_root_pairs(const struct store *store, uint64_t count, struct bytes_out *out)
{
    uint64_t pairs[PAIRS_AT_ONCE];
    for (uint64_t id = 0; id < count;) {
        uint32_t i = 0;
        for (; i < PAIRS_AT_ONCE && id < count; i++, id++)
            pairs[i] = root_set_pair(&store->roots, (uint32_t)id);
        bytes_put(out, pairs, i * sizeof(uint64_t));
    }
}

void store_save_roots(const struct store *store, uint64_t count, struct bytes_out *out)
{
    bytes_put_number(out, count);
    save_root_pairs(store, count, out);
    if (store->roots.with_extras)
        bytes_put(out, store->roots.extras, count * sizeof(uint16_t));
}

static bool load_root_pairs(struct root_set *roots, uint64_t count, struct bytes_in *in)
{
    uint64_t pairs[PAIRS_AT_ONCE];
    for (uint64_t id = 0; id < count;) {
        const uint64_t left = count - id, some = left < PAIRS_AT_ONCE ? left : PAIRS_AT_ONCE;
        bytes_get(in, pairs, some * sizeof(uint64_t));
        if (in->bad)
            return false;
        for (uint64_t i = 0; i < some; i++, id++) {
            atomic_store(&roots->next_id, id);
            if (!root_set_fits(roots, pairs[i]) && !root_set_widen(roots, pairs[i]))
                return false;
            root_set_put(roots, (uint32_t)id, pairs[i]);
        }
    }
    atomic_store(&roots->next_id, count);
    return true;
}

bool store_load_roots(struct store *store, struct bytes_in *in, uint64_t *count)
{
    struct root_set *roots = &store->roots;
    *count = bytes_get_count(in, sizeof(uint64_t));
    if (*count >= PAIR_SET_NONE)
        in->bad = true;
    if (in->bad || !root_set_reserve(roots, *count) || !load_root_pairs(roots, *count, in))
        return false;
    if (roots->with_extras)
        bytes_get(in, roots->extras, *count * sizeof(uint16_t));
    return !in->bad;
}

void store_save_nodes(const struct store *store, struct bytes_out *out)
{
    const uint64_t count = atomic_load(&store->nodes.next_id);
    bytes_put_number(out, count);
    bytes_put(out, store->nodes.pairs, count * sizeof(uint64_t));
}

bool store_load_nodes(struct store *store, struct bytes_in *in, uint64_t *count)
{
    struct pair_set *nodes = &store->nodes;
    *count = bytes_get_count(in, sizeof(uint64_t));
    if (*count >= PAIR_SET_NONE)
        in->bad = true;
    if (in->bad)
        return false;
    while (nodes->capacity < *count)
        if (!pair_set_grow(nodes))
            return false;
    bytes_get(in, nodes->pairs, *count * sizeof(uint64_t));
    if (in->bad)
        return false;
    atomic_store(&nodes->next_id, *count);
    return true;
}
