/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "object/storage_zones.h"

#include <string.h>

uint32_t home_zone(const struct population *population, const struct state *state,
                   uint32_t revision)
{
    const uint32_t home = population->revisions.items[revision].home;
    return home > 0 ? state->notes[population->note_of_homes + home - 1] : 0;
}

uint32_t home_class(const struct population *population, const struct state *state,
                    uint32_t revision)
{
    const struct revision *of = &population->revisions.items[revision];
    const uint32_t zone = home_zone(population, state, revision);
    return zone > 0 ? of->home_classes[zone - 1] : of->pending_class;
}

void home_begin(const struct worker *worker, struct state *next, uint32_t revision, uint32_t config)
{
    const struct population *population = worker->population;
    const uint32_t home = population->revisions.items[revision].home;
    if (home == 0 || next->notes[population->note_of_homes + home - 1] > 0)
        return;
    const struct node *node = config_at(worker, config)->template->node;
    const char *zone = labels_find(&node->meta.labels, LABEL_ZONE);
    for (uint32_t z = 0; zone && z < population->zones.count; z++)
        if (strcmp(population->zones.items[z], zone) == 0)
            next->notes[population->note_of_homes + home - 1] = z + 1;
}
