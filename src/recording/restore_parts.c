/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/restore_parts.h"

#include "object/time.h"

#include <string.h>

const char *restore_time(struct restorer *restorer, double seconds)
{
    return time_format(restorer->recording->arena, recording_instant(restorer->recording, seconds));
}

bool line_says(const struct value *line, const char *key)
{
    bool truth = false;
    return value_read_boolean(value_find(line, key), &truth) && truth;
}

const char *line_item(const struct value *list, uint32_t index)
{
    const char *text = NULL;
    if (list && list->kind == VALUE_SEQUENCE && list->count > index)
        value_read_string(&list->items[index], &text);
    return text;
}

/* When the object was made: its life may have gaps. */
const struct version *version_birth(const struct version *version)
{
    const struct version *first = version;
    while (first > version->thing->versions.items && !first[-1].gone)
        first--;
    return first;
}

const char *version_bound_node(const struct version *version)
{
    const struct version *end = version->thing->versions.items + version->thing->versions.count;
    for (const struct version *later = version; later < end && !later->gone; later++) {
        const char *node = value_find_string(later->line, "nodeName");
        if (node)
            return node;
    }
    return NULL;
}

/* Since when `key` has been what it is in this version. */
double version_since(const struct version *version, const char *key)
{
    const struct version *first = version;
    const struct value *present = value_find(version->line, key);
    while (first > version_birth(version)) {
        const struct value *before = value_find(first[-1].line, key);
        if (value_is_null(before) != value_is_null(present) ||
            (before && present && !value_equal(before, present)))
            break;
        first--;
    }
    return first->time;
}

void restore_members(struct json_out *json, const struct value *mapping, const char *const *except)
{
    if (!mapping || mapping->kind != VALUE_MAPPING)
        return;
    VALUE_EACH_MEMBER(mapping, member)
    {
        bool left_out = false;
        for (const char *const *key = except; *key; key++)
            left_out = left_out || strcmp(*key, member->key) == 0;
        if (!left_out)
            value_write_json(json, member->key, &member->value);
    }
}

/* ---- templates ---- */

/* The manifest whose template the pods of this owner are made from. */
const struct value *restore_owner_manifest(const struct recording *recording, const char *kind,
                                           const char *namespace, const char *name,
                                           const char *image)
{
    const struct value *manifest = recording_manifest(recording, kind, name, image);
    if (manifest || strcmp(kind, "ReplicaSet") != 0)
        return manifest;
    const struct thing *set = recording_find(recording, kind, namespace, name);
    if (!set || set->versions.count == 0)
        return NULL;
    const struct value *owner = value_find(set->versions.items[0].line, "owner");
    const char *owner_kind = line_item(owner, 0);
    const char *owner_name = line_item(owner, 1);
    return owner_kind && owner_name ? recording_manifest(recording, owner_kind, owner_name, image)
                                    : NULL;
}

const struct value *restore_template_of(const struct value *manifest)
{
    return value_find(value_find(manifest, "spec"), "template");
}

static void write_resources(struct json_out *json, const struct value *resources,
                            const struct value *requests)
{
    static const char *const except[] = {"requests", NULL};
    json_object_begin(json, "resources");
    restore_members(json, resources, except);
    value_write_json(json, "requests", requests);
    json_object_end(json);
}

void restore_containers(struct json_out *json, const struct value *containers, const char *image,
                        const struct value *requests)
{
    static const char *const except[] = {"image", NULL};
    static const char *const except_resources[] = {"image", "resources", NULL};
    const bool single = requests && requests->kind == VALUE_MAPPING && containers &&
                        containers->kind == VALUE_SEQUENCE && containers->count == 1;
    json_array_begin(json, "containers");
    if (containers && containers->kind == VALUE_SEQUENCE)
        for (uint32_t i = 0; i < containers->count; i++) {
            json_object_begin(json, NULL);
            const char *own = value_find_string(&containers->items[i], "image");
            restore_members(json, &containers->items[i], single ? except_resources : except);
            if (single)
                write_resources(json, value_find(&containers->items[i], "resources"), requests);
            json_string(json, "image", i == 0 && image ? image : own ? own : "");
            json_object_end(json);
        }
    json_array_end(json);
}

void restore_template(struct json_out *json, const struct value *template, const char *image,
                      const char *hash)
{
    static const char *const metadata_except[] = {"labels", NULL};
    static const char *const spec_except[] = {"containers", NULL};
    static const char *const none[] = {NULL};
    const struct value *metadata = value_find(template, "metadata");
    const struct value *spec = value_find(template, "spec");
    json_object_begin(json, "template");
    json_object_begin(json, "metadata");
    restore_members(json, metadata, metadata_except);
    json_object_begin(json, "labels");
    restore_members(json, value_find(metadata, "labels"), none);
    if (hash)
        json_string(json, "pod-template-hash", hash);
    json_object_end(json);
    json_object_end(json);
    json_object_begin(json, "spec");
    restore_members(json, spec, spec_except);
    restore_containers(json, value_find(spec, "containers"), image, NULL);
    json_object_end(json);
    json_object_end(json);
}

/* ---- metadata, conditions ---- */

/* Recordings without whole objects tell pods apart by UID and others by name. */
/* How often an object of this name had been made before, at that commit. */
static uint32_t lives_before(const struct thing *thing, int64_t rv)
{
    uint32_t lives = 0;
    for (uint32_t i = 0; thing && i < thing->versions.count && thing->versions.items[i].rv <= rv;
         i++)
        lives += i > 0 && thing->versions.items[i - 1].gone;
    return lives;
}

static const char *uid_of(struct restorer *restorer, const char *kind, const char *namespace,
                          const char *name, int64_t rv)
{
    /* A Job selects its pods by its own UID, which is a label of theirs. */
    const struct recording *recording = restorer->recording;
    for (uint32_t t = 0; strcmp(kind, "Job") == 0 && t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const struct value *owner = value_find(thing->versions.items[0].line, "owner");
        const char *owner_kind = line_item(owner, 0);
        const char *owner_name = line_item(owner, 1);
        const char *uid = value_find_string(value_find(thing->versions.items[0].line, "labels"),
                                            "controller-uid");
        if (uid && owner_kind && owner_name && strcmp(owner_kind, "Job") == 0 &&
            strcmp(owner_name, name) == 0)
            return uid;
    }
    const uint32_t lives = lives_before(recording_find(recording, kind, namespace, name), rv);
    return lives == 0 ? arena_printf(recording->arena, "%s-%s", kind, name)
                      : arena_printf(recording->arena, "%s-%s-%u", kind, name, lives);
}

static void write_owner(struct restorer *restorer, struct json_out *json,
                        const struct version *version)
{
    const struct value *owner = value_find(version->line, "owner");
    const char *kind = line_item(owner, 0);
    const char *name = line_item(owner, 1);
    if (!kind || !name)
        return;
    json_array_begin(json, "ownerReferences");
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", strcmp(kind, "Job") == 0 ? "batch/v1" : "apps/v1");
    json_string(json, "kind", kind);
    json_string(json, "name", name);
    json_string(
        json, "uid",
        uid_of(restorer, kind, version->thing->namespace, name, version_birth(version)->rv));
    json_boolean(json, "controller", true);
    json_object_end(json);
    json_array_end(json);
}

void restore_identity(struct restorer *restorer, struct json_out *json,
                      const struct version *version)
{
    const struct value *line = version->line;
    int64_t generation = 0;
    json_string(json, "name", version->thing->name);
    if (version->thing->namespace)
        json_string(json, "namespace", version->thing->namespace);
    json_string(json, "creationTimestamp", restore_time(restorer, version_birth(version)->time));
    if (value_read_integer(value_find(line, "generation"), &generation))
        json_integer(json, "generation", generation);
    const char *uid = value_find_string(line, "uid");
    json_string(json, "uid",
                uid ? uid
                    : uid_of(restorer, version->thing->kind, version->thing->namespace,
                             version->thing->name, version->rv));
    write_owner(restorer, json, version);
}

void restore_condition(struct json_out *json, const char *type, const char *status,
                       const char *reason, const char *time)
{
    json_object_begin(json, NULL);
    json_string(json, "type", type);
    json_string(json, "status", status);
    if (reason)
        json_string(json, "reason", reason);
    if (time)
        json_string(json, "lastTransitionTime", time);
    json_object_end(json);
}

/* {"Available": ["True", "MinimumReplicasAvailable"]} */
static void write_conditions(struct restorer *restorer, struct json_out *json,
                             const struct version *version)
{
    const struct value *conditions = value_find(version->line, "conditions");
    if (value_is_null(conditions) || conditions->kind != VALUE_MAPPING)
        return;
    json_array_begin(json, "conditions");
    VALUE_EACH_MEMBER(conditions, member)
    {
        const char *status = line_item(&member->value, 0);
        restore_condition(json, member->key, status ? status : "Unknown",
                          line_item(&member->value, 1), restore_time(restorer, version->time));
    }
    json_array_end(json);
}

void restore_status(struct restorer *restorer, struct json_out *json, const struct version *version)
{
    static const char *const none[] = {"conditions", NULL};
    json_object_begin(json, "status");
    restore_members(json, value_find(version->line, "status"), none);
    write_conditions(restorer, json, version);
    json_object_end(json);
}
