/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/victims.h"
#include "cluster/intent_class.h"
#include "cluster/population.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

/* There are at most POPULATION_INTENTS_MOST intents, so that bit is free for the others. */
void victims_number(struct population *population)
{
    for (uint32_t w = 0; w < population->workloads.count; w++)
        population->workloads.items[w].victim_bit = POPULATION_INTENTS_MOST;
    for (uint32_t i = 0; i < population->intents.count; i++)
        if (population->intents.items[i].workload != UINT32_MAX)
            population->workloads.items[population->intents.items[i].workload].victim_bit = i;
}

uint64_t victims_of(const struct population *population, uint32_t revision)
{
    const uint32_t workload = population->revisions.items[revision].workload;
    return UINT64_C(1) << population->workloads.items[workload].victim_bit;
}
