/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/natural_outcomes.h"

#include "decide/autoscaler/natural_world.h"
#include "decide/autoscaler/result_names.h"
#include "manifest/document.h"

#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void write_sorted(struct json_out *json, struct arena *arena, const char *key,
                         const char *const *names, uint32_t count)
{
    const char **sorted = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = names[i];
    qsort(sorted, count, sizeof(const char *), compare_texts);
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        json_string(json, NULL, sorted[i]);
    json_array_end(json);
}

/* Groups stand in the order that was drawn; outcomes have them by name. */
static void write_increases(struct json_out *json, const struct autoscaler_group *group,
                            const struct loop_result *result)
{
    for (uint32_t i = 0; i < result->increases.count; i++) {
        const struct group_increase *increase = &result->increases.items[i];
        if (increase->group != group)
            continue;
        json_object_begin(json, NULL);
        json_integer(json, "from", increase->from);
        json_string(json, "group", group->id);
        json_integer(json, "to", increase->to);
        json_object_end(json);
    }
}

static void write_options(struct json_out *json, struct arena *arena,
                          const struct autoscaler_group *group, const struct loop_result *result)
{
    for (uint32_t i = 0; i < result->options.count; i++)
        if (result->options.items[i].group == group)
            json_string(json, group->id,
                        arena_printf(arena, "%lld nodes %u pods",
                                     (long long)result->options.items[i].nodes,
                                     result->options.items[i].pods.count));
}

static int compare_groups(const void *left, const void *right)
{
    const struct autoscaler_group *a = *(const struct autoscaler_group *const *)left;
    const struct autoscaler_group *b = *(const struct autoscaler_group *const *)right;
    return strcmp(a->id, b->id);
}

static void write_up(struct json_out *json, struct arena *arena,
                     struct cluster_autoscaler *autoscaler, const struct loop_result *result)
{
    qsort(autoscaler->groups.items, autoscaler->groups.count, sizeof(struct autoscaler_group *),
          compare_groups);
    if (result->increases.count > 0) {
        json_array_begin(json, "increase");
        for (uint32_t i = 0; i < autoscaler->groups.count; i++)
            write_increases(json, autoscaler->groups.items[i], result);
        json_array_end(json);
    }
    if (result->options.count > 0) {
        json_object_begin(json, "options");
        for (uint32_t i = 0; i < autoscaler->groups.count; i++)
            write_options(json, arena, autoscaler->groups.items[i], result);
        json_object_end(json);
    }
    json_string(json, "result", scale_up_result_name(result->up));
    if (result->to_help.count > 0)
        json_unsigned(json, "toHelp", result->to_help.count);
}

static void write_down(struct json_out *json, struct arena *arena, const struct loop_result *result)
{
    const char **names = ARENA_ARRAY(arena, const char *, result->unneeded.count + 1);
    if (result->delete_drain.count > 0)
        write_sorted(json, arena, "deleteDrain", result->delete_drain.items,
                     result->delete_drain.count);
    if (result->delete_empty.count > 0)
        write_sorted(json, arena, "deleteEmpty", result->delete_empty.items,
                     result->delete_empty.count);
    for (uint32_t i = 0; i < result->unneeded.count; i++)
        names[i] = result->unneeded.items[i].node;
    if (result->unneeded.count > 0)
        write_sorted(json, arena, "unneeded", names, result->unneeded.count);
    else
        json_null(json, "unneeded"); /* as recorded: a list that Go never made */
}

/* What an outcome is: how groups grow in a scenario of one loop, as nothing can be deleted in the
 * first one; which nodes go in a scenario of several. */
static const char *describe(struct arena *arena, struct cluster_autoscaler *autoscaler,
                            const struct loop_result *result, bool several)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    if (several)
        write_down(&json, arena, result);
    else
        write_up(&json, arena, autoscaler, result);
    json_object_end(&json);
    return text_keep(&text, arena);
}

/* One run through the loops; `own_world`: nobody but the autoscaler changes the cluster. */
struct natural_run {
    struct autoscaler_case given;
    struct natural_world world;
    struct loop_result result;
    bool own_world;
};

static bool advance(struct natural_run *run, uint32_t loop, struct problems *problems, int64_t *now)
{
    if (loop == 0 || !run->own_world)
        return autoscaler_case_advance(&run->given, loop, now, problems);
    if (!autoscaler_case_read_time(&run->given, loop, now, problems))
        return false;
    natural_world_follow(&run->world, &run->result, *now);
    return true;
}

static bool begin(struct natural_run *run, struct arena *arena, const struct value *scenario,
                  const struct features *features, struct problems *problems)
{
    if (!autoscaler_case_read(arena, scenario, features, &run->given, problems))
        return false;
    run->given.autoscaler.loop_arena = arena;
    natural_world_init(&run->world, &run->given.autoscaler);
    return true;
}

/* The run has memory of its own. Loops before `drawn` go by name. */
static bool draw_outcomes(struct arena *arena, const struct natural_scenario *scenario,
                          uint64_t seed, uint32_t drawn, const char **outcomes,
                          struct problems *problems)
{
    struct arena own;
    struct natural_run run = {.own_world = scenario->alone};
    arena_init(&own, arena->memory);
    bool good = begin(&run, &own, scenario->document, &scenario->features, problems);
    for (uint32_t i = 0; good && i < scenario->loop_count; i++) {
        int64_t now;
        if (i == drawn)
            run.given.autoscaler.order_seed = seed;
        good = advance(&run, i, problems, &now);
        if (!good || (!scenario->alone && i > drawn))
            break;
        autoscaler_loop(&run.given.autoscaler, now, &run.result);
        if (i >= drawn)
            outcomes[i] = arena_strdup(arena, describe(&own, &run.given.autoscaler, &run.result,
                                                       scenario->loop_count > 1));
    }
    arena_release(&own);
    return good;
}

/* Are the changes that the scenario has between its loops all the autoscaler's own? */
static bool is_alone(const struct natural_scenario *scenario, struct arena *memory,
                     struct problems *problems)
{
    struct arena own;
    struct natural_run run = {.own_world = true};
    arena_init(&own, memory->memory);
    bool alone = begin(&run, &own, scenario->document, &scenario->features, problems);
    for (uint32_t i = 0; alone && i < scenario->loop_count; i++) {
        int64_t now;
        alone = advance(&run, i, problems, &now) &&
                (i == 0 || natural_world_agrees(&run.world, &run.given.loops->items[i]));
        if (alone)
            autoscaler_loop(&run.given.autoscaler, now, &run.result);
    }
    arena_release(&own);
    return alone;
}

void natural_scenario_init(struct natural_scenario *result, struct arena *arena,
                           const struct value *document, const struct features *features)
{
    const struct value *loops = value_find(document, "loops");
    struct problems problems;
    problems_init(&problems, arena);
    *result = (struct natural_scenario){
        .document = document, .features = *features, .loop_count = loops ? loops->count : 0};
    result->alone = is_alone(result, arena, &problems);
}

bool natural_outcomes_draw(struct arena *arena, const struct natural_scenario *scenario,
                           uint64_t seed, const char **outcomes, struct problems *problems)
{
    if (scenario->alone)
        return draw_outcomes(arena, scenario, seed, 0, outcomes, problems);
    for (uint32_t i = 0; i < scenario->loop_count; i++)
        if (!draw_outcomes(arena, scenario, seed, i, outcomes, problems))
            return false;
    return true;
}

bool natural_outcomes_find(struct natural_outcomes *found, struct arena *arena,
                           const struct natural_scenario *scenario, uint32_t runs,
                           struct problems *problems)
{
    const char **outcomes = ARENA_ARRAY(arena, const char *, scenario->loop_count + 1);
    *found =
        (struct natural_outcomes){runs, ARENA_ARRAY(arena, struct map, scenario->loop_count + 1)};
    for (uint32_t i = 0; i < scenario->loop_count; i++)
        map_init(&found->loops[i], arena);
    for (uint32_t run = 0; run < runs; run++) {
        if (!natural_outcomes_draw(arena, scenario, (uint64_t)(run + 1) << 32, outcomes, problems))
            return false;
        for (uint32_t i = 0; i < scenario->loop_count; i++) {
            struct map_entry *entry = map_put(&found->loops[i], outcomes[i]);
            entry->value = (void *)((uintptr_t)entry->value + 1);
        }
    }
    return true;
}

void natural_outcomes_write(struct json_out *json, const struct natural_outcomes *found,
                            uint32_t loop)
{
    json_object_begin(json, "natural");
    json_unsigned(json, "runs", found->runs);
    json_unsigned(json, "outcomes", found->loops[loop].count);
    json_array_begin(json, "sets");
    MAP_EACH (&found->loops[loop], entry) {
        json_object_begin(json, NULL);
        json_unsigned(json, "n", (uintptr_t)entry->value);
        json_raw(json, "outcome", entry->key);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}
