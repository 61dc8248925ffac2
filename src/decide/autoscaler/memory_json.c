/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/result_json.h"

#include <stdlib.h>
#include <string.h>

void write_seconds(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                   const char *key, int64_t time)
{
    json_number(json, key, (double)(time - autoscaler->epoch) / NANOSECONDS_PER_SECOND);
}

static int compare_records(const void *left, const void *right)
{
    const struct node_record *a = *(const struct node_record *const *)left;
    const struct node_record *b = *(const struct node_record *const *)right;
    return strcmp(a->name, b->name);
}

/* By name. */
static const struct node_record **sort_records(const struct cluster_autoscaler *autoscaler)
{
    const struct node_record **records = ARENA_ARRAY(
        autoscaler->loop_arena, const struct node_record *, autoscaler->records.count + 1);
    uint32_t count = 0;
    MAP_EACH (&autoscaler->records, entry)
        records[count++] = entry->value;
    qsort(records, count, sizeof(const struct node_record *), compare_records);
    return records;
}

/* A time that some of the records have. */
struct record_time {
    const char *key;
    bool (*has)(const struct node_record *record);
    int64_t (*time)(const struct node_record *record);
};

static bool is_unneeded(const struct node_record *record)
{
    return record->unneeded;
}

static int64_t unneeded_since(const struct node_record *record)
{
    return record->unneeded_since;
}

static bool is_unremovable(const struct node_record *record)
{
    return record->unremovable;
}

static int64_t unremovable_until(const struct node_record *record)
{
    return record->unremovable_until;
}

static bool has_request(const struct node_record *record)
{
    return record->has_request;
}

static int64_t request_until(const struct node_record *record)
{
    return record->request_until;
}

static void write_times(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                        const struct node_record *const *records, struct record_time times)
{
    bool any = false;
    for (uint32_t i = 0; i < autoscaler->records.count; i++) {
        if (!times.has(records[i]))
            continue;
        if (!any)
            json_object_begin(json, times.key);
        any = true;
        write_seconds(json, autoscaler, records[i]->name, times.time(records[i]));
    }
    if (any)
        json_object_end(json);
}

static void write_deleting(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                           const struct node_record *const *records)
{
    bool any = false;
    for (uint32_t i = 0; i < autoscaler->records.count; i++)
        any |= records[i]->deleting_empty || records[i]->deleting_drain;
    if (!any)
        return;
    json_object_begin(json, "deleting");
    json_array_begin(json, "empty");
    for (uint32_t i = 0; i < autoscaler->records.count; i++)
        if (records[i]->deleting_empty)
            json_string(json, NULL, records[i]->name);
    json_array_end(json);
    json_array_begin(json, "drain");
    for (uint32_t i = 0; i < autoscaler->records.count; i++)
        if (records[i]->deleting_drain)
            json_string(json, NULL, records[i]->name);
    json_array_end(json);
    json_object_end(json);
}

/* One mapping from groups to what is remembered of them, if there is any. */
static void write_groups(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                         const char *key, bool (*has)(const struct autoscaler_group *group),
                         void (*write)(struct json_out *json,
                                       const struct cluster_autoscaler *autoscaler,
                                       const struct autoscaler_group *group))
{
    bool any = false;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        if (!has(group))
            continue;
        if (!any)
            json_object_begin(json, key);
        any = true;
        write(json, autoscaler, group);
    }
    if (any)
        json_object_end(json);
}

static bool group_has_request(const struct autoscaler_group *group)
{
    return group->has_request;
}

static void write_request(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                          const struct autoscaler_group *group)
{
    json_object_begin(json, group->id);
    write_seconds(json, autoscaler, "at", group->request_time);
    write_seconds(json, autoscaler, "deadline", group->request_deadline);
    json_integer(json, "increase", group->request_increase);
    json_object_end(json);
}

static bool group_has_backoff(const struct autoscaler_group *group)
{
    return group->has_backoff;
}

static void write_backoff(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                          const struct autoscaler_group *group)
{
    json_object_begin(json, group->id);
    json_number(json, "duration", (double)group->backoff_duration / NANOSECONDS_PER_SECOND);
    write_seconds(json, autoscaler, "until", group->backoff_until);
    json_object_end(json);
}

static bool group_has_wrong_size(const struct autoscaler_group *group)
{
    return group->wrong_size;
}

static void write_wrong_size(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                             const struct autoscaler_group *group)
{
    json_object_begin(json, group->id);
    json_integer(json, "current", group->wrong_current);
    json_integer(json, "expected", group->wrong_expected);
    write_seconds(json, autoscaler, "since", group->wrong_since);
    json_object_end(json);
}

static void write_unregistered(struct json_out *json, const struct cluster_autoscaler *autoscaler)
{
    bool any = false;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = autoscaler->groups.items[i];
        for (uint32_t k = 0; k < group->instances.count; k++) {
            const struct instance *instance = &group->instances.items[k];
            if (instance->unregistered_since == TIME_NONE)
                continue;
            if (!any)
                json_object_begin(json, "unregisteredSince");
            any = true;
            write_seconds(json, autoscaler, instance->name, instance->unregistered_since);
        }
    }
    if (any)
        json_object_end(json);
}

void memory_write(struct json_out *json, const struct cluster_autoscaler *autoscaler)
{
    const struct node_record *const *records = sort_records(autoscaler);
    json_object_begin(json, "memory");
    write_times(json, autoscaler, records,
                (struct record_time){"unneededSince", is_unneeded, unneeded_since});
    write_times(json, autoscaler, records,
                (struct record_time){"unremovableUntil", is_unremovable, unremovable_until});
    write_groups(json, autoscaler, "scaleUpRequests", group_has_request, write_request);
    write_times(json, autoscaler, records,
                (struct record_time){"scaleDownRequests", has_request, request_until});
    write_unregistered(json, autoscaler);
    write_groups(json, autoscaler, "wrongSize", group_has_wrong_size, write_wrong_size);
    write_groups(json, autoscaler, "backoff", group_has_backoff, write_backoff);
    if (autoscaler->has_scaled_up)
        write_seconds(json, autoscaler, "lastScaleUp", autoscaler->last_scale_up);
    if (autoscaler->has_deleted)
        write_seconds(json, autoscaler, "lastScaleDownDelete", autoscaler->last_delete);
    if (autoscaler->has_failed)
        write_seconds(json, autoscaler, "lastScaleDownFail", autoscaler->last_fail);
    write_deleting(json, autoscaler, records);
    json_unsigned(json, "index", autoscaler->index);
    json_object_end(json);
}
