/* SPDX-License-Identifier: Apache-2.0 */
/* Check: the whole, its node groups, workloads and scale. */
#include "object/check.h"

#include "base/suggest.h"
#include "object/check_parts.h"
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

/* ---- node groups ---- */

static const struct schema *node_schema(void)
{
    return node_kind.versions[0].schema;
}

static void decode_node(struct reading *reading, const struct path *path, const struct value *value,
                        void *base)
{
    struct check_node_group *group = base;
    schema_init(node_schema(), &group->node);
    schema_decode(reading, path, node_schema(), value, &group->node);
    node_kind.set_defaults(reading->arena, &group->node);
}

static void encode_node(struct arena *scratch, struct json_out *json, const char *key,
                        const void *base)
{
    schema_encode(scratch, json, key, node_schema(),
                  &((const struct check_node_group *)base)->node);
}

static void decode_group_count(struct reading *reading, const struct path *path,
                               const struct value *value, void *base)
{
    count_range_decode(reading, path, value, &((struct check_node_group *)base)->count);
}

static void encode_group_count(struct arena *scratch, struct json_out *json, const char *key,
                               const void *base)
{
    (void)scratch;
    count_range_encode(json, key, ((const struct check_node_group *)base)->count);
}

static const struct field_hook node_hook = {decode_node, encode_node};
static const struct field_hook group_count_hook = {decode_group_count, encode_group_count};

static const struct field group_fields[] = {
    FIELD_HOOK("count", group_count_hook),
    FIELD_STRING("name", check_node_group, name, FIELD_REQUIRED),
    {.name = "node", .type = FIELD_TYPE_HOOK, .flags = FIELD_REQUIRED, .hook = &node_hook},
};
static const struct schema group_schema = SCHEMA_STRICT(check_node_group, group_fields);

/* ---- workloads ---- */

static void decode_workload_name(struct reading *reading, const struct path *path,
                                 const struct value *value, void *base)
{
    struct check_workload *workload = base;
    workload->place = value_place(value);
    object_name_decode(reading, path, value, &workload->name);
}

static void encode_workload_name(struct arena *scratch, struct json_out *json, const char *key,
                                 const void *base)
{
    object_name_encode(scratch, json, key, &((const struct check_workload *)base)->name);
}

static void decode_replicas(struct reading *reading, const struct path *path,
                            const struct value *value, void *base)
{
    count_range_decode(reading, path, value, &((struct check_workload *)base)->replicas);
}

static void encode_replicas(struct arena *scratch, struct json_out *json, const char *key,
                            const void *base)
{
    (void)scratch;
    count_range_encode(json, key, ((const struct check_workload *)base)->replicas);
}

static void decode_factor(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    number_decode(reading, path, value, 1, &((struct check_workload *)base)->autoscaler_factor);
}

static void encode_factor(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    (void)scratch;
    json_number(json, key, ((const struct check_workload *)base)->autoscaler_factor);
}

static const struct field_hook workload_name_hook = {decode_workload_name, encode_workload_name};
static const struct field_hook replicas_hook = {decode_replicas, encode_replicas};
static const struct field_hook factor_hook = {decode_factor, encode_factor};

static const struct field follow_fields[] = {
    FIELD_HOOK("factor", factor_hook),
    FIELD_BOOLEAN("follow", check_workload, autoscaler_follow, false),
};
static const struct schema follow_schema = SCHEMA_STRICT(check_workload, follow_fields);

static const struct field workload_fields[] = {
    FIELD_NESTED("autoscaler", 0, follow_schema),
    {.name = "name", .type = FIELD_TYPE_HOOK, .flags = FIELD_REQUIRED, .hook = &workload_name_hook},
    FIELD_HOOK("replicas", replicas_hook),
};
static const struct schema workload_schema = SCHEMA_STRICT(check_workload, workload_fields);

/* ---- the rest ---- */

static const struct enum_name start_names[] = {
    {"empty", START_EMPTY},
    {"settled", START_SETTLED},
    {"canonical", START_CANONICAL},
    {"observed", START_OBSERVED},
    {0},
};

static const struct enum_name time_names[] = {
    {"asynchronous", TIME_ASYNCHRONOUS},
    {"clocked", TIME_CLOCKED},
    {0},
};

static const struct enum_name scale_mode_names[] = {
    {"exact", SCALE_EXACT},
    {"incremental", SCALE_INCREMENTAL},
    {0},
};

static const struct field sufficient_fields[] = {
    FIELD_OPTIONAL_INT("nodes", check_scale, sufficient_nodes, 1, INT32_MAX),
    FIELD_OPTIONAL_INT("podsPerNode", check_scale, sufficient_pods_per_node, 1, INT32_MAX),
};
static const struct schema sufficient_schema = SCHEMA_STRICT(check_scale, sufficient_fields);

static const struct field scale_fields[] = {
    FIELD_ENUM("mode", check_scale, mode, 0, scale_mode_names, SCALE_UNSET),
    FIELD_NESTED("sufficient", 0, sufficient_schema),
};
static const struct schema scale_schema = SCHEMA_STRICT(check_scale, scale_fields);

static const struct field spec_fields[] = {
    FIELD_STRUCT("controllers", check, controllers, 0, check_controllers_schema),
    FIELD_HOOK("events", check_events_hook),
    FIELD_HOOK("intents", check_intents_hook),
    FIELD_STRINGS("manifests", check, manifests, 0),
    FIELD_LIST("nodeGroups", check, node_groups, node_group_count, 0, group_schema),
    FIELD_STRUCT("scale", check, scale, 0, scale_schema),
    FIELD_ENUM("start", check, start, 0, start_names, START_UNSET),
    FIELD_ENUM("time", check, time, 0, time_names, TIME_UNSET),
    FIELD_LIST("workloads", check, workloads, workload_count, 0, workload_schema),
};
static const struct schema spec_schema = SCHEMA_STRICT(check, spec_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", check, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", FIELD_REQUIRED, spec_schema),
};
static const char *const type_fields[] = {"apiVersion", "kind", NULL};
static const struct schema schema = SCHEMA_STRICT_COMPLETE(check, fields, type_fields);

static void set_defaults(struct arena *arena, void *object)
{
    struct check *check = object;
    (void)arena;
    for (uint32_t i = 0; i < check->workload_count; i++)
        if (check->workloads[i].autoscaler_factor == 0)
            check->workloads[i].autoscaler_factor = 2;
}

/* ---- validation ---- */

void group_name_validate(struct reading *reading, const struct path *path,
                         const struct check *check, const char *name)
{
    struct suggestion suggestion = {.word = name};
    if (name == NULL || check->node_group_count == 0)
        return;
    for (uint32_t i = 0; i < check->node_group_count; i++) {
        const char *known = check->node_groups[i].name;
        if (known == NULL || strcmp(known, name) == 0)
            return;
        suggestion_offer(&suggestion, known);
    }
    if (suggestion.nearest != NULL)
        reading_error(reading, path, "there is no node group \"%s\", did you mean \"%s\"?", name,
                      suggestion.nearest);
    else
        reading_error(reading, path, "there is no node group \"%s\"", name);
}

/* Nodes are named after their group, so the template's name is made up. */
static void validate_node(struct reading *reading, const struct path *path,
                          const struct check_node_group *group)
{
    const struct path metadata = path_field(path, "metadata");
    const struct path name = path_field(&metadata, "name");
    const struct path status = path_field(path, "status");
    const struct path allocatable = path_field(&status, "allocatable");
    struct node node = group->node;
    if (node.meta.name != NULL)
        reading_error(reading, &name, "must not be given: nodes are named %s-1, %s-2, ...",
                      group->name, group->name);
    if (node.status.allocatable.count == 0)
        reading_missing(reading, &allocatable);
    node.meta.name = "node";
    node_kind.validate(reading, path, &node);
}

static void validate_groups(struct reading *reading, const struct path *path,
                            const struct check *check)
{
    struct name_set names;
    name_set_init(&names, reading->arena);
    for (uint32_t i = 0; i < check->node_group_count; i++) {
        const struct path item = path_item(path, i);
        const struct path name = path_field(&item, "name");
        const struct path node = path_field(&item, "node");
        dns_subdomain_validate(reading, &name, check->node_groups[i].name);
        unique_name_validate(reading, &name, &names, check->node_groups[i].name);
        if (path_value(reading->root, &node) != NULL)
            validate_node(reading, &node, &check->node_groups[i]);
    }
}

static void validate_workloads(struct reading *reading, const struct path *path,
                               const struct check *check)
{
    static const enum object_kind scalable[] = {OBJECT_DEPLOYMENT, OBJECT_REPLICA_SET,
                                                OBJECT_REPLICATION_CONTROLLER, OBJECT_STATEFUL_SET,
                                                OBJECT_JOB};
    struct name_set names;
    name_set_init(&names, reading->arena);
    for (uint32_t i = 0; i < check->workload_count; i++) {
        const struct object_name *name = &check->workloads[i].name;
        const struct path item = path_item(path, i);
        const struct path name_path = path_field(&item, "name");
        bool has_replicas = false;
        if (name->kind == NULL)
            continue;
        for (size_t j = 0; j < sizeof(scalable) / sizeof(scalable[0]); j++)
            has_replicas = has_replicas || kind_parse(name->kind) == scalable[j];
        if (!has_replicas)
            reading_error(reading, &name_path, "a %s has no replicas to explore", name->kind);
        unique_name_validate(reading, &name_path, &names, object_name_format(reading->arena, name));
    }
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct check *check = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path groups = path_field(&spec, "nodeGroups");
    const struct path workloads = path_field(&spec, "workloads");
    const struct path controllers = path_field(&spec, "controllers");
    const struct path events = path_field(&spec, "events");
    object_meta_validate(reading, &metadata, &check->meta, NAME_DNS_SUBDOMAIN);
    validate_groups(reading, &groups, check);
    validate_workloads(reading, &workloads, check);
    check_controllers_validate(reading, &controllers, check);
    check_events_validate(reading, &events, check);
}

static const struct kind_version versions[] = {
    {"fathom/v1", &schema, NULL},
    {0},
};

const struct kind_type check_kind = {
    .versions = versions,
    .set_defaults = set_defaults,
    .validate = validate,
};
