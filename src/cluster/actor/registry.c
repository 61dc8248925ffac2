/* SPDX-License-Identifier: Apache-2.0 */
/* The actors in order, and which of them a model needs. */
#include "cluster/actor/registry.h"
#include "cluster/actor_type.h"
#include "cluster/state/population_model.h"

void actors_choose(struct population *population)
{
    const struct {
        const struct actor *actor;
        bool can_act;
    } rows[] = {
#define ACTOR(row, can_act) {&row, can_act},
#include "cluster/actor/registry.def"
#undef ACTOR
    };
    population->actors.count = 0;
    for (enum actor_pace pace = PACE_FAST; pace < PACE_COUNT; pace++)
        for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
            if (rows[i].can_act && rows[i].actor->pace == pace)
                VEC_PUSH(&population->arena, &population->actors, rows[i].actor);
}
