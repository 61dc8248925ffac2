/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/domain_table.h"

void domain_table_clear(struct domain_table *table, struct arena *arena, uint32_t domain_count)
{
    if (table->capacity < domain_count || table->capacity == 0) {
        table->capacity = domain_count < 8 ? 8 : 2 * domain_count;
        table->cells = ARENA_ARRAY(arena, struct domain_cell, table->capacity);
        table->round = 0;
    }
    table->round++;
    table->present = 0;
}
