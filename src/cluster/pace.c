/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/pace.h"
#include "cluster/emit.h"
#include "cluster/reduce/apart.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/population_model.h"

void expansion_act(struct expansion *expansion, enum actor_pace pace, uint32_t *next)
{
    const struct population *population = expansion->population;
    for (; *next < population->actors.count; ++*next) {
        const struct actor *actor = population->actors.items[*next];
        if (actor->pace < pace)
            continue;
        if (actor->pace > pace)
            break;
        expansion->actor = actor;
        expansion->lazy = pace == PACE_LAZY || (actor->lazy_with_clocks && population->clock);
        actor->step(expansion);
        expansion->lazy = false;
    }
    expansion->actor = NULL;
}

void expansion_act_fast(struct expansion *expansion, uint32_t *next)
{
    if (expansion->population->parts)
        expansion->parts = workloads_part(expansion->worker, expansion->state);
    expansion->postponed = create_first(expansion);
    expansion_act(expansion, PACE_FAST, next);
}
