/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of actions.def. */
#include "cluster/state/actions.h"
#include "cluster/population.h"

const char *const population_action_names[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, traits, ...) actor " " verb,
#include "cluster/state/actions.def"
#undef ACTION
};

const unsigned action_traits[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, traits, ...) traits,
#include "cluster/state/actions.def"
#undef ACTION
};

static const struct {
    const char *actor;
    const char *verb;
    struct action_words words;
} rows[] = {
#define ACTION(constant, actor, verb, traits, ...) {actor, verb, {__VA_ARGS__}},
#include "cluster/state/actions.def"
#undef ACTION
};

const char *population_action_actor(uint32_t action)
{
    return rows[action].actor;
}

const char *population_action_verb(uint32_t action)
{
    return rows[action].verb;
}

const struct action_words *action_words(enum population_action action)
{
    return &rows[action].words;
}
