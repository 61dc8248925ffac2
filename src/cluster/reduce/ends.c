/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/reduce/ends.h"
#include "cluster/actor_type.h"
#include "cluster/event_type.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/others.h"
#include "cluster/population.h"
#include "cluster/state/ends.h"
#include "cluster/state/population_model.h"

/* Actors that are not fast wait until the cluster rests, and pods that terminate keep it from
 * that. */
static bool minds(const struct population *population, const struct actor *actor)
{
    if (actor->pace != PACE_FAST)
        return true;
    if (actor->reads != 0 && !(actor->reads & PART_PODS))
        return false;
    return !actor->minds_ends || actor->minds_ends(population);
}

static bool are_seen(const struct population *population)
{
    for (uint32_t a = 0; a < population->actors.count; a++)
        if (minds(population, population->actors.items[a]))
            return true;
    return !events_have(population, LEAVES_ENDS_ALONE) || !intents_ignore(population, IGNORES_ENDS);
}

/* Can a node that is drained go down before its pods are gone? */
static bool drains_are_cut_short(const struct population *population)
{
    return !events_have(population, LEAVES_NODES_READY | TAKES_ONE_NODE);
}

void ends_choose(struct population *population)
{
    const struct population_options *options = &population->options;
    population->ends = ENDS_KEPT;
    if (!population->pools || options->every_order || options->reductions == REDUCTIONS_NEVER ||
        options->reductions == REDUCTIONS_NEVER_LOOPS_REST || are_seen(population))
        return;
    if (!options->others->unknown)
        population->ends = ENDS_FORGOTTEN;
    else if (!drains_are_cut_short(population))
        population->ends = ENDS_KEPT_FOR_ROOM;
}
