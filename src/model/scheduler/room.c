/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much can be put on the nodes before one of them is missed.
 *
 * A node turns a pod down for want of one resource, or of places for pods, so what
 * drives it there with the fewest pods are as many of one kind. All others that are
 * put on nodes are of the given classes; filters that look at more than what nodes
 * carry are understood only so far:
 *
 *   affinity between pods   if no pod that is known has any
 *   hard spread             of one constraint: the domain with the fewest pods is always
 *                           open, and which one that is nobody can tell, so there must be
 *                           room in every domain
 */
#include "model/scheduler/cycle.h"
#include "model/scheduler/topology_spread.h"

static bool is_plain(const struct pod_shape *shape)
{
    return shape->required_affinity.count == 0 && shape->required_anti_affinity.count == 0 &&
           shape->host_port_count == 0 && shape->pod->spec.volume_count == 0;
}

static bool pods_are_plain(const struct catalog *catalog)
{
    for (uint32_t i = 0; i < catalog->shapes.count; i++)
        if (!is_plain(catalog->shapes.items[i]))
            return false;
    return true;
}

/* The spread constraint that the pod has to keep, if any; false: they are too many,
 * or it asks for a number of domains. */
static bool find_constraint(struct plan *plan, const struct spread_constraint **constraint)
{
    *constraint = NULL;
    for (uint32_t i = 0; i < plan->global_filter_count; i++) {
        if (plan->global_filters[i] != &plugin_pod_topology_spread)
            continue;
        const struct spread *spread = plan->global_filter_parts[i]->state;
        *constraint = &spread->hard.items[0];
        if (spread->hard.count > 1 || (*constraint)->min_domains > 1)
            return false;
    }
    return true;
}

static bool fits(struct scheduler *scheduler, const struct load *base, uint32_t other,
                 uint32_t count)
{
    struct plan *plan = scheduler->cycle.plan;
    const struct arena_mark mark = arena_mark(&scheduler->scratch);
    uint32_t filter;
    struct load load;
    plan_load_init(plan, &scheduler->scratch, &load, base->template);
    plan_load_copy(plan, &load, base);
    plan_load_add(plan, &load, scheduler->catalog->pods.items[other], count);
    const bool fit = plan_filter_local(plan, &load, &filter, NULL).code == VERDICT_FEASIBLE;
    arena_rewind(&scheduler->scratch, mark);
    return fit;
}

/* The fewest of one class, at most so many, that take a node's room away. */
static uint64_t room_on_node(struct scheduler *scheduler, const struct load *load,
                             const uint32_t *others, uint32_t other_count, uint64_t most)
{
    for (uint32_t o = 0; o < other_count; o++) {
        uint64_t fit = 0;
        while (most - fit > 1) {
            const uint64_t middle = fit + (most - fit) / 2;
            if (fits(scheduler, load, others[o], (uint32_t)middle))
                fit = middle;
            else
                most = middle;
        }
    }
    return most;
}

uint64_t scheduler_room(struct scheduler *scheduler, const struct view *view, uint32_t pod,
                        const uint32_t *others, uint32_t other_count, uint64_t enough)
{
    const struct decision *decision = scheduler_decide(scheduler, view, pod, VIEW_NONE);
    const struct spread_constraint *constraint;
    if (!decision || decision->error || enough > UINT32_MAX || !pods_are_plain(view->catalog) ||
        !find_constraint(scheduler->cycle.plan, &constraint))
        return 0;
    const uint32_t domains =
        constraint ? view->catalog->topology_keys.items[constraint->key]->domain_count : 1;
    struct arena *scratch = &scheduler->scratch;
    uint64_t *rooms = ARENA_ARRAY(scratch, uint64_t, domains + 1);
    bool *present = ARENA_ARRAY(scratch, bool, domains + 1);
    uint64_t least = UINT64_MAX;
    for (uint32_t n = 0; n < view->node_count; n++) {
        const struct record *record = scheduler->cycle.records[n];
        uint32_t domain = constraint ? spread_domain(constraint, &record->load) : 0;
        if (domain == DOMAIN_OWN)
            return 0;
        if (domain == VIEW_NONE || domain >= domains)
            continue;
        present[domain] = true;
        if (record->local.code != VERDICT_FEASIBLE || record->has_nominated ||
            decision->nodes[n].verdict.code == VERDICT_NOT_EXAMINED || rooms[domain] >= enough)
            continue;
        rooms[domain] +=
            room_on_node(scheduler, &record->load, others, other_count, enough - rooms[domain]) *
            view->nodes[n].count;
    }
    for (uint32_t d = 0; d < domains; d++)
        if (present[d] && rooms[d] < least)
            least = rooms[d];
    return least == UINT64_MAX ? 0 : least;
}
