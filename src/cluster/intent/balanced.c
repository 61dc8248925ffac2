/* SPDX-License-Identifier: Apache-2.0 */
/* balanced: the ready pods of a workload differ by at most maxSkew between the domains of
 * a topology key, whenever the cluster rests; with `when: always`, in every state. */
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/node_match.h"
#include "setup/setup.h"

#include <string.h>

/* May a pod of the revision be on nodes of this template at all? */
static bool eligible(const struct population *population, const struct node_template *template,
                     uint32_t revision)
{
    const enum node_condition condition = population->templates.items[template->id].condition;
    return condition == NODE_UP &&
           node_match_pod(population->revisions.items[revision].pod, template);
}

/* Ready pods of a workload on each node of the config. */
static int64_t ready_on(const struct worker *worker, const struct node_config *config,
                        uint32_t workload)
{
    int64_t ready = 0;
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_info(worker, config->pods[p].pod)->stage == STAGE_READY &&
            class_revision(worker, config->pods[p].pod)->workload == workload)
            ready += config->pods[p].count;
    return ready;
}

/* Are the ready pods of the workload too uneven between the domains of the key? */
static bool is_skewed(const struct judged *judged, uint32_t workload)
{
    const struct state *state = judged->state;
    const struct check_intent *intent = judged->intent->source;
    struct arena *scratch = &judged->worker->scratch;
    const char **domains = ARENA_ARRAY(scratch, const char *, state->node_count + 1);
    int64_t *counts = ARENA_ARRAY(scratch, int64_t, state->node_count + 1);
    uint32_t domain_count = 0;
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config = state_config(judged->worker, state, n);
        const char *value = labels_find(&config->template->node->meta.labels, intent->topology_key);
        if (state->present[workload] == WORKLOAD_ABSENT || !value ||
            !eligible(judged->population, config->template, state->present[workload]))
            continue;
        const int64_t ready = ready_on(judged->worker, config, workload);
        /* Nodes without names are domains of their own for the host name. */
        const bool own =
            config->template->anonymous && strcmp(intent->topology_key, LABEL_HOSTNAME) == 0;
        uint32_t d = own ? domain_count : 0;
        while (d < domain_count && (!domains[d] || strcmp(domains[d], value) != 0))
            d++;
        if (d == domain_count)
            domains[domain_count++] = own ? NULL : value;
        counts[d] += own ? ready : ready * state->nodes[n].count;
    }
    for (uint32_t d = 0; d < domain_count; d++) {
        least = counts[d] < least ? counts[d] : least;
        most = counts[d] > most ? counts[d] : most;
    }
    return domain_count > 0 && most - least > intent->max_skew;
}

static bool minds_rest(const struct judged *judged, bool for_good)
{
    (void)for_good;
    return intent_has_atom(judged);
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
    .violated_by = VIOLATED_BY_STATE,
    .ignores = IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS,
};

static const struct intent_class *form(const struct check_intent *source)
{
    return source->when == INTENT_WHEN_ALWAYS ? &always : &intent_balanced;
}

const struct intent_class intent_balanced = {
    BALANCED,
    .form = form,
    .ignores = IGNORES_STARTING | IGNORES_CREATION_ORDER | IGNORES_OTHER_WORKLOADS,
};
