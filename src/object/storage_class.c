/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"
#include "object/storage.h"

#include <ctype.h>

static const struct enum_name binding_mode_names[] = {
    {"Immediate", VOLUME_BINDING_IMMEDIATE},
    {"WaitForFirstConsumer", VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER},
    {NULL, 0},
};

/* A topology term is a node selector term that knows the operator In alone. */
static const struct field requirement_fields[] = {
    FIELD_STRING("key", selector_requirement, key, FIELD_REQUIRED),
    FIELD_STRINGS("values", selector_requirement, values, FIELD_REQUIRED),
};
static const struct schema requirement_schema = SCHEMA(selector_requirement, requirement_fields);

static const struct field term_fields[] = {
    FIELD_LIST("matchLabelExpressions", node_selector_term, match_expressions,
               match_expression_count, 0, requirement_schema),
};
static const struct schema term_schema = SCHEMA(node_selector_term, term_fields);

static const struct field fields[] = {
    FIELD_LIST("allowedTopologies", storage_class, allowed_topologies, allowed_topology_count, 0,
               term_schema),
    FIELD_STRUCT("metadata", storage_class, meta, 0, object_meta_schema),
    FIELD_LABELS("parameters", storage_class, parameters),
    FIELD_STRING("provisioner", storage_class, provisioner, FIELD_REQUIRED),
    FIELD_ENUM("volumeBindingMode", storage_class, volume_binding_mode, 0, binding_mode_names,
               VOLUME_BINDING_IMMEDIATE),
};
static const struct schema schema = SCHEMA(storage_class, fields);

static void validate_provisioner(struct reading *reading, const struct path *path,
                                 const char *provisioner)
{
    if (provisioner == NULL)
        return;
    char *lower = arena_strdup(reading->problems->arena, provisioner);
    for (char *c = lower; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    qualified_name_validate(reading, path, lower);
}

static void validate_term(struct reading *reading, const struct path *path,
                          const struct node_selector_term *term)
{
    const struct path expressions = path_field(path, "matchLabelExpressions");
    struct name_set keys;
    name_set_init(&keys, reading->arena);
    for (uint32_t i = 0; i < term->match_expression_count; i++) {
        const struct path expression = path_item(&expressions, i);
        const struct path key = path_field(&expression, "key");
        qualified_name_validate(reading, &key, term->match_expressions[i].key);
        unique_name_validate(reading, &key, &keys, term->match_expressions[i].key);
    }
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct storage_class *class = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path provisioner = path_field(path, "provisioner");
    const struct path topologies = path_field(path, "allowedTopologies");
    object_meta_validate(reading, &metadata, &class->meta, NAME_DNS_SUBDOMAIN);
    validate_provisioner(reading, &provisioner, class->provisioner);
    for (uint32_t i = 0; i < class->allowed_topology_count; i++) {
        const struct path term = path_item(&topologies, i);
        validate_term(reading, &term, &class->allowed_topologies[i]);
    }
}

static const struct kind_version versions[] = {
    {"storage.k8s.io/v1", &schema, NULL},
    {"storage.k8s.io/v1beta1", &schema, NULL},
    {0},
};

const struct kind_type storage_class_kind = {
    .versions = versions,
    .validate = validate,
};
