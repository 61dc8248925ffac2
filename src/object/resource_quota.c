/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <string.h>

static const struct enum_name scope_operators[] = {
    {"In", SCOPE_IN},
    {"NotIn", SCOPE_NOT_IN},
    {"Exists", SCOPE_EXISTS},
    {"DoesNotExist", SCOPE_DOES_NOT_EXIST},
    {0},
};

static const struct field requirement_fields[] = {
    FIELD_ENUM("operator", scope_requirement, operator, FIELD_REQUIRED, scope_operators,
               SCOPE_EXISTS),
    FIELD_STRING("scopeName", scope_requirement, scope, FIELD_REQUIRED),
    FIELD_STRINGS("values", scope_requirement, values, 0),
};
static const struct schema requirement_schema = SCHEMA(scope_requirement, requirement_fields);

static const struct field selector_fields[] = {
    FIELD_LIST("matchExpressions", resource_quota, scope_requirements, scope_requirement_count, 0,
               requirement_schema),
};
static const struct schema selector_schema = SCHEMA(resource_quota, selector_fields);

static const struct field spec_fields[] = {
    FIELD_RESOURCES("hard", resource_quota, hard),
    FIELD_NESTED("scopeSelector", 0, selector_schema),
    FIELD_STRINGS("scopes", resource_quota, scopes, 0),
};
static const struct schema spec_schema = SCHEMA(resource_quota, spec_fields);

static const struct field status_fields[] = {
    FIELD_RESOURCES("hard", resource_quota, status_hard),
    FIELD_RESOURCES("used", resource_quota, used),
};
static const struct schema status_schema = SCHEMA(resource_quota, status_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", resource_quota, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", 0, spec_schema),
    FIELD_NESTED("status", 0, status_schema),
};
static const struct schema schema = SCHEMA(resource_quota, fields);

/* The scope that is about claims. All others are about pods. */
#define ATTRIBUTES "VolumeAttributesClass"

static const char *const scope_names[] = {
    "Terminating",   "NotTerminating", "BestEffort",
    "NotBestEffort", "PriorityClass",  "CrossNamespacePodAffinity",
    ATTRIBUTES,
};

static const char scopes_expected[] =
    "expected Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, "
    "CrossNamespacePodAffinity or VolumeAttributesClass, found";

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

/* Names of quotas that the API server knows and that are not about pods: no scope about pods fits
 * them. */
static const char *const unscoped_names[] = {
    "ephemeral-storage",        "requests.ephemeral-storage",
    "limits.ephemeral-storage", "requests.storage",
    "resourcequotas",           "services",
    "services.loadbalancers",   "services.nodeports",
    "replicationcontrollers",   "secrets",
    "persistentvolumeclaims",   "configmaps",
};

/* Names that every scope but BestEffort fits. */
static const char *const compute_names[] = {
    "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory",
};

static bool is_listed(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

#define IS_LISTED(names, name) is_listed(names, sizeof(names) / sizeof((names)[0]), name)

static bool scope_fits(const char *scope, const char *name)
{
    static const char *const claim_names[] = {"requests.storage", "persistentvolumeclaims"};
    const bool computes = IS_LISTED(compute_names, name);
    const bool unscoped = IS_LISTED(unscoped_names, name);
    if (strcmp(scope, ATTRIBUTES) == 0)
        return IS_LISTED(claim_names, name) ||
               (!computes && !unscoped && strcmp(name, "pods") != 0);
    return !unscoped && !(computes && strcmp(scope, "BestEffort") == 0);
}

static void validate_scoped_names(struct reading *reading, const struct path *path,
                                  const struct resource_quota *quota, const char *scope)
{
    for (uint32_t i = 0; i < quota->hard.count; i++)
        if (!scope_fits(scope, quota->hard.items[i].name))
            reading_error(reading, path, "the scope %s cannot be applied to %s", scope,
                          quota->hard.items[i].name);
}

static void validate_scopes(struct reading *reading, const struct path *path,
                            const struct resource_quota *quota)
{
    for (uint32_t i = 0; i < quota->scopes.count; i++) {
        const struct path item = path_item(path, i);
        if (!is_scope(quota->scopes.items[i]))
            reading_error(reading, &item, "%s \"%s\"", scopes_expected, quota->scopes.items[i]);
        else
            validate_scoped_names(reading, &item, quota, quota->scopes.items[i]);
    }
    if (has_scope(quota, "BestEffort") && has_scope(quota, "NotBestEffort"))
        reading_error(reading, path, "BestEffort and NotBestEffort exclude each other");
    if (has_scope(quota, "Terminating") && has_scope(quota, "NotTerminating"))
        reading_error(reading, path, "Terminating and NotTerminating exclude each other");
}

static void validate_requirement(struct reading *reading, const struct path *path,
                                 const struct scope_requirement *requirement)
{
    const struct path name = path_field(path, "scopeName");
    const struct path operator= path_field(path, "operator");
    const struct path values = path_field(path, "values");
    const bool compares = requirement->operator== SCOPE_IN || requirement->operator== SCOPE_NOT_IN;
    if (requirement->scope && !is_scope(requirement->scope))
        reading_error(reading, &name, "%s \"%s\"", scopes_expected, requirement->scope);
    else if (requirement->scope && strcmp(requirement->scope, "PriorityClass") != 0 &&
             strcmp(requirement->scope, ATTRIBUTES) != 0 && requirement->operator!= SCOPE_EXISTS)
        reading_error(reading, &operator, "expected Exists, the only operator for %s",
                      requirement->scope);
    if (compares && requirement->values.count == 0)
        reading_error(reading, &values, "expected at least one value for In and NotIn, found none");
    if (!compares && requirement->values.count > 0)
        reading_error(reading, &values, "expected no values for Exists and DoesNotExist, found %u",
                      requirement->values.count);
}

static void validate_selector(struct reading *reading, const struct path *spec,
                              const struct resource_quota *quota)
{
    const struct path selector = path_field(spec, "scopeSelector");
    const struct path list = path_field(&selector, "matchExpressions");
    for (uint32_t i = 0; i < quota->scope_requirement_count; i++) {
        const struct scope_requirement *requirement = &quota->scope_requirements[i];
        const struct path item = path_item(&list, i);
        validate_requirement(reading, &item, requirement);
        if (requirement->scope)
            validate_scoped_names(reading, &item, quota, requirement->scope);
    }
}

/* Are amounts of it numbers of things? What is requested of other domains' resources is not looked
 * at. */
static bool counts_things(const char *name)
{
    static const char *const counted[] = {
        "pods",
        "replicationcontrollers",
        "services",
        "services.nodeports",
        "secrets",
        "configmaps",
        "services.loadbalancers",
        "resourcequotas",
        "persistentvolumeclaims",
    };
    for (uint32_t i = 0; i < sizeof(counted) / sizeof(*counted); i++)
        if (strcmp(name, counted[i]) == 0)
            return true;
    return strchr(name, '/') && !strstr(name, "kubernetes.io/") &&
           strncmp(name, "requests.", strlen("requests.")) != 0;
}

static void validate_amount(struct reading *reading, const struct path *hard,
                            const struct resource *resource)
{
    const struct path entry = path_field(hard, resource->name);
    const char *wanted = NULL;
    if (resource->quantity.nanos < 0)
        wanted = "a quantity of at least 0";
    else if (counts_things(resource->name) && quantity_milli_value(resource->quantity) % 1000 != 0)
        wanted = "a whole number";
    if (wanted)
        reading_error(reading, &entry, "expected %s, found %s", wanted,
                      quantity_format_text(reading->problems->arena, resource->quantity));
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct resource_quota *quota = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path hard = path_field(&spec, "hard");
    const struct path scopes = path_field(&spec, "scopes");
    object_meta_validate(reading, &metadata, &quota->meta, NAME_DNS_SUBDOMAIN);
    for (uint32_t i = 0; i < quota->hard.count; i++)
        validate_amount(reading, &hard, &quota->hard.items[i]);
    validate_scopes(reading, &scopes, quota);
    validate_selector(reading, &spec, quota);
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
