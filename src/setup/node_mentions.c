/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/node_mentions.h"

#include "object/policy.h"
#include "object/scheduler_configuration.h"
#include "object/storage.h"
#include "object/workload.h"

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

static void collect_term(struct node_mentions *mentions, const struct node_selector_term *term)
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

static void collect_selector(struct node_mentions *mentions, const struct node_selector *selector)
{
    for (uint32_t i = 0; selector && i < selector->term_count; i++)
        collect_term(mentions, &selector->terms[i]);
}

void node_mentions_add_affinity(struct node_mentions *mentions,
                                const struct node_affinity *affinity)
{
    if (!affinity)
        return;
    for (uint32_t i = 0; i < affinity->preferred_count; i++)
        collect_term(mentions, &affinity->preferred[i].preference);
    collect_selector(mentions, affinity->required);
}

static void collect_spec(struct node_mentions *mentions, const struct pod_spec *spec)
{
    mention(&mentions->hostnames, labels_find(&spec->node_selector, LABEL_HOSTNAME));
    if (spec->affinity)
        node_mentions_add_affinity(mentions, spec->affinity->node_affinity);
}

static void collect_pod(struct node_mentions *mentions, const struct pod *pod)
{
    if (!pod->spec.node_name)
        mention(&mentions->names, pod->status.nominated_node_name);
    collect_spec(mentions, &pod->spec);
}

void node_mentions_add(struct node_mentions *mentions, const struct object *object)
{
    switch (object->kind) {
    case OBJECT_POD: collect_pod(mentions, object->as.pod); break;
    case OBJECT_DEPLOYMENT: collect_spec(mentions, &object->as.deployment->template.spec); break;
    case OBJECT_REPLICA_SET: collect_spec(mentions, &object->as.replica_set->template.spec); break;
    case OBJECT_REPLICATION_CONTROLLER:
        collect_spec(mentions, &object->as.replication_controller->template.spec);
        break;
    case OBJECT_STATEFUL_SET:
        collect_spec(mentions, &object->as.stateful_set->template.spec);
        break;
    case OBJECT_DAEMON_SET: collect_spec(mentions, &object->as.daemon_set->template.spec); break;
    case OBJECT_JOB: collect_spec(mentions, &object->as.job->template.spec); break;
    case OBJECT_PERSISTENT_VOLUME:
        collect_selector(mentions, object->as.persistent_volume->node_affinity);
        break;
    case OBJECT_PERSISTENT_VOLUME_CLAIM:
        mention(&mentions->names, labels_find(&object->as.persistent_volume_claim->meta.annotations,
                                              "volume.kubernetes.io/selected-node"));
        break;
    case OBJECT_SCHEDULER_CONFIGURATION:
        for (uint32_t i = 0; i < object->as.scheduler_configuration->profile_count; i++)
            node_mentions_add_affinity(
                mentions,
                object->as.scheduler_configuration->profiles[i].node_affinity.added_affinity);
        break;
    default: break;
    }
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

void node_mentions_collect(struct node_mentions *mentions, struct arena *arena,
                           const struct objects *objects, const struct pod *incoming)
{
    node_mentions_init(mentions, arena);
    for (uint32_t i = 0; i < objects->count; i++)
        node_mentions_add(mentions, &objects->items[i]);
    if (incoming) {
        mention(&mentions->names, incoming->spec.node_name);
        collect_pod(mentions, incoming);
    }
}

bool node_mentions_has(const struct node_mentions *mentions, const struct node *node)
{
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    if (map_get(&mentions->names, node->meta.name))
        return true;
    return hostname && (mentions->all_hostnames || map_get(&mentions->hostnames, hostname));
}
