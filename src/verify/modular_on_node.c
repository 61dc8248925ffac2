/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pods of others can be on one node, where runs start from a dump.
 *
 * A pod that can be on few nodes only, as one with a volume of a zone, may find none if all pods of
 * the others are there. Numbers do not rule that out, but scores do: they spread the pods of each
 * ReplicaSet (cluster/ask/gathering.h). So each component has few pods on any one node.
 *
 * A pod that preempts goes to its node whatever the score, so this is asked when it is known that
 * nobody does.
 */
#include "cluster/ask/gathering.h"
#include "verify/modular_internal.h"

#include <string.h>

static bool nobody_preempts(const struct modular *modular)
{
    bool nobody = modular->unknown.preempted_from == 0;
    for (uint32_t c = 0; c < modular->component_count; c++)
        nobody &= modular->components[c].preempts_from <= modular->lowest_rank;
    return nobody || !modular->priorities_differ;
}

/* Is something open because pods may find no node? */
static bool room_is_missing(const struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].open && (modular->components[c].seen_hindered &
                                            (HINDERED_BY_PASSING_ROOM | HINDERED_BY_LASTING_ROOM)))
            return true;
    return false;
}

/* The others of the component, with all that can be in the way of its pods as pods of others: its
 * own, and those that no workload looks after. */
static bool add_all(struct modular *modular, const struct population *population,
                    struct worker *worker, struct others *others)
{
    struct pods_held *pods =
        ARENA_ARRAY(&modular->arena, struct pods_held,
                    (size_t)others->pod_kinds + modular->query->scope->pod_count + 1);
    memcpy(pods, others->pods, others->pod_kinds * sizeof(*pods));
    others->pods = pods;
    others->pod_kinds += gathering_add_bystanders(worker, &pods[others->pod_kinds]);
    others->nodes_back = gathering_nodes_at_once(population);
    others->zones_back = (struct zones_back){0};
    return others->nodes_back < UINT32_MAX;
}

/* Finds it for the component; true if that is fewer than were counted. */
static bool measure(struct modular *modular, struct component *component)
{
    struct population_options how = setup_options(modular->query, REDUCTIONS_NEVER);
    const struct others beside = modular_others_of(modular, number_of(modular, component), false);
    struct others others = modular_pooled_others(modular, component, &beside);
    struct problems problems;
    uint32_t found[ROOM_KINDS];
    bool fewer = false;
    problems_init(&problems, &modular->arena);
    others.pools = false;
    how.others = &others;
    struct population *population = population_create(modular->memory, &component->part.scope,
                                                      component->setup, NULL, 0, &how, &problems);
    if (!population)
        return false;
    struct worker *worker = population_worker_create(population, modular->memory);
    if (add_all(modular, population, worker, &others)) {
        gathering_on_node(worker, &component->held, found, &component->on_node_by_images);
        for (uint32_t k = 0; k < component->held.kind_count; k++) {
            /* Pods that terminate are not among those that gather. */
            const uint64_t most = (uint64_t)found[k] + component->held.leaving;
            component->on_node[k] = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
            fewer |= most < component->held.kinds[k].on_node;
        }
        component->on_node_is_known = true;
    }
    population_worker_free(worker);
    population_free(population);
    return fewer;
}

bool modular_find_on_node(struct modular *modular)
{
    bool fewer = false;
    if (modular->query->scope->start != START_OBSERVED || !nobody_preempts(modular) ||
        !room_is_missing(modular))
        return false;
    bool *found = ARENA_ARRAY(&modular->arena, bool, modular->component_count + 1);
    for (uint32_t c = 0; c < modular->component_count; c++)
        found[c] = modular->components[c].held.binds && measure(modular, &modular->components[c]);
    for (uint32_t c = 0; c < modular->component_count; c++)
        fewer |= found[c];
    return fewer;
}
