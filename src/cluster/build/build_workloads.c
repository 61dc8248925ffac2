/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of the scope, at the size that the setup gives them. */
#include "cluster/build/build_workloads.h"
#include "cluster/build/build_revisions.h"
#include "cluster/build/build_usage.h"
#include "cluster/build/observed_revisions.h"
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

void workload_resize(const struct population *population, struct workload *workload,
                     uint32_t number)
{
    workload->replicas = population->setup->replicas[number];
    workload->autoscaler_min = population->setup->autoscaler_min[number];
    workload->autoscaler_max = population->setup->autoscaler_max[number];
}

/* A Job that does all its work at once does so at every scale: its completions
 * follow the explored number of pods. */
static struct optional_int completions_of(const struct job *job, int32_t replicas)
{
    const bool at_once = job->completions.set && job->completions.value <= job->parallelism.value;
    return at_once ? (struct optional_int){true, replicas} : job->completions;
}

void add_workload(struct population *population, uint32_t number)
{
    const struct setup_workload *setup = &population->scope->workloads[number];
    const struct object *object = setup->object;
    const struct pod_template *template = workload_template(object);
    struct workload workload = {
        .kind = object->kind,
        .setup = setup,
        .first_revision = population->revisions.count,
        .ordinal_count = 1,
        .deployment = object->kind == OBJECT_DEPLOYMENT ? object->as.deployment : NULL,
        .is_set =
            object->kind == OBJECT_REPLICA_SET || object->kind == OBJECT_REPLICATION_CONTROLLER,
        .status_word = UINT32_MAX,
    };
    workload_resize(population, &workload, number);
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
    }
    VEC_PUSH(&population->arena, &workload.specs, object);
    VEC_PUSH(&population->arena, &population->workloads, workload);
    add_levels(population, number, &template->spec);
    const uint32_t present =
        population->scope->start == START_OBSERVED
            ? observed_add_revisions(population, number)
            : population_add_revision(population, number, template, setup->signature);
    population->workloads.items[number].present = setup->comes_later ? WORKLOAD_ABSENT : present;
}
