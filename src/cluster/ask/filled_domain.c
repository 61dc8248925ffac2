/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/filled_domain.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

static const char *value_of(const struct worker *worker, const struct state *state, uint32_t entry,
                            const char *key)
{
    return labels_find(&state_config(worker, state, entry)->template->node->meta.labels, key);
}

static bool is_in(const struct worker *worker, const struct state *state, uint32_t entry,
                  const struct domain_search *search)
{
    const char *value = value_of(worker, state, entry, search->key);
    return value && strcmp(value, search->value) == 0;
}

/* ---- which domain ---- */

/* The key of a hard constraint of the workload's pods; NULL: there is none. */
static const char *hard_key(const struct population *population, uint32_t workload)
{
    const struct workload *info = &population->workloads.items[workload];
    for (uint32_t r = 0; r < info->revision_count; r++) {
        const struct pod *pod = population->revisions.items[info->first_revision + r].pod;
        for (uint32_t c = 0; c < pod->spec.topology_spread_constraint_count; c++)
            if (pod->spec.topology_spread_constraints[c].when_unsatisfiable == DO_NOT_SCHEDULE)
                return pod->spec.topology_spread_constraints[c].topology_key;
    }
    return NULL;
}

static uint64_t count_nodes(const struct worker *worker, const struct state *state,
                            const struct domain_search *search)
{
    uint64_t count = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        count += is_in(worker, state, n, search) ? state->nodes[n].count : 0;
    return count;
}

bool domain_search_for(const struct worker *worker, uint32_t workload, struct domain_search *search)
{
    const struct state *state = worker->population->initial;
    const char *key = hard_key(worker->population, workload);
    uint64_t fewest = 0;
    uint64_t all = 0;
    for (uint32_t n = 0; key && n < state->node_count; n++) {
        const struct domain_search found = {workload, key, value_of(worker, state, n, key)};
        const uint64_t count = found.value ? count_nodes(worker, state, &found) : 0;
        all += found.value ? state->nodes[n].count : 0;
        if (count > 0 && (fewest == 0 || count < fewest)) {
            fewest = count;
            *search = found;
        }
    }
    return fewest < all;
}

/* ---- how far it is filled ---- */

/* The weights of the measure: new pods should be inside, and old ones should go from there first,
 * so that constraints allow new ones in their place. */
enum { OLD = 8, NEW = 4 };

/* What a workload has on nodes, pods that terminate left out. */
struct gathered {
    uint32_t new_inside; /* of its present revision */
    uint32_t old_inside;
};

struct gathering {
    struct worker *worker;
    const struct state *state;
    uint32_t *domains; /* by entry of the nodes: the first one of its domain */
    uint32_t inside;   /* of the domain in question; UINT32_MAX: it has no nodes now */
    struct gathered *by_workload;
    uint32_t *counts; /* by workload and domain */
};

static void find_domains(struct gathering *gathering, const struct domain_search *search)
{
    const struct state *state = gathering->state;
    gathering->inside = UINT32_MAX;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const char *value = value_of(gathering->worker, state, n, search->key);
        uint32_t first = 0;
        while (first < n && value) {
            const char *other = value_of(gathering->worker, state, first, search->key);
            if (other && strcmp(other, value) == 0)
                break;
            first++;
        }
        gathering->domains[n] = value ? first : UINT32_MAX;
        if (value && strcmp(value, search->value) == 0)
            gathering->inside = first;
    }
}

static bool is_present(const struct population *population, const struct state *state,
                       const struct revision *revision)
{
    const uint32_t present = state->present[revision->workload];
    return present != WORKLOAD_ABSENT &&
           population->revisions.items[present].number == revision->number;
}

/* Counts the pods; gives how many terminate inside. */
static uint32_t count_pods(struct gathering *gathering)
{
    const struct state *state = gathering->state;
    const struct population *population = gathering->worker->population;
    uint32_t leaving = 0;
    for (struct pod_walk pods = pods_on_nodes(gathering->worker, state); pods_next(&pods);) {
        const struct revision *revision = &population->revisions.items[pods.info->revision];
        struct gathered *of = &gathering->by_workload[revision->workload];
        const uint32_t domain = gathering->domains[pods.entry];
        const bool inside = domain != UINT32_MAX && domain == gathering->inside;
        const uint32_t count = pods.count * pods.nodes;
        if (pods.info->stage == STAGE_TERMINATING) {
            leaving += inside ? count : 0;
            continue;
        }
        if (domain != UINT32_MAX)
            gathering->counts[revision->workload * state->node_count + domain] += count;
        if (inside && is_present(population, state, revision))
            of->new_inside += count;
        else if (inside)
            of->old_inside += count;
    }
    return leaving;
}

/* By how much the pods of a workload inside outnumber those of the domain that has the fewest. */
static uint32_t skew_of(const struct gathering *gathering, uint32_t workload)
{
    const uint32_t node_count = gathering->state->node_count;
    const uint32_t *counts = gathering->counts + (size_t)workload * node_count;
    const uint32_t inside = gathering->inside == UINT32_MAX ? 0 : counts[gathering->inside];
    uint32_t fewest = inside;
    for (uint32_t n = 0; n < node_count; n++)
        if (gathering->domains[n] == n && counts[n] < fewest)
            fewest = counts[n];
    return inside - fewest;
}

struct filling {
    int64_t filled;
    uint32_t leaving; /* pods that terminate inside */
    uint32_t own;     /* of the workload that needs the domain, those that terminate left out */
};

static struct filling filling_of(struct worker *worker, const struct domain_search *search,
                                 const uint32_t *words, uint32_t length)
{
    const uint32_t workloads = worker->population->workloads.count;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *state = state_unpack(worker, words, length);
    struct gathering gathering = {
        .worker = worker,
        .state = state,
        .domains = ARENA_ARRAY(&worker->scratch, uint32_t, state->node_count + 1),
        .by_workload = ARENA_ARRAY(&worker->scratch, struct gathered, workloads + 1),
        .counts =
            ARENA_ARRAY(&worker->scratch, uint32_t, (size_t)workloads * state->node_count + 1),
    };
    find_domains(&gathering, search);
    struct filling filling = {.leaving = count_pods(&gathering)};
    for (uint32_t w = 0; w < workloads; w++) {
        const struct gathered *of = &gathering.by_workload[w];
        filling.filled += (int64_t)NEW * of->new_inside - (int64_t)OLD * of->old_inside -
                          (int64_t)skew_of(&gathering, w);
    }
    filling.own = gathering.by_workload[search->workload].new_inside +
                  gathering.by_workload[search->workload].old_inside;
    arena_rewind(&worker->scratch, mark);
    return filling;
}

enum domain_step domain_step(struct worker *worker, const struct domain_search *search,
                             const uint32_t *words, uint32_t length, const struct step *step,
                             int64_t *filled)
{
    const struct filling before = filling_of(worker, search, words, length);
    const struct filling after = filling_of(worker, search, step->words, step->length);
    *filled = after.filled;
    if (after.own > before.own)
        return DOMAIN_STEP_LAST;
    if (step->action != ACT_TERMINATED)
        return DOMAIN_STEP_USUAL;
    return after.leaving < before.leaving ? DOMAIN_STEP_FIRST : DOMAIN_STEP_LATE;
}
