/* SPDX-License-Identifier: Apache-2.0 */
/* metadata and conditions: what every kind has. */
#include "object/names.h"
#include "object/schemas.h"

#include <ctype.h>
#include <string.h>

static const struct field owner_reference_fields[] = {
    FIELD_STRING("apiVersion", owner_reference, api_version, FIELD_REQUIRED),
    FIELD_BOOLEAN("blockOwnerDeletion", owner_reference, block_owner_deletion, false),
    FIELD_BOOLEAN("controller", owner_reference, controller, false),
    FIELD_STRING("kind", owner_reference, kind, FIELD_REQUIRED),
    FIELD_STRING("name", owner_reference, name, FIELD_REQUIRED),
    FIELD_STRING("uid", owner_reference, uid, FIELD_REQUIRED),
};
static const struct schema owner_reference_schema = SCHEMA(owner_reference, owner_reference_fields);

static const struct field object_meta_fields[] = {
    FIELD_LABELS("annotations", object_meta, annotations),
    FIELD_INSTANT("creationTimestamp", object_meta, creation_time),
    FIELD_OPTIONAL_INT("deletionGracePeriodSeconds", object_meta, deletion_grace_seconds, INT64_MIN,
                       INT64_MAX),
    FIELD_INSTANT("deletionTimestamp", object_meta, deletion_time),
    FIELD_STRINGS("finalizers", object_meta, finalizers, 0),
    FIELD_STRING("generateName", object_meta, generate_name, 0),
    FIELD_INT64("generation", object_meta, generation, 0, 0, INT64_MAX, 0),
    FIELD_LABELS("labels", object_meta, labels),
    FIELD_STRING("name", object_meta, name, 0),
    FIELD_STRING("namespace", object_meta, namespace, 0),
    FIELD_LIST("ownerReferences", object_meta, owners, owner_count, 0, owner_reference_schema),
    FIELD_STRING("resourceVersion", object_meta, resource_version, 0),
    FIELD_STRING("uid", object_meta, uid, 0),
};
static const char *const object_meta_unused[] = {"clusterName", "managedFields", "selfLink", NULL};
const struct schema object_meta_schema =
    SCHEMA_COMPLETE(object_meta, object_meta_fields, object_meta_unused);

const char *const object_unused[] = {"apiVersion", "kind", NULL};

static const struct field condition_fields[] = {
    FIELD_INSTANT("lastHeartbeatTime", condition, last_heartbeat_time),
    FIELD_INSTANT("lastTransitionTime", condition, last_transition_time),
    FIELD_INSTANT("lastUpdateTime", condition, last_update_time),
    FIELD_STRING("message", condition, message, 0),
    FIELD_STRING("reason", condition, reason, 0),
    FIELD_STRING("status", condition, status, FIELD_NEVER_NULL),
    FIELD_STRING("type", condition, type, FIELD_REQUIRED),
};
const struct schema condition_schema = SCHEMA(condition, condition_fields);

void labels_validate(struct reading *reading, const struct path *path, const struct labels *labels)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct path entry = path_field(path, labels->items[i].key);
        qualified_name_validate(reading, &entry, labels->items[i].key);
        label_value_validate(reading, &entry, labels->items[i].value);
    }
}

void labels_set(struct arena *arena, struct labels *labels, const char *key, const char *value)
{
    uint32_t at = 0;
    while (at < labels->count && strcmp(labels->items[at].key, key) < 0)
        at++;
    const bool present = at < labels->count && strcmp(labels->items[at].key, key) == 0;
    const struct label label = {.key = key, .value = value};
    struct label *items = ARENA_ARRAY(arena, struct label, labels->count + 1);
    for (uint32_t i = 0; i < at; i++)
        items[i] = labels->items[i];
    items[at] = label;
    for (uint32_t i = at + (present ? 1 : 0); i < labels->count; i++)
        items[i + (present ? 0 : 1)] = labels->items[i];
    labels->items = items;
    labels->count += present ? 0 : 1;
}

/* The keys are compared in lower case, and all of it must fit 256 KiB. */
static void annotations_validate(struct reading *reading, const struct path *path,
                                 const struct labels *annotations)
{
    enum { ANNOTATION_BYTES_MOST = 256 * 1024 };
    size_t bytes = 0;
    for (uint32_t i = 0; i < annotations->count; i++) {
        const char *key = annotations->items[i].key;
        bytes += strlen(key) + strlen(annotations->items[i].value);
        if (name_is_qualified(key))
            continue;
        char *lower = arena_strdup(reading->problems->arena, key);
        for (char *c = lower; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        const struct path entry = path_field(path, key);
        if (!name_is_qualified(lower))
            qualified_name_validate(reading, &entry, key);
    }
    if (bytes > ANNOTATION_BYTES_MOST)
        reading_error(reading, path, "expected at most 262144 bytes of annotations, found %zu",
                      bytes);
}

void template_meta_validate(struct reading *reading, const struct path *path,
                            const struct object_meta *meta)
{
    const struct path labels = path_field(path, "labels");
    const struct path annotations = path_field(path, "annotations");
    labels_validate(reading, &labels, &meta->labels);
    annotations_validate(reading, &annotations, &meta->annotations);
}

static void name_validate(struct reading *reading, const struct path *path, const char *name,
                          enum name_rule rule)
{
    switch (rule) {
    case NAME_DNS_SUBDOMAIN: dns_subdomain_validate(reading, path, name); break;
    case NAME_DNS_LABEL: dns_label_validate(reading, path, name); break;
    case NAME_DNS_1035_LABEL: dns_1035_label_validate(reading, path, name); break;
    }
}

/* The server appends letters and digits, so the name may end with '-' or '.'. */
static void generate_name_validate(struct reading *reading, const struct path *path,
                                   const char *prefix, enum name_rule rule)
{
    name_validate(reading, path, arena_printf(reading->problems->arena, "%sx", prefix), rule);
}

static void owners_validate(struct reading *reading, const struct path *path,
                            const struct object_meta *meta)
{
    const struct owner_reference *controller = NULL;
    for (uint32_t i = 0; i < meta->owner_count; i++) {
        const struct owner_reference *owner = &meta->owners[i];
        if (!owner->controller)
            continue;
        const struct path item = path_item(path, i);
        const struct path field = path_field(&item, "controller");
        if (controller && controller->name && owner->name)
            reading_error(reading, &field, "expected one controller, found %s %s and %s %s",
                          controller->kind, controller->name, owner->kind, owner->name);
        controller = owner;
    }
}

void object_meta_validate(struct reading *reading, const struct path *path,
                          const struct object_meta *meta, enum name_rule rule)
{
    const struct path name = path_field(path, "name");
    const struct path generate_name = path_field(path, "generateName");
    const struct path namespace = path_field(path, "namespace");
    const struct path owners = path_field(path, "ownerReferences");
    const struct path finalizers = path_field(path, "finalizers");
    if (meta->generate_name)
        generate_name_validate(reading, &generate_name, meta->generate_name, rule);
    else if (!meta->name && reading_is_sound(reading, &name))
        reading_missing(reading, &name);
    if (meta->name && path_value(reading->root, &name))
        name_validate(reading, &name, meta->name, rule);
    dns_label_validate(reading, &namespace, meta->namespace);
    template_meta_validate(reading, path, meta);
    owners_validate(reading, &owners, meta);
    for (uint32_t i = 0; i < meta->finalizers.count; i++) {
        const struct path item = path_item(&finalizers, i);
        qualified_name_validate(reading, &item, meta->finalizers.items[i]);
    }
}
