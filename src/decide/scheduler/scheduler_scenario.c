/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/scheduler_scenario.h"

#include "decide/scenario.h"
#include "object/admission.h"
#include "object/pod.h"

static bool read_lists(struct arena *arena, const struct value *value, struct objects *objects,
                       struct problems *problems)
{
    static const char *const lists[] = {"nodes", "pods", "extra"};
    bool good = true;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        good = scenario_read_objects(arena, value_find(value, lists[i]), objects, problems) && good;
    return good;
}

static bool read_pod(struct arena *arena, const struct value *value, struct objects *objects,
                     struct problems *problems)
{
    const struct value *pending = value_find(value, "pod");
    if (value_is_null(pending)) {
        problem_error(problems, value_place(value), "pod", "expected a pending pod, found none");
        return false;
    }
    struct document *document = ARENA_NEW(arena, struct document);
    document->root = *pending;
    if (!objects_add(arena, objects, document, NULL, problems))
        return false;
    const struct object *object = &objects->items[objects->count - 1];
    if (object->kind == OBJECT_POD)
        return true;
    problem_error(problems, object->place, "pod", "expected a Pod, found a %s", object->kind_name);
    return false;
}

bool scheduler_scenario_read(struct arena *arena, const struct value *value,
                             const struct features *features, struct scheduler_scenario *scenario,
                             struct problems *problems)
{
    const struct admission_options options = {.no_default_tolerations = true};
    *scenario = (struct scheduler_scenario){.features = *features};
    struct objects *objects = &scenario->objects;
    if (!scenario_read_features(value, &scenario->features, problems) ||
        !read_lists(arena, value, objects, problems) ||
        !read_pod(arena, value, objects, problems) ||
        !objects_admit(arena, objects, &options, problems))
        return false;
    scenario->pod = objects->items[--objects->count].as.pod;
    return true;
}
