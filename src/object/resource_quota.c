/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <string.h>

static const struct field spec_fields[] = {
    FIELD_RESOURCES("hard", resource_quota, hard),
    FIELD_STRINGS("scopes", resource_quota, scopes, 0),
};
static const struct schema spec_schema = SCHEMA(resource_quota, spec_fields);

static const struct field status_fields[] = {
    FIELD_RESOURCES("used", resource_quota, used),
};
static const struct schema status_schema = SCHEMA(resource_quota, status_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", resource_quota, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", 0, spec_schema),
    FIELD_NESTED("status", 0, status_schema),
};
static const struct schema schema = SCHEMA(resource_quota, fields);

static const char *const scope_names[] = {
    "Terminating",   "NotTerminating", "BestEffort",
    "NotBestEffort", "PriorityClass",  "CrossNamespacePodAffinity",
};

static bool is_scope(const char *text)
{
    for (size_t i = 0; i < sizeof(scope_names) / sizeof(scope_names[0]); i++)
        if (strcmp(scope_names[i], text) == 0)
            return true;
    return false;
}

static bool has_scope(const struct resource_quota *quota, const char *scope)
{
    for (uint32_t i = 0; i < quota->scopes.count; i++)
        if (strcmp(quota->scopes.items[i], scope) == 0)
            return true;
    return false;
}

static void validate_scopes(struct reading *reading, const struct path *path,
                            const struct resource_quota *quota)
{
    for (uint32_t i = 0; i < quota->scopes.count; i++) {
        const struct path item = path_item(path, i);
        if (!is_scope(quota->scopes.items[i]))
            reading_error(reading, &item,
                          "expected Terminating, NotTerminating, BestEffort, NotBestEffort, "
                          "PriorityClass or CrossNamespacePodAffinity, found \"%s\"",
                          quota->scopes.items[i]);
    }
    if (has_scope(quota, "BestEffort") && has_scope(quota, "NotBestEffort"))
        reading_error(reading, path, "BestEffort and NotBestEffort exclude each other");
    if (has_scope(quota, "Terminating") && has_scope(quota, "NotTerminating"))
        reading_error(reading, path, "Terminating and NotTerminating exclude each other");
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct resource_quota *quota = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path hard = path_field(&spec, "hard");
    const struct path scopes = path_field(&spec, "scopes");
    object_meta_validate(reading, &metadata, &quota->meta, NAME_DNS_SUBDOMAIN);
    for (uint32_t i = 0; i < quota->hard.count; i++) {
        const struct resource *resource = &quota->hard.items[i];
        const struct path entry = path_field(&hard, resource->name);
        if (resource->quantity.nanos < 0)
            reading_error(reading, &entry, "expected a quantity of at least 0, found %s",
                          quantity_format_text(reading->problems->arena, resource->quantity));
    }
    validate_scopes(reading, &scopes, quota);
}

static const struct kind_version versions[] = {
    {"v1", &schema, NULL},
    {0},
};

const struct kind_type resource_quota_kind = {
    .versions = versions,
    .namespaced = true,
    .validate = validate,
};
