/* SPDX-License-Identifier: Apache-2.0 */
#include "report/told_changes.h"

#include "tracing/import/counterexample.h"

static void add_violation(struct arena *arena, const struct told_report *report,
                          const struct told_violation *violation, struct change_graph *graph)
{
    struct counterexample_step *steps =
        ARENA_ARRAY(arena, struct counterexample_step, violation->steps.count + 1);
    for (uint32_t i = 0; i < violation->steps.count; i++) {
        const struct told_step *told = &violation->steps.items[i];
        steps[i] = (struct counterexample_step){
            .actor = told->actor,
            .detail = told->detail,
            .object = told->object,
            .causes = told->causes.items,
            .cause_count = told->causes.count,
            .outside = told->outside,
        };
    }
    change_add_counterexample(graph, &(struct counterexample){
                                         .check = report->check,
                                         .intent = violation->label,
                                         .steps = steps,
                                         .step_count = violation->steps.count,
                                     });
}

void told_changes(struct arena *arena, const struct told_reports *reports,
                  struct change_graph *graph)
{
    graph->arena = arena;
    for (uint32_t r = 0; r < reports->items.count; r++)
        for (uint32_t i = 0; i < reports->items.items[r].violations.count; i++)
            add_violation(arena, &reports->items.items[r],
                          &reports->items.items[r].violations.items[i], graph);
}
