/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controller is asked about a Job whose indexes are known by kind and failures only. They are
 * given numbers: those that the Job has begun with are the first ones, and of each kind any may be
 * the ones that are done, have failed, are tried again or have a pod. What is decided is the same
 * whichever they are, but for the numbers.
 */
#include "cluster/ask/job_views.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

struct job_pod_class job_pod_seen(struct worker *worker, uint32_t config, uint32_t class)
{
    struct job_pod_class seen = {
        .count = 1,
        .phase = POD_PENDING,
        .finalizer = true,
        .index = JOB_NO_INDEX,
        /* Ages are not known here: pods of one rank may go in any order. */
        .ready_age = JOB_AGE_UNSET,
        .creation_age = JOB_AGE_UNSET,
    };
    if (config != UINT32_MAX) {
        const struct class_info *info = class_info(worker, class);
        seen.assigned = true;
        seen.terminating = info->stage == STAGE_TERMINATING;
        seen.phase = info->stage == STAGE_READY ? POD_RUNNING : POD_PENDING;
        seen.ready = pod_is_ready_on(worker, info, config);
    }
    return seen;
}

struct job_input job_input_of(struct worker *worker, const struct state *state, uint32_t workload,
                              bool late, struct job *job, struct job_pod_class *pods,
                              uint32_t count)
{
    const struct population *population = worker->population;
    const struct workload_status *status = &state->statuses[workload];
    *job = *state_spec(population, state, workload)->as.job;
    job->parallelism = (struct optional_int){true, state->replicas[workload]};
    job->completions = population->workloads.items[workload].completions;
    /* It is counted already. */
    if (status->doomed)
        pods[count] = (struct job_pod_class){
            .count = 1, .phase = POD_FAILED, .index = JOB_NO_INDEX, .match = JOB_MATCH_FAIL_JOB};
    count += status->doomed;
    return (struct job_input){
        .features = &population->options.features,
        .job = job,
        .tracking = true,
        .started = true,
        .start_age = late ? INT64_MAX : 0,
        .succeeded = status->succeeded,
        .failed = status->failed,
        .target = status->over == JOB_WILL_COMPLETE ? JOB_TARGET_SUCCESS
                  : status->over == JOB_WILL_FAIL   ? JOB_TARGET_FAILURE
                                                    : JOB_NO_TARGET,
        .suspension = job->suspend ? JOB_SUSPENDED : JOB_SUSPENSION_UNSET,
        .create_limit = -1,
        .pods = pods,
        .pod_count = count,
    };
}

/* ---- with numbers for indexes ---- */

struct index_numbering {
    const struct job_rules *rules;
    uint32_t begun;
    uint32_t *next;     /* by kind: no index below it is free */
    uint32_t *variants; /* by index: of those that are tried again, plus one */
    int64_t *numbers;
};

/* The next free index of the kind; JOB_NO_INDEX: there is none, which is only where a story asks
 * about states with some pods put back (story/story_questions.c). */
static int64_t take(struct index_numbering *numbering, uint32_t kind)
{
    uint32_t *next = &numbering->next[kind];
    while (*next < numbering->begun && numbering->rules->kinds[*next] != kind)
        ++*next;
    return *next < numbering->begun ? (int64_t)(*next)++ : JOB_NO_INDEX;
}

static struct job_indexes
take_all(struct arena *arena, struct index_numbering *numbering, struct state *state,
         uint32_t *(*count_of)(const struct job_rules *rules, struct state *state, uint32_t kind))
{
    const struct job_indexes none = {0};
    uint32_t count = 0;
    for (uint32_t k = 0; k < numbering->rules->kind_count; k++)
        for (uint32_t i = *count_of(numbering->rules, state, k); i > 0; i--)
            count += (numbering->numbers[count] = take(numbering, k)) != JOB_NO_INDEX;
    count = job_sort_numbers(numbering->numbers, count);
    return job_indexes_with(arena, &none, numbering->numbers, count);
}

static void take_retried(struct index_numbering *numbering, struct state *state)
{
    const struct job_rules *rules = numbering->rules;
    for (uint32_t v = 0; v < job_variants(rules); v++)
        for (uint32_t i = *job_idle(rules, state, v); i > 0; i--) {
            const int64_t index = take(numbering, v / (rules->failures_most + 1));
            if (index != JOB_NO_INDEX)
                numbering->variants[index] = v + 1;
        }
}

/* A pod that terminates has an index only if its Job waits for it. */
static void number_pod(struct index_numbering *numbering, uint32_t variant,
                       struct job_pod_class *pod)
{
    const struct job_rules *rules = numbering->rules;
    if (pod->terminating && !rules->waits_for_ends)
        pod->finalizer = false; /* counted already */
    else
        pod->index = take(numbering, variant / (rules->failures_most + 1));
}

static uint32_t see_pods(struct worker *worker, const struct state *state, uint32_t workload,
                         struct index_numbering *numbering, struct job_pod_class *pods)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    uint32_t count = 0;
    for (uint32_t v = 0; v < of->revision_count; v++)
        for (uint32_t i = state->pending[of->first_revision + v]; i > 0; i--) {
            pods[count] = job_pod_seen(worker, UINT32_MAX, 0);
            number_pod(numbering, v, &pods[count++]);
        }
    for (struct pod_walk walk = pods_on_nodes(worker, state); pods_next(&walk);) {
        const uint32_t variant = walk.info->revision - of->first_revision;
        for (uint32_t i = variant < of->revision_count ? walk.count * walk.nodes : 0; i > 0; i--) {
            pods[count] = job_pod_seen(worker, walk.config->id, walk.class);
            number_pod(numbering, variant, &pods[count++]);
        }
    }
    return count;
}

/* Which pods are created, by variant. Only a run of indexes of one kind is begun at a time, so that
 * those that were begun stay the first ones. */
static void sort_created(const struct index_numbering *numbering, struct indexed_sync *sync)
{
    const struct job_rules *rules = numbering->rules;
    for (uint32_t i = 0; i < sync->decision.created_indexes.count; i++) {
        const uint32_t index = (uint32_t)sync->decision.created_indexes.items[i];
        if (index < numbering->begun && numbering->variants[index] > 0) {
            sync->retried[numbering->variants[index] - 1]++;
        } else if (rules->kinds[index] == rules->kinds[numbering->begun] &&
                   index == numbering->begun + sync->begun) {
            sync->next_variant = rules->kinds[index] * (rules->failures_most + 1);
            sync->begun++;
        }
    }
}

void indexed_job_decide(struct worker *worker, const struct state *state, uint32_t workload,
                        bool late, struct indexed_sync *sync)
{
    struct arena *arena = &worker->scratch;
    const struct workload *of = &worker->population->workloads.items[workload];
    const struct job_rules *rules = of->job_rules;
    struct state *notes = state_copy(worker, state); /* read only, through the same functions */
    const uint32_t most = state_workload_active(worker, state, workload) +
                          state_workload_pods(worker, state, workload).terminating + 1;
    struct index_numbering numbering = {.rules = rules, .begun = *job_begun(rules, notes)};
    numbering.next = ARENA_ARRAY(arena, uint32_t, rules->kind_count);
    numbering.variants = ARENA_ARRAY(arena, uint32_t, (size_t)numbering.begun + 1);
    numbering.numbers = ARENA_ARRAY(arena, int64_t, (size_t)numbering.begun + 1);
    struct job_pod_class *pods = ARENA_ARRAY(arena, struct job_pod_class, most);
    struct job job;
    const struct job_indexes completed = take_all(arena, &numbering, notes, job_done);
    const struct job_indexes failed = take_all(arena, &numbering, notes, job_given_up);
    take_retried(&numbering, notes);
    const uint32_t count = see_pods(worker, state, workload, &numbering, pods);
    struct job_input input = job_input_of(worker, state, workload, late, &job, pods, count);
    input.completed = completed;
    input.failed_indexes = failed;
    sync->retried = ARENA_ARRAY(arena, uint32_t, job_variants(rules));
    job_decide(arena, &input, &sync->decision);
    sort_created(&numbering, sync);
}
