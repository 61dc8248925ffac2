/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/spilling.h"

#include "explore/worker.h"

static bool spill_edges(struct search *search)
{
    bool moved = region_spill(&search->edges.begins);
    for (uint32_t i = 0; i < search->edges.log_count; i++) {
        moved |= region_spill(&search->edges.logs[i]->targets);
        moved |= region_spill(&search->edges.logs[i]->labels);
    }
    return moved;
}

bool search_spill(struct search *search)
{
    struct root_set *roots = &search->store.roots;
    if (!search->memory->spill)
        return false;
    if (search->keeps_edges && (spill_edges(search) || region_spill(&search->atoms)))
        return true;
    const bool records = region_spill(&roots->record_region);
    return region_spill(&roots->extra_region) || records;
}

void search_spill_for(struct search *search, size_t bytes)
{
    while (memory_left(search->memory) < bytes && search_spill(search))
        ;
}

void search_relax(const struct search *search)
{
    const struct edges *edges = &search->edges;
    region_relax(&edges->begins);
    for (uint32_t i = 0; i < edges->log_count; i++) {
        region_relax(&edges->logs[i]->targets);
        region_relax(&edges->logs[i]->labels);
    }
}
