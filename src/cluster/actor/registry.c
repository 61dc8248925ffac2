/* SPDX-License-Identifier: Apache-2.0 */
/* The actors in order, and which of them a model needs. */
#include "cluster/actor/registry.h"
#include "cluster/actor_type.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

#include <assert.h>

static const struct actor *const actors[] = {
#define ACTOR(row) &row,
#include "cluster/actor/registry.def"
#undef ACTOR
};

static bool has_workload(const struct population *population, enum object_kind kind)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (population->workloads.items[w].kind == kind)
            return true;
    return false;
}

void actors_choose(struct population *population)
{
    population->actors.count = 0;
    for (size_t i = 0; i < sizeof(actors) / sizeof(*actors); i++) {
        assert(i == 0 || actors[i - 1]->pace <= actors[i]->pace);
        if ((!actors[i]->serves || has_workload(population, actors[i]->serves)) &&
            (!actors[i]->is_present || actors[i]->is_present(population)))
            VEC_PUSH(&population->arena, &population->actors, actors[i]);
    }
}
