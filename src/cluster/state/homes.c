/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/volume_match.h"
#include "object/storage_zones.h"

#include <string.h>

static uint32_t word_of(const struct population *population, const struct state *state,
                        uint32_t home)
{
    return state->notes[population->note_of_homes + home];
}

uint32_t home_place(const struct population *population, const struct state *state,
                    uint32_t revision)
{
    const uint32_t home = population->revisions.items[revision].home;
    return home > 0 ? word_of(population, state, home - 1) : 0;
}

uint32_t home_place_count(const struct population *population)
{
    return population->zones.count + population->volume_kind_count + population->volumes_elsewhere;
}

/* Those of the home's kinds of which some volume is left, as bits. */
static uint32_t free_kinds(const struct population *population, const struct state *state,
                           const struct home *home)
{
    uint32_t kinds = 0;
    for (uint32_t k = 0; k < population->volume_kind_count; k++) {
        uint32_t left = population->volume_kinds[k].volumes.count;
        for (uint32_t h = 0; h < population->home_count; h++)
            left -= word_of(population, state, h) == population->zones.count + k + 1;
        if (left > 0)
            kinds |= UINT32_C(1) << k;
    }
    return kinds & home->kinds;
}

/* Which of the sets of the home's kinds it is: its bits without those of other kinds. */
static uint32_t number_of_set(const struct home *home, uint32_t kinds)
{
    uint32_t number = 0;
    uint32_t place = 0;
    for (uint32_t k = 0; k < 32; k++)
        if (home->kinds >> k & 1)
            number |= (kinds >> k & 1) << place++;
    return number;
}

uint32_t home_class(const struct population *population, const struct state *state,
                    uint32_t revision)
{
    const struct revision *of = &population->revisions.items[revision];
    const uint32_t place = home_place(population, state, revision);
    if (place > 0)
        return of->home_classes[place - 1];
    if (!of->open_classes)
        return of->pending_class;
    const struct home *home = &population->homes[of->home - 1];
    return of->open_classes[home->place->at_once
                                ? 0
                                : number_of_set(home, free_kinds(population, state, home))];
}

bool home_is_awaited(const struct population *population, uint32_t revision)
{
    const uint32_t home = population->revisions.items[revision].home;
    return home > 0 && population->homes[home - 1].place->at_once;
}

/* The zone of the node, plus one; 0: it is in none. */
static uint32_t zone_of(const struct population *population, const struct node *node)
{
    const char *zone = labels_find(&node->meta.labels, LABEL_ZONE);
    for (uint32_t z = 0; zone && z < population->zones.count; z++)
        if (strcmp(population->zones.items[z], zone) == 0)
            return z + 1;
    return 0;
}

/* The places of the smallest volumes that are left and reach the node (NULL: that are anywhere). */
static uint32_t smallest_volumes(const struct population *population, uint32_t kinds,
                                 const struct node *node, uint32_t *choices)
{
    const struct quantity *smallest = NULL;
    uint32_t count = 0;
    for (uint32_t k = 0; k < population->volume_kind_count; k++) {
        const struct persistent_volume *volume = population->volume_kinds[k].volumes.items[0];
        if (!(kinds >> k & 1) || (node && !volume_reaches(volume, node)))
            continue;
        const struct quantity *size = volume_storage(&volume->capacity);
        const int order = smallest ? quantity_compare(*size, *smallest) : -1;
        if (order < 0) {
            smallest = size;
            count = 0;
        }
        if (order <= 0)
            choices[count++] = population->zones.count + k + 1;
    }
    return count;
}

uint32_t home_choices(struct worker *worker, const struct state *state, uint32_t revision,
                      uint32_t config, uint32_t **choices)
{
    const struct population *population = worker->population;
    const uint32_t number = population->revisions.items[revision].home;
    if (number == 0 || word_of(population, state, number - 1) > 0)
        return 0;
    const struct home *home = &population->homes[number - 1];
    const struct node *node = config_at(worker, config)->template->node;
    *choices = ARENA_ARRAY(&worker->scratch, uint32_t, home_place_count(population));
    const uint32_t count =
        smallest_volumes(population, free_kinds(population, state, home), node, *choices);
    if (count > 0)
        return count;
    **choices = home->elsewhere        ? home_place_count(population)
                : home->place->is_made ? zone_of(population, node)
                                       : 0;
    return **choices > 0;
}

/* Is there a node in the zone, so that its driver is known there? */
static bool zone_has_node(const struct worker *worker, const struct state *state, uint32_t zone)
{
    for (uint32_t n = 0; n < state->listed_count; n++)
        if (zone_of(worker->population,
                    config_at(worker, state->nodes[n].config)->template->node) == zone + 1)
            return true;
    return false;
}

/* A class that names no zones has its volumes made in any that has nodes. */
static uint32_t zones_to_choose(const struct worker *worker, const struct state *state,
                                const struct home *home, uint32_t *choices)
{
    uint32_t count = 0;
    for (uint32_t z = 0; z < worker->population->zones.count; z++)
        if (home->zones ? z < 64 && home->zones >> z & 1 : zone_has_node(worker, state, z))
            choices[count++] = z + 1;
    return count;
}

uint32_t home_choices_at_once(struct worker *worker, const struct state *state, uint32_t number,
                              uint32_t **choices)
{
    const struct population *population = worker->population;
    const struct home *home = &population->homes[number];
    if (!home->place->at_once || word_of(population, state, number) > 0)
        return 0;
    *choices = ARENA_ARRAY(&worker->scratch, uint32_t, home_place_count(population));
    uint32_t count =
        smallest_volumes(population, free_kinds(population, state, home), NULL, *choices);
    if (count == 0 && home->place->is_made)
        count = zones_to_choose(worker, state, home, *choices);
    if (count == 0 && home->elsewhere)
        (*choices)[count++] = home_place_count(population);
    return count;
}
