/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide clusterautoscaler`: which groups grow and which nodes go.
 *
 * A scenario has the autoscaler's `options`, the `groups`, the `objects` at second 0 (`now`), and
 * `loops`, each with its time and what has changed in the world since the one before. The answer
 * has a result for each loop; what the autoscaler remembers between them follows from the loops.
 *
 * Given manifests, it is the first loop that is decided, with the flags of the autoscaler's own
 * container among them.
 */
#include "decide/autoscaler/autoscaler_case.h"
#include "decide/autoscaler/autoscaler_manifests.h"
#include "decide/autoscaler/natural_outcomes.h"
#include "decide/decider.h"
#include "decide/scenario.h"
#include "manifest/document.h"

enum { RUNS_MOST = 100000 };

static bool decide_scenario(struct arena *arena, const struct value *scenario,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct autoscaler_case given = {0};
    struct arena loop_arena;
    struct natural_scenario natural;
    struct natural_outcomes outcomes = {0};
    int64_t runs;
    if (!scenario_read_integer(scenario, "outcomes", (struct scenario_number){0, 0, RUNS_MOST},
                               &runs, problems))
        return false;
    if (!autoscaler_case_read(arena, scenario, features, &given, problems))
        return false;
    if (runs > 0)
        natural_scenario_init(&natural, arena, scenario, features);
    if (runs > 0 && !natural_outcomes_find(&outcomes, arena, &natural, (uint32_t)runs, problems))
        return false;
    json_array_begin(json, "loops");
    for (uint32_t i = 0; i < given.loops->count; i++) {
        struct loop_result result;
        int64_t now;
        if (!autoscaler_case_advance(&given, i, &now, problems))
            return false;
        arena_init(&loop_arena, arena->memory);
        given.autoscaler.loop_arena = &loop_arena;
        autoscaler_loop(&given.autoscaler, now, &result);
        json_object_begin(json, NULL);
        value_write_json(json, "at", value_find(&given.loops->items[i], "at"));
        loop_result_write(json, &given.autoscaler, &result);
        arena_release(&loop_arena);
        if (runs > 0)
            natural_outcomes_write(json, &outcomes, i);
        json_object_end(json);
    }
    json_array_end(json);
    return true;
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    struct cluster_autoscaler autoscaler;
    struct arena loop_arena;
    struct loop_result result;
    if (!autoscaler_of_manifests(arena, objects, &choice->features, &autoscaler, problems))
        return false;
    arena_init(&loop_arena, arena->memory);
    autoscaler.loop_arena = &loop_arena;
    autoscaler_loop(&autoscaler, autoscaler.epoch, &result);
    loop_result_write(json, &autoscaler, &result);
    loop_result_tell(sentences, &autoscaler, &result);
    arena_release(&loop_arena);
    return true;
}

const struct decider decider_clusterautoscaler = {
    .name = "clusterautoscaler",
    .summary = "which node groups grow, and which nodes are drained and deleted",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
