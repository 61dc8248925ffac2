/* SPDX-License-Identifier: Apache-2.0 */
/* balanced: the ready pods of a workload differ by at most maxSkew between the domains of
 * a topology key, whenever the workload rests and the descheduler leaves it alone; with
 * `when: always`, in every state. */
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"
#include "decide/scheduler/node_match.h"
#include "setup/setup.h"

#include <string.h>

/* How the ready pods of a workload are spread over the domains of the key. */
struct spread {
    struct node_sum domains;
    int64_t least, most; /* of one domain */
};

static struct spread spread_of(const struct judged *judged, uint32_t workload)
{
    struct worker *worker = judged->worker;
    const struct state *state = judged->state;
    const struct check_intent *intent = judged->intent->source;
    struct spread spread = {.least = INT64_MAX, .most = INT64_MIN};
    if (state->present[workload] == WORKLOAD_ABSENT)
        return spread;
    const struct pod *pod = judged->population->revisions.items[state->present[workload]].pod;
    const char **domains = ARENA_ARRAY(&worker->scratch, const char *, state->node_count + 1);
    int64_t *counts = ARENA_ARRAY(&worker->scratch, int64_t, state->node_count + 1);
    uint32_t domain_count = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(worker, state, n);
        const char *value = labels_find(&config->template->node->meta.labels, intent->topology_key);
        /* Only nodes that the pods may be on at all count. */
        if (!value || !condition_is_up(config_condition(worker, config->id)) ||
            !node_match_pod(pod, config->template))
            continue;
        const int64_t ready = config_ready(worker, config->id, workload);
        /* Nodes without names are domains of their own for the host name. */
        const bool own =
            config->template->anonymous && strcmp(intent->topology_key, LABEL_HOSTNAME) == 0;
        uint32_t d = own ? domain_count : 0;
        while (d < domain_count && (!domains[d] || strcmp(domains[d], value) != 0))
            d++;
        if (d == domain_count) {
            domains[domain_count++] = own ? NULL : value;
            if (own)
                node_sum_add(worker->catalog, &spread.domains, state->nodes[n]);
            else
                spread.domains.value++;
        }
        counts[d] += own ? ready : ready * state->nodes[n].count;
    }
    for (uint32_t d = 0; d < domain_count; d++) {
        spread.least = counts[d] < spread.least ? counts[d] : spread.least;
        spread.most = counts[d] > spread.most ? counts[d] : spread.most;
    }
    return spread;
}

/* Are the ready pods of the workload too uneven between the domains of the key? */
static bool is_skewed(const struct judged *judged, uint32_t workload)
{
    const struct spread spread = spread_of(judged, workload);
    return node_sum_exceeds(judged->worker->catalog, &spread.domains, 0) &&
           spread.most - spread.least > judged->intent->source->max_skew;
}

/* Do ready pods have several domains to be in? */
static bool is_spread(const struct judged *judged, uint32_t workload)
{
    const struct spread spread = spread_of(judged, workload);
    return intent_concerns(judged->intent, workload) && spread.most > 0 &&
           node_sum_exceeds(judged->worker->catalog, &spread.domains, 1);
}

static bool applies_at_rest(const struct judged *judged)
{
    if (!judged->happening || judged->happening->action != ACT_SETTLED)
        return false;
    for (uint32_t w = 0; w < judged->population->managed_count; w++)
        if (intent_sees_rest(judged, w) && is_spread(judged, w))
            return true;
    return false;
}

static bool applies_always(const struct judged *judged)
{
    for (uint32_t w = 0; !judged->happening && w < judged->population->managed_count; w++)
        if (is_spread(judged, w))
            return true;
    return false;
}

static bool minds_rest(const struct judged *judged)
{
    for (uint32_t w = 0; w < judged->population->managed_count; w++)
        if (intent_sees_rest(judged, w) && intent_displeased_by(judged, w))
            return true;
    return false;
}

/* Every node has a host name. */
static void check(const struct scope *scope, const struct check_intent *intent,
                  struct problems *problems)
{
    bool found = strcmp(intent->topology_key, LABEL_HOSTNAME) == 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        found |= labels_find(&scope->groups[g].node->meta.labels, intent->topology_key) != NULL;
    if (!found)
        problem_error(problems, intent->place, NULL,
                      "no node has the label %s: it would hold of nothing", intent->topology_key);
}

/* It is about places. That a pod is not ready yet matters only if states between two rests
 * count, too. */
#define BALANCED \
    .displeases = is_skewed, .minds_rest = minds_rest, .check = check, .blames = BLAMES_SPREAD

static const struct intent_class always = {
    BALANCED,
    .applies = applies_always,
    .never_applied = "there never were ready pods and several domains for them",
    .violated_by = VIOLATED_BY_STATE,
    .ignores = IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS,
};

static const struct intent_class *form(const struct check_intent *source)
{
    return source->when == INTENT_WHEN_ALWAYS ? &always : &intent_balanced;
}

const struct intent_class intent_balanced = {
    BALANCED,
    .applies = applies_at_rest,
    .never_applied = "no workload ever rested with ready pods and several domains for them",
    .form = form,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS,
};
