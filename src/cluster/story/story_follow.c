/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names along a step: it changes the configs of some nodes, and the difference
 * of the old and the new config says which pods came, went or changed their stage.
 */
#include "cluster/story/story_follow.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_names.h"

#include <string.h>

static int64_t count_of(const struct state *state, uint32_t config)
{
    int64_t count = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        count += state->nodes[n].config == config ? state->nodes[n].count : 0;
    return count;
}

static uint32_t pods_of(const struct node_config *config, uint32_t class)
{
    for (uint32_t p = 0; p < config_entry_count(config); p++)
        if (config->pods[p].pod == class)
            return config->pods[p].count;
    return 0;
}

static uint32_t pod_total(const struct node_config *config)
{
    uint32_t total = config->pod_count;
    for (uint32_t i = 0; i < config->waiting_entry_count; i++)
        total += config->waiting[i].count;
    return total;
}

/* How many pods would have to change for one config to become the other. */
static uint32_t distance(const struct storyteller *teller, uint32_t from, uint32_t to)
{
    const struct node_config *a = story_config(teller, from);
    const struct node_config *b = story_config(teller, to);
    uint32_t same = 0;
    for (uint32_t p = 0; p < config_entry_count(a); p++) {
        const uint32_t other = pods_of(b, a->pods[p].pod);
        same += other < a->pods[p].count ? other : a->pods[p].count;
    }
    return pod_total(a) + pod_total(b) - 2 * same;
}

/* The step is about the pod. */
static void note_subject(struct storyteller *teller, uint32_t pod)
{
    VEC_PUSH(teller->arena, &teller->subjects, pod);
}

static void note_write(struct storyteller *teller, uint32_t object, struct story_value after,
                       bool matters)
{
    struct story_value *now = &teller->values.items[object];
    if (now->number == after.number && now->detail == after.detail)
        return;
    while (teller->writers.count < teller->values.count)
        VEC_PUSH(teller->arena, &teller->writers, 0);
    const struct story_write write = {object, *now, after, matters, teller->writers.items[object]};
    VEC_PUSH(teller->arena, &teller->writes, write);
    *now = after;
    if (matters)
        teller->writers.items[object] = teller->step_ends.count + 1;
}

/* Does somebody see the change of class? Levels that differ only in how long pods have been
 * there are bookkeeping of the model. */
static bool class_change_matters(struct worker *worker, uint32_t from, uint32_t to)
{
    const struct class_info *before = class_info(worker, from);
    const struct class_info *after = class_info(worker, to);
    return before->stage != after->stage ||
           describe_cpu_milli(worker, before) != describe_cpu_milli(worker, after);
}

static void note_pod(struct storyteller *teller, uint32_t pod, int64_t where, uint32_t class)
{
    const uint32_t object = object_of_pod(teller, pod);
    const struct story_value *before = &teller->values.items[object];
    const bool stays = before->number == where && where >= 0;
    note_write(teller, object, (struct story_value){where, class},
               !stays || class_change_matters(teller->worker, before->detail, class));
}

static uint32_t count_placed(const struct named_node *node, uint32_t class)
{
    uint32_t have = 0;
    for (uint32_t i = 0; i < node->pods.count; i++)
        have += node->pods.items[i].class == class;
    return have;
}

/* The place of a pod of this revision (UINT32_MAX: of any) on the node, which has more of its
 * class than the new config. The pod looks like one of class `alike` to everybody, unless that
 * is VIEW_NONE. UINT32_MAX: there is none. */
static uint32_t find_surplus(const struct storyteller *teller, const struct named_node *node,
                             const struct node_config *now, uint32_t alike, uint32_t revision)
{
    for (uint32_t i = 0; i < node->pods.count; i++) {
        const uint32_t class = node->pods.items[i].class;
        if (count_placed(node, class) > pods_of(now, class) &&
            (revision == UINT32_MAX || class_info(teller->worker, class)->revision == revision) &&
            (alike == VIEW_NONE || !class_change_matters(teller->worker, class, alike)))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t take_waiting(struct storyteller *teller, uint32_t revision)
{
    const uint32_t pod = teller->waiting[revision].items[0];
    teller->waiting[revision].count--;
    memmove(teller->waiting[revision].items, teller->waiting[revision].items + 1,
            teller->waiting[revision].count * sizeof(pod));
    return pod;
}

/* A pod of this class is on the node now that was not: it changed its stage, or
 * came from those that wait, or was made there. */
static void arrive(struct storyteller *teller, struct named_node *node,
                   const struct node_config *now, uint32_t class)
{
    const uint32_t revision = class_info(teller->worker, class)->revision;
    const int64_t here = node - teller->nodes.items;
    uint32_t changed = find_surplus(teller, node, now, class, revision);
    if (changed == UINT32_MAX)
        changed = find_surplus(teller, node, now, VIEW_NONE, revision);
    if (changed != UINT32_MAX) {
        /* That pods get other slots for their ages is bookkeeping. */
        if (!teller->population->clock ||
            class_change_matters(teller->worker, node->pods.items[changed].class, class))
            note_subject(teller, node->pods.items[changed].pod);
        node->pods.items[changed].class = class;
        note_pod(teller, node->pods.items[changed].pod, here, class);
        return;
    }
    const struct placed_pod placed = {
        .pod = teller->waiting[revision].count > 0 ? take_waiting(teller, revision)
                                                   : story_new_pod(teller, revision),
        .class = class,
    };
    VEC_PUSH(teller->arena, &node->pods, placed);
    note_subject(teller, placed.pod);
    note_pod(teller, placed.pod, here, class);
}

/* Pods that look as they did, but for the slots of their ages, are the same pods;
 * they are found before any pod is taken to have changed. */
static void match_alike(struct storyteller *teller, struct named_node *node,
                        const struct node_config *now)
{
    for (uint32_t p = 0; p < config_entry_count(now); p++) {
        const uint32_t class = now->pods[p].pod;
        const uint32_t revision = class_info(teller->worker, class)->revision;
        while (count_placed(node, class) < now->pods[p].count) {
            const uint32_t same = find_surplus(teller, node, now, class, revision);
            if (same == UINT32_MAX)
                break;
            node->pods.items[same].class = class;
            note_pod(teller, node->pods.items[same].pod, node - teller->nodes.items, class);
        }
    }
}

static void change_config(struct storyteller *teller, struct named_node *node, uint32_t config)
{
    const uint32_t subjects = teller->subjects.count;
    const struct story_value before = value_of_node(teller->worker, node->config);
    const struct story_value after = value_of_node(teller->worker, config);
    const struct node_config *now = story_config(teller, config);
    if (teller->population->clock)
        match_alike(teller, node, now);
    for (uint32_t p = 0; p < config_entry_count(now); p++)
        while (count_placed(node, now->pods[p].pod) < now->pods[p].count)
            arrive(teller, node, now, now->pods[p].pod);
    for (uint32_t gone;
         (gone = find_surplus(teller, node, now, VIEW_NONE, UINT32_MAX)) != UINT32_MAX;) {
        const struct placed_pod placed = node->pods.items[gone];
        note_subject(teller, placed.pod);
        note_pod(teller, placed.pod, POD_NOWHERE, placed.class);
        node->pods.count--;
        memmove(&node->pods.items[gone], &node->pods.items[gone + 1],
                (node->pods.count - gone) * sizeof(*node->pods.items));
    }
    node->config = config;
    if (teller->population->clock && teller->subjects.count == subjects &&
        after.number == before.number && after.detail == before.detail)
        return;
    teller->subject_node = (uint32_t)(node - teller->nodes.items);
    note_write(teller, object_of_node(teller, teller->subject_node), after, true);
    teller->touched_nodes++;
}

/* The node that gets this config: of the nodes that have to change and are of its kind, the one
 * that changes least. */
static struct named_node *find_changing(struct storyteller *teller, const struct state *to,
                                        uint32_t config)
{
    struct named_node *best = NULL;
    uint32_t nearest = UINT32_MAX;
    int64_t *surplus =
        ARENA_ARRAY(&teller->worker->scratch, int64_t, teller->worker->catalog->configs.count);
    const uint32_t kind = story_kind_of(teller, config);
    for (uint32_t i = 0; i < teller->nodes.count; i++)
        surplus[teller->nodes.items[i].config]++;
    for (uint32_t n = 0; n < to->node_count; n++)
        surplus[to->nodes[n].config] -= to->nodes[n].count;
    for (uint32_t i = 0; i < teller->nodes.count; i++) {
        struct named_node *node = &teller->nodes.items[i];
        if (node->kind != kind || surplus[node->config] <= 0)
            continue;
        const uint32_t steps = distance(teller, node->config, config);
        if (steps < nearest) {
            nearest = steps;
            best = node;
        }
    }
    return best;
}

void story_follow(struct storyteller *teller, const struct state *from, const struct state *to)
{
    teller->subjects.count = 0;
    teller->subject_node = UINT32_MAX;
    teller->touched_nodes = 0;
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        teller->nodes.items[n].config_before = teller->nodes.items[n].config;
    for (uint32_t n = 0; n < to->node_count; n++)
        for (int64_t have = count_of(from, to->nodes[n].config); have < to->nodes[n].count;
             have++) {
            struct named_node *node = find_changing(teller, to, to->nodes[n].config);
            if (node)
                change_config(teller, node, to->nodes[n].config);
        }
    for (uint32_t r = 0; r < teller->population->revisions.count; r++) {
        while (teller->waiting[r].count < to->pending[r]) {
            const uint32_t pod = story_new_pod(teller, r);
            VEC_PUSH(teller->arena, &teller->waiting[r], pod);
            note_subject(teller, pod);
            note_pod(teller, pod, POD_WAITING, 0);
        }
        while (teller->waiting[r].count > to->pending[r]) {
            const uint32_t pod = take_waiting(teller, r);
            note_subject(teller, pod);
            note_pod(teller, pod, POD_NOWHERE, 0);
        }
    }
    for (uint32_t w = 0; w < teller->population->workloads.count; w++)
        note_write(teller, w, (struct story_value){to->replicas[w], to->present[w]}, true);
    for (uint32_t r = 0; r < teller->population->revisions.count; r++)
        note_write(teller, object_of_set(teller, r),
                   (struct story_value){to->sets[r].replicas, (uint32_t)to->sets[r].desired}, true);
    for (uint32_t w = 0; w < teller->population->workloads.count; w++)
        note_write(teller, object_of_status(teller, w), value_of_status(to, w), true);
    VEC_PUSH(teller->arena, &teller->step_ends, teller->writes.count);
}

/* A pod of the revision that waits; of those for one node only one for a node of
 * this entry. */
void story_note_waiting(struct storyteller *teller, const struct state *from, uint32_t revision,
                        uint32_t entry)
{
    if (teller->waiting[revision].count > 0) {
        note_subject(teller, teller->waiting[revision].items[0]);
        return;
    }
    for (uint32_t n = 0; entry < from->node_count && n < teller->nodes.count; n++) {
        const struct named_node *node = &teller->nodes.items[n];
        for (uint32_t i = 0;
             node->config_before == from->nodes[entry].config && i < node->pods.count; i++) {
            const struct class_info *info = class_info(teller->worker, node->pods.items[i].class);
            if (info->revision != revision || info->stage != STAGE_WAITING)
                continue;
            note_subject(teller, node->pods.items[i].pod);
            teller->subject_node = n;
            return;
        }
    }
}
