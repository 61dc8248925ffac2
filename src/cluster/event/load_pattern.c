/* SPDX-License-Identifier: Apache-2.0 */
/* loadPattern: a rule by which the load of a workload comes in waves. Its steps are time's
 * (step_clock.c). */
#include "cluster/ask/support.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"

static void add_levels(struct level_building *building, struct population_event *event)
{
    struct workload *workload = building->workload;
    workload->load = ++building->population->load_count;
    event->first_level = workload->totals.count;
    workload->first_total = workload->totals.count + 1;
    for (uint32_t k = 0; k < event->event->pattern_count; k++)
        VEC_PUSH(&building->population->arena, &workload->totals,
                 quantity_milli_value(event->event->pattern[k].cpu.value));
}

/* One may be named with its namespace and one without. */
static bool same_workload(const struct scope *scope, const struct check_event *left,
                          const struct check_event *right)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (object_name_matches(&left->object, scope->workloads[w].object) &&
            object_name_matches(&right->object, scope->workloads[w].object))
            return true;
    return false;
}

/* It is the only load of its workload. */
static void check_alone(const struct support *support, const struct check_event *event)
{
    const struct check *check = support->scope->check;
    for (uint32_t e = 0; e < check->event_count; e++) {
        const struct check_event *other = &check->events[e];
        if (other != event && (other->kind == EVENT_LOAD || other->kind == EVENT_LOAD_PATTERN) &&
            same_workload(support->scope, other, event))
            problem_error(support->problems, event->place, NULL,
                          "expected one load of %s, found several",
                          object_name_format(support->arena, &event->object));
    }
}

const struct event_type event_load_pattern = {
    .check = check_alone,
    .add_levels = add_levels,
    .pattern = EVENT_PATTERN_OF_LOAD,
    .traits = LEAVES_STARTS_ALONE | NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE |
              LEAVES_OBJECTS_ALONE | LEAVES_NODES_READY | LEAVES_PLACES_ALONE,
};
