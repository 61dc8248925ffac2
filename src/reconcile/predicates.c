/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/predicates.h"

#include <string.h>

/* Whether the text is the pattern, of so many bytes, with the names of the resource in it. */
static bool bytes_fit(const char *pattern, size_t length, const char *text,
                      const struct object_key *resource)
{
    const char *end = pattern + length;
    while (pattern < end) {
        const char *inserted = NULL;
        size_t taken = 0;
        if (end - pattern >= 6 && strncmp(pattern, "{name}", 6) == 0) {
            inserted = resource->name;
            taken = 6;
        } else if (end - pattern >= 11 && strncmp(pattern, "{namespace}", 11) == 0) {
            inserted = resource->name_space;
            taken = 11;
        }
        if (inserted) {
            const size_t bytes = strlen(inserted);
            if (strncmp(text, inserted, bytes) != 0)
                return false;
            text += bytes;
            pattern += taken;
        } else if (*text++ != *pattern++) {
            return false;
        }
    }
    return *text == '\0';
}

static bool text_fits(const char *pattern, const char *text, const struct object_key *resource)
{
    return bytes_fit(pattern, strlen(pattern), text, resource);
}

struct resource_keys {
    struct datum_keys keys;
    const struct object_key *resource;
};

static bool key_fits(const struct datum_keys *keys, const char *part, size_t length,
                     const char *key)
{
    return bytes_fit(part, length, key, ((const struct resource_keys *)keys)->resource);
}

/* A field by its path, in which the names of the resource may be keys. */
static const struct datum *field_at(const struct datum *object, const char *path,
                                    const struct object_key *resource)
{
    const struct resource_keys keys = {{key_fits}, resource};
    return datum_at_keys(object, path, &keys.keys);
}

static bool object_fits(const struct object_pattern *pattern, const struct datum *object,
                        const struct object_key *resource)
{
    const char *kind = datum_text(datum_member(object, "kind"), "");
    const char *name_space = datum_text(datum_at(object, "metadata.namespace"), "");
    const char *name = datum_text(datum_at(object, "metadata.name"), "");
    if (pattern->self)
        return strcmp(kind, resource->kind) == 0 && strcmp(name_space, resource->name_space) == 0 &&
               strcmp(name, resource->name) == 0;
    return text_fits(pattern->kind, kind, resource) &&
           text_fits(pattern->name_space, name_space, resource) &&
           text_fits(pattern->name, name, resource);
}

static const struct datum *find_object(const struct object_pattern *pattern,
                                       const struct object_list *store,
                                       const struct object_key *resource)
{
    for (uint32_t i = 0; i < store->count; i++)
        if (object_fits(pattern, store->items[i], resource))
            return store->items[i];
    return NULL;
}

static bool match_rule_holds(const struct match_rule *rule, const struct object_list *store,
                             const struct datum *resource, const struct object_key *key)
{
    const struct datum *object = find_object(&rule->object, store, key);
    if (rule->absent || !object)
        return rule->absent && !object;
    for (uint32_t i = 0; i < rule->field_count; i++) {
        const struct field_rule *field = &rule->fields[i];
        const struct datum *wanted =
            field->resource_path ? field_at(resource, field->resource_path, key) : field->value;
        if (!datum_equal(field_at(object, field->path, key), wanted))
            return false;
    }
    for (uint32_t i = 0; i < rule->absent_count; i++)
        if (field_at(object, rule->absent_fields[i], key))
            return false;
    return true;
}

static struct object_key key_of(const struct datum *object)
{
    return (struct object_key){
        .kind = datum_text(datum_member(object, "kind"), ""),
        .name_space = datum_text(datum_at(object, "metadata.namespace"), ""),
        .name = datum_text(datum_at(object, "metadata.name"), ""),
    };
}

bool match_rules_hold(const struct match_rules *rules, const struct object_list *store,
                      const struct datum *resource)
{
    const struct object_key key = key_of(resource);
    for (uint32_t i = 0; i < rules->count; i++)
        if (!match_rule_holds(&rules->items[i], store, resource, &key))
            return false;
    return true;
}

static bool compares(const struct object_condition *condition, const struct datum *found,
                     const struct datum *value)
{
    const double a =
        found && found->kind == DATUM_DOUBLE ? found->real : (double)datum_number(found, 0);
    const double b =
        value && value->kind == DATUM_DOUBLE ? value->real : (double)datum_number(value, 0);
    switch (condition->comparison) {
    case COMPARE_EXISTS: return found != NULL;
    case COMPARE_ABSENT: return found == NULL;
    case COMPARE_EQUALS: return datum_equal(found, value);
    case COMPARE_DIFFERS: return !datum_equal(found, value);
    case COMPARE_LESS: return a < b;
    case COMPARE_GREATER: return a > b;
    }
    return false;
}

static bool condition_holds(const struct object_condition *condition,
                            const struct object_list *store, const struct object_key *resource)
{
    const struct datum *object = find_object(&condition->object, store, resource);
    if (!condition->path)
        return (condition->comparison == COMPARE_ABSENT) == (object == NULL);
    const struct datum *value = condition->value;
    if (condition->resource_path) {
        const struct object_pattern self = {.self = true};
        value = field_at(find_object(&self, store, resource), condition->resource_path, resource);
    }
    return compares(condition, field_at(object, condition->path, resource), value);
}

static bool is_broken(const struct safety_rule *rule, const struct object_list *store,
                      const struct object_key *resource)
{
    for (uint32_t i = 0; i < rule->count; i++)
        if (!condition_holds(&rule->never[i], store, resource))
            return false;
    return true;
}

uint64_t safety_rules_broken(const struct safety_rules *rules, const struct object_list *store,
                             const struct object_key *resources, uint32_t count)
{
    uint64_t broken = 0;
    for (uint32_t i = 0; i < rules->count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (is_broken(&rules->items[i], store, &resources[k]))
                broken |= UINT64_C(1) << i;
    return broken;
}
