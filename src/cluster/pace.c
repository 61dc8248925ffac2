/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/pace.h"
#include "cluster/emit.h"
#include "cluster/reduce/focus.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"

bool actor_may_take(const struct actor *actor, enum population_action action)
{
    for (uint32_t i = 0; actor->actions && actor->actions[i] != ACTIONS_END; i++)
        if (actor->actions[i] == action)
            return true;
    return !actor->actions;
}

/* Do the steps of the actor make no difference to what is asked? */
static bool is_not_asked(const struct expansion *expansion, const struct actor *actor)
{
    const struct asked_step *asked = expansion->asked;
    if (expansion->stops && expansion->answered)
        return true;
    if (!asked || !asked->quick)
        return false;
    return expansion->answered ||
           (!actor_may_take(actor, asked->action) &&
            (asked->beside == POPULATION_ACTION_COUNT || !actor_may_take(actor, asked->beside)));
}

uint32_t expansion_act(struct expansion *expansion, enum actor_pace pace, uint32_t next)
{
    const struct population *population = expansion->population;
    const uint32_t count = population->actors.count;
    for (; next < count && population->actors.items[next]->pace <= pace; next++) {
        const struct actor *actor = population->actors.items[next];
        if (actor->pace < pace || is_not_asked(expansion, actor))
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
