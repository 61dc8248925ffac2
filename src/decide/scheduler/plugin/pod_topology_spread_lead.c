/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Soft spread constraints, where others may have filled some of the feasible nodes.
 *
 * Raw scores depend on how many domains the feasible nodes have, because constraints are weighed by
 * it. The pods that are counted do not depend on which nodes are feasible. So there is one case for
 * each number of domains by constraint: from those of the two nodes alone to those of all. In each
 * case the raw scores are known, and the highest of them is at least the higher one of the two
 * nodes and at most the highest one of all.
 */
#include "decide/scheduler/lead.h"
#include "decide/scheduler/topology_spread.h"

enum { CASES_MOST = 4096 };

static uint64_t count_cases(const struct spread *spread)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < spread->soft.count && count <= CASES_MOST; i++)
        count *= spread->soft.items[i].domains;
    return count;
}

/* The numbers of domains in a case are its digits, the first constraint's changing fastest. */
static uint64_t take_digit(const struct spread_constraint *constraint, uint64_t *number)
{
    const uint64_t digit = *number % constraint->domains;
    *number /= constraint->domains;
    return 1 + digit;
}

static void make_room(struct spread_cases *cases, struct arena *arena, uint64_t entries)
{
    if (cases->count * entries <= cases->capacity)
        return;
    cases->capacity = 2 * cases->count * entries;
    cases->raw = ARENA_ARRAY(arena, int64_t, cases->capacity);
    cases->highest = ARENA_ARRAY(arena, int64_t, cases->capacity);
}

/* The last case is that of all feasible nodes, so that weights are what they were. */
static void make_cases(const struct lead *lead, struct spread *spread)
{
    const struct cycle *cycle = lead->cycle;
    const uint32_t entries = cycle->view->node_count;
    struct spread_cases *cases = &spread->cases;
    cases->made = true;
    cases->count = count_cases(spread);
    if (cases->count > CASES_MOST)
        return;
    make_room(cases, cycle->plan->catalog->arena, entries);
    for (uint64_t c = 0; c < cases->count; c++) {
        uint64_t number = c;
        for (uint32_t i = 0; i < spread->soft.count; i++) {
            struct spread_constraint *constraint = &spread->soft.items[i];
            constraint->weight = spread_weight(take_digit(constraint, &number));
        }
        cases->highest[c] = 0;
        CYCLE_EACH_FEASIBLE(cycle, entry)
        {
            if (spread_ignores(lead->part, &cycle->records[entry]->load))
                continue;
            const int64_t raw = lead_raw(lead, entry);
            cases->raw[c * entries + entry] = raw;
            cases->highest[c] = raw > cases->highest[c] ? raw : cases->highest[c];
        }
    }
}

/* Can both nodes be feasible in the case? They are two nodes, and may be in two domains. */
static bool is_possible(const struct lead *lead, const struct spread *spread, uint64_t number)
{
    for (uint32_t i = 0; i < spread->soft.count; i++) {
        const struct spread_constraint *constraint = &spread->soft.items[i];
        const uint32_t one = spread_domain(constraint, &lead->cycle->records[lead->ahead]->load);
        const uint32_t two = spread_domain(constraint, &lead->cycle->records[lead->behind]->load);
        const bool apart =
            constraint->identity || (one != two && one != VIEW_NONE && two != VIEW_NONE);
        if (take_digit(constraint, &number) < (apart ? 2 : 1))
            return false;
    }
    return true;
}

int64_t spread_lead(const struct lead *lead)
{
    struct spread *spread = lead->part->state;
    const uint64_t entries = lead->cycle->view->node_count;
    int64_t least = NODE_SCORE_MOST;
    /* A node that is left out has no points. */
    if (spread_ignores(lead->part, &lead->cycle->records[lead->behind]->load))
        return 0;
    if (spread_ignores(lead->part, &lead->cycle->records[lead->ahead]->load))
        return -NODE_SCORE_MOST;
    if (!spread->cases.made)
        make_cases(lead, spread);
    if (spread->cases.count > CASES_MOST)
        return -NODE_SCORE_MOST;
    for (uint64_t c = 0; c < spread->cases.count; c++) {
        const int64_t ahead = spread->cases.raw[c * entries + lead->ahead];
        const int64_t behind = spread->cases.raw[c * entries + lead->behind];
        if (!is_possible(lead, spread, c))
            continue;
        /* The fewer pods the better. */
        const int64_t share =
            lead_share(behind - ahead, ahead > behind ? ahead : behind, spread->cases.highest[c]);
        least = share < least ? share : least;
    }
    return least;
}
