/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the actions. */
#include "cluster/state/actions.h"
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
