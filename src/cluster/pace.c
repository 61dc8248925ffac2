/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/pace.h"
#include "cluster/emit.h"
#include "cluster/reduce/focus.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"

uint32_t expansion_act(struct expansion *expansion, enum actor_pace pace, uint32_t next)
{
    const struct population *population = expansion->population;
    const uint32_t count = population->actors.count;
    for (; next < count && population->actors.items[next]->pace <= pace; next++) {
        const struct actor *actor = population->actors.items[next];
        if (actor->pace < pace)
            continue;
        expansion->actor = actor;
        expansion->lazy = pace == PACE_LAZY || (population->clock && actor->lazy_with_clocks);
        actor->step(expansion);
    }
    expansion->lazy = false;
    expansion->actor = NULL;
    return next;
}

uint32_t expansion_act_fast(struct expansion *expansion)
{
    if (expansion->population->may_focus && !expansion->worker->leads)
        expansion->focus = focus_from(expansion->worker, expansion->state);
    expansion->postponed = create_first(expansion);
    return expansion_act(expansion, PACE_FAST, 0);
}
