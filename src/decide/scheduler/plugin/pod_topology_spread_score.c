/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Soft spread constraints: nodes in emptier domains are better. Mirrors
 * podtopologyspread/scoring.go @ v1.26.15.
 *
 * Domains are those of the feasible nodes, pods are counted on all nodes. For
 * the hostname every node is its own domain and only its own pods count. With
 * the built-in constraints a node may lack a key: it then shares the domain of
 * the empty value.
 */
#include "decide/scheduler/topology_spread.h"

#include <math.h>

double spread_weight(uint64_t domains)
{
    return log((double)(domains + 2));
}

/* The place in the table: a missing label and an empty value are the same here. */
static uint32_t domain_place(const struct topology_key *key, uint32_t domain)
{
    if (domain != VIEW_NONE)
        return domain;
    const void *empty = map_get(&key->domains, "");
    return empty ? (uint32_t)((uintptr_t)empty - 1) : key->domain_count;
}

static void count_domains(const struct cycle *cycle, const struct part *part,
                          struct spread_constraint *constraint)
{
    const struct topology_key *key = cycle->plan->catalog->topology_keys.items[constraint->key];
    constraint->nodes = (struct node_sum){0};
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        const struct load *load = &cycle->records[entry]->load;
        if (spread_ignores(part, load))
            continue;
        node_sum_add(cycle->view->catalog, &constraint->nodes, cycle->view->nodes[entry]);
        if (!constraint->identity)
            domain_table_add(&constraint->table, domain_place(key, spread_domain(constraint, load)),
                             0);
    }
    constraint->domains =
        constraint->identity ? (uint64_t)constraint->nodes.value : constraint->table.present;
    constraint->weight = spread_weight(constraint->domains);
}

static void count_pods(const struct cycle *cycle, struct spread_constraint *constraint,
                       uint32_t fact)
{
    const struct topology_key *key = cycle->plan->catalog->topology_keys.items[constraint->key];
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const struct load *load = &cycle->records[entry]->load;
        if (!load->facts[fact])
            continue;
        uint32_t place = domain_place(key, spread_domain(constraint, load));
        if (domain_table_has(&constraint->table, place))
            domain_table_add(&constraint->table, place,
                             load->counters[constraint->counter] * cycle->view->nodes[entry].count);
    }
}

void spread_pre_score(struct cycle *cycle, const struct part *part)
{
    struct spread *spread = part->state;
    const struct catalog *catalog = cycle->plan->catalog;
    spread->cases.made = false;
    for (uint32_t i = 0; i < spread->soft.count; i++) {
        struct spread_constraint *constraint = &spread->soft.items[i];
        domain_table_clear(&constraint->table, catalog->arena,
                           catalog->topology_keys.items[constraint->key]->domain_count + 1);
        count_domains(cycle, part, constraint);
        if (!constraint->identity)
            count_pods(cycle, constraint, part->facts + spread->hard.count + i);
    }
}

int64_t spread_score(const struct trial *trial)
{
    const struct spread *spread = trial->part->state;
    if (spread_ignores(trial->part, trial->now))
        return 0;
    double sum = 0;
    for (uint32_t i = 0; i < spread->soft.count; i++) {
        const struct spread_constraint *constraint = &spread->soft.items[i];
        uint32_t domain = spread_domain(constraint, trial->now);
        if (domain == VIEW_NONE)
            continue;
        int64_t count = constraint->identity ? trial->now->counters[constraint->counter]
                                             : domain_table_get(&constraint->table, domain);
        double part = (double)count * constraint->weight;
        part += (double)(constraint->max_skew - 1);
        sum += part;
    }
    return (int64_t)round(sum);
}

void spread_normalise(const struct cycle *cycle, const struct part *part, int64_t *scores)
{
    int64_t lowest = INT64_MAX;
    int64_t highest = 0;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        if (spread_ignores(part, &cycle->records[entry]->load))
            continue;
        lowest = scores[entry] < lowest ? scores[entry] : lowest;
        highest = scores[entry] > highest ? scores[entry] : highest;
    }
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        if (spread_ignores(part, &cycle->records[entry]->load))
            scores[entry] = 0;
        else if (highest == 0)
            scores[entry] = NODE_SCORE_MOST;
        else
            scores[entry] = NODE_SCORE_MOST * (highest + lowest - scores[entry]) / highest;
    }
}
