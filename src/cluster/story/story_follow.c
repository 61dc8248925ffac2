/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names along a step: it changes the configs of some nodes, and the difference
 * of the old and the new config says which pods came, went or changed their stage.
 */
#include "cluster/story/story_follow.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_names.h"

#include <assert.h>
#include <string.h>

static uint32_t pods_of(const struct node_config *config, uint32_t class)
{
    for (uint32_t p = 0; p < config_entry_count(config); p++)
        if (config->pods[p].pod == class)
            return config->pods[p].count;
    return 0;
}

/* How many pods of the first config the second one lacks. */
static uint32_t lacking(const struct node_config *first, const struct node_config *second)
{
    uint32_t missing = 0;
    for (uint32_t p = 0; p < config_entry_count(first); p++) {
        const uint32_t others = pods_of(second, first->pods[p].pod);
        missing += first->pods[p].count > others ? first->pods[p].count - others : 0;
    }
    return missing;
}

static void note_write(struct storyteller *teller, uint32_t object, struct story_value after,
                       bool matters)
{
    struct story_value *now = &teller->values.items[object];
    if (values_equal(*now, after))
        return;
    while (teller->writers.count < teller->values.count)
        VEC_PUSH(teller->arena, &teller->writers, 0);
    const struct story_write write = {object, *now, after, matters, teller->writers.items[object]};
    VEC_PUSH(teller->arena, &teller->writes, write);
    *now = after;
    if (matters)
        teller->writers.items[object] = teller->step_ends.count + 1;
}

/* May pods of the same stage and level have different classes? */
static bool has_slots(const struct storyteller *teller)
{
    return teller->population->clock || teller->population->drains_list ||
           teller->population->marks_victims;
}

/* Is the change of class visible? Levels that differ only in how long pods have been there
 * are internal to the model. */
static bool class_change_matters(const struct worker *worker, uint32_t from, uint32_t to)
{
    return class_info(worker, from)->stage != class_info(worker, to)->stage ||
           class_is_chosen(worker->population, class_info(worker, from)) !=
               class_is_chosen(worker->population, class_info(worker, to)) ||
           describe_cpu_milli(worker, from) != describe_cpu_milli(worker, to);
}

/* The pod is at this place and of this class now. The step is about it, unless only bookkeeping
 * changed. */
static void note_pod(struct storyteller *teller, uint32_t pod, int64_t where, uint32_t class)
{
    const uint32_t object = object_of_pod(teller, pod);
    const struct story_value *before = &teller->values.items[object];
    const bool matters = before->number != where || where < 0 ||
                         class_change_matters(teller->worker, before->detail, class);
    /* That pods get other slots is bookkeeping. */
    if (matters || !has_slots(teller))
        VEC_PUSH(teller->arena, &teller->subjects, pod);
    note_write(teller, object, (struct story_value){where, class}, matters);
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

/* Finds the pods that are on the node now and were not: one changed its stage, or came from those
 * that wait, or was made there. With `alike` only pods are found that look as they did, but for
 * the slots of their ages: they are the same pods. */
static void find_pods(struct storyteller *teller, struct named_node *node,
                      const struct node_config *now, bool alike)
{
    for (uint32_t p = 0; p < config_entry_count(now); p++) {
        const uint32_t class = now->pods[p].pod;
        const uint32_t revision = class_info(teller->worker, class)->revision;
        while (count_placed(node, class) < now->pods[p].count) {
            uint32_t place = find_surplus(teller, node, now, class, revision);
            if (place == UINT32_MAX && alike)
                break;
            if (place == UINT32_MAX)
                place = find_surplus(teller, node, now, VIEW_NONE, revision);
            if (place == UINT32_MAX) {
                const uint32_t pod = teller->waiting[revision].count > 0
                                         ? take_waiting(teller, revision)
                                         : story_new_pod(teller, revision);
                place = node->pods.count;
                VEC_PUSH(teller->arena, &node->pods, ((struct placed_pod){pod, class}));
            }
            node->pods.items[place].class = class;
            note_pod(teller, node->pods.items[place].pod, node - teller->nodes.items, class);
        }
    }
}

static void change_config(struct storyteller *teller, struct named_node *node, uint32_t config)
{
    const uint32_t subjects = teller->subjects.count;
    const struct story_value before = value_of_node(teller->worker, node->config);
    const struct story_value after = value_of_node(teller->worker, config);
    const struct node_config *now = config_at(teller->worker, config);
    /* Pods that look as they did are found before any pod is taken to have changed. */
    if (has_slots(teller))
        find_pods(teller, node, now, true);
    find_pods(teller, node, now, false);
    for (uint32_t gone;
         (gone = find_surplus(teller, node, now, VIEW_NONE, UINT32_MAX)) != UINT32_MAX;) {
        const struct placed_pod placed = node->pods.items[gone];
        note_pod(teller, placed.pod, POD_NOWHERE, placed.class);
        node->pods.count--;
        memmove(&node->pods.items[gone], &node->pods.items[gone + 1],
                (node->pods.count - gone) * sizeof(*node->pods.items));
    }
    node->config = config;
    if (has_slots(teller) && teller->subjects.count == subjects && values_equal(after, before))
        return;
    teller->subject_node = (uint32_t)(node - teller->nodes.items);
    note_write(teller, object_of_node(teller, teller->subject_node), after, true);
    teller->touched_nodes++;
}

/* Are nodes of the two configs of one kind, and has the second the images of the first? */
static bool may_become(const struct worker *worker, uint32_t from, uint32_t to)
{
    const struct population *population = worker->population;
    const uint32_t before = config_template(worker, from)->node;
    const uint32_t after = config_template(worker, to)->node;
    return before / population->image_choices == after / population->image_choices &&
           (config_template(worker, to)->condition == NODE_ABSENT ||
            !(population->node_kinds.items[before].pulled &
              ~population->node_kinds.items[after].pulled));
}

/* The node that gets this config: of the nodes that have to change, because more have their config
 * than should, and are of its kind, the one that changes least. */
static struct named_node *find_changing(const struct storyteller *teller, const int64_t *surplus,
                                        uint32_t config)
{
    const struct worker *worker = teller->worker;
    const struct node_config *wanted = config_at(worker, config);
    struct named_node *best = NULL;
    uint32_t nearest = UINT32_MAX;
    for (uint32_t i = 0; i < teller->nodes.count; i++) {
        struct named_node *node = &teller->nodes.items[i];
        if (surplus[node->config] <= 0 || !may_become(worker, node->config, config))
            continue;
        const struct node_config *present = config_at(worker, node->config);
        const uint32_t steps = lacking(present, wanted) + lacking(wanted, present);
        if (steps < nearest) {
            nearest = steps;
            best = node;
        }
    }
    return best;
}

/* Lets the named nodes have the configs of the state that the step leads to. */
static void follow_nodes(struct storyteller *teller, const struct state *to)
{
    int64_t *surplus =
        ARENA_ARRAY(&teller->worker->scratch, int64_t, teller->worker->catalog->configs.count);
    for (uint32_t i = 0; i < teller->nodes.count; i++) {
        teller->nodes.items[i].config_before = teller->nodes.items[i].config;
        surplus[teller->nodes.items[i].config]++;
    }
    for (uint32_t n = 0; n < to->node_count; n++)
        surplus[to->nodes[n].config] -= to->nodes[n].count;
    for (uint32_t n = 0; n < to->node_count; n++)
        for (const uint32_t config = to->nodes[n].config; surplus[config] < 0; surplus[config]++) {
            struct named_node *node = find_changing(teller, surplus, config);
            assert(node); /* The nodes of the story are those of the state before. */
            surplus[node->config]--;
            change_config(teller, node, config);
        }
}

void story_follow(struct storyteller *teller, const struct state *to)
{
    teller->subjects.count = 0;
    teller->subject_node = UINT32_MAX;
    teller->touched_nodes = 0;
    follow_nodes(teller, to);
    for (uint32_t r = 0; r < teller->population->revisions.count; r++) {
        while (teller->waiting[r].count < to->pending[r]) {
            const uint32_t pod = story_new_pod(teller, r);
            VEC_PUSH(teller->arena, &teller->waiting[r], pod);
            note_pod(teller, pod, POD_WAITING, 0);
        }
        while (teller->waiting[r].count > to->pending[r])
            note_pod(teller, take_waiting(teller, r), POD_NOWHERE, 0);
    }
    for (uint32_t o = 0; o < object_of_node(teller, 0); o++)
        note_write(teller, o, value_in_state(teller, to, o), true);
    VEC_PUSH(teller->arena, &teller->step_ends, teller->writes.count);
}

void story_note_waiting(const struct story_telling *telling)
{
    struct storyteller *teller = telling->teller;
    const struct state *from = telling->from;
    const enum pod_stage stage =
        telling->step->action == ACT_MULTI_ATTACH ? STAGE_STARTING : STAGE_WAITING;
    if (stage == STAGE_WAITING && teller->waiting[telling->number].count > 0) {
        VEC_PUSH(teller->arena, &teller->subjects, teller->waiting[telling->number].items[0]);
        return;
    }
    for (uint32_t n = 0; telling->entry < from->node_count && n < teller->nodes.count; n++) {
        const struct named_node *node = &teller->nodes.items[n];
        if (node->config_before != from->nodes[telling->entry].config)
            continue;
        for (uint32_t i = 0; i < node->pods.count; i++) {
            const struct class_info *info = class_info(telling->worker, node->pods.items[i].class);
            if (info->revision != telling->number || info->stage != stage)
                continue;
            VEC_PUSH(teller->arena, &teller->subjects, node->pods.items[i].pod);
            teller->subject_node = n;
            return;
        }
    }
}
