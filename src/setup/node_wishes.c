/* SPDX-License-Identifier: Apache-2.0 */
/* What pods ask of a node. */
#include "object/schemas.h"
#include "setup/kubelet_labels.h"
#include "setup/node_needs.h"

#include <stdlib.h>
#include <string.h>

enum { PODS_OF_NODE = 110, EPHEMERAL_GI = 100 };

/* ---- labels ---- */

bool node_label_is_zone(const char *key)
{
    return strcmp(key, LABEL_ZONE) == 0 || strcmp(key, LABEL_ZONE_BETA) == 0;
}

static bool is_region(const char *key)
{
    return strcmp(key, LABEL_REGION) == 0 || strcmp(key, LABEL_REGION_BETA) == 0;
}

void node_wish_zone(struct node_needs *needs, const char *zone)
{
    for (uint32_t i = 0; i < needs->zones.count; i++)
        if (strcmp(needs->zones.items[i], zone) == 0)
            return;
    VEC_PUSH(needs->arena, &needs->zones, zone);
}

/* Zones and regions are where nodes are; everything else is what they have. */
static void want(struct node_needs *needs, struct labels *wanted, const char *key,
                 const char *value)
{
    if (node_label_is_zone(key))
        node_wish_zone(needs, value);
    else if (is_region(key))
        needs->region = value;
    else
        labels_set(needs->arena, wanted, key, value);
}

/* A number that is greater or less. */
static const char *number_beside(struct arena *arena, const struct selector_requirement *asked)
{
    const long number = asked->values.count ? strtol(asked->values.items[0], NULL, 10) : 0;
    return arena_printf(arena, "%ld",
                        asked->operator== SELECTOR_GREATER_THAN ? number + 1 : number - 1);
}

static void want_expression(struct node_needs *needs, struct labels *wanted,
                            const struct selector_requirement *asked)
{
    switch (asked->operator) {
    case SELECTOR_IN:
        if (node_label_is_zone(asked->key))
            for (uint32_t i = 0; i < asked->values.count; i++)
                node_wish_zone(needs, asked->values.items[i]);
        else if (!labels_find(wanted, asked->key))
            want(needs, wanted, asked->key, asked->values.items[0]);
        break;
    case SELECTOR_EXISTS:
        if (!labels_find(wanted, asked->key) && !node_label_is_zone(asked->key) &&
            !is_region(asked->key))
            want(needs, wanted, asked->key, "");
        break;
    case SELECTOR_GREATER_THAN:
    case SELECTOR_LESS_THAN:
        want(needs, wanted, asked->key, number_beside(needs->arena, asked));
        break;
    case SELECTOR_NOT_IN:
    case SELECTOR_DOES_NOT_EXIST: break;
    }
}

/* The labels that a node needs for a pod: of several terms, those of the first. */
static struct labels labels_for(struct node_needs *needs, const struct pod_spec *spec)
{
    struct labels wanted = {0};
    const struct node_selector *required = spec->affinity && spec->affinity->node_affinity
                                               ? spec->affinity->node_affinity->required
                                               : NULL;
    for (uint32_t i = 0; i < spec->node_selector.count; i++)
        want(needs, &wanted, spec->node_selector.items[i].key, spec->node_selector.items[i].value);
    if (spec->node_name)
        want(needs, &wanted, LABEL_HOSTNAME, spec->node_name);
    if (required && required->term_count > 0)
        for (uint32_t i = 0; i < required->terms[0].match_expression_count; i++)
            want_expression(needs, &wanted, &required->terms[0].match_expressions[i]);
    return wanted;
}

/* Must the pod stay away from nodes with these labels? */
static bool rejects(const struct pod_spec *spec, const struct labels *labels)
{
    const struct node_selector *required = spec->affinity && spec->affinity->node_affinity
                                               ? spec->affinity->node_affinity->required
                                               : NULL;
    if (!required || required->term_count == 0)
        return false;
    const struct node_selector_term *term = &required->terms[0];
    for (uint32_t i = 0; i < term->match_expression_count; i++) {
        const struct selector_requirement *asked = &term->match_expressions[i];
        if ((asked->operator== SELECTOR_NOT_IN || asked->operator== SELECTOR_DOES_NOT_EXIST) &&
            !selector_requirement_matches(asked, labels))
            return true;
    }
    return false;
}

static bool contradicts(const struct labels *have, const struct labels *wanted)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        const char *value = labels_find(have, wanted->items[i].key);
        if (value && strcmp(value, wanted->items[i].value) != 0)
            return true;
    }
    return false;
}

bool node_label_is_usual(const struct label *label)
{
    static const struct label usual[] = {
        {"kubernetes.io/os", "linux"},
        {"beta.kubernetes.io/os", "linux"},
        {"kubernetes.io/arch", "amd64"},
        {"beta.kubernetes.io/arch", "amd64"},
    };
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
        if (strcmp(label->key, usual[i].key) == 0)
            return strcmp(label->value, usual[i].value) == 0;
    return false;
}

/* The labels of a pool with those that every node has. */
static struct labels whole_labels(struct arena *arena, const struct labels *wanted)
{
    struct node node = {.meta = {.creation_time = TIME_NONE, .deletion_time = TIME_NONE}};
    for (uint32_t i = 0; i < wanted->count; i++)
        labels_set(arena, &node.meta.labels, wanted->items[i].key, wanted->items[i].value);
    node_add_kubelet_labels(arena, &node);
    return node.meta.labels;
}

/* Puts the wishes of a workload into the first pool that can fulfil them, and says which it is. */
static uint32_t place_wishes(struct node_needs *needs, const struct pod_spec *spec,
                             const struct labels *asked)
{
    const struct labels wanted = *asked;
    const bool named = labels_find(&wanted, LABEL_HOSTNAME) != NULL;
    if (wanted.count == 0)
        return 0;
    for (uint32_t p = 0; p < needs->pools.count; p++) {
        struct node_pool *pool = &needs->pools.items[p];
        const struct labels have = whole_labels(needs->arena, &pool->labels);
        struct labels all = have;
        if ((named != pool->single && !labels_include(&have, &wanted)) ||
            contradicts(&have, &wanted))
            continue;
        for (uint32_t i = 0; i < wanted.count; i++)
            labels_set(needs->arena, &all, wanted.items[i].key, wanted.items[i].value);
        if (rejects(spec, &all))
            continue;
        for (uint32_t i = 0; i < wanted.count; i++)
            labels_set(needs->arena, &pool->labels, wanted.items[i].key, wanted.items[i].value);
        return p;
    }
    const struct node_pool added = {.labels = wanted, .single = named};
    VEC_PUSH(needs->arena, &needs->pools, added);
    return needs->pools.count - 1;
}

static void want_key(struct node_needs *needs, const char *key)
{
    const struct label label = {.key = key, .value = "linux"};
    bool known = node_label_is_zone(key) || is_region(key) || strcmp(key, LABEL_HOSTNAME) == 0 ||
                 strcmp(key, LABEL_INSTANCE) == 0 || strcmp(key, LABEL_INSTANCE_BETA) == 0 ||
                 node_label_is_usual(&label);
    for (uint32_t i = 0; i < needs->keys.count; i++)
        known |= strcmp(needs->keys.items[i], key) == 0;
    if (!known)
        VEC_PUSH(needs->arena, &needs->keys, key);
}

/* Domains by which pods must be together, apart or spread. */
static void want_keys(struct node_needs *needs, const struct pod_spec *spec)
{
    const struct affinity *affinity = spec->affinity;
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        want_key(needs, spec->topology_spread_constraints[i].topology_key);
    for (uint32_t i = 0;
         affinity && affinity->pod_affinity && i < affinity->pod_affinity->required_count; i++)
        want_key(needs, affinity->pod_affinity->required[i].topology_key);
    for (uint32_t i = 0;
         affinity && affinity->pod_anti_affinity && i < affinity->pod_anti_affinity->required_count;
         i++)
        want_key(needs, affinity->pod_anti_affinity->required[i].topology_key);
}

/* ---- resources ---- */

static bool is_native(const char *name)
{
    return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 || strcmp(name, "pods") == 0 ||
           strcmp(name, "ephemeral-storage") == 0;
}

static void want_resource(struct node_needs *needs, const struct resource *asked)
{
    if (is_native(asked->name))
        return;
    for (uint32_t i = 0; i < needs->extended.count; i++)
        if (strcmp(needs->extended.items[i].name, asked->name) == 0) {
            if (quantity_compare(needs->extended.items[i].quantity, asked->quantity) < 0)
                needs->extended.items[i].quantity = asked->quantity;
            return;
        }
    VEC_PUSH(needs->arena, &needs->extended, *asked);
}

/* A node has a disk for the largest pod at least. */
static void want_disk(struct node_needs *needs, const struct pod_spec *spec)
{
    struct quantity asked = {.format = QUANTITY_BINARY_SI};
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *part =
            resource_list_find(&spec->containers[c].resources.requests, "ephemeral-storage");
        if (part)
            asked = quantity_add(asked, *part);
    }
    if (quantity_compare(needs->disk, asked) < 0)
        needs->disk = asked;
}

static void want_resources(struct node_needs *needs, const struct pod_spec *spec)
{
    want_disk(needs, spec);
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (uint32_t r = 0; r < spec->containers[c].resources.requests.count; r++)
            want_resource(needs, &spec->containers[c].resources.requests.items[r]);
}

void node_wishes_add(struct node_needs *needs, const struct pod_spec *spec)
{
    struct node_wish wish = {.spec = spec, .labels = labels_for(needs, spec)};
    wish.pool = place_wishes(needs, spec, &wish.labels);
    VEC_PUSH(needs->arena, &needs->wishes, wish);
    want_resources(needs, spec);
    want_keys(needs, spec);
}

/* ---- what a node has ---- */

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct resource *)left)->name, ((const struct resource *)right)->name);
}

/* `times` as much of everything as a node has. */
struct resource_list node_allocatable(struct arena *arena, const struct node_needs *needs,
                                      int32_t times)
{
    const struct quantity usual_disk = {
        .nanos = (quantity_nanos)EPHEMERAL_GI * 1024 * 1024 * 1024 * 1000000000,
        .format = QUANTITY_BINARY_SI,
    };
    const struct quantity disk =
        quantity_compare(needs->disk, usual_disk) > 0 ? needs->disk : usual_disk;
    const struct resource usual[] = {{"cpu", needs->size.cpu},
                                     {"ephemeral-storage", disk},
                                     {"memory", needs->size.memory},
                                     {"pods", quantity_of(PODS_OF_NODE)}};
    enum { USUAL = sizeof(usual) / sizeof(*usual) };
    struct resource *items = ARENA_ARRAY(arena, struct resource, USUAL + needs->extended.count);
    memcpy(items, usual, sizeof(usual));
    for (uint32_t i = 0; i < needs->extended.count; i++)
        items[USUAL + i] = needs->extended.items[i];
    for (uint32_t i = 0; i < USUAL + needs->extended.count; i++)
        items[i].quantity.nanos *= times;
    qsort(items, USUAL + needs->extended.count, sizeof(*items), compare_names);
    return (struct resource_list){items, USUAL + needs->extended.count};
}
