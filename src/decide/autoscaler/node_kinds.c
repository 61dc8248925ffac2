/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/node_kinds.h"

#include "decide/autoscaler/class_facts.h"

#include "decide/node_fingerprint.h"
#include "decide/scheduler/plugin_reads.h"

static void read_pods(struct reads *reads, const struct autoscaler_pod *const *pods, uint32_t count,
                      bool *seen)
{
    for (uint32_t i = 0; i < count; i++) {
        if (seen[pods[i]->shape])
            continue;
        seen[pods[i]->shape] = true;
        scheduler_reads_incoming(reads, &pods[i]->unbound->spec);
        scheduler_reads_placed(reads, &pods[i]->unbound->spec);
    }
}

static void find_mentions(struct node_kinds *kinds)
{
    struct cluster_autoscaler *autoscaler = kinds->autoscaler;
    const struct world_lists *lists = &autoscaler->lists;
    struct reads reads;
    bool *seen =
        ARENA_ARRAY(autoscaler->loop_arena, bool, autoscaler->world.kinds.shapes.count + 1);
    reads_init(&reads, autoscaler->loop_arena);
    read_pods(&reads, lists->scheduled.items, lists->scheduled.count, seen);
    for (uint32_t i = 0; lists->known.count > 0 && i < autoscaler->world.classes.count; i++)
        read_pods(&reads, autoscaler->world.classes.items[i].pods,
                  autoscaler->world.classes.items[i].pod_count, seen);
    read_pods(&reads, lists->unschedulable.items, lists->unschedulable.count, seen);
    for (uint32_t i = 0; i < lists->objects.count; i++)
        scheduler_reads_object(&reads, &lists->objects.items[i]);
    kinds->mentions = reads.mentions;
    kinds->mentions.all |= reads.everything || autoscaler->unfolded;
}

static void count_hostnames(struct node_kinds *kinds)
{
    struct cluster_autoscaler *autoscaler = kinds->autoscaler;
    map_init(&kinds->own_hostnames, autoscaler->loop_arena);
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const char *hostname =
            labels_find(&autoscaler->nodes.items[i].node->meta.labels, LABEL_HOSTNAME);
        if (!hostname)
            continue;
        struct map_entry *entry = map_put(&kinds->own_hostnames, hostname);
        entry->value = (void *)((uintptr_t)entry->value + 1);
    }
}

void node_kinds_init(struct node_kinds *kinds, struct cluster_autoscaler *autoscaler)
{
    const bool by_node = autoscaler->lists.known.count > 0;
    *kinds = (struct node_kinds){.autoscaler = autoscaler};
    map_init(&kinds->kinds, autoscaler->loop_arena);
    find_mentions(kinds);
    if (!by_node)
        count_hostnames(kinds);
    kinds->hostnames = by_node ? &autoscaler->world.hostnames : &kinds->own_hostnames;
    kinds->unmentioned = by_node && autoscaler->world.shared_hostnames == 0 &&
                         kinds->mentions.names.count == 0 && kinds->mentions.hostnames.count == 0 &&
                         !kinds->mentions.all_hostnames && !kinds->mentions.all;
}

bool node_kinds_folds(const struct node_kinds *kinds, const struct node *node)
{
    const char *hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME);
    return hostname &&
           (kinds->unmentioned || ((uintptr_t)map_get(kinds->hostnames, hostname) == 1 &&
                                   !node_mentions_has(&kinds->mentions, node)));
}

uint32_t node_kinds_template(struct node_kinds *kinds, const struct node *node)
{
    struct simulated_cluster *simulation = kinds->autoscaler->simulation;
    if (!node_kinds_folds(kinds, node))
        return simulation_template(simulation, node, false);
    struct text text;
    text_init(&text, kinds->autoscaler->loop_arena->memory);
    node_fingerprint(&text, node);
    uintptr_t known = (uintptr_t)map_get(&kinds->kinds, text_content(&text));
    if (!known) {
        const char *key =
            arena_strndup(kinds->autoscaler->loop_arena, text_content(&text), text.length);
        known = (uintptr_t)simulation_template(simulation, node, true) + 1;
        map_put(&kinds->kinds, key)->value = (void *)known;
    }
    text_release(&text);
    return (uint32_t)(known - 1);
}
