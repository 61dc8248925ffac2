/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hard spread constraints: no domain may be ahead of the emptiest by more than
 * maxSkew. Mirrors podtopologyspread/filtering.go @ v1.26.15.
 *
 * Upstream starts from the pods that are not terminating, but preemption takes
 * away and gives back terminating ones as well, so its counts can be wrong
 * there. The model does the same.
 */
#include "decide/scheduler/topology_spread.h"

static const uint64_t owner_none = UINT64_MAX;

/* A domain's owner: the domain itself, or the entry whose nodes are each a
 * domain; `twin` is another node of the same entry. */
static uint64_t domain_owner(uint32_t domain, uint32_t entry, bool twin)
{
    if (domain != DOMAIN_OWN)
        return domain;
    return (UINT64_C(1) << 32) | entry | (twin ? UINT64_C(1) << 33 : 0);
}

static void note_count(struct spread_minimum *minimum, uint64_t owner, int64_t count)
{
    if (owner == minimum->least_owner || owner == minimum->next_owner)
        return;
    if (count < minimum->least) {
        minimum->next = minimum->least;
        minimum->next_owner = minimum->least_owner;
        minimum->least = count;
        minimum->least_owner = owner;
    } else if (count < minimum->next) {
        minimum->next = count;
        minimum->next_owner = owner;
    }
}

static void count_pods(const struct cycle *cycle, struct spread_constraint *constraint,
                       uint32_t fact)
{
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const struct load *load = &cycle->records[entry]->load;
        uint32_t domain = spread_domain(constraint, load);
        if (!load->facts[fact])
            continue;
        if (domain == DOMAIN_OWN)
            node_sum_add(cycle->view->catalog, &constraint->nodes, cycle->view->nodes[entry]);
        else
            domain_table_add(&constraint->table, domain,
                             load->counters[constraint->counter] * cycle->view->nodes[entry].count);
    }
    constraint->domains = (uint64_t)constraint->nodes.value + constraint->table.present;
    if (constraint->min_domains > 1) /* the only number that they are compared with */
        node_sum_exceeds(cycle->view->catalog, &constraint->nodes,
                         constraint->min_domains - 1 - (int64_t)constraint->table.present);
}

static void find_minimum(const struct cycle *cycle, struct spread_constraint *constraint,
                         uint32_t fact)
{
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const struct load *load = &cycle->records[entry]->load;
        uint32_t domain = spread_domain(constraint, load);
        if (!load->facts[fact])
            continue;
        int64_t count = domain == DOMAIN_OWN ? load->counters[constraint->counter]
                                             : domain_table_get(&constraint->table, domain);
        note_count(&constraint->minimum, domain_owner(domain, entry, false), count);
        if (domain == DOMAIN_OWN &&
            node_count_exceeds(cycle->view->catalog, cycle->view->nodes[entry], 1))
            note_count(&constraint->minimum, domain_owner(domain, entry, true), count);
    }
}

void spread_gather(struct cycle *cycle, const struct part *part)
{
    struct spread *spread = part->state;
    const struct catalog *catalog = cycle->plan->catalog;
    for (uint32_t i = 0; i < spread->hard.count; i++) {
        struct spread_constraint *constraint = &spread->hard.items[i];
        domain_table_clear(&constraint->table, catalog->arena,
                           catalog->topology_keys.items[constraint->key]->domain_count);
        constraint->nodes = (struct node_sum){0};
        constraint->minimum = (struct spread_minimum){INT32_MAX, owner_none, INT32_MAX, owner_none};
        count_pods(cycle, constraint, part->facts + i);
        find_minimum(cycle, constraint, part->facts + i);
    }
}

/* The count of the emptiest domain when this node's has `count` now. */
static int64_t minimum_with(const struct spread_constraint *constraint, uint64_t owner,
                            int64_t count)
{
    const struct spread_minimum *minimum = &constraint->minimum;
    int64_t others = minimum->least_owner == owner ? minimum->next : minimum->least;
    return count < others ? count : others;
}

static bool exceeds_skew(const struct trial *trial, const struct spread_constraint *constraint,
                         bool counts)
{
    uint32_t domain = spread_domain(constraint, trial->now);
    const int64_t *base = trial->base->counters + constraint->counter;
    const int64_t *now = trial->now->counters + constraint->counter;
    int64_t change = counts ? now[1] - base[1] : 0;
    int64_t count = change;
    if (domain != DOMAIN_OWN)
        count += domain_table_get(&constraint->table, domain);
    else if (counts)
        count += base[0];
    int64_t least = constraint->minimum.least;
    if (change != 0)
        least = minimum_with(constraint, domain_owner(domain, trial->entry, false), count);
    if (constraint->domains < (uint64_t)constraint->min_domains &&
        trial->plan->catalog->features.min_domains)
        least = 0;
    return count + constraint->matches_itself - least > constraint->max_skew;
}

struct verdict spread_filter(const struct trial *trial)
{
    const struct spread *spread = trial->part->state;
    for (uint32_t i = 0; i < spread->hard.count; i++) {
        const struct spread_constraint *constraint = &spread->hard.items[i];
        if (spread_domain(constraint, trial->now) == VIEW_NONE)
            return verdict_no(VERDICT_UNRESOLVABLE,
                              "node(s) didn't match pod topology spread constraints "
                              "(missing required label)");
        if (exceeds_skew(trial, constraint, trial->now->facts[trial->part->facts + i]))
            return verdict_no(VERDICT_UNSCHEDULABLE,
                              "node(s) didn't match pod topology spread constraints");
    }
    return verdict_feasible();
}
