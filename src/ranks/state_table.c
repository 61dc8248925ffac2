/* SPDX-License-Identifier: Apache-2.0 */
/* The store of the checker core, used by one thread. */
#include "ranks/state_table.h"

#include "base/error.h"

bool state_table_init(struct state_table *table, struct memory *memory, uint32_t length_least,
                      uint32_t length_most)
{
    *table = (struct state_table){0};
    if (!store_init(&table->store, memory, length_least, length_most))
        return false;
    table->ready = true;
    store_share(&table->store, 1);
    return store_cursor_init(&table->cursor, &table->store);
}

void state_table_release(struct state_table *table)
{
    if (!table->ready)
        return;
    store_cursor_release(&table->cursor);
    store_release(&table->store);
}

uint64_t state_table_bytes(const struct state_table *table)
{
    return table->ready ? store_bytes(&table->store) : 0;
}

uint32_t state_table_add(struct state_table *table, const uint32_t *words, uint32_t length,
                         bool *is_new)
{
    struct store *store = &table->store;
    uint64_t root;
    while (!store_pack(&table->cursor, words, length, &root))
        if (!pair_set_grow(&store->nodes))
            return STATE_NONE;
    const uint32_t hash = pair_hash(root, length);
    for (;;) {
        const uint32_t id = store_add(&table->cursor, root, length, hash, is_new);
        if (id == PAIR_SET_NONE) {
            if (root_set_fits(&store->roots, root) ? !root_set_grow(&store->roots)
                                                   : !root_set_widen(&store->roots, root))
                return STATE_NONE;
            continue;
        }
        if (*is_new && id != table->count++)
            bug("state %u came as number %u", table->count - 1, id);
        return id;
    }
}

uint32_t state_table_find(struct state_table *table, const uint32_t *words, uint32_t length)
{
    const uint32_t id = store_find(&table->cursor, words, length);
    return id == PAIR_SET_NONE ? STATE_NONE : id;
}

const uint32_t *state_table_at(struct state_table *table, uint32_t id, uint32_t *length)
{
    return store_load(&table->cursor, id, length);
}
