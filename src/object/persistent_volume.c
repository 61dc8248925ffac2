/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"
#include "object/storage_parts.h"

#include <string.h>

static const struct field claim_fields[] = {
    FIELD_STRING("name", claim_reference, name, 0),
    FIELD_STRING("namespace", claim_reference, namespace, 0),
    FIELD_STRING("uid", claim_reference, uid, 0),
};
static const struct schema claim_schema = SCHEMA(claim_reference, claim_fields);

static const struct field csi_fields[] = {
    FIELD_STRING("driver", persistent_volume, csi_driver, FIELD_REQUIRED),
};
static const struct schema csi_schema = SCHEMA(persistent_volume, csi_fields);

/* A volume of a plugin that attaches it to nodes. Of these and `csi` it has one. */
static void disk_decode(struct reading *reading, const struct path *path, const struct value *value,
                        void *base)
{
    struct persistent_volume *volume = base;
    if (mapping_expected(reading, path, value))
        volume->disk_source = path->name;
}

static void disk_encode(struct arena *scratch, struct json_out *json, const char *key,
                        const void *base)
{
    const struct persistent_volume *volume = base;
    (void)scratch;
    if (volume->disk_source == NULL || strcmp(volume->disk_source, key) != 0)
        return;
    json_object_begin(json, key);
    json_object_end(json);
}

static const struct field_hook disk_hook = {.decode = disk_decode, .encode = disk_encode};

static const struct field affinity_fields[] = {
    FIELD_POINTER("required", persistent_volume, node_affinity, FIELD_REQUIRED,
                  node_selector_schema),
};
static const struct schema affinity_schema = SCHEMA(persistent_volume, affinity_fields);

static const struct field spec_fields[] = {
    FIELD_STRINGS("accessModes", persistent_volume, access_modes, FIELD_REQUIRED),
    FIELD_HOOK("awsElasticBlockStore", disk_hook),
    FIELD_HOOK("azureDisk", disk_hook),
    FIELD_RESOURCES("capacity", persistent_volume, capacity),
    FIELD_HOOK("cinder", disk_hook),
    FIELD_POINTER("claimRef", persistent_volume, claim, 0, claim_schema),
    FIELD_NESTED("csi", 0, csi_schema),
    FIELD_HOOK("fc", disk_hook),
    FIELD_HOOK("flexVolume", disk_hook),
    FIELD_HOOK("gcePersistentDisk", disk_hook),
    FIELD_HOOK("iscsi", disk_hook),
    FIELD_NESTED("nodeAffinity", 0, affinity_schema),
    FIELD_HOOK("rbd", disk_hook),
    FIELD_STRING("storageClassName", persistent_volume, storage_class_name, FIELD_NEVER_NULL),
    FIELD_STRING("volumeMode", persistent_volume, volume_mode, 0),
    FIELD_HOOK("vsphereVolume", disk_hook),
};
static const struct schema spec_schema = SCHEMA(persistent_volume, spec_fields);

static const struct field status_fields[] = {
    FIELD_STRING("phase", persistent_volume, phase, 0),
};
static const struct schema status_schema = SCHEMA(persistent_volume, status_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", persistent_volume, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_schema),
    FIELD_NESTED("status", 0, status_schema),
};
static const struct schema schema = SCHEMA(persistent_volume, fields);

static void set_defaults(struct arena *arena, void *object)
{
    struct persistent_volume *volume = object;
    (void)arena;
    if (volume->volume_mode == NULL)
        volume->volume_mode = "Filesystem";
    if (volume->phase == NULL)
        volume->phase = "Pending";
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct persistent_volume *volume = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path modes = path_field(&spec, "accessModes");
    const struct path capacity = path_field(&spec, "capacity");
    const struct path mode = path_field(&spec, "volumeMode");
    const struct path class = path_field(&spec, "storageClassName");
    object_meta_validate(reading, &metadata, &volume->meta, NAME_DNS_SUBDOMAIN);
    access_modes_validate(reading, &modes, &volume->access_modes);
    storage_amount_validate(reading, &capacity, &volume->capacity);
    if (volume->capacity.count > 1)
        reading_error(reading, &capacity, "expected storage and nothing else");
    volume_mode_validate(reading, &mode, volume->volume_mode);
    if (*volume->storage_class_name != '\0')
        dns_subdomain_validate(reading, &class, volume->storage_class_name);
    if (volume->node_affinity != NULL) {
        const struct path affinity = path_field(&spec, "nodeAffinity");
        const struct path required = path_field(&affinity, "required");
        node_selector_validate(reading, &required, volume->node_affinity);
    }
}

static const struct kind_version versions[] = {
    {"v1", &schema, NULL},
    {0},
};

const struct kind_type persistent_volume_kind = {
    .versions = versions,
    .set_defaults = set_defaults,
    .validate = validate,
};
