/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/job_losses.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/job_controller.h"

/* The matches that differ, in the order of job_lost.counted. */
static const enum job_match matches[] = {JOB_MATCH_NONE, JOB_MATCH_IGNORE, JOB_MATCH_FAIL_INDEX,
                                         JOB_MATCH_FAIL_JOB};
enum { COUNTED, IGNORED, INDEX_FAILED, JOB_FAILED, MATCH_COUNT };

/* How a pod is lost that the step takes away without letting it terminate. */
static enum job_loss loss_at_once(enum population_action action)
{
    switch (action) {
    case ACT_POD_FAILS: return LOSS_FAILED;
    case ACT_REJECT:
    case ACT_PRESSURE_REJECT:
    case ACT_EVENT_DELETE: return LOSS_REJECTED; /* deleted while it waits */
    case ACT_COLLECT:
    case ACT_POD_GARBAGE: return LOSS_ORPHANED;
    default: return LOSS_DISRUPTED;
    }
}

/* How a pod is lost that has terminated. */
static enum job_loss loss_at_end(enum population_action action, enum pod_end end)
{
    if (action == ACT_COLLECT)
        return LOSS_ORPHANED;
    return end == END_DELETED ? LOSS_DELETED : LOSS_DISRUPTED;
}

static uint32_t ending_pods(struct worker *worker, const struct state *state, uint32_t revision,
                            enum pod_end end)
{
    uint32_t total = 0;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
        if (pods.info->revision == revision && pods.info->stage == STAGE_TERMINATING &&
            pods.info->level == (uint32_t)ENDING_UNSERVED + end)
            total += pods.count * pods.nodes;
    return total;
}

static void add_lost(struct worker *worker, const struct job_rules *rules,
                     struct job_losses *losses, uint32_t revision, uint32_t count,
                     enum job_loss loss)
{
    const struct job_lost lost = {
        .revision = revision,
        .count = count,
        .matches = rules->matches[loss],
        .leaves = loss == LOSS_FAILED || loss == LOSS_REJECTED,
    };
    if (count > 0)
        VEC_PUSH(&worker->scratch, &losses->items, lost);
}

/* A Job that replaces pods as soon as they terminate has lost them then. One that does not looks at
 * them when they have ended, unless it deleted them itself. */
static void find_lost(struct worker *worker, const struct state *state, const struct state *next,
                      uint32_t revision, enum population_action action, struct job_losses *losses)
{
    const struct job_rules *rules = revision_workload(worker->population, revision)->job_rules;
    uint32_t left = state_active(worker, next, revision);
    const uint32_t before = state_active(worker, state, revision);
    for (int end = 0; rules->waits_for_ends && end < POD_END_COUNT; end++) {
        const uint32_t had = ending_pods(worker, state, revision, (enum pod_end)end);
        const uint32_t has = ending_pods(worker, next, revision, (enum pod_end)end);
        left += has > had ? has - had : 0;
        if (had > has && end != END_DISOWNED)
            add_lost(worker, rules, losses, revision, had - has,
                     loss_at_end(action, (enum pod_end)end));
    }
    if (before > left)
        add_lost(worker, rules, losses, revision, before - left,
                 rules->waits_for_ends ? loss_at_once(action) : LOSS_REJECTED);
}

struct job_losses job_losses_between(struct worker *worker, const struct state *state,
                                     const struct state *next, enum population_action action)
{
    const struct population *population = worker->population;
    struct job_losses losses = {0};
    for (uint32_t r = 0; !action_has(action, IS_NO_FAILURE) && r < population->revisions.count;
         r++) {
        const uint32_t workload = population->revisions.items[r].workload;
        if (population->workloads.items[workload].job_rules &&
            next->present[workload] != WORKLOAD_ABSENT &&
            next->statuses[workload].over == JOB_GOES_ON)
            find_lost(worker, state, next, r, action, &losses);
    }
    return losses;
}

/* Lets `left` pods of number `at` be counted by the matches from `match` on, then the others. */
static void count_in_any_way(struct job_losses *losses, uint32_t at, uint32_t match, uint32_t left,
                             void (*visit)(void *context), void *context)
{
    if (at == losses->items.count) {
        visit(context);
        return;
    }
    struct job_lost *lost = &losses->items.items[at];
    if (match == MATCH_COUNT) {
        if (left == 0)
            count_in_any_way(losses, at + 1, 0,
                             at + 1 < losses->items.count ? losses->items.items[at + 1].count : 0,
                             visit, context);
        return;
    }
    const bool possible = lost->matches & 1U << matches[match];
    for (uint32_t counted = 0; counted <= (possible ? left : 0); counted++) {
        lost->counted[match] = counted;
        count_in_any_way(losses, at, match + 1, left - counted, visit, context);
    }
}

void job_losses_each(struct job_losses *losses, void (*visit)(void *context), void *context)
{
    count_in_any_way(losses, 0, 0, losses->items.count > 0 ? losses->items.items[0].count : 0,
                     visit, context);
}

/* The indexes of these pods are tried again, or have failed. */
static void count_indexes(const struct job_rules *rules, const struct job_lost *lost,
                          uint32_t variant, struct state *next)
{
    const uint32_t kind = variant / (rules->failures_most + 1);
    const bool last = variant % (rules->failures_most + 1) == rules->failures_most;
    *job_idle(rules, next, variant) += lost->counted[IGNORED];
    *job_given_up(rules, next, kind) += lost->counted[INDEX_FAILED];
    const uint32_t failed = lost->counted[COUNTED] + lost->counted[JOB_FAILED];
    if (!rules->limits)
        *job_idle(rules, next, variant) += failed;
    else if (last)
        *job_given_up(rules, next, kind) += failed;
    else
        *job_idle(rules, next, variant + 1) += failed;
}

void job_losses_count(const struct population *population, const struct job_losses *losses,
                      struct state *next)
{
    for (uint32_t i = 0; i < losses->items.count; i++) {
        const struct job_lost *lost = &losses->items.items[i];
        const uint32_t number = population->revisions.items[lost->revision].workload;
        const struct workload *workload = &population->workloads.items[number];
        struct workload_status *status = &next->statuses[number];
        const uint32_t failed = lost->count - lost->counted[IGNORED];
        const bool counts = workload->job_rules->counts_failures;
        status->failed += counts ? (int32_t)failed : 0;
        status->doomed |= lost->counted[JOB_FAILED] > 0;
        status->leaves |= lost->leaves && (!counts || lost->counted[IGNORED] > 0);
        if (workload->job_rules->tracks)
            count_indexes(workload->job_rules, lost, lost->revision - workload->first_revision,
                          next);
    }
}
