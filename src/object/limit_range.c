/* SPDX-License-Identifier: Apache-2.0 */
/* LimitRange, with the defaults that follow from its own limits. */
#include "object/kind.h"
#include "object/names.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <stdlib.h>
#include <string.h>

static const struct field limit_fields[] = {
    FIELD_RESOURCES("default", limit_range_item, default_limit),
    FIELD_RESOURCES("defaultRequest", limit_range_item, default_request),
    FIELD_RESOURCES("max", limit_range_item, max),
    FIELD_RESOURCES("maxLimitRequestRatio", limit_range_item, max_limit_request_ratio),
    FIELD_RESOURCES("min", limit_range_item, min),
    FIELD_STRING("type", limit_range_item, type, FIELD_REQUIRED),
};
static const struct schema limit_schema = SCHEMA(limit_range_item, limit_fields);

static const struct field spec_fields[] = {
    FIELD_LIST("limits", limit_range, limits, limit_count, 0, limit_schema),
};
static const struct schema spec_schema = SCHEMA(limit_range, spec_fields);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", limit_range, meta, 0, object_meta_schema),
    FIELD_NESTED("spec", 0, spec_schema),
};
static const struct schema schema = SCHEMA(limit_range, fields);

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct resource *)left)->name, ((const struct resource *)right)->name);
}

/* Adds to the list what only the other one has. */
static void add_missing(struct arena *arena, struct resource_list *list,
                        const struct resource_list *other)
{
    struct resource *items = ARENA_ARRAY(arena, struct resource, list->count + other->count);
    uint32_t count = list->count;
    for (uint32_t i = 0; i < count; i++)
        items[i] = list->items[i];
    for (uint32_t i = 0; i < other->count; i++)
        if (resource_list_find(list, other->items[i].name) == NULL)
            items[count++] = other->items[i];
    if (count > 0)
        qsort(items, count, sizeof(*items), compare_names);
    *list = (struct resource_list){items, count};
}

static bool is_for_containers(const struct limit_range_item *limit)
{
    return limit->type != NULL && strcmp(limit->type, "Container") == 0;
}

static void set_defaults(struct arena *arena, void *object)
{
    struct limit_range *range = object;
    for (uint32_t i = 0; i < range->limit_count; i++) {
        struct limit_range_item *limit = &range->limits[i];
        if (!is_for_containers(limit))
            continue;
        add_missing(arena, &limit->default_limit, &limit->max);
        add_missing(arena, &limit->default_request, &limit->default_limit);
        add_missing(arena, &limit->default_request, &limit->min);
    }
}

/* The two lists of a limit of which the first may not exceed the second. */
struct order {
    const char *lower_name;
    const struct resource_list *lower;
    const char *upper_name;
    const struct resource_list *upper;
};

static void validate_order(struct reading *reading, const struct path *path,
                           const struct order *order)
{
    const struct path list = path_field(path, order->lower_name);
    const struct path bounds = path_field(path, order->upper_name);
    struct arena *arena = reading->problems->arena;
    for (uint32_t i = 0; i < order->lower->count; i++) {
        const struct resource *lower = &order->lower->items[i];
        const struct quantity *upper = resource_list_find(order->upper, lower->name);
        const struct path entry = path_field(&list, lower->name);
        const struct path bound = path_field(&bounds, lower->name);
        /* Only values that the user gave are compared: what was filled in cannot break the rule. */
        if (path_value(reading->root, &entry) == NULL || path_value(reading->root, &bound) == NULL)
            continue;
        if (upper != NULL && quantity_compare(lower->quantity, *upper) > 0)
            reading_error(reading, &entry, "expected at most %s, the %s, found %s",
                          quantity_format_text(arena, *upper), order->upper_name,
                          quantity_format_text(arena, lower->quantity));
    }
}

static void validate_ratios(struct reading *reading, const struct path *path,
                            const struct limit_range_item *limit)
{
    const struct path list = path_field(path, "maxLimitRequestRatio");
    for (uint32_t i = 0; i < limit->max_limit_request_ratio.count; i++) {
        const struct resource *ratio = &limit->max_limit_request_ratio.items[i];
        const struct path entry = path_field(&list, ratio->name);
        const char *text = quantity_format_text(reading->problems->arena, ratio->quantity);
        const struct quantity *min = resource_list_find(&limit->min, ratio->name);
        const struct quantity *max = resource_list_find(&limit->max, ratio->name);
        if (quantity_compare(ratio->quantity, quantity_of(1)) < 0)
            reading_error(reading, &entry, "expected at least 1, found %s", text);
        if (min == NULL || max == NULL)
            continue;
        const double most = (double)quantity_milli_value(*max) / (double)quantity_milli_value(*min);
        if ((double)quantity_milli_value(ratio->quantity) / 1000 > most)
            reading_error(reading, &entry, "expected at most max/min, which is %g, found %s", most,
                          text);
    }
}

static void validate_lists(struct reading *reading, const struct path *path,
                           const struct limit_range_item *limit)
{
    const struct order orders[] = {
        {"min", &limit->min, "max", &limit->max},
        {"min", &limit->min, "defaultRequest", &limit->default_request},
        {"min", &limit->min, "default", &limit->default_limit},
        {"defaultRequest", &limit->default_request, "max", &limit->max},
        {"defaultRequest", &limit->default_request, "default", &limit->default_limit},
        {"default", &limit->default_limit, "max", &limit->max},
    };
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        validate_order(reading, path, &orders[i]);
    validate_ratios(reading, path, limit);
}

/* Other types are for those who define them, and have a domain in front. */
static void validate_type(struct reading *reading, const struct path *path, const char *type)
{
    static const char *const standard[] = {"Pod", "Container", "PersistentVolumeClaim"};
    for (size_t i = 0; i < sizeof(standard) / sizeof(standard[0]); i++)
        if (strcmp(type, standard[i]) == 0)
            return;
    if (strchr(type, '/') != NULL)
        qualified_name_validate(reading, path, type);
    else
        reading_error(reading, path,
                      "expected Container, Pod, PersistentVolumeClaim or a name with a domain, "
                      "found \"%s\"",
                      type);
}

static void validate_limit(struct reading *reading, const struct path *path,
                           const struct limit_range_item *limit)
{
    const struct path type = path_field(path, "type");
    if (limit->type != NULL)
        validate_type(reading, &type, limit->type);
    if (limit->type != NULL && strcmp(limit->type, "Pod") == 0) {
        const struct path default_limit = path_field(path, "default");
        const struct path default_request = path_field(path, "defaultRequest");
        if (limit->default_limit.count > 0)
            reading_error(reading, &default_limit, "must not be given for the type Pod");
        if (limit->default_request.count > 0)
            reading_error(reading, &default_request, "must not be given for the type Pod");
    }
    if (limit->type != NULL && strcmp(limit->type, "PersistentVolumeClaim") == 0 &&
        resource_list_find(&limit->min, "storage") == NULL &&
        resource_list_find(&limit->max, "storage") == NULL)
        reading_error(reading, path, "expected min or max of storage, found neither");
    validate_lists(reading, path, limit);
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct limit_range *range = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path spec = path_field(path, "spec");
    const struct path limits = path_field(&spec, "limits");
    object_meta_validate(reading, &metadata, &range->meta, NAME_DNS_SUBDOMAIN);
    for (uint32_t i = 0; i < range->limit_count; i++) {
        const struct path limit = path_item(&limits, i);
        const struct path type = path_field(&limit, "type");
        validate_limit(reading, &limit, &range->limits[i]);
        for (uint32_t j = 0; j < i; j++)
            if (range->limits[i].type != NULL && range->limits[j].type != NULL &&
                strcmp(range->limits[i].type, range->limits[j].type) == 0)
                reading_error(reading, &type, "there is a limit for the type %s already",
                              range->limits[i].type);
    }
}

static const struct kind_version versions[] = {
    {"v1", &schema, NULL},
    {0},
};

const struct kind_type limit_range_kind = {
    .versions = versions,
    .namespaced = true,
    .set_defaults = set_defaults,
    .validate = validate,
};
