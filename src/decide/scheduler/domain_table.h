/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers by topology domain, for one decision.
 *
 * Clearing is free: a value counts only if it was written since the last
 * clear. A domain that was never added to is absent, which is not the same as
 * present with 0.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_DOMAIN_TABLE_H
#define FATHOM_DECIDE_SCHEDULER_DOMAIN_TABLE_H

#include "base/arena.h"

#include <stdbool.h>

struct domain_cell {
    uint64_t written; /* in which round */
    int64_t value;
};

struct domain_table {
    struct domain_cell *cells;
    uint32_t capacity;
    uint64_t round;
    uint32_t present; /* domains added to since the last clear */
};

void domain_table_clear(struct domain_table *table, struct arena *arena, uint32_t domain_count);

static inline bool domain_table_has(const struct domain_table *table, uint32_t domain)
{
    return table->cells[domain].written == table->round;
}

static inline int64_t domain_table_get(const struct domain_table *table, uint32_t domain)
{
    return domain_table_has(table, domain) ? table->cells[domain].value : 0;
}

static inline void domain_table_add(struct domain_table *table, uint32_t domain, int64_t amount)
{
    struct domain_cell *cell = &table->cells[domain];
    if (cell->written != table->round) {
        cell->written = table->round;
        cell->value = 0;
        table->present++;
    }
    cell->value += amount;
}

#endif
