/* SPDX-License-Identifier: Apache-2.0 */
/* The actors in order, and which of them a model needs. */
#include "cluster/actor/registry.h"
#include "cluster/actor_type.h"
#include "cluster/state/population_model.h"

static const struct actor *const actors[] = {
#define ACTOR(row) &row,
#include "cluster/actor/registry.def"
#undef ACTOR
};

void actors_choose(struct population *population)
{
    population->actors.count = 0;
    for (enum actor_pace pace = PACE_FAST; pace < PACE_COUNT; pace++)
        for (size_t i = 0; i < sizeof(actors) / sizeof(*actors); i++)
            if (actors[i]->pace == pace &&
                (!actors[i]->is_present || actors[i]->is_present(population)))
                VEC_PUSH(&population->arena, &population->actors, actors[i]);
}
