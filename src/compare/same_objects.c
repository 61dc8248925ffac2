/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/same_objects.h"

#include "decide/features.h"
#include "manifest/value_edit.h"
#include "repair/tree.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) texts;

static int by_key(const void *left, const void *right)
{
    return strcmp(((const struct member *)left)->key, ((const struct member *)right)->key);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Keys in one order. */
static struct value ordered(struct arena *arena, const struct value *value)
{
    struct value copy = *value;
    if (value->kind == VALUE_SEQUENCE) {
        struct value *items = ARENA_ARRAY(arena, struct value, value->count + 1);
        for (uint32_t i = 0; i < value->count; i++)
            items[i] = ordered(arena, &value->items[i]);
        copy.items = items;
    } else if (value->kind == VALUE_MAPPING) {
        struct member *members = ARENA_ARRAY(arena, struct member, value->count + 1);
        for (uint32_t i = 0; i < value->count; i++) {
            members[i] = value->members[i];
            members[i].value = ordered(arena, &value->members[i].value);
        }
        if (value->count > 0)
            qsort(members, value->count, sizeof(*members), by_key);
        copy.members = members;
    }
    return copy;
}

/* Each document by itself: what is decoded of it may leave something out. */
static texts collect(struct arena *arena, const struct objects *objects)
{
    texts list = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        struct text text;
        if (object->kind == OBJECT_CHECK || !object->source)
            continue;
        const struct value root = ordered(arena, &object->source->root);
        text_init(&text, arena->memory);
        tree_write(&text, &root, true);
        VEC_PUSH(arena, &list, text_keep(&text, arena));
    }
    if (list.count > 0)
        qsort(list.items, list.count, sizeof(*list.items), by_text);
    return list;
}

static bool same_lists(struct arena *arena, const struct objects *left, const struct objects *right)
{
    const texts one = collect(arena, left);
    const texts other = collect(arena, right);
    bool same = one.count == other.count;
    for (uint32_t i = 0; same && i < one.count; i++)
        same = strcmp(one.items[i], other.items[i]) == 0;
    return same;
}

/* Where the manifests are does not matter. */
static bool same_checks(struct arena *arena, const struct verify_plan *left,
                        const struct verify_plan *right)
{
    const struct value *one = left->unit->root ? value_find(left->unit->root, "spec") : NULL;
    const struct value *other = right->unit->root ? value_find(right->unit->root, "spec") : NULL;
    if (!one || !other)
        return one == other;
    const struct value left_spec = value_without(arena, one, "manifests");
    const struct value right_spec = value_without(arena, other, "manifests");
    return tree_same(&left_spec, &right_spec);
}

static bool same_applied(struct arena *arena, const struct verify_plan *left,
                         const struct verify_plan *right)
{
    const uint32_t count = left->check ? left->check->event_count : 0;
    if (count != (right->check ? right->check->event_count : 0))
        return false;
    for (uint32_t e = 0; e < count; e++)
        if (!same_lists(arena, &left->scope.applied[e], &right->scope.applied[e]))
            return false;
    return true;
}

bool compare_same_objects(struct memory *memory, const struct compare_side *old,
                          const struct compare_side *new)
{
    struct arena scratch;
    arena_init(&scratch, memory);
    const bool same =
        features_equal(&old->run.population.features, &new->run.population.features) &&
        same_checks(&scratch, old->plan, new->plan) &&
        same_lists(&scratch, &old->plan->unit->objects, &new->plan->unit->objects) &&
        same_applied(&scratch, old->plan, new->plan);
    arena_release(&scratch);
    return same;
}
