/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/quota/resource_math.h"

#include <string.h>

static struct quantity sum_of(struct quantity a, struct quantity b)
{
    return quantity_add(a, b);
}

/* Of equal quantities the second one, whose format counts. */
static struct quantity larger_of(struct quantity a, struct quantity b)
{
    return quantity_compare(a, b) <= 0 ? b : a;
}

static struct quantity rest_of(struct quantity a, struct quantity b)
{
    b.nanos = -b.nanos;
    a = quantity_add(a, b);
    return a.nanos > 0 ? a : quantity_of(0);
}

/* A merge of both lists; a name of one list alone is taken as it is. */
static struct resource_list merge(struct arena *arena, const struct resource_list *a,
                                  const struct resource_list *b,
                                  struct quantity (*join)(struct quantity, struct quantity))
{
    struct resource_list result = {
        .items = ARENA_ARRAY(arena, struct resource, a->count + b->count + 1)};
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < a->count || j < b->count) {
        struct resource *item = &result.items[result.count++];
        const int order = i == a->count   ? 1
                          : j == b->count ? -1
                                          : strcmp(a->items[i].name, b->items[j].name);
        if (order < 0) {
            *item = a->items[i++];
        } else if (order > 0) {
            *item = b->items[j++];
        } else {
            *item = a->items[i++];
            item->quantity = join(item->quantity, b->items[j++].quantity);
        }
    }
    return result;
}

struct resource_list resources_add(struct arena *arena, const struct resource_list *a,
                                   const struct resource_list *b)
{
    return merge(arena, a, b, sum_of);
}

struct resource_list resources_max(struct arena *arena, const struct resource_list *a,
                                   const struct resource_list *b)
{
    return merge(arena, a, b, larger_of);
}

struct resource_list resources_less(struct arena *arena, const struct resource_list *a,
                                    const struct resource_list *b)
{
    const struct resource_list both = resources_mask(arena, b, a);
    return merge(arena, a, &both, rest_of);
}

struct resource_list resources_mask(struct arena *arena, const struct resource_list *list,
                                    const struct resource_list *names)
{
    struct resource_list result = {.items = ARENA_ARRAY(arena, struct resource, list->count + 1)};
    for (uint32_t i = 0; i < list->count; i++)
        if (resource_list_find(names, list->items[i].name))
            result.items[result.count++] = list->items[i];
    return result;
}

static struct quantity last_of(struct quantity a, struct quantity b)
{
    (void)a;
    return b;
}

void resources_put(struct arena *arena, struct resource_list *list, const char *name,
                   struct quantity quantity)
{
    struct resource item = {name, quantity};
    const struct resource_list one = {&item, 1};
    *list = merge(arena, list, &one, last_of);
}
