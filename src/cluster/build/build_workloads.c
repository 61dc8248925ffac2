/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of the scope, at the size that the setup gives them. */
#include "cluster/build/build_workloads.h"
#include "cluster/build/build_jobs.h"
#include "cluster/build/build_usage.h"
#include "cluster/build/observed_revisions.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/workloads.h"

bool replicas_are_wide(const struct population *population)
{
    for (uint32_t w = 0; w < population->scope->workload_count; w++)
        if (population_replicas_most(population, w) > REPLICAS_NARROW / 2)
            return true;
    return false;
}

/* A Job that does all its work at once does so at every scale: its completions
 * follow the explored number of pods. */
static struct optional_int completions_of(const struct job *job, int32_t replicas)
{
    const bool at_once = job->completions.set && job->completions.value <= job->parallelism.value;
    return at_once ? (struct optional_int){true, replicas} : job->completions;
}

/* Each kind of pods takes a pod, a revision and a class for each stage, which is more than this.
 * Only pods with ordinals are that many kinds; to find out here costs nothing. */
static bool has_room_for(const struct population *population, uint32_t kinds)
{
    enum { KIND_BYTES_LEAST = 2048 };
    return memory_left(population->memory) / KIND_BYTES_LEAST >= kinds;
}

bool add_workload(struct population *population, uint32_t number)
{
    const struct setup_workload *setup = &population->scope->workloads[number];
    const struct object *object = setup->object;
    struct workload workload = {
        .kind = object->kind,
        .setup = setup,
        .replicas = population->setup->replicas[number],
        .first_revision = population->revisions.count,
        .ordinal_count = 1,
        .deployment = object->kind == OBJECT_DEPLOYMENT ? object->as.deployment : NULL,
        .is_set =
            object->kind == OBJECT_REPLICA_SET || object->kind == OBJECT_REPLICATION_CONTROLLER,
        .status_word = UINT32_MAX,
    };
    if (object->kind == OBJECT_STATEFUL_SET) {
        const int32_t most = population_replicas_most(population, number);
        workload.ordinal_count = most > 1 ? (uint32_t)most : 1;
        if (population->options.features.stateful_start_ordinal)
            workload.first_ordinal = object->as.stateful_set->start_ordinal;
        const uint32_t there = observed_ordinals(population->scope, number);
        if (there > workload.ordinal_count + (uint32_t)workload.first_ordinal)
            workload.ordinal_count = there - (uint32_t)workload.first_ordinal;
    }
    if (object->kind == OBJECT_JOB) {
        workload.completions = completions_of(
            object->as.job, setup->comes_later ? workload_replicas(object) : workload.replicas);
        population->has_jobs = true;
        workload.job_rules = job_rules_make(&population->arena, &population->options.features,
                                            object->as.job, workload.completions);
        if (workload.job_rules) {
            workload.ordinal_count = job_variants(workload.job_rules);
            population->has_job_rules = true;
        }
    }
    if (!has_room_for(population, workload.ordinal_count))
        return false;
    VEC_PUSH(&population->arena, &workload.specs, object);
    VEC_PUSH(&population->arena, &population->workloads, workload);
    add_levels(population, number, &workload_template(object)->spec);
    const uint32_t present = observed_add_revisions(population, number);
    population->workloads.items[number].present = setup->comes_later ? WORKLOAD_ABSENT : present;
    return true;
}
