/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/descheduler_cycle.h"

#include <string.h>

/* ---- telling ---- */

void cycle_tell(struct cycle *cycle, const char *format, ...)
{
    if (!cycle->story)
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *sentence = arena_vprintf(cycle->arena, format, arguments);
    va_end(arguments);
    VEC_PUSH(cycle->arena, &cycle->story->sentences, sentence);
}

const char *cycle_because(struct cycle *cycle, const char *format, ...)
{
    if (!cycle->story)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    const char *reason = arena_vprintf(cycle->arena, format, arguments);
    va_end(arguments);
    return reason;
}

const char *cycle_pod_name(const struct cycle *cycle, uint32_t pod)
{
    const struct pod *object = cycle_pod(cycle, pod);
    const char *name = cycle->cluster->pods[pod].name;
    if (!cycle->story)
        return "";
    return arena_printf(cycle->arena, "%s/%s", object->meta.namespace,
                        name ? name : object->meta.name);
}

const char *cycle_node_name(const struct cycle *cycle, uint32_t node)
{
    return cycle->cluster->nodes[node].node->meta.name;
}

/* ---- what plugins choose by ---- */

bool strings_have(const struct string_list *list, const char *text)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

bool namespaces_choose(const struct namespace_choice *choice, const char *namespace)
{
    if (choice->include.count > 0 && !strings_have(&choice->include, namespace))
        return false;
    return !strings_have(&choice->exclude, namespace);
}

bool labels_chosen(const struct label_selector *selector, const struct pod *pod)
{
    return !selector || label_selector_matches(selector, &pod->meta.labels);
}

static const char *phase_name(enum pod_phase phase)
{
    static const char *const names[] = {
        [POD_PHASE_UNSET] = "",        [POD_PENDING] = "Pending", [POD_RUNNING] = "Running",
        [POD_SUCCEEDED] = "Succeeded", [POD_FAILED] = "Failed",   [POD_UNKNOWN] = "Unknown",
    };
    return names[phase];
}

bool pod_state_chosen(const struct string_list *states, const struct pod *pod)
{
    if (states->count == 0 || strings_have(states, phase_name(pod->status.phase)))
        return true;
    for (uint32_t i = 0; i < pod->status.container_status_count; i++) {
        const struct container_status *status = &pod->status.container_statuses[i];
        if (status->state == CONTAINER_WAITING && status->reason &&
            strings_have(states, status->reason))
            return true;
    }
    return false;
}

void cycle_clear_marks(struct cycle *cycle)
{
    struct cluster *cluster = cycle->cluster;
    for (uint32_t n = 0; n < cluster->node_count; n++)
        cluster->nodes[n].mark = 0;
    for (uint32_t p = 0; p < cluster->pod_count; p++) {
        struct cluster_pod *pod = &cluster->pods[p];
        if (!pod->chosen && !pod->tried)
            continue;
        cluster_touch_begin(cluster, p);
        pod->chosen = false;
        pod->tried = false;
        cluster_touch_end(cluster, p);
    }
}

void cycle_forget_hidden(struct cycle *cycle)
{
    struct cluster *cluster = cycle->cluster;
    const struct signature nothing = {0};
    for (uint32_t n = 0; n < cluster->node_count; n++)
        cluster->nodes[n].hidden = nothing;
    for (uint32_t p = 0; p < cluster->pod_count && cycle->choice; p++) {
        if (signature_equal(cluster->pods[p].hidden, nothing))
            continue;
        cluster_touch_begin(cluster, p);
        cluster->pods[p].hidden = nothing;
        cluster_touch_end(cluster, p);
    }
}
