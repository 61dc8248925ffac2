/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/expression_names.h"

#include "base/suggest.h"
#include "cluster/ask/expression_cluster.h"
#include "expression/expression_key.h"
#include "object/check.h"

#include <string.h>

static bool is_event(const void *context, const char *name)
{
    (void)context;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        if (strcmp(event_kind_name((enum event_kind)kind), name) == 0)
            return true;
    return false;
}

static const char *nearest_event(const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        suggestion_offer(&suggestion, event_kind_name((enum event_kind)kind));
    return suggestion.nearest ? suggestion.nearest : "maintenance";
}

static bool has_known_events(const struct expression *expression, struct place place,
                             const char *path, struct problems *problems)
{
    const struct expression_keys events = {.variable = "events", .has = is_event};
    const char *missing = expression_missing_key(expression, &events);
    if (!missing)
        return true;
    problem_error(problems, place, path,
                  "there is no event %s; events go by their kinds, such as events.%s", missing,
                  nearest_event(missing));
    return false;
}

static bool is_workload(const void *context, const char *name)
{
    const struct expression_value *workloads = context;
    struct expression_value found;
    return expression_map_find(workloads->map, expression_of_string(name), &found);
}

static const char *nearest_workload(const struct expression_map *workloads, const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (uint32_t i = 0; i < workloads->count + workloads->alias_count; i++)
        suggestion_offer(&suggestion, workloads->keys[i].text);
    return suggestion.nearest;
}

static bool has_known_workloads(const struct expression *expression, const struct scope *scope,
                                struct place place, const char *path, struct problems *problems)
{
    const struct expression_value workloads =
        expression_workloads(expression_cluster(NULL, NULL, NULL).classes, scope, problems->arena);
    const struct expression_keys keys = {
        .variable = "workloads", .has = is_workload, .context = &workloads, .may_be_asked = true};
    const char *missing = expression_missing_key(expression, &keys);
    if (!missing)
        return true;
    const char *nearest = nearest_workload(workloads.map, missing);
    problem_error(problems, place, path,
                  "there is no workload %s%s%s%s; workloads go by Kind/namespace/name, "
                  "or Kind/name where one has it; '%s' in workloads asks whether there is one",
                  missing, nearest ? " (did you mean " : "", nearest ? nearest : "",
                  nearest ? "?)" : "", missing);
    return false;
}

const struct expression *expression_of_cluster(struct arena *arena, const char *text,
                                               const struct scope *scope, struct place place,
                                               const char *path, struct problems *problems)
{
    const struct expression *expression = expression_compile(
        arena, text, &cluster_environment, &expression_bool, place, path, problems);
    return expression && has_known_events(expression, place, path, problems) &&
                   (!scope || has_known_workloads(expression, scope, place, path, problems))
               ? expression
               : NULL;
}
