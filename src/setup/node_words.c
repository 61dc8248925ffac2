/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What manifests need of nodes, in words: how many, of what size, and on how many of them there has
 * to be what only some pods ask for. Labels that the same pods ask for are told together.
 */
#include "object/schemas.h"
#include "setup/kubelet_labels.h"
#include "setup/node_needs.h"

#include <string.h>

/* ---- who asks for what ---- */

struct label_of_pool {
    const struct label *label;
    uint32_t pool;
};

static bool asks_for_label(const struct node_wish *wish, const void *what)
{
    const struct label_of_pool *asked = what;
    return wish->pool == asked->pool && labels_find(&wish->labels, asked->label->key);
}

static bool is_in_pool(const struct node_wish *wish, const void *what)
{
    return wish->pool == *(const uint32_t *)what;
}

static bool asks_for_resource(const struct node_wish *wish, const void *what)
{
    for (uint32_t c = 0; c < wish->spec->container_count; c++)
        if (resource_list_find(&wish->spec->containers[c].resources.requests, what))
            return true;
    return false;
}

static bool is_used(const struct node_needs *needs, uint32_t pool)
{
    for (uint32_t i = 0; i < needs->wishes.count; i++)
        if (needs->wishes.items[i].pool == pool)
            return true;
    return false;
}

/* Pods that ask for nothing may be anywhere, but hardly are on nodes that are there for others. */
static int32_t all_pools(const struct node_needs *needs, int32_t count)
{
    int32_t sum = 0;
    uint32_t used = 0;
    for (uint32_t p = 0; p < needs->pools.count; p++) {
        if (!is_used(needs, p))
            continue;
        sum += needs->pools.items[p].single ? 1 : node_counts_of(needs, is_in_pool, &p);
        used++;
    }
    return used > 1 && sum > count ? sum : count;
}

/* ---- words ---- */

/* "on 2", of `all`; "on 2 others": the nodes of another pool were told before. */
static const char *on_nodes(struct arena *arena, int32_t count, int32_t all, bool others)
{
    if (count >= all)
        return all == 1 ? "on it" : "on each";
    if (count == 1)
        return others ? "on another" : "on one";
    return arena_printf(arena, "on %d%s", count, others ? " others" : "");
}

/* Do the same pods ask for both? */
static bool go_together(const struct node_needs *needs, uint32_t pool, const struct label *left,
                        const struct label *right)
{
    const struct label_of_pool first = {left, pool};
    const struct label_of_pool second = {right, pool};
    for (uint32_t i = 0; i < needs->wishes.count; i++)
        if (asks_for_label(&needs->wishes.items[i], &first) !=
            asks_for_label(&needs->wishes.items[i], &second))
            return false;
    return true;
}

/* "labels disktype=ssd, pool=db", from the label `first` on; NULL: told with one before it. */
static const char *labels_from(const struct node_needs *needs, uint32_t pool, uint32_t first)
{
    const struct labels *labels = &needs->pools.items[pool].labels;
    const struct label *one = &labels->items[first];
    const char *text = arena_printf(needs->arena, "label %s=%s", one->key, one->value);
    bool several = false;
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct label *other = &labels->items[i];
        if (i == first || node_label_is_usual(other) || !go_together(needs, pool, one, other))
            continue;
        if (i < first)
            return NULL;
        text = arena_printf(needs->arena, "%s%s, %s=%s", several ? "" : "labels ",
                            text + (several ? 0 : strlen("label ")), other->key, other->value);
        several = true;
    }
    return text;
}

static const char *add_labels(const struct node_needs *needs, uint32_t pool, int32_t all,
                              bool *others, const char *text)
{
    const struct labels *labels = &needs->pools.items[pool].labels;
    bool told = false;
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct label_of_pool asked = {&labels->items[i], pool};
        const char *phrase =
            node_label_is_usual(&labels->items[i]) ? NULL : labels_from(needs, pool, i);
        if (!phrase)
            continue;
        const int32_t count =
            needs->pools.items[pool].single ? 1 : node_counts_of(needs, asks_for_label, &asked);
        text = arena_printf(needs->arena, "%s; %s %s", text, phrase,
                            on_nodes(needs->arena, count, all, *others));
        told = true;
    }
    *others |= told;
    return text;
}

/* Fewer nodes than zones are in as many zones, because nodes are spread evenly. */
static uint32_t zones_of(const struct node_needs *needs, int32_t count)
{
    if (!needs->zones_count)
        return 1;
    return (uint32_t)count < needs->zones_least ? (uint32_t)count : needs->zones_least;
}

const char *node_needs_text(const struct node_needs *needs, int32_t count)
{
    struct arena *arena = needs->arena;
    const int32_t all = all_pools(needs, count);
    const uint32_t zones = zones_of(needs, all);
    const char *text = arena_printf(arena, "%d node%s%s of %s CPU, %s", all, all == 1 ? "" : "s",
                                    zones > 1 ? arena_printf(arena, " in %u zones", zones) : "",
                                    quantity_format_text(arena, needs->size.cpu),
                                    quantity_format_text(arena, needs->size.memory));
    bool others = false;
    for (uint32_t p = 0; p < needs->pools.count; p++)
        text = add_labels(needs, p, all, &others, text);
    for (uint32_t i = 0; i < needs->keys.count; i++)
        text = arena_printf(arena, "%s; label %s on each", text, needs->keys.items[i]);
    for (uint32_t i = 0; i < needs->extended.count; i++) {
        const struct resource *had = &needs->extended.items[i];
        text = arena_printf(
            arena, "%s; %s %s %s", text, had->name, quantity_format_text(arena, had->quantity),
            on_nodes(arena, node_counts_of(needs, asks_for_resource, had->name), all, false));
    }
    return text;
}
