/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"
#include "object/storage_parts.h"

static const struct field resources_fields[] = {
    FIELD_RESOURCES("requests", persistent_volume_claim, requests),
};
static const struct schema resources_schema = SCHEMA(persistent_volume_claim, resources_fields);

static const struct field spec_fields[] = {
    FIELD_STRINGS("accessModes", persistent_volume_claim, access_modes, FIELD_REQUIRED),
    FIELD_NESTED("resources", 0, resources_schema),
    FIELD_POINTER("selector", persistent_volume_claim, selector, 0, label_selector_schema),
    FIELD_STRING("storageClassName", persistent_volume_claim, storage_class_name, FIELD_KEEP_EMPTY),
    FIELD_STRING("volumeAttributesClassName", persistent_volume_claim, attributes_class, 0),
    FIELD_STRING("volumeMode", persistent_volume_claim, volume_mode, 0),
    FIELD_STRING("volumeName", persistent_volume_claim, volume_name, 0),
};
static const struct schema spec_schema = SCHEMA(persistent_volume_claim, spec_fields);

static const struct field status_fields[] = {
    FIELD_STRING("phase", persistent_volume_claim, phase, 0),
};
static const struct schema status_schema = SCHEMA(persistent_volume_claim, status_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", persistent_volume_claim, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_schema),
    FIELD_NESTED("status", 0, status_schema),
};
static const struct schema schema = SCHEMA(persistent_volume_claim, fields);

static void set_defaults(struct arena *arena, void *object)
{
    struct persistent_volume_claim *claim = object;
    (void)arena;
    if (claim->volume_mode == NULL)
        claim->volume_mode = "Filesystem";
    if (claim->phase == NULL)
        claim->phase = "Pending";
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct persistent_volume_claim *claim = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path modes = path_field(&spec, "accessModes");
    const struct path resources = path_field(&spec, "resources");
    const struct path requests = path_field(&resources, "requests");
    const struct path mode = path_field(&spec, "volumeMode");
    object_meta_validate(reading, &metadata, &claim->meta, NAME_DNS_SUBDOMAIN);
    access_modes_validate(reading, &modes, &claim->access_modes);
    storage_amount_validate(reading, &requests, &claim->requests);
    volume_mode_validate(reading, &mode, claim->volume_mode);
    if (claim->storage_class_name != NULL && *claim->storage_class_name != '\0') {
        const struct path class = path_field(&spec, "storageClassName");
        dns_subdomain_validate(reading, &class, claim->storage_class_name);
    }
    if (claim->selector != NULL) {
        const struct path selector = path_field(&spec, "selector");
        label_selector_validate(reading, &selector, claim->selector);
    }
}

static const struct kind_version versions[] = {
    {"v1", &schema, NULL},
    {0},
};

const struct kind_type persistent_volume_claim_kind = {
    .versions = versions,
    .namespaced = true,
    .set_defaults = set_defaults,
    .validate = validate,
};
