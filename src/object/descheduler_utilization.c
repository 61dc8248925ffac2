/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of LowNodeUtilization and HighNodeUtilization. */
#include "object/descheduler_utilization.h"

#include "object/descheduler_fields.h"

#include <stdlib.h>
#include <string.h>

static int compare_percentages(const void *left, const void *right)
{
    return strcmp(((const struct resource_percentage *)left)->name,
                  ((const struct resource_percentage *)right)->name);
}

static void decode_percentages(struct reading *reading, const struct path *path,
                               const struct value *value, struct resource_percentages *target)
{
    if (!mapping_expected(reading, path, value) || value->count == 0)
        return;
    target->items = ARENA_ARRAY(reading->arena, struct resource_percentage, value->count);
    target->count = 0;
    VALUE_EACH_MEMBER(value, member)
    {
        const struct path entry = path_field(path, member->key);
        struct resource_percentage *item = &target->items[target->count++];
        item->name = member->key;
        if (!value_read_number(&member->value, &item->percent) || item->percent < 0 ||
            item->percent > 100)
            reading_expected(reading, &entry, &member->value, "a percentage from 0 to 100");
    }
    qsort(target->items, target->count, sizeof(*target->items), compare_percentages);
}

static void encode_percentages(struct json_out *json, const char *key,
                               const struct resource_percentages *percentages)
{
    if (percentages->count == 0)
        return;
    json_object_begin(json, key);
    for (uint32_t i = 0; i < percentages->count; i++)
        json_number(json, percentages->items[i].name, percentages->items[i].percent);
    json_object_end(json);
}

static void decode_thresholds(struct reading *reading, const struct path *path,
                              const struct value *value, void *base)
{
    decode_percentages(reading, path, value,
                       &((struct node_utilization_arguments *)base)->thresholds);
}

static void encode_thresholds(struct arena *scratch, struct json_out *json, const char *key,
                              const void *base)
{
    (void)scratch;
    encode_percentages(json, key, &((const struct node_utilization_arguments *)base)->thresholds);
}

static const struct field_hook thresholds_hook = {decode_thresholds, encode_thresholds};

static void decode_targets(struct reading *reading, const struct path *path,
                           const struct value *value, void *base)
{
    decode_percentages(reading, path, value,
                       &((struct node_utilization_arguments *)base)->target_thresholds);
}

static void encode_targets(struct arena *scratch, struct json_out *json, const char *key,
                           const void *base)
{
    (void)scratch;
    encode_percentages(json, key,
                       &((const struct node_utilization_arguments *)base)->target_thresholds);
}

static const struct field_hook targets_hook = {decode_targets, encode_targets};

static const char *const include_field[] = {"include", NULL};
static const struct field evictable_fields[] = {
    FIELD_STRINGS("exclude", node_utilization_arguments, exclude_namespaces, 0),
};
static const struct schema evictable_schema =
    SCHEMA_STRICT_COMPLETE(node_utilization_arguments, evictable_fields, include_field);

#define EVICTABLE_FIELD FIELD_NESTED("evictableNamespaces", 0, evictable_schema)
#define NUMBER_OF_NODES_FIELD \
    FIELD_INT32("numberOfNodes", node_utilization_arguments, number_of_nodes, 0, 0, INT32_MAX, 0)

static const struct field low_fields[] = {
    EVICTABLE_FIELD,
    LATER("evictionLimits"),
    LATER("metricsUtilization"),
    NUMBER_OF_NODES_FIELD,
    FIELD_HOOK("targetThresholds", targets_hook),
    FIELD_HOOK("thresholds", thresholds_hook),
    FIELD_BOOLEAN("useDeviationThresholds", node_utilization_arguments, use_deviation_thresholds,
                  false),
};
const struct schema low_utilization_arguments_schema =
    SCHEMA_STRICT_COMPLETE(node_utilization_arguments, low_fields, descheduler_type_fields);

static const struct field high_fields[] = {
    EVICTABLE_FIELD,
    LATER("evictionModes"),
    NUMBER_OF_NODES_FIELD,
    FIELD_HOOK("thresholds", thresholds_hook),
};
const struct schema high_utilization_arguments_schema =
    SCHEMA_STRICT_COMPLETE(node_utilization_arguments, high_fields, descheduler_type_fields);

void high_utilization_arguments_validate(struct reading *reading, const struct path *path,
                                         const void *arguments)
{
    const struct node_utilization_arguments *utilization = arguments;
    const struct path thresholds = path_field(path, "thresholds");
    const struct path evictable = path_field(path, "evictableNamespaces");
    const struct path include = path_field(&evictable, "include");
    const struct value *included = path_value(reading->root, &include);
    if (included != NULL && included->kind == VALUE_SEQUENCE && included->count > 0)
        reading_error(reading, &include, "must not be given: only exclude is possible here");
    if (utilization->thresholds.count == 0)
        reading_missing(reading, &thresholds);
}

static const struct resource_percentage *find_percentage(const struct resource_percentages *list,
                                                         const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void low_validate_pair(struct reading *reading, const struct path *path,
                              const struct node_utilization_arguments *low)
{
    const struct path targets = path_field(path, "targetThresholds");
    const struct path thresholds = path_field(path, "thresholds");
    for (uint32_t i = 0; i < low->thresholds.count; i++) {
        const struct resource_percentage *from = &low->thresholds.items[i];
        const struct resource_percentage *to = find_percentage(&low->target_thresholds, from->name);
        const struct path missing = path_field(&targets, from->name);
        const struct path entry = path_field(&thresholds, from->name);
        if (to == NULL)
            reading_missing(reading, &missing);
        else if (from->percent > to->percent && !low->use_deviation_thresholds)
            reading_error(reading, &entry, "expected at most %g, the target threshold, found %g",
                          to->percent, from->percent);
    }
    for (uint32_t i = 0; i < low->target_thresholds.count; i++) {
        const char *name = low->target_thresholds.items[i].name;
        const struct path missing = path_field(&thresholds, name);
        if (find_percentage(&low->thresholds, name) == NULL)
            reading_missing(reading, &missing);
    }
}

void low_utilization_arguments_validate(struct reading *reading, const struct path *path,
                                        const void *arguments)
{
    const struct node_utilization_arguments *low = arguments;
    const struct path targets = path_field(path, "targetThresholds");
    high_utilization_arguments_validate(reading, path, arguments);
    if (low->target_thresholds.count == 0)
        reading_missing(reading, &targets);
    else if (low->thresholds.count > 0)
        low_validate_pair(reading, path, low);
}
