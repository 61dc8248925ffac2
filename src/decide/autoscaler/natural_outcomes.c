/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/natural_outcomes.h"

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
    write_sorted(json, arena, "unneeded", names, result->unneeded.count);
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

/* The run has memory of its own. */
const char *natural_outcome(struct arena *arena, const struct value *scenario,
                            const struct features *features, uint32_t loop, uint64_t seed,
                            struct problems *problems)
{
    struct arena own;
    struct autoscaler_case given = {0};
    const char *outcome = NULL;
    arena_init(&own, arena->memory);
    bool good = autoscaler_case_read(&own, scenario, features, &given, problems);
    for (uint32_t i = 0; good && i <= loop; i++) {
        struct loop_result result;
        int64_t now;
        good = autoscaler_case_advance(&given, i, &now, problems);
        if (!good)
            break;
        given.autoscaler.loop_arena = &own;
        given.autoscaler.order_seed = i == loop ? seed : 0;
        autoscaler_loop(&given.autoscaler, now, &result);
        if (i == loop)
            outcome = arena_strdup(
                arena, describe(&own, &given.autoscaler, &result, given.loops->count > 1));
    }
    arena_release(&own);
    return outcome;
}

bool natural_outcomes_write(struct arena *arena, struct json_out *json,
                            const struct value *scenario, const struct features *features,
                            uint32_t loop, uint32_t runs, struct problems *problems)
{
    struct map outcomes;
    map_init(&outcomes, arena);
    for (uint32_t run = 0; run < runs; run++) {
        const char *outcome =
            natural_outcome(arena, scenario, features, loop, (uint64_t)(run + 1) << 32, problems);
        if (!outcome)
            return false;
        struct map_entry *entry = map_put(&outcomes, outcome);
        entry->value = (void *)((uintptr_t)entry->value + 1);
    }
    json_object_begin(json, "natural");
    json_unsigned(json, "runs", runs);
    json_unsigned(json, "outcomes", outcomes.count);
    json_array_begin(json, "sets");
    MAP_EACH (&outcomes, entry) {
        json_object_begin(json, NULL);
        json_unsigned(json, "n", (uintptr_t)entry->value);
        json_raw(json, "outcome", entry->key);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
    return true;
}
