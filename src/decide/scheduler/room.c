/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pods can be put on the nodes before a given pod finds no node any more.
 *
 * A node rejects a pod because of one resource, or because it has too many pods. So the
 * smallest number of pods that fill it are pods of one class. All pods that are put on
 * nodes are of the given classes. Filters that look at more than what nodes carry are
 * supported only in these cases:
 *
 *   affinity between pods   if no known pod has any
 *   hard spread             of one constraint: the domain with the fewest pods is always
 *                           allowed. Any domain may be that one, so there must be room
 *                           in every domain
 */
#include "decide/scheduler/cycle.h"
#include "decide/scheduler/topology_spread.h"

/* Is every filter supported for pods of this shape? */
static bool is_plain(const struct pod_shape *shape)
{
    for (uint32_t i = 0; plugin_registry[i]; i++) {
        const struct plugin_reads *reads = plugin_registry[i]->reads;
        if (!reads || !reads->only_room || !reads->only_room(shape))
            return false;
    }
    return true;
}

/* Shapes are only ever added, so only new ones are examined. */
static bool pods_are_plain(struct scheduler *scheduler)
{
    const struct catalog *catalog = scheduler->catalog;
    while (scheduler->plain_shapes < catalog->shapes.count &&
           is_plain(catalog->shapes.items[scheduler->plain_shapes]))
        scheduler->plain_shapes++;
    return scheduler->plain_shapes == catalog->shapes.count;
}

/* Finds the hard spread constraint of the pod, if any. False: it has several, or
 * one with minDomains. */
static bool find_constraint(struct plan *plan, const struct spread_constraint **constraint)
{
    *constraint = NULL;
    for (uint32_t i = 0; i < plan->global_filters.count; i++) {
        if (plan->global_filters.items[i].plugin != &plugin_pod_topology_spread)
            continue;
        const struct spread *spread = plan->global_filters.items[i].part->state;
        *constraint = &spread->hard.items[0];
        if (spread->hard.count > 1 || (*constraint)->min_domains > 1)
            return false;
    }
    return true;
}

/* Does the pod name nodes, so that no other nodes are examined? */
static bool names_nodes(const struct pod *pod)
{
    const struct affinity *affinity = pod->spec.affinity;
    if (!affinity || !affinity->node_affinity || !affinity->node_affinity->required)
        return false;
    const struct node_selector *required = affinity->node_affinity->required;
    for (uint32_t t = 0; t < required->term_count; t++)
        if (required->terms[t].match_field_count > 0)
            return true;
    return false;
}

struct asked {
    struct plan *plan;
    struct arena *scratch;
    const struct view *view;
    const struct spread_constraint *constraint; /* NULL: none */
    const uint32_t *others;
    uint32_t other_count;
    uint64_t enough;
};

static bool fits(const struct asked *asked, const struct load *base, uint32_t other, uint32_t count)
{
    const struct arena_mark mark = arena_mark(asked->scratch);
    uint32_t filter;
    struct load load;
    plan_load_init(asked->plan, asked->scratch, &load, base->template);
    plan_load_copy(asked->plan, &load, base);
    plan_load_add(asked->plan, &load, asked->view->catalog->pods.items[other], count);
    const bool fit = plan_filter_local(asked->plan, &load, &filter, NULL).code == VERDICT_FEASIBLE;
    arena_rewind(asked->scratch, mark);
    return fit;
}

/* The smallest number of pods of one class, at most so many, that make the node reject the pod. */
static uint64_t room_on_node(const struct asked *asked, const struct load *load, uint64_t most)
{
    for (uint32_t o = 0; o < asked->other_count; o++) {
        uint64_t fit = 0;
        while (most - fit > 1) {
            const uint64_t middle = fit + (most - fit) / 2;
            if (fits(asked, load, asked->others[o], (uint32_t)middle))
                fit = middle;
            else
                most = middle;
        }
    }
    return most;
}

static uint32_t domain_at(const struct asked *asked, uint32_t entry)
{
    const struct node_config *config =
        asked->view->catalog->configs.items[asked->view->nodes[entry].config];
    return asked->constraint ? config->template->domains.items[asked->constraint->key] : 0;
}

/* The room in a domain; counting stops at `enough`. */
static uint64_t room_in(const struct asked *asked, uint32_t domain)
{
    const struct view *view = asked->view;
    uint64_t room = 0;
    for (uint32_t n = 0; n < view->node_count && room < asked->enough; n++) {
        if (domain_at(asked, n) != domain)
            continue;
        const struct record *record =
            plan_record(asked->plan, view->catalog->configs.items[view->nodes[n].config]);
        if (record->local.code == VERDICT_FEASIBLE && !record->has_nominated)
            room += room_on_node(asked, &record->load, asked->enough - room) * view->nodes[n].count;
    }
    return room;
}

uint64_t scheduler_room(struct scheduler *scheduler, const struct view *view, uint32_t pod,
                        const uint32_t *others, uint32_t other_count, uint64_t enough)
{
    const struct pod_class *class = scheduler->catalog->pods.items[pod];
    struct asked asked = {.plan = scheduler_plan(scheduler, class),
                          .scratch = &scheduler->scratch,
                          .view = view,
                          .others = others,
                          .other_count = other_count,
                          .enough = enough};
    if (!asked.plan || enough > UINT32_MAX || names_nodes(class->pod) || !pods_are_plain(scheduler))
        return 0;
    plan_refresh(asked.plan);
    if (!find_constraint(asked.plan, &asked.constraint))
        return 0;
    const uint32_t domains =
        asked.constraint ? view->catalog->topology_keys.items[asked.constraint->key]->domain_count
                         : 1;
    const struct arena_mark mark = arena_mark(asked.scratch);
    bool *seen = ARENA_ARRAY(asked.scratch, bool, domains + 1);
    uint64_t least = UINT64_MAX;
    for (uint32_t n = 0; n < view->node_count && least > 0; n++) {
        const uint32_t domain = domain_at(&asked, n);
        if (domain == DOMAIN_OWN)
            least = 0;
        if (domain >= domains || seen[domain])
            continue;
        seen[domain] = true;
        const uint64_t room = room_in(&asked, domain);
        least = room < least ? room : least;
    }
    arena_rewind(asked.scratch, mark);
    return least == UINT64_MAX ? 0 : least;
}
