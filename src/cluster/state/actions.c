/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of actions.def. */
#include "cluster/state/actions.h"
#include "cluster/population.h"

const char *const population_action_names[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, traits, plainly, of_pods, of_node) actor " " verb,
#include "cluster/state/actions.def"
#undef ACTION
};

const char *population_action_actor(uint32_t action)
{
    static const char *const actors[] = {
#define ACTION(constant, actor, verb, traits, plainly, of_pods, of_node) actor,
#include "cluster/state/actions.def"
#undef ACTION
    };
    return actors[action];
}

const char *population_action_verb(uint32_t action)
{
    static const char *const verbs[] = {
#define ACTION(constant, actor, verb, traits, plainly, of_pods, of_node) verb,
#include "cluster/state/actions.def"
#undef ACTION
    };
    return verbs[action];
}

const unsigned action_traits[POPULATION_ACTION_COUNT] = {
#define ACTION(constant, actor, verb, traits, plainly, of_pods, of_node) traits,
#include "cluster/state/actions.def"
#undef ACTION
};

const struct action_words *action_words(enum population_action action)
{
    static const struct action_words words[] = {
#define ACTION(constant, actor, verb, traits, plainly, of_pods, of_node) \
    {plainly, of_pods, of_node},
#include "cluster/state/actions.def"
#undef ACTION
    };
    return &words[action];
}
