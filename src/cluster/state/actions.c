/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the actions. */
#include "cluster/state/actions.h"
#include "cluster/actor/actor.h"
#include "cluster/population.h"

const char *const population_action_names[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, fair) actor " " verb,
#include "cluster/state/actions.def"
#undef ACTION
};

const char *population_action_actor(uint32_t action)
{
    static const char *const actors[] = {
#define ACTION(constant, actor, verb, fair) actor,
#include "cluster/state/actions.def"
#undef ACTION
    };
    return actors[action];
}

const char *population_action_verb(uint32_t action)
{
    static const char *const verbs[] = {
#define ACTION(constant, actor, verb, fair) verb,
#include "cluster/state/actions.def"
#undef ACTION
    };
    return verbs[action];
}

bool action_is_quiet(enum population_action action)
{
    return action == ACT_TIME || action == ACT_SYNC || action == ACT_CYCLE || action == ACT_AGE;
}

bool action_is_outside(enum population_action action)
{
    static const bool fair[] = {
#define ACTION(constant, actor, verb, is_fair) is_fair,
#include "cluster/state/actions.def"
#undef ACTION
    };
    return !fair[action];
}

bool action_is_event(enum population_action action)
{
    return (action_is_outside(action) && action != ACT_SETTLED) || action == ACT_EVENT_ROLLBACK;
}
