/* SPDX-License-Identifier: Apache-2.0 */
/* Claims that are bound before their pods are placed. */
#include "cluster/story/words_volumes.h"
#include "cluster/state/actions.h"
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

static const struct home *home_bound(const struct story_telling *telling)
{
    return telling->step->action == ACT_BIND_CLAIM && telling->revision
               ? &telling->population->homes[telling->revision->home - 1]
               : NULL;
}

const char *words_claim(const struct story_telling *telling)
{
    const struct home *home = home_bound(telling);
    return home ? home->place->name : "";
}

const char *words_volume(const struct story_telling *telling)
{
    const struct population *population = telling->population;
    struct arena *scratch = &telling->worker->scratch;
    const uint32_t place = telling->amount - 1;
    if (!home_bound(telling) || telling->amount == 0)
        return "";
    if (place < population->zones.count)
        return arena_printf(scratch, "its volume is made in zone %s",
                            population->zones.items[place]);
    if (place == population->zones.count + population->volume_kind_count)
        return "its volume is made";
    return arena_printf(
        scratch, "to PersistentVolume %s",
        population->volume_kinds[place - population->zones.count].volumes.items[0]->meta.name);
}
