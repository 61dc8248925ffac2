/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The template of a group, the first that exists: a ready node of the group that has been ready for
 * a minute; the one that was found so in a former loop; what the provider says, with the pods that
 * DaemonSets would have there; a ready node that is younger.
 */
#include "decide/autoscaler/group_templates.h"

#include "decide/autoscaler/node_readiness.h"
#include "decide/controller/daemon_set/daemon_set_controller.h"

#include <stdlib.h>
#include <string.h>

/* Taints that say in which state a node is, not what kind of node it is. */
static bool taint_is_of_state(const char *key)
{
    static const char *const keys[] = {
        "CriticalAddonsOnly",
        TAINT_TO_BE_DELETED,
        TAINT_DELETION_CANDIDATE,
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "node.kubernetes.io/unschedulable",
        "node.kubernetes.io/memory-pressure",
        "node.kubernetes.io/disk-pressure",
        "node.kubernetes.io/network-unavailable",
        "node.kubernetes.io/pid-pressure",
        "node.cloudprovider.kubernetes.io/uninitialized",
        "node.cloudprovider.kubernetes.io/shutdown",
        "cloud.google.com/impending-node-termination",
        "NodeWithImpairedVolumes",
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static int compare_labels(const void *left, const void *right)
{
    return strcmp(((const struct label *)left)->key, ((const struct label *)right)->key);
}

static void set_label(struct labels *labels, const char *key, const char *value)
{
    for (uint32_t i = 0; i < labels->count; i++)
        if (strcmp(labels->items[i].key, key) == 0) {
            labels->items[i].value = value;
            return;
        }
    labels->items[labels->count++] = (struct label){key, value};
    qsort(labels->items, labels->count, sizeof(*labels->items), compare_labels);
}

static void copy_taints(struct cluster_autoscaler *autoscaler, struct node *copy,
                        const struct node *node)
{
    copy->spec.taints = ARENA_ARRAY(autoscaler->arena, struct taint, node->spec.taint_count + 1);
    copy->spec.taint_count = 0;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        if (!taint_is_of_state(taint->key) && !taint_is_ignored(&autoscaler->options, taint->key))
            copy->spec.taints[copy->spec.taint_count++] = *taint;
    }
}

enum { LABELS_ADDED_MOST = 4 };

/* The node with a name of its own, as its label and without the taints of its state. */
static struct group_template *make_template(struct cluster_autoscaler *autoscaler,
                                            const struct autoscaler_group *group,
                                            const struct node *node)
{
    struct arena *arena = autoscaler->arena;
    struct group_template *template = ARENA_NEW(arena, struct group_template);
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    struct labels *labels = &copy->meta.labels;
    template->name =
        arena_printf(arena, "template:%s:%u", group->id, autoscaler->template_serial++);
    template->has_hostname = labels_find(&node->meta.labels, LABEL_HOSTNAME) != NULL;
    template->node = copy;
    labels->items = ARENA_ARRAY(arena, struct label, labels->count + LABELS_ADDED_MOST);
    for (uint32_t i = 0; i < labels->count; i++)
        labels->items[i] = node->meta.labels.items[i];
    set_label(labels, LABEL_HOSTNAME, template->name);
    copy->meta.name = template->name;
    copy_taints(autoscaler, copy, node);
    return template;
}

static void use_node(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                     const struct listed_node *listed, bool cache)
{
    struct group_template *template = make_template(autoscaler, group, listed->node);
    VEC(const struct autoscaler_pod *) pods = {0};
    const uint32_t count =
        listed->known ? listed->known->pods.count : autoscaler->lists.scheduled.count;
    for (uint32_t i = 0; i < count; i++) {
        const struct autoscaler_pod *pod =
            listed->known ? listed->known->pods.items[i] : autoscaler->lists.scheduled.items[i];
        if ((pod->mirror || pod->daemon) && pod->pod->meta.deletion_time == TIME_NONE &&
            strcmp(pod->pod->spec.node_name, listed->node->meta.name) == 0)
            VEC_PUSH(autoscaler->arena, &pods, pod);
    }
    template->pods = pods.items;
    template->pod_count = pods.count;
    group->template = template;
    if (cache)
        group->cached = template;
}

/* Older names of labels that the provider's template may lack. */
static void add_deprecated_labels(struct labels *labels)
{
    static const char *const pairs[][2] = {
        {"node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"},
        {"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"},
        {"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        const char *value = labels_find(labels, pairs[i][0]);
        if (value)
            set_label(labels, pairs[i][1], value);
    }
}

static const struct autoscaler_pod *daemon_pod(struct cluster_autoscaler *autoscaler,
                                               const struct daemon_set *set,
                                               struct toleration *tolerations, uint32_t count)
{
    struct pod *pod = ARENA_NEW(autoscaler->arena, struct pod);
    pod->meta = set->template.meta;
    pod->meta.name = arena_printf(autoscaler->arena, "%s-pod", set->meta.name);
    pod->meta.namespace = set->meta.namespace;
    pod->meta.deletion_time = TIME_NONE;
    pod->meta.creation_time = TIME_NONE;
    pod->status.start_time = TIME_NONE;
    pod->spec = set->template.spec;
    pod->spec.tolerations = tolerations;
    pod->spec.toleration_count = count;
    return autoscaler_pod_create(autoscaler->arena, &autoscaler->world.kinds, pod, NULL);
}

/* DaemonSets look at the node as the provider describes it, with all its taints. */
static void use_provider(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group)
{
    struct node labelled = *group->provider_template;
    struct labels *labels = &labelled.meta.labels;
    labels->items = ARENA_ARRAY(autoscaler->arena, struct label, labels->count + LABELS_ADDED_MOST);
    for (uint32_t i = 0; i < labels->count; i++)
        labels->items[i] = group->provider_template->meta.labels.items[i];
    add_deprecated_labels(labels);
    VEC(const struct autoscaler_pod *) pods = {0};
    for (uint32_t i = 0; i < autoscaler->lists.daemon_sets.count; i++) {
        const struct daemon_set *set = autoscaler->lists.daemon_sets.items[i];
        struct toleration *tolerations;
        uint32_t count;
        bool runs;
        bool stays;
        daemon_set_tolerations(autoscaler->arena, &set->template.spec, &tolerations, &count);
        daemon_set_should_run(set, tolerations, count, &labelled, &runs, &stays);
        if (runs)
            VEC_PUSH(autoscaler->arena, &pods, daemon_pod(autoscaler, set, tolerations, count));
    }
    struct group_template *template = make_template(autoscaler, group, &labelled);
    template->pods = pods.items;
    template->pod_count = pods.count;
    group->template = template;
}

/* Ready for more than a minute. */
static bool is_good_example(const struct cluster_autoscaler *autoscaler,
                            const struct listed_node *node)
{
    enum { STABLE_SECONDS = 60 };
    return node->schedulable &&
           (node->transition == TIME_NONE ||
            node->transition + STABLE_SECONDS * (int64_t)NANOSECONDS_PER_SECOND < autoscaler->now);
}

static void use_examples(struct cluster_autoscaler *autoscaler, bool good)
{
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct listed_node *node = &autoscaler->nodes.items[i];
        if (node->schedulable && node->group && !node->group->template &&
            is_good_example(autoscaler, node) == good)
            use_node(autoscaler, node->group, node, good);
    }
}

/* The first node that is tried has the label only if the nodes of the group have it. */
static uint32_t test_template(struct cluster_autoscaler *autoscaler,
                              const struct autoscaler_group *group)
{
    if (group->template->has_hostname)
        return group->template_number;
    struct node *node =
        arena_copy(autoscaler->loop_arena, group->template->node, sizeof(*group->template->node));
    struct labels *labels = &node->meta.labels;
    labels->items = ARENA_ARRAY(autoscaler->loop_arena, struct label, labels->count);
    labels->count = 0;
    for (uint32_t i = 0; i < group->template->node->meta.labels.count; i++)
        if (strcmp(group->template->node->meta.labels.items[i].key, LABEL_HOSTNAME) != 0)
            labels->items[labels->count++] = group->template->node->meta.labels.items[i];
    return simulation_template(autoscaler->simulation, node, true);
}

void find_templates(struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        autoscaler->groups.items[i]->template = NULL;
    use_examples(autoscaler, true);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        if (!group->template && group->cached)
            group->template = group->cached;
        else if (!group->template && group->provider_template)
            use_provider(autoscaler, group);
    }
    use_examples(autoscaler, false);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        if (!group->template)
            continue;
        group->template_number =
            simulation_template(autoscaler->simulation, group->template->node, true);
        group->test_template_number = test_template(autoscaler, group);
    }
}

uint32_t add_template_node(struct cluster_autoscaler *autoscaler,
                           const struct autoscaler_group *group, uint32_t template_number,
                           const char *name, const char *shown)
{
    const struct simulated_node node = {
        .node = group->template->node,
        .name = name,
        .shown = shown,
        .upcoming = true,
        .template = template_number,
        .pods = group->template->pods,
        .pod_count = group->template->pod_count,
    };
    return simulation_add_node(autoscaler->simulation, &node);
}
