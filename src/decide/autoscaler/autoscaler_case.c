/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/autoscaler_case.h"

#include "decide/autoscaler/expander.h"
#include "decide/autoscaler/group_reading.h"
#include "decide/scenario.h"
#include "manifest/document.h"

#include <math.h>

enum { SECONDS_MOST = 1000000000 };

/* A list of names; NULL: none. */
static bool read_names(struct arena *arena, const struct value *list, const char *path,
                       struct string_list *names, struct problems *problems)
{
    *names = (struct string_list){0};
    if (value_is_null(list))
        return true;
    if (list->kind != VALUE_SEQUENCE) {
        value_expected(problems, list, path, "a list of names");
        return false;
    }
    names->items = ARENA_ARRAY(arena, const char *, list->count + 1);
    VALUE_EACH_ITEM(list, item)
    {
        if (!value_read_string(item, &names->items[names->count])) {
            value_expected(problems, item, path, "a name");
            return false;
        }
        names->count++;
    }
    return true;
}

static bool check_expanders(const struct cluster_autoscaler *autoscaler,
                            const struct value *scenario, struct problems *problems)
{
    const char *wrong = expanders_wrong(autoscaler->arena, &autoscaler->options.expander);
    const struct value *place = value_find(value_find(scenario, "options"), "expander");
    const char *why;
    if (wrong) {
        problem_error(problems, value_place(place), "options.expander", "%s", wrong);
        return false;
    }
    if (autoscaler->priorities &&
        !priorities_check(autoscaler->arena, autoscaler->priorities, &why)) {
        problem_error(problems, value_place(value_find(scenario, "priorities")), "priorities",
                      "the regular expressions of priority %s are more than Fathom understands",
                      why);
        return false;
    }
    return true;
}

static bool read_priorities(struct cluster_autoscaler *autoscaler, const struct value *value,
                            struct problems *problems)
{
    if (value_is_null(value) || value_read_string(value, &autoscaler->priorities))
        return true;
    value_expected(problems, value, "priorities", "the text of the priority expander's ConfigMap");
    return false;
}

bool autoscaler_case_read(struct arena *arena, const struct value *scenario,
                          const struct features *features, struct autoscaler_case *result,
                          struct problems *problems)
{
    struct cluster_autoscaler *autoscaler = &result->autoscaler;
    struct features stated = *features;
    int64_t start;
    result->loops = value_find(scenario, "loops");
    if (!scenario_read_features(scenario, &stated, problems) ||
        !scenario_read_time(scenario, "now", &start, problems))
        return false;
    if (start == TIME_NONE) {
        problem_error(problems, value_place(scenario), "now", "expected an instant, found none");
        return false;
    }
    if (!result->loops || result->loops->kind != VALUE_SEQUENCE || result->loops->count == 0) {
        problem_error(problems, value_place(scenario), "loops", "expected at least one loop");
        return false;
    }
    autoscaler_init(autoscaler, arena, &stated, start);
    if (!autoscaler_options_read(arena, value_find(scenario, "options"), "options",
                                 &autoscaler->options, problems) ||
        !read_priorities(autoscaler, value_find(scenario, "priorities"), problems) ||
        !check_expanders(autoscaler, scenario, problems) ||
        !groups_read(autoscaler, value_find(scenario, "groups"), problems) ||
        !read_names(arena, value_find(scenario, "failScaleUp"), "failScaleUp",
                    &result->failing_groups, problems) ||
        !read_names(arena, value_find(scenario, "failTaint"), "failTaint",
                    &autoscaler->failing_taints, problems) ||
        !read_names(arena, value_find(scenario, "failDelete"), "failDelete",
                    &autoscaler->failing_deletions, problems) ||
        !autoscaler_world_read(&autoscaler->world, value_find(scenario, "objects"), "objects",
                               problems))
        return false;
    autoscaler_options_settle(&stated, &autoscaler->options, value_place(scenario), problems);
    return true;
}

/* ---- one loop ---- */

struct loop_reading {
    struct cluster_autoscaler *autoscaler;
    const struct value *loop;
    const char *path; /* "loops[2]" */
    struct problems *problems;
};

static const char *path_of(const struct loop_reading *reading, const char *key)
{
    return arena_printf(reading->autoscaler->arena, "%s.%s", reading->path, key);
}

static bool read_seconds(const struct loop_reading *reading, const struct value *value,
                         const char *path, int64_t *time)
{
    double seconds;
    if (!value_read_number(value, &seconds) || fabs(seconds) > SECONDS_MOST) {
        if (value)
            value_expected(reading->problems, value, path, "a number of seconds");
        else
            problem_error(reading->problems, value_place(reading->loop), path,
                          "expected a number of seconds, found nothing");
        return false;
    }
    *time = reading->autoscaler->epoch + (int64_t)llround(seconds * NANOSECONDS_PER_SECOND);
    return true;
}

static bool change_objects(const struct loop_reading *reading)
{
    struct cluster_autoscaler *autoscaler = reading->autoscaler;
    struct string_list deleted;
    if (!read_names(autoscaler->arena, value_find(reading->loop, "delete"),
                    path_of(reading, "delete"), &deleted, reading->problems))
        return false;
    for (uint32_t i = 0; i < deleted.count; i++)
        if (!autoscaler_world_delete(&autoscaler->world, deleted.items[i])) {
            problem_error(reading->problems, value_place(value_find(reading->loop, "delete")),
                          path_of(reading, "delete"), "there is no object %s", deleted.items[i]);
            return false;
        }
    return autoscaler_world_read(&autoscaler->world, value_find(reading->loop, "set"),
                                 path_of(reading, "set"), reading->problems);
}

static struct autoscaler_group *find_group(const struct loop_reading *reading, const char *key,
                                           const struct value *mapping, const struct member *member)
{
    struct autoscaler_group *group = autoscaler_find_group(reading->autoscaler, member->key);
    if (!group)
        problem_error(reading->problems, member_place(mapping, member), path_of(reading, key),
                      "there is no group %s", member->key);
    return group;
}

static bool read_targets(const struct loop_reading *reading)
{
    const struct value *targets = value_find(reading->loop, "targets");
    if (value_is_null(targets))
        return true;
    if (targets->kind != VALUE_MAPPING) {
        value_expected(reading->problems, targets, path_of(reading, "targets"),
                       "a mapping from groups to sizes");
        return false;
    }
    VALUE_EACH_MEMBER(targets, member)
    {
        struct autoscaler_group *group = find_group(reading, "targets", targets, member);
        if (!group || !size_read(&member->value, path_of(reading, "targets"), &group->target,
                                 reading->problems))
            return false;
    }
    return true;
}

/* From the second loop on a loop names all instances that are no nodes yet. */
static bool read_instances(const struct loop_reading *reading, bool first)
{
    const struct value *all = value_find(reading->loop, "unregistered");
    const char *path = path_of(reading, "unregistered");
    if (value_is_null(all) && first)
        return true;
    if (!value_is_null(all) && all->kind != VALUE_MAPPING) {
        value_expected(reading->problems, all, path, "a mapping from groups to instances");
        return false;
    }
    for (uint32_t i = 0; !value_is_null(all) && i < all->count; i++)
        if (!find_group(reading, "unregistered", all, &all->members[i]))
            return false;
    for (uint32_t i = 0; i < reading->autoscaler->groups.count; i++) {
        struct autoscaler_group *group = reading->autoscaler->groups.items[i];
        if (!instances_read(reading->autoscaler, group, value_find(all, group->id),
                            arena_printf(reading->autoscaler->arena, "%s.%s", path, group->id),
                            reading->problems))
            return false;
    }
    return true;
}

/* What the background has come to: it is no part of the loops. */
static bool read_background(const struct loop_reading *reading)
{
    struct cluster_autoscaler *autoscaler = reading->autoscaler;
    const struct value *before = value_find(reading->loop, "before");
    const struct value *deleting = value_find(before, "deleting");
    const struct value *requests = value_find(before, "scaleDownRequests");
    struct string_list empty;
    struct string_list drain;
    if (!read_names(autoscaler->arena, value_find(deleting, "empty"),
                    path_of(reading, "before.deleting.empty"), &empty, reading->problems) ||
        !read_names(autoscaler->arena, value_find(deleting, "drain"),
                    path_of(reading, "before.deleting.drain"), &drain, reading->problems))
        return false;
    MAP_EACH (&autoscaler->records, entry) {
        struct node_record *record = entry->value;
        record->deleting_empty = record->deleting_drain = record->has_request = false;
    }
    for (uint32_t i = 0; i < empty.count; i++)
        autoscaler_record(autoscaler, empty.items[i])->deleting_empty = true;
    for (uint32_t i = 0; i < drain.count; i++)
        autoscaler_record(autoscaler, drain.items[i])->deleting_drain = true;
    if (value_is_null(requests))
        return true;
    if (requests->kind != VALUE_MAPPING) {
        value_expected(reading->problems, requests, path_of(reading, "before.scaleDownRequests"),
                       "a mapping from nodes to seconds");
        return false;
    }
    VALUE_EACH_MEMBER(requests, member)
    {
        struct node_record *record = autoscaler_record(autoscaler, member->key);
        record->has_request = true;
        if (!read_seconds(reading, &member->value, path_of(reading, "before.scaleDownRequests"),
                          &record->request_until))
            return false;
    }
    return true;
}

static struct loop_reading reading_of(struct autoscaler_case *given, uint32_t loop,
                                      struct problems *problems)
{
    struct cluster_autoscaler *autoscaler = &given->autoscaler;
    return (struct loop_reading){autoscaler, &given->loops->items[loop],
                                 arena_printf(autoscaler->arena, "loops[%u]", loop), problems};
}

bool autoscaler_case_read_time(struct autoscaler_case *given, uint32_t loop, int64_t *now,
                               struct problems *problems)
{
    struct cluster_autoscaler *autoscaler = &given->autoscaler;
    const struct loop_reading reading = reading_of(given, loop, problems);
    const struct value *failing = value_find(reading.loop, "failScaleUp");
    if (reading.loop->kind != VALUE_MAPPING) {
        value_expected(problems, reading.loop, reading.path, "a mapping");
        return false;
    }
    autoscaler->failing_groups = given->failing_groups;
    if (!read_seconds(&reading, value_find(reading.loop, "at"), path_of(&reading, "at"), now) ||
        (!value_is_null(failing) &&
         !read_names(autoscaler->arena, failing, path_of(&reading, "failScaleUp"),
                     &autoscaler->failing_groups, problems)))
        return false;
    if (loop > 0 && *now < autoscaler->now) {
        problem_error(problems, value_place(reading.loop), path_of(&reading, "at"),
                      "a loop comes after the one before it");
        return false;
    }
    return true;
}

bool autoscaler_case_advance(struct autoscaler_case *given, uint32_t loop, int64_t *now,
                             struct problems *problems)
{
    const struct loop_reading reading = reading_of(given, loop, problems);
    return autoscaler_case_read_time(given, loop, now, problems) && change_objects(&reading) &&
           read_targets(&reading) && read_instances(&reading, loop == 0) &&
           read_background(&reading);
}
