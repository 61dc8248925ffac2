/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_out.h"
#include "object/meta.h"
#include "object/time.h"
#include "recording/record.h"

#include <stdlib.h>
#include <string.h>

const struct value *sighting_field(const struct sighting *sighting, const char *first,
                                   const char *second)
{
    const struct value *value = value_find(sighting->object, first);
    return second ? value_find(value, second) : value;
}

bool sighting_owner(const struct sighting *sighting, const char **kind, const char **name)
{
    const struct value *owners = sighting_field(sighting, "metadata", "ownerReferences");
    for (uint32_t i = 0; owners && owners->kind == VALUE_SEQUENCE && i < owners->count; i++) {
        bool controls = false;
        value_read_boolean(value_find(&owners->items[i], "controller"), &controls);
        *kind = value_find_string(&owners->items[i], "kind");
        *name = value_find_string(&owners->items[i], "name");
        if (controls && *kind && *name)
            return true;
    }
    return false;
}

static bool same_object(const struct sighting *a, const struct sighting *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->namespace ? a->namespace : "", b->namespace ? b->namespace : "") == 0;
}

const struct sighting *sighting_before(const struct sightings *sightings, uint32_t index)
{
    for (uint32_t i = index; i > 0; i--)
        if (same_object(&sightings->items[i - 1], &sightings->items[index]))
            return sightings->items[i - 1].gone ? NULL : &sightings->items[i - 1];
    return NULL;
}

bool record_watch_event(struct arena *arena, const struct value *event, double time,
                        struct sightings *sightings, struct problems *problems)
{
    const char *type = value_find_string(event, "type");
    const struct value *object = type ? value_find(event, "object") : event;
    const struct value *metadata = value_find(object, "metadata");
    const char *kind = value_find_string(object, "kind");
    const char *name = value_find_string(metadata, "name");
    const char *version = value_find_string(metadata, "resourceVersion");
    if (type && (strcmp(type, "BOOKMARK") == 0 || strcmp(type, "ERROR") == 0))
        return true;
    char *end = NULL;
    const long long rv = version ? strtoll(version, &end, 10) : 0;
    if (!kind || !name || !version || *end || rv <= 0) {
        value_expected(problems, event, NULL, "a watch event, {\"type\": ..., \"object\": {...}}");
        return false;
    }
    const struct sighting sighting = {
        .rv = rv,
        .time = time,
        .gone = type && strcmp(type, "DELETED") == 0,
        .kind = kind,
        .namespace = value_find_string(metadata, "namespace"),
        .name = name,
        .object = object,
    };
    VEC_PUSH(arena, sightings, sighting);
    return true;
}

static int compare_sightings(const void *left, const void *right)
{
    const struct sighting *a = left;
    const struct sighting *b = right;
    if (a->rv != b->rv)
        return a->rv < b->rv ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

void record_sort(struct sightings *sightings, int64_t start)
{
    uint32_t kept = 0;
    if (sightings->count == 0)
        return;
    qsort(sightings->items, sightings->count, sizeof(*sightings->items), compare_sightings);
    for (uint32_t i = 0; i < sightings->count; i++) {
        struct sighting sighting = sightings->items[i];
        if (kept > 0 && sightings->items[kept - 1].rv == sighting.rv)
            continue;
        const struct value *metadata = value_find(sighting.object, "metadata");
        const char *created = value_find_string(metadata, "creationTimestamp");
        int64_t instant = start;
        if (created)
            time_parse(created, &instant, NULL);
        sightings->items[kept++] = sighting;
        sightings->items[kept - 1].old = !sighting.gone &&
                                         instant + NANOSECONDS_PER_SECOND < start &&
                                         !sighting_before(sightings, kept - 1);
    }
    sightings->count = kept;
}

/* Who wrote last, as the object says. */
static const char *last_manager(const struct sighting *sighting)
{
    const struct value *fields = sighting_field(sighting, "metadata", "managedFields");
    const char *manager = NULL;
    const char *latest = "";
    for (uint32_t i = 0; fields && fields->kind == VALUE_SEQUENCE && i < fields->count; i++) {
        const char *time = value_find_string(&fields->items[i], "time");
        if (time && strcmp(time, latest) >= 0) {
            latest = time;
            manager = value_find_string(&fields->items[i], "manager");
        }
    }
    return manager;
}

/* managedFields are left out: they are large, and no decision depends on them. */
static void write_metadata(struct json_out *json, const struct value *metadata)
{
    json_object_begin(json, "metadata");
    VALUE_EACH_MEMBER(metadata, member)
    {
        if (strcmp(member->key, "managedFields") != 0)
            value_write_json(json, member->key, &member->value);
    }
    json_object_end(json);
}

static void write_object(struct json_out *json, const struct value *object)
{
    json_object_begin(json, "object");
    VALUE_EACH_MEMBER(object, member)
    {
        if (strcmp(member->key, "metadata") == 0 && member->value.kind == VALUE_MAPPING)
            write_metadata(json, &member->value);
        else
            value_write_json(json, member->key, &member->value);
    }
    json_object_end(json);
}

/* Writes the whole object, and beside it the fields that are looked up often. */
static void write_line(struct json_out *json, const struct sighting *sighting, bool first)
{
    const char *owner_kind;
    const char *owner_name;
    const char *node = value_find_string(value_find(sighting->object, "spec"), "nodeName");
    const struct value *taints = sighting_field(sighting, "spec", "taints");
    const struct value *revision = value_find(sighting->object, "revision");
    const char *manager = last_manager(sighting);
    json_object_begin(json, NULL);
    json_number(json, "t", sighting->time);
    json_integer(json, "rv", sighting->rv);
    json_string(json, "type", sighting->gone ? "DELETED" : first ? "ADDED" : "MODIFIED");
    json_string(json, "kind", sighting->kind);
    json_string(json, "namespace", sighting->namespace);
    json_string(json, "name", sighting->name);
    if (sighting_owner(sighting, &owner_kind, &owner_name)) {
        json_array_begin(json, "owner");
        json_string(json, NULL, owner_kind);
        json_string(json, NULL, owner_name);
        json_array_end(json);
    }
    if (node)
        json_string(json, "nodeName", node);
    if (taints)
        value_write_json(json, "taints", taints);
    if (revision)
        value_write_json(json, "revision", revision);
    if (manager)
        json_string(json, "manager", manager);
    write_object(json, sighting->object);
    json_object_end(json);
}

void record_write_watch(struct arena *arena, const struct sightings *sightings, struct text *text)
{
    (void)arena;
    for (uint32_t i = 0; i < sightings->count; i++) {
        struct json_out json;
        json_out_init(&json, text, 0);
        write_line(&json, &sightings->items[i], !sighting_before(sightings, i));
        text_append_char(text, '\n');
    }
}
