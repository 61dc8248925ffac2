/* SPDX-License-Identifier: Apache-2.0 */
/* The states that one rank owns, numbered from 0 in the order in which they came. */
#ifndef FATHOM_RANKS_STATE_TABLE_H
#define FATHOM_RANKS_STATE_TABLE_H

#include "explore/store.h"

#define STATE_NONE UINT32_MAX

struct state_table {
    struct store store;
    struct store_cursor cursor;
    uint32_t count;
    bool ready;
};

bool state_table_init(struct state_table *table, struct memory *memory, uint32_t length_least,
                      uint32_t length_most);
void state_table_release(struct state_table *table);
uint64_t state_table_bytes(const struct state_table *table);
/* The state's number, whether it is new or not; STATE_NONE: there is no memory for it. */
uint32_t state_table_add(struct state_table *table, const uint32_t *words, uint32_t length,
                         bool *is_new);
/* STATE_NONE: it is not there. */
uint32_t state_table_find(struct state_table *table, const uint32_t *words, uint32_t length);
/* Valid until the next call. */
const uint32_t *state_table_at(struct state_table *table, uint32_t id, uint32_t *length);

#endif
