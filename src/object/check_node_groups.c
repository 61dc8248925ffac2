/* SPDX-License-Identifier: Apache-2.0 */
/* The node groups of a Check: each is a node as a template and how many of it
 * there are. */
#include "object/check_node_groups.h"

#include "base/suggest.h"
#include "object/check_values.h"
#include "object/json_schema.h"
#include "object/kind.h"
#include "object/names.h"

#include <string.h>

static const struct schema *node_schema(void)
{
    return node_kind.versions[0].schema;
}

struct node *node_of_group_decode(struct reading *reading, const struct path *path,
                                  const struct value *value)
{
    struct node *node = schema_new(reading->arena, node_schema());
    schema_decode(reading, path, node_schema(), value, node);
    node_kind.set_defaults(reading->arena, node);
    return node;
}

void node_of_group_encode(struct arena *scratch, struct json_out *json, const char *key,
                          const struct node *node)
{
    schema_encode(scratch, json, key, node_schema(), node);
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
    count_range_decode(reading, path, value, true, &((struct check_node_group *)base)->count);
}

static void encode_group_count(struct arena *scratch, struct json_out *json, const char *key,
                               const void *base)
{
    (void)scratch;
    count_range_encode(json, key, ((const struct check_node_group *)base)->count);
}

static const struct field_hook node_hook = {
    .decode = decode_node, .encode = encode_node, .kind = &node_kind};
static const struct field_hook group_count_hook = {
    .decode = decode_group_count, .encode = encode_group_count, .shape = SHAPE_OPEN_COUNT_RANGE};

static const struct field group_fields[] = {
    FIELD_HOOK("count", group_count_hook),
    FIELD_STRING("name", check_node_group, name, FIELD_REQUIRED),
    {.name = "node", .type = FIELD_TYPE_HOOK, .flags = FIELD_REQUIRED, .hook = &node_hook},
};
const struct schema check_node_group_schema = SCHEMA_STRICT(check_node_group, group_fields);

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
    const struct path labels = path_field(&metadata, "labels");
    const struct path hostname = path_field(&labels, LABEL_HOSTNAME);
    const struct path status = path_field(path, "status");
    const struct path allocatable = path_field(&status, "allocatable");
    struct node node = group->node;
    if (node.meta.name != NULL)
        reading_error(reading, &name, "must not be given: nodes are named %s-1, %s-2, ...",
                      group->name, group->name);
    if (labels_find(&node.meta.labels, LABEL_HOSTNAME))
        reading_warning(reading, &hostname, "is not used: the hostname of each node is its name");
    if (node.status.allocatable.count == 0)
        reading_missing(reading, &allocatable);
    node.meta.name = "node";
    node_kind.validate(reading, path, &node);
}

void check_node_groups_validate(struct reading *reading, const struct path *path,
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
