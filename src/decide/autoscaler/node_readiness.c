/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/node_readiness.h"

#include "decide/autoscaler/class_facts.h"
#include "decide/autoscaler/world_nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool node_has_taint(const struct node *node, const char *key)
{
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        if (strcmp(node->spec.taints[i].key, key) == 0)
            return true;
    return false;
}

bool taint_is_ignored(const struct autoscaler_options *options, const char *key)
{
    static const char prefix[] = "ignore-taint.cluster-autoscaler.kubernetes.io/";
    return strncmp(key, prefix, sizeof(prefix) - 1) == 0 ||
           string_list_has(&options->ignored_taints, key);
}

static bool has_ignored_taint(const struct autoscaler_options *options, const struct node *node)
{
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        if (taint_is_ignored(options, node->spec.taints[i].key))
            return true;
    return false;
}

static void see_transition(int64_t *transition, int64_t time)
{
    if (time > *transition)
        *transition = time;
}

/* Does the condition, by its status, keep the node from being ready? */
static bool hinders(const struct condition *condition)
{
    const char *status = condition->status ? condition->status : "";
    if (strcmp(condition->type, "Ready") == 0)
        return strcmp(status, "False") == 0 || strcmp(status, "Unknown") == 0;
    return strcmp(status, "True") == 0;
}

static bool conditions_say_ready(const struct node *node, int64_t *transition)
{
    bool ready = true;
    bool known = false;
    for (uint32_t i = 0; i < node->status.conditions.count; i++) {
        const struct condition *condition = &node->status.conditions.items[i];
        const bool is_ready = strcmp(condition->type, "Ready") == 0;
        if (!is_ready && strcmp(condition->type, "DiskPressure") != 0 &&
            strcmp(condition->type, "NetworkUnavailable") != 0)
            continue;
        known |= is_ready;
        ready &= !hinders(condition);
        see_transition(transition, condition->last_transition_time);
    }
    return ready && known;
}

static bool taints_say_unready(const struct node *node, int64_t *transition)
{
    static const char *const keys[] = {
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/disk-pressure",
        "node.kubernetes.io/network-unavailable",
    };
    bool unready = false;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
            if (strcmp(taint->key, keys[k]) != 0)
                continue;
            unready = true;
            see_transition(transition, taint->time_added);
        }
    }
    return unready;
}

/* The taint's value is the second in which it was set. */
static bool is_being_deleted(const struct node *node, int64_t now)
{
    enum { DELETION_SECONDS = 300, DIGITS = 10 };
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        char *end;
        if (strcmp(taint->key, TAINT_TO_BE_DELETED) != 0)
            continue;
        errno = 0;
        const long long since = strtoll(taint->value, &end, DIGITS);
        return end != taint->value && *end == '\0' && errno == 0 &&
               now / NANOSECONDS_PER_SECOND - since < DELETION_SECONDS;
    }
    return false;
}

static bool is_disabled(const struct node *node)
{
    const char *value = labels_find(&node->meta.annotations,
                                    "cluster-autoscaler.kubernetes.io/scale-down-disabled");
    return value && strcmp(value, "true") == 0;
}

static bool has_gpu(const struct node *node)
{
    const struct quantity *gpus = resource_list_find(&node->status.allocatable, "nvidia.com/gpu");
    return gpus && quantity_value(*gpus) != 0;
}

/* Whatever does not depend on its name. */
static struct listed_node judge_node(struct cluster_autoscaler *autoscaler, const struct node *node)
{
    struct listed_node listed = {.transition = TIME_NONE};
    const char *group = labels_find(&node->meta.annotations, GROUP_ANNOTATION);
    listed.group = group ? autoscaler_find_group(autoscaler, group) : NULL;
    listed.ready = conditions_say_ready(node, &listed.transition);
    listed.ready &= !taints_say_unready(node, &listed.transition);
    listed.schedulable = listed.ready && !node->spec.unschedulable;
    if (listed.schedulable && has_ignored_taint(&autoscaler->options, node))
        listed.ready = listed.schedulable = false;
    listed.being_deleted = is_being_deleted(node, autoscaler->now);
    listed.disabled = is_disabled(node);
    listed.has_gpu = has_gpu(node);
    return listed;
}

static struct node_record *record_of(struct cluster_autoscaler *autoscaler, const struct node *node,
                                     struct known_node *known)
{
    if (!known)
        return autoscaler_record(autoscaler, node->meta.name);
    if (!known->record)
        known->record = autoscaler_record(autoscaler, known->name);
    return known->record;
}

/* A node that has lost a taint of an earlier process is not of its class any more. */
static struct class_facts *facts_of(const struct cluster_autoscaler *autoscaler,
                                    const struct node *node, const struct known_node *known)
{
    return known && known->node == node ? &autoscaler->facts[known->class] : NULL;
}

static struct listed_node list_node(struct cluster_autoscaler *autoscaler, uint32_t number)
{
    const struct world_lists *lists = &autoscaler->lists;
    const struct node *node = lists->nodes.items[number];
    struct known_node *known = lists->known.count > 0 ? lists->known.items[number] : NULL;
    struct class_facts *facts = facts_of(autoscaler, node, known);
    struct listed_node listed =
        facts && facts->listed.node ? facts->listed : judge_node(autoscaler, node);
    listed.node = node;
    listed.known = known;
    listed.facts = facts;
    listed.record = record_of(autoscaler, node, known);
    if (autoscaler->groups_by_records)
        listed.group = listed.record->group;
    listed.record->group = listed.group;
    if (facts)
        facts->listed = listed;
    return listed;
}

static bool has_expendable(const struct cluster_autoscaler *autoscaler,
                           const struct world_class *class)
{
    for (uint32_t i = 0; i < class->pod_count; i++)
        if (autoscaler_pod_is_expendable(class->pods[i], autoscaler->options.expendable_cutoff))
            return true;
    return false;
}

static void begin_facts(struct cluster_autoscaler *autoscaler)
{
    struct autoscaler_world *world = &autoscaler->world;
    for (uint32_t i = 0; i < autoscaler->lists.known.count; i++)
        world_node_class(world, autoscaler->lists.known.items[i]);
    autoscaler->facts =
        ARENA_ARRAY(autoscaler->loop_arena, struct class_facts, world->classes.count + 1);
    for (uint32_t i = 0; i < world->classes.count; i++) {
        autoscaler->facts[i].class = i;
        autoscaler->facts[i].has_expendable = has_expendable(autoscaler, &world->classes.items[i]);
    }
}

/* A taint that an earlier process has left is taken away from the node. */
static const struct node *without_taint(struct cluster_autoscaler *autoscaler,
                                        const struct node *node, const char *key)
{
    struct node *copy = arena_copy(autoscaler->arena, node, sizeof(*node));
    copy->spec.taints = ARENA_ARRAY(autoscaler->arena, struct taint, node->spec.taint_count + 1);
    copy->spec.taint_count = 0;
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        if (strcmp(node->spec.taints[i].key, key) != 0)
            copy->spec.taints[copy->spec.taint_count++] = node->spec.taints[i];
    if (autoscaler->options.cordon && strcmp(key, TAINT_TO_BE_DELETED) == 0)
        copy->spec.unschedulable = false;
    return copy;
}

static void clean_taint(struct cluster_autoscaler *autoscaler, const struct node **node,
                        const char *key)
{
    if (!node_has_taint(*node, key))
        return;
    struct scale_action *action = autoscaler_act(autoscaler, ACTION_UNTAINT);
    action->node = (*node)->meta.name;
    action->key = key;
    action->error = string_list_has(&autoscaler->failing_taints, (*node)->meta.name);
    if (!action->error)
        *node = without_taint(autoscaler, *node, key);
}

/* The first loop forgets the deletions that an earlier process began. */
static void clean_up(struct cluster_autoscaler *autoscaler)
{
    struct world_lists *lists = &autoscaler->lists;
    for (uint32_t i = 0; i < lists->nodes.count; i++)
        clean_taint(autoscaler, &lists->nodes.items[i], TAINT_TO_BE_DELETED);
    for (uint32_t i = 0; autoscaler->options.max_soft_taints == 0 && i < lists->nodes.count; i++)
        clean_taint(autoscaler, &lists->nodes.items[i], TAINT_DELETION_CANDIDATE);
    autoscaler->initialised = true;
}

void list_nodes(struct cluster_autoscaler *autoscaler)
{
    if (!autoscaler->initialised)
        clean_up(autoscaler);
    autoscaler->nodes.items = NULL;
    autoscaler->nodes.count = autoscaler->nodes.capacity = 0;
    autoscaler->schedulable_count = 0;
    begin_facts(autoscaler);
    for (uint32_t i = 0; i < autoscaler->lists.nodes.count; i++) {
        const struct listed_node node = list_node(autoscaler, i);
        autoscaler->schedulable_count += node.schedulable;
        VEC_PUSH(autoscaler->loop_arena, &autoscaler->nodes, node);
    }
}
