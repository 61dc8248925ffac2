/* SPDX-License-Identifier: Apache-2.0 */
/* What pods may use, and what load their workloads may bear: all levels that the
 * events can bring. */
#include "cluster/build/build_usage.h"
#include "cluster/ask/usage.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

/* Level 0 is the usage of a pod that nothing has happened to: its request, or
 * the first step of its pattern. */
void add_levels(struct population *population, uint32_t number, const struct pod_spec *spec)
{
    struct workload *workload = &population->workloads.items[number];
    struct level_building building = {.population = population,
                                      .workload = workload,
                                      .spec = spec,
                                      .request_milli =
                                          pod_cpu_request(&population->options.features, spec)};
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload == number && event->type->add_first_levels)
            event->type->add_first_levels(&building, event);
    }
    if (building.levels.count == 0)
        VEC_PUSH(&population->arena, &building.levels,
                 ((struct pod_level){building.request_milli}));
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload == number && event->type->add_levels)
            event->type->add_levels(&building, event);
    }
    while (population->endpoints && building.levels.count < ENDING_COUNT)
        VEC_PUSH(&population->arena, &building.levels, building.levels.items[0]);
    while (workload->job_rules && workload->job_rules->waits_for_ends &&
           building.levels.count < ENDING_UNSERVED + POD_END_COUNT)
        VEC_PUSH(&population->arena, &building.levels, building.levels.items[0]);
    workload->levels = building.levels.items;
    workload->level_count = building.levels.count;
}
