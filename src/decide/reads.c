/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/reads.h"

#include <string.h>

static void put(struct map *map, const char *key)
{
    static char yes;
    if (key)
        map_put(map, key)->value = &yes;
}

static void put_all(struct map *map, const struct string_list *keys)
{
    for (uint32_t i = 0; i < keys->count; i++)
        put(map, keys->items[i]);
}

void reads_init(struct reads *reads, struct arena *arena)
{
    *reads = (struct reads){.arena = arena};
    node_mentions_init(&reads->mentions, arena);
    map_init(&reads->node_labels, arena);
    map_init(&reads->pod_labels, arena);
    map_init(&reads->images, arena);
    map_init(&reads->resources, arena);
}

/* ---- nodes ---- */

void reads_node_label(struct reads *reads, const char *key)
{
    if (key && strcmp(key, LABEL_HOSTNAME) != 0)
        put(&reads->node_labels, key);
}

void reads_node_name(struct reads *reads, const char *name)
{
    node_mentions_add_name(&reads->mentions, name);
}

void reads_node_labels(struct reads *reads, const struct labels *selector)
{
    for (uint32_t i = 0; i < selector->count; i++)
        reads_node_label(reads, selector->items[i].key);
    node_mentions_add_labels(&reads->mentions, selector);
}

void reads_node_label_selector(struct reads *reads, const struct label_selector *selector)
{
    if (!selector)
        return;
    for (uint32_t i = 0; i < selector->match_labels.count; i++)
        reads_node_label(reads, selector->match_labels.items[i].key);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        reads_node_label(reads, selector->match_expressions[i].key);
    node_mentions_add_selector(&reads->mentions, selector);
}

void reads_node_term_labels(struct reads *reads, const struct node_selector_term *term)
{
    for (uint32_t i = 0; i < term->match_expression_count; i++)
        reads_node_label(reads, term->match_expressions[i].key);
}

static void read_term(struct reads *reads, const struct node_selector_term *term)
{
    reads_node_term_labels(reads, term);
    node_mentions_add_term(&reads->mentions, term);
}

void reads_node_selector(struct reads *reads, const struct node_selector *selector)
{
    for (uint32_t i = 0; selector && i < selector->term_count; i++)
        read_term(reads, &selector->terms[i]);
}

void reads_node_affinity(struct reads *reads, const struct node_affinity *affinity)
{
    if (!affinity)
        return;
    reads_node_selector(reads, affinity->required);
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        read_term(reads, &affinity->preferred[i].preference);
}

/* ---- pods ---- */

void reads_pod_label(struct reads *reads, const char *key)
{
    put(&reads->pod_labels, key);
}

void reads_pod_labels(struct reads *reads, const struct labels *selector)
{
    for (uint32_t i = 0; i < selector->count; i++)
        reads_pod_label(reads, selector->items[i].key);
}

void reads_pod_selector(struct reads *reads, const struct label_selector *selector)
{
    if (!selector)
        return;
    reads_pod_labels(reads, &selector->match_labels);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        reads_pod_label(reads, selector->match_expressions[i].key);
}

static void read_pod_term(struct reads *reads, const struct pod_affinity_term *term)
{
    reads_node_label(reads, term->topology_key);
    reads_pod_selector(reads, term->label_selector);
    put_all(&reads->pod_labels, &term->match_label_keys);
    put_all(&reads->pod_labels, &term->mismatch_label_keys);
}

void reads_pod_affinity(struct reads *reads, const struct pod_affinity *affinity)
{
    if (!affinity)
        return;
    for (uint32_t i = 0; i < affinity->required_count; i++)
        read_pod_term(reads, &affinity->required[i]);
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        read_pod_term(reads, &affinity->preferred[i].term);
}

void reads_spread_constraints(struct reads *reads,
                              const struct topology_spread_constraint *constraints, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (reads->filters_only && constraints[i].when_unsatisfiable == SCHEDULE_ANYWAY)
            continue;
        reads_node_label(reads, constraints[i].topology_key);
        reads_pod_selector(reads, constraints[i].label_selector);
        put_all(&reads->pod_labels, &constraints[i].match_label_keys);
    }
}

/* ---- images and resources ---- */

void reads_image(struct reads *reads, const char *name)
{
    put(&reads->images, name);
}

void reads_resource(struct reads *reads, const char *name)
{
    put(&reads->resources, name);
}

static void read_resources(struct reads *reads, const struct resource_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        reads_resource(reads, list->items[i].name);
}

void reads_requests(struct reads *reads, const struct pod_spec *spec)
{
    for (uint32_t i = 0; i < spec->container_count; i++)
        read_resources(reads, &spec->containers[i].resources.requests);
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        read_resources(reads, &spec->init_containers[i].resources.requests);
    read_resources(reads, &spec->overhead);
    if (spec->resources) {
        read_resources(reads, &spec->resources->requests);
        read_resources(reads, &spec->resources->limits);
    }
}

void reads_everything(struct reads *reads)
{
    reads->everything = true;
    reads->all_resources = true;
    reads->all_pod_labels = true;
    reads->container_names = true;
    reads->mentions.all = true;
    reads->mentions.all_hostnames = true;
}

/* ---- answers ---- */

bool reads_has_node_label(const struct reads *reads, const char *key)
{
    return reads->everything || reads->all_node_labels || map_get(&reads->node_labels, key);
}

bool reads_has_pod_label(const struct reads *reads, const char *key)
{
    return reads->all_pod_labels || map_get(&reads->pod_labels, key);
}

bool reads_has_image(const struct reads *reads, const char *name)
{
    return reads->everything || map_get(&reads->images, name);
}

bool reads_has_resource(const struct reads *reads, const char *name)
{
    return reads->all_resources || map_get(&reads->resources, name);
}
