/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scenario.h"

#include "decide/features.h"
#include "object/autoscaler.h"
#include "object/node.h"
#include "object/time.h"
#include "object/workload.h"

#include <inttypes.h>
#include <stdio.h>

static bool read_objects(struct arena *arena, const struct value *list,
                         const struct object_options *options, struct objects *objects,
                         struct problems *problems)
{
    if (value_is_null(list))
        return true;
    if (list->kind != VALUE_SEQUENCE) {
        value_expected(problems, list, "objects", "a list");
        return false;
    }
    bool good = true;
    VALUE_EACH_ITEM(list, item)
    {
        struct document *document = ARENA_NEW(arena, struct document);
        document->root = *item;
        good = objects_add(arena, objects, document, options, problems) && good;
    }
    return good;
}

bool scenario_read_objects(struct arena *arena, const struct value *list, struct objects *objects,
                           struct problems *problems)
{
    return read_objects(arena, list, NULL, objects, problems);
}

bool scenario_read_unvalidated(struct arena *arena, const struct value *list,
                               struct objects *objects, struct problems *problems)
{
    const struct object_options options = {.unvalidated = true};
    return read_objects(arena, list, &options, objects, problems);
}

bool scenario_read_time(const struct value *mapping, const char *key, int64_t *time,
                        struct problems *problems)
{
    const struct value *value = value_find(mapping, key);
    const char *text;
    const char *why;
    *time = TIME_NONE;
    if (value_is_null(value))
        return true;
    if (!value_read_string(value, &text)) {
        value_expected(problems, value, key, "an instant");
        return false;
    }
    if (!time_parse(text, time, &why)) {
        problem_error(problems, value_place(value), key, "%s", why);
        return false;
    }
    return true;
}

bool scenario_read_integer(const struct value *mapping, const char *key,
                           struct scenario_number allowed, int64_t *number,
                           struct problems *problems)
{
    const struct value *value = value_find(mapping, key);
    char expected[96];
    *number = allowed.otherwise;
    if (value_is_null(value) ||
        (value_read_integer(value, number) && *number >= allowed.least && *number <= allowed.most))
        return true;
    snprintf(expected, sizeof(expected), "a whole number from %" PRId64 " to %" PRId64,
             allowed.least, allowed.most);
    value_expected(problems, value, key, expected);
    return false;
}

static bool read_version(const struct value *mapping, struct features *features,
                         struct problems *problems)
{
    const struct value *value = value_find(mapping, "kubernetesVersion");
    const char *text;
    if (value_is_null(value) ||
        (value_read_string(value, &text) && features_of_text(text, features)))
        return true;
    value_expected(problems, value, "kubernetesVersion", "a version from " FEATURES_RANGE);
    return false;
}

static bool read_gates(const struct value *mapping, struct features *features,
                       struct problems *problems)
{
    const struct value *gates = value_find(mapping, "featureGates");
    if (value_is_null(gates))
        return true;
    if (gates->kind != VALUE_MAPPING) {
        value_expected(problems, gates, "featureGates", "a mapping");
        return false;
    }
    bool good = true;
    VALUE_EACH_MEMBER(gates, member)
    {
        bool enabled;
        if (!value_read_boolean(&member->value, &enabled)) {
            value_expected(problems, &member->value, "featureGates", "true or false");
            good = false;
        } else if (!features_set(features, member->key, enabled)) {
            problem_error(problems, value_place(&member->value), "featureGates",
                          "%s is not a gate that the model knows", member->key);
            good = false;
        }
    }
    return good;
}

bool scenario_read_features(const struct value *value, struct features *features,
                            struct problems *problems)
{
    const struct value *input = value_find(value, "input");
    return read_version(value, features, problems) && read_version(input, features, problems) &&
           read_gates(value, features, problems) && read_gates(input, features, problems);
}

bool scenario_read(struct arena *arena, const struct value *value, const struct features *features,
                   struct scenario *scenario, struct problems *problems)
{
    *scenario = (struct scenario){.clock = TIME_NONE, .features = *features};
    if (value->kind != VALUE_MAPPING) {
        value_expected(problems, value, NULL, "a scenario");
        return false;
    }
    bool good =
        scenario_read_objects(arena, value_find(value, "objects"), &scenario->objects, problems);
    scenario->input = value_find(value, "input");
    if (value_is_null(scenario->input)) {
        scenario->input = NULL;
    } else if (scenario->input->kind != VALUE_MAPPING) {
        value_expected(problems, scenario->input, "input", "a mapping");
        good = false;
    } else {
        good = scenario_read_time(scenario->input, "clock", &scenario->clock, problems) && good;
    }
    return scenario_read_features(value, &scenario->features, problems) && good;
}

struct object *scenario_only(const struct objects *objects, enum object_kind kind,
                             struct problems *problems)
{
    struct object *found = NULL;
    for (uint32_t i = 0; i < objects->count; i++) {
        struct object *object = &objects->items[i];
        if (object->kind != kind)
            continue;
        if (found) {
            problem_error(problems, object->place, NULL, "expected one %s, found another",
                          object_kind_name(kind));
            return NULL;
        }
        found = object;
    }
    if (!found)
        problem_error(problems, (struct place){0}, NULL, "expected a %s, found none",
                      object_kind_name(kind));
    return found;
}

static void see(int64_t *latest, int64_t time)
{
    if (time != TIME_NONE && time > *latest)
        *latest = time;
}

static void see_conditions(int64_t *latest, const struct conditions *conditions)
{
    for (uint32_t i = 0; i < conditions->count; i++) {
        see(latest, conditions->items[i].last_heartbeat_time);
        see(latest, conditions->items[i].last_transition_time);
        see(latest, conditions->items[i].last_update_time);
    }
}

int64_t scenario_present(const struct objects *objects)
{
    int64_t latest = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        see(&latest, object->meta->creation_time);
        if (object->kind == OBJECT_POD) {
            see(&latest, object->as.pod->status.start_time);
            see_conditions(&latest, &object->as.pod->status.conditions);
        } else if (object->kind == OBJECT_NODE) {
            see_conditions(&latest, &object->as.node->status.conditions);
        } else if (object->kind == OBJECT_DEPLOYMENT) {
            see_conditions(&latest, &object->as.deployment->status.conditions);
        } else if (object->kind == OBJECT_REPLICA_SET) {
            see_conditions(&latest, &object->as.replica_set->status.conditions);
        } else if (object->kind == OBJECT_JOB) {
            see(&latest, object->as.job->status.start_time);
            see(&latest, object->as.job->status.completion_time);
        } else if (object->kind == OBJECT_CRON_JOB) {
            see(&latest, object->as.cron_job->status.last_schedule_time);
            see(&latest, object->as.cron_job->status.last_successful_time);
        } else if (object->kind == OBJECT_POD_METRICS) {
            see(&latest, object->as.pod_metrics->timestamp);
        } else if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER) {
            see(&latest, object->as.horizontal_pod_autoscaler->status.last_scale_time);
            see_conditions(&latest, &object->as.horizontal_pod_autoscaler->status.conditions);
        }
    }
    return latest;
}

int64_t scenario_clock(const struct scenario *scenario)
{
    return scenario->clock == TIME_NONE ? scenario_present(&scenario->objects) : scenario->clock;
}
