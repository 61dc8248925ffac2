/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/node_mentions.h"

#include <string.h>

static void mention(struct map *map, const char *text)
{
    static char yes;
    if (text)
        map_put(map, text)->value = &yes;
}

static void mention_all(struct map *map, const struct string_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        mention(map, list->items[i]);
}

void node_mentions_init(struct node_mentions *mentions, struct arena *arena)
{
    *mentions = (struct node_mentions){0};
    map_init(&mentions->names, arena);
    map_init(&mentions->hostnames, arena);
}

void node_mentions_add_name(struct node_mentions *mentions, const char *name)
{
    mention(&mentions->names, name);
}

void node_mentions_add_term(struct node_mentions *mentions, const struct node_selector_term *term)
{
    for (uint32_t i = 0; i < term->match_field_count; i++)
        mention_all(&mentions->names, &term->match_fields[i].values);
    for (uint32_t i = 0; i < term->match_expression_count; i++) {
        const struct selector_requirement *requirement = &term->match_expressions[i];
        if (strcmp(requirement->key, LABEL_HOSTNAME) != 0)
            continue;
        mention_all(&mentions->hostnames, &requirement->values);
        mentions->all_hostnames |=
            requirement->operator== SELECTOR_GREATER_THAN || requirement->operator==
            SELECTOR_LESS_THAN;
    }
}

void node_mentions_add_labels(struct node_mentions *mentions, const struct labels *selector)
{
    mention(&mentions->hostnames, labels_find(selector, LABEL_HOSTNAME));
}

void node_mentions_add_selector(struct node_mentions *mentions,
                                const struct label_selector *selector)
{
    if (!selector)
        return;
    node_mentions_add_labels(mentions, &selector->match_labels);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        if (strcmp(selector->match_expressions[i].key, LABEL_HOSTNAME) == 0)
            mention_all(&mentions->hostnames, &selector->match_expressions[i].values);
}

bool node_mentions_has(const struct node_mentions *mentions, const struct node *node)
{
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    if (mentions->all || map_get(&mentions->names, node->meta.name))
        return true;
    return hostname && (mentions->all_hostnames || map_get(&mentions->hostnames, hostname));
}
