/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <string.h>

enum { PRIORITY_USER_MOST = 1000000000 };

/* The classes that the API server makes itself. */
static const struct system_class {
    const char *name;
    int32_t value;
} system_classes[] = {
    {"system-cluster-critical", 2000000000},
    {"system-node-critical", 2000001000},
};

static const struct field fields[] = {
    FIELD_BOOLEAN("globalDefault", priority_class, global_default, false),
    FIELD_STRUCT("metadata", priority_class, meta, 0, object_meta_schema),
    FIELD_ENUM("preemptionPolicy", priority_class, preemption_policy, 0, preemption_policy_names,
               PREEMPT_LOWER_PRIORITY),
    FIELD_INT32("value", priority_class, value, 0, INT32_MIN, INT32_MAX, 0),
};
static const struct schema schema = SCHEMA(priority_class, fields);

static bool is_system_class(const struct priority_class *class)
{
    for (size_t i = 0; i < sizeof(system_classes) / sizeof(system_classes[0]); i++)
        if (strcmp(class->meta.name, system_classes[i].name) == 0)
            return class->value == system_classes[i].value && !class->global_default;
    return false;
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct priority_class *class = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path value = path_field(path, "value");
    object_meta_validate(reading, &metadata, &class->meta, NAME_DNS_SUBDOMAIN);
    if (class->meta.name != NULL && strncmp(class->meta.name, "system-", 7) == 0) {
        const struct path name = path_field(&metadata, "name");
        if (!is_system_class(class))
            reading_error(reading, &name,
                          "names that start with system- are reserved for the cluster's own "
                          "classes, found \"%s\" with value %d",
                          class->meta.name, class->value);
    } else if (class->value > PRIORITY_USER_MOST) {
        reading_error(reading, &value, "expected at most %d, found %d", PRIORITY_USER_MOST,
                      class->value);
    }
}

static const struct kind_version versions[] = {
    {"scheduling.k8s.io/v1", &schema, NULL},
    {"scheduling.k8s.io/v1beta1", &schema, NULL},
    {"scheduling.k8s.io/v1alpha1", &schema, NULL},
    {0},
};

const struct kind_type priority_class_kind = {
    .versions = versions,
    .validate = validate,
};
