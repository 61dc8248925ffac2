/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of actions.def. */
#include "cluster/state/actions.h"
#include "cluster/population.h"

const char *const population_action_names[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, traits, ...) actor " " verb,
#include "cluster/state/actions.def"
#undef ACTION
};

const struct action_row action_rows[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, traits, ...) {traits, actor, verb, {__VA_ARGS__}},
#include "cluster/state/actions.def"
#undef ACTION
};

const char *population_action_actor(uint32_t action)
{
    return action_rows[action].actor;
}

const char *population_action_verb(uint32_t action)
{
    return action_rows[action].verb;
}
