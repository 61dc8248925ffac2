/* SPDX-License-Identifier: Apache-2.0 */
/* Check: the whole, its workloads and scale. */
#include "object/check.h"

#include "object/check_controllers.h"
#include "object/check_event.h"
#include "object/check_intent.h"
#include "object/check_node_groups.h"
#include "object/check_values.h"
#include "object/json_schema.h"
#include "object/kind.h"
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

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
    count_range_decode(reading, path, value, false, &((struct check_workload *)base)->replicas);
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

static const struct field_hook workload_name_hook = {
    .decode = decode_workload_name, .encode = encode_workload_name, .shape = SHAPE_OBJECT_NAME};
static const struct field_hook replicas_hook = {
    .decode = decode_replicas, .encode = encode_replicas, .shape = SHAPE_COUNT_RANGE};
static const struct field_hook factor_hook = {.decode = decode_factor,
                                              .encode = encode_factor,
                                              .shape = "{\"type\":\"number\",\"minimum\":1}"};

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
    FIELD_STRING("kubernetesVersion", check, kubernetes_version, 0),
    FIELD_STRINGS("manifests", check, manifests, 0),
    FIELD_LIST("nodeGroups", check, node_groups, node_group_count, 0, check_node_group_schema),
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
    check_node_groups_validate(reading, &groups, check);
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
