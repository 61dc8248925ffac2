/* SPDX-License-Identifier: Apache-2.0 */
/* The actors in order, and which of them a model needs. */
#include "cluster/actor/registry.h"
#include "cluster/actor_type.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

/* ---- when an actor can act ---- */

static bool serves(const struct population *population, enum object_kind kind)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (population->workloads.items[w].kind == kind)
            return true;
    return false;
}

/* May a node be tainted, or in a condition that it has to come back from? */
static bool nodes_may_change(const struct population *population)
{
    for (uint32_t t = 0; t < population->templates.count; t++)
        if (population->templates.items[t].condition != NODE_UP ||
            population->catalog->templates.items[t]->node->spec.taint_count > 0)
            return true;
    return false;
}

static bool pods_name_nodes(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].node_name)
            return true;
    return false;
}

static bool has_rules(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].type->follow)
            return true;
    return false;
}

static bool has_group_owners(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].event->kind == EVENT_GROUP_SIZE)
            return true;
    return false;
}

static bool has_repeated_applies(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].event->repeats)
            return true;
    return false;
}

static bool has_patterns(const struct population *population)
{
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (population->workloads.items[w].pattern_steps > 0)
            return true;
    return false;
}

/* Where it matters whether a prompt actor has something to do, these come first. */
static bool comes_later(const struct population *population, const struct actor *actor)
{
    return population->remembers_quiet && !actor->prompt;
}

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
    const struct actor *able[sizeof(rows) / sizeof(*rows)];
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].can_act)
            able[count++] = rows[i].actor;
    population->actors.count = 0;
    for (enum actor_pace pace = PACE_FAST; pace < PACE_COUNT; pace++)
        for (int turn = 0; turn < 2; turn++)
            for (uint32_t i = 0; i < count; i++)
                if (able[i]->pace == pace && comes_later(population, able[i]) == turn)
                    VEC_PUSH(&population->arena, &population->actors, able[i]);
}
