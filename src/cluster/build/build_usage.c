/* SPDX-License-Identifier: Apache-2.0 */
/* What pods may use, and what load their workloads may bear: all levels that the
 * events can bring. */
#include "cluster/ask/usage.h"
#include "cluster/build/build.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_internal.h"

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

/* Level 0 is the usage of a pod that nothing has happened to: its request, or
 * the first step of its pattern. */
void add_levels(struct population *population, uint32_t number, const struct pod_spec *spec)
{
    struct workload *workload = &population->workloads.items[number];
    const int64_t request = pod_cpu_request(spec);
    VEC(struct pod_level) levels = {0};
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (population->events.items[e].workload != number || event->kind != EVENT_CPU_PATTERN)
            continue;
        workload->pattern_steps = event->pattern_count;
        workload->first_level = population->scope->time == TIME_CLOCKED
                                    ? 0 /* by its own clock */
                                    : 2 * steps_before_ready(event, spec);
        for (uint32_t k = 0; k < event->pattern_count; k++) {
            const struct pod_level level = {level_amount(&event->pattern[k].cpu, request)};
            VEC_PUSH(&population->arena, &levels, level);
            VEC_PUSH(&population->arena, &levels, level);
        }
    }
    if (levels.count == 0)
        VEC_PUSH(&population->arena, &levels, ((struct pod_level){request}));
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload != number || event->event->kind != EVENT_CPU_CHANGE)
            continue;
        event->first_level = levels.count;
        for (uint32_t l = 0; l < event->event->level_count; l++) {
            const struct pod_level level = {level_amount(&event->event->levels[l], request)};
            VEC_PUSH(&population->arena, &levels, level);
        }
    }
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload != number || event->event->kind != EVENT_LOAD)
            continue;
        if (workload->load == 0)
            workload->load = ++population->load_count;
        event->first_level = workload->totals.count;
        for (uint32_t t = 0; t < event->event->total_count; t++)
            VEC_PUSH(&population->arena, &workload->totals,
                     quantity_milli_value(event->event->totals[t]));
        if (!event->event->initial)
            continue;
        VEC_PUSH(&population->arena, &workload->totals,
                 quantity_milli_value(*event->event->initial));
        workload->first_total = workload->totals.count;
    }
    for (uint32_t e = 0; e < population->events.count; e++) {
        struct population_event *event = &population->events.items[e];
        if (event->workload != number || event->event->kind != EVENT_LOAD_PATTERN)
            continue;
        workload->load = ++population->load_count;
        event->first_level = workload->totals.count;
        workload->first_total = workload->totals.count + 1;
        for (uint32_t k = 0; k < event->event->pattern_count; k++)
            VEC_PUSH(&population->arena, &workload->totals,
                     quantity_milli_value(event->event->pattern[k].cpu.value));
    }
    while (population->endpoints && levels.count < ENDING_COUNT)
        VEC_PUSH(&population->arena, &levels, levels.items[0]);
    workload->levels = levels.items;
    workload->level_count = levels.count;
}
