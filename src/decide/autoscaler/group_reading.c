/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/group_reading.h"

#include "manifest/document.h"

#include <string.h>

bool size_read(const struct value *value, const char *path, int64_t *size,
               struct problems *problems)
{
    int64_t number;
    if (value_read_integer(value, &number) && number >= 0 && number <= GROUP_SIZE_MOST) {
        *size = number;
        return true;
    }
    value_expected(problems, value, path, "a number of nodes from 0 to 100000");
    return false;
}

struct autoscaler_group *groups_add(struct cluster_autoscaler *autoscaler, const char *id)
{
    struct autoscaler_group *group = ARENA_NEW(autoscaler->arena, struct autoscaler_group);
    if (autoscaler_find_group(autoscaler, id))
        return NULL;
    group->id = id;
    group->utilization_threshold = autoscaler->options.utilization_threshold;
    group->unneeded_time = autoscaler->options.unneeded_time;
    group->unready_time = autoscaler->options.unready_time;
    VEC_PUSH(autoscaler->arena, &autoscaler->groups, group);
    uint32_t place = autoscaler->groups.count - 1;
    for (; place > 0 && strcmp(autoscaler->groups.items[place - 1]->id, id) > 0; place--)
        autoscaler->groups.items[place] = autoscaler->groups.items[place - 1];
    autoscaler->groups.items[place] = group;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        autoscaler->groups.items[i]->position = i;
    return group;
}

static const struct instance *find_instance(const struct autoscaler_group *group, const char *name)
{
    for (uint32_t i = 0; i < group->instances.count; i++)
        if (strcmp(group->instances.items[i].name, name) == 0)
            return &group->instances.items[i];
    return NULL;
}

bool instances_read(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                    const struct value *mapping, const char *path, struct problems *problems)
{
    const struct autoscaler_group former = *group;
    group->instances.items = NULL;
    group->instances.count = group->instances.capacity = 0;
    if (value_is_null(mapping))
        return true;
    if (mapping->kind != VALUE_MAPPING) {
        value_expected(problems, mapping, path, "a mapping from instances to error codes");
        return false;
    }
    VALUE_EACH_MEMBER(mapping, member)
    {
        const struct instance *known = find_instance(&former, member->key);
        struct instance instance = {.name = arena_strdup(autoscaler->arena, member->key),
                                    .unregistered_since =
                                        known ? known->unregistered_since : TIME_NONE};
        if (!value_read_string(&member->value, &instance.error)) {
            value_expected(problems, &member->value,
                           arena_printf(autoscaler->arena, "%s.%s", path, member->key),
                           "an error code, \"\" for none");
            return false;
        }
        instance.error_is_new = instance.error[0] != '\0' && !(known && known->error[0] != '\0');
        VEC_PUSH(autoscaler->arena, &group->instances, instance);
    }
    return true;
}

static bool read_template(struct cluster_autoscaler *autoscaler, const struct value *value,
                          const char *path, const struct node **template, struct problems *problems)
{
    const struct object_options options = {.unvalidated = true};
    struct objects objects = {0};
    struct document *document = ARENA_NEW(autoscaler->arena, struct document);
    if (value_is_null(value))
        return true;
    document->root = *value;
    if (!objects_add(autoscaler->arena, &objects, document, &options, problems))
        return false;
    if (objects.items[0].kind != OBJECT_NODE) {
        problem_error(problems, value_place(value), path, "expected a Node, found a %s",
                      objects.items[0].kind_name);
        return false;
    }
    struct node *node = objects.items[0].as.node;
    if (!node->meta.name)
        node->meta.name = "template";
    *template = node;
    return true;
}

bool group_options_read(struct arena *arena, const struct value *mapping, const char *path,
                        struct autoscaler_options *options, struct problems *problems)
{
    static const char *const own[] = {"scale-down-utilization-threshold",
                                      "scale-down-unneeded-time", "scale-down-unready-time"};
    if (!autoscaler_options_read(arena, mapping, path, options, problems))
        return false;
    for (uint32_t i = 0; !value_is_null(mapping) && i < mapping->count; i++) {
        const char *key = mapping->members[i].key;
        if (strcmp(key, own[0]) != 0 && strcmp(key, own[1]) != 0 && strcmp(key, own[2]) != 0) {
            problem_error(problems, member_place(mapping, &mapping->members[i]), path,
                          "%s cannot be set for one group", key);
            return false;
        }
    }
    return true;
}

static bool read_own_options(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                             const struct value *mapping, const char *path,
                             struct problems *problems)
{
    struct autoscaler_options options = autoscaler->options;
    if (!group_options_read(autoscaler->arena, mapping, path, &options, problems))
        return false;
    group->utilization_threshold = options.utilization_threshold;
    group->unneeded_time = options.unneeded_time;
    group->unready_time = options.unready_time;
    return true;
}

static bool read_group(struct cluster_autoscaler *autoscaler, const struct value *value,
                       const char *path, struct problems *problems)
{
    struct arena *arena = autoscaler->arena;
    const char *id = value_find_string(value, "id");
    const struct value *price = value_find(value, "price");
    if (!id) {
        problem_error(problems, value_place(value), path, "expected a group with an id");
        return false;
    }
    struct autoscaler_group *group = groups_add(autoscaler, id);
    if (!group) {
        problem_error(problems, value_place(value), path, "there is a group %s already", id);
        return false;
    }
    bool good = true;
    const struct {
        const char *key;
        int64_t *size;
    } sizes[] = {{"min", &group->min}, {"max", &group->max}, {"target", &group->target}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const struct value *size = value_find(value, sizes[i].key);
        const char *size_path = arena_printf(arena, "%s.%s", path, sizes[i].key);
        if (!size)
            problem_error(problems, value_place(value), size_path, "expected a number of nodes");
        good = size && size_read(size, size_path, sizes[i].size, problems) && good;
    }
    if (good && group->min > group->max) {
        problem_error(problems, value_place(value), path, "min is larger than max");
        good = false;
    }
    if (!value_is_null(price) && !value_read_number(price, &group->price)) {
        value_expected(problems, price, arena_printf(arena, "%s.price", path), "a number");
        good = false;
    }
    return read_template(autoscaler, value_find(value, "template"),
                         arena_printf(arena, "%s.template", path), &group->provider_template,
                         problems) &&
           read_own_options(autoscaler, group, value_find(value, "options"),
                            arena_printf(arena, "%s.options", path), problems) &&
           instances_read(autoscaler, group, value_find(value, "unregistered"),
                          arena_printf(arena, "%s.unregistered", path), problems) &&
           good;
}

bool groups_read(struct cluster_autoscaler *autoscaler, const struct value *list,
                 struct problems *problems)
{
    bool good = true;
    uint32_t number = 0;
    if (value_is_null(list))
        return true;
    if (list->kind != VALUE_SEQUENCE) {
        value_expected(problems, list, "groups", "a list of node groups");
        return false;
    }
    VALUE_EACH_ITEM(list, item)
    {
        good = read_group(autoscaler, item, arena_printf(autoscaler->arena, "groups[%u]", number++),
                          problems) &&
               good;
    }
    return good;
}
