/* SPDX-License-Identifier: Apache-2.0 */
/* RemovePodsViolatingNodeTaints: pods that do not tolerate a taint of their node.
 * NoExecute taints are ignored, because the taint manager handles them. */
#include "decide/descheduler/descheduler_plugins.h"

#include <string.h>

static bool excluded(const struct string_list *list, const struct taint *taint)
{
    const size_t key_length = strlen(taint->key);
    for (uint32_t i = 0; i < list->count; i++) {
        const char *item = list->items[i];
        if (strcmp(item, taint->key) == 0)
            return true;
        if (*taint->value && strncmp(item, taint->key, key_length) == 0 &&
            item[key_length] == '=' && strcmp(item + key_length + 1, taint->value) == 0)
            return true;
    }
    return false;
}

static const struct taint *violated(const struct cycle *cycle, uint32_t number)
{
    const struct node_taints_arguments *arguments = &cycle->profile->node_taints;
    const struct pod *pod = cycle_pod(cycle, number);
    const struct node *node = cycle->cluster->nodes[cycle->cluster->pods[number].node].node;
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        const bool counts =
            taint->effect == TAINT_NO_SCHEDULE ||
            (arguments->include_prefer_no_schedule && taint->effect == TAINT_PREFER_NO_SCHEDULE);
        if (counts && !excluded(&arguments->excluded_taints, taint) &&
            !tolerations_find(pod->spec.tolerations, pod->spec.toleration_count, taint))
            return taint;
    }
    return NULL;
}

static bool concerns(struct cycle *cycle, uint32_t number)
{
    const struct node_taints_arguments *arguments = &cycle->profile->node_taints;
    const struct pod *pod = cycle_pod(cycle, number);
    return namespaces_choose(&arguments->namespaces, pod->meta.namespace) &&
           labels_chosen(arguments->label_selector, pod) && violated(cycle, number);
}

static const char *why(struct cycle *cycle, uint32_t pod)
{
    const struct taint *taint = violated(cycle, pod);
    return cycle_because(cycle, "does not tolerate the taint %s%s%s", taint->key,
                         *taint->value ? "=" : "", taint->value);
}

static const struct node_sweep sweep = {concerns, evictor_pre_eviction, why};

static void run(struct cycle *cycle)
{
    sweep_nodes(cycle, &sweep);
}

const struct descheduler_plugin_type plugin_violating_node_taints = {
    .mirrors = "pkg/framework/plugins/removepodsviolatingnodetaints @ v0.27.1",
    .field = "tolerations",
    .reads = kind_readers_none,
    .run = run,
};
