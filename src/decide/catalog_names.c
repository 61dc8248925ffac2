/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of what has a name: resources, topology keys and their domains. */
#include "decide/view.h"

#include <string.h>

/* The number that belongs to a name, counting from 0 in the order of asking. */
static uint32_t number_of(struct map *numbers, const char *name, bool *is_new)
{
    uint32_t before = numbers->count;
    struct map_entry *entry = map_put(numbers, name);
    *is_new = numbers->count != before;
    if (*is_new)
        entry->value = (void *)((uintptr_t)before + 1);
    return (uint32_t)((uintptr_t)entry->value - 1);
}

uint32_t catalog_resource(struct catalog *catalog, const char *name)
{
    bool is_new;
    uint32_t number = number_of(&catalog->resource_numbers, name, &is_new);
    if (is_new)
        VEC_PUSH(catalog->arena, &catalog->resources, name);
    return number;
}

uint32_t catalog_domain(const struct node_template *template, struct topology_key *key)
{
    const char *value = labels_find(&template->node->meta.labels, key->key);
    if (!value)
        return VIEW_NONE;
    if (key->identity && template->anonymous)
        return DOMAIN_OWN;
    bool is_new;
    uint32_t number = number_of(&key->domains, value, &is_new);
    key->domain_count = key->domains.count;
    return number;
}

uint32_t catalog_topology_key(struct catalog *catalog, const char *name)
{
    bool is_new;
    uint32_t number = number_of(&catalog->topology_key_numbers, name, &is_new);
    if (!is_new)
        return number;
    struct topology_key *key = ARENA_NEW(catalog->arena, struct topology_key);
    key->key = name;
    key->identity = strcmp(name, LABEL_HOSTNAME) == 0;
    map_init(&key->domains, catalog->arena);
    VEC_PUSH(catalog->arena, &catalog->topology_keys, key);
    for (uint32_t i = 0; i < catalog->templates.count; i++) {
        struct node_template *template = catalog->templates.items[i];
        VEC_PUSH(catalog->arena, &template->domains, catalog_domain(template, key));
    }
    return number;
}
