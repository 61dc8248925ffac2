/* SPDX-License-Identifier: Apache-2.0 */
/* cpuPattern: a rule by which each pod of a workload uses so much CPU at first, so much
 * later. The steps are time's (step_time.c, step_clock.c). */
#include "cluster/ask/usage.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/workloads.h"

/* What of the pattern is over when the pod becomes ready: its readiness probe
 * does not even ask before its initial delay. */
static uint32_t steps_before_ready(const struct check_event *event, const struct pod_spec *spec)
{
    int64_t delay = 0;
    uint32_t over = 0;
    for (uint32_t c = 0; c < spec->container_count; c++)
        if (spec->containers[c].readiness_probe &&
            spec->containers[c].readiness_probe->initial_delay_seconds > delay)
            delay = spec->containers[c].readiness_probe->initial_delay_seconds;
    while (over + 1 < event->pattern_count &&
           event->pattern[over + 1].after_ns <= delay * NANOSECONDS_PER_SECOND)
        over++;
    return over;
}

/* Level 2k is step k, and 2k + 1 the same for pods that have been there longer. */
static void add_first_levels(struct level_building *building, struct population_event *event)
{
    const struct check_event *rule = event->event;
    struct workload *workload = building->workload;
    workload->pattern_steps = rule->pattern_count;
    workload->first_level = building->population->scope->time == TIME_CLOCKED
                                ? 0 /* by its own clock */
                                : 2 * steps_before_ready(rule, building->spec);
    for (uint32_t k = 0; k < rule->pattern_count; k++) {
        const struct pod_level level = {
            level_amount(&rule->pattern[k].cpu, building->request_milli)};
        VEC_PUSH(&building->population->arena, &building->levels, level);
        VEC_PUSH(&building->population->arena, &building->levels, level);
    }
}

const struct event_type event_cpu_pattern = {
    .add_first_levels = add_first_levels,
    .pattern = EVENT_PATTERN_OF_POD,
    .traits = LEAVES_STARTS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE |
              LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY | LEAVES_PLACES_ALONE,
};
