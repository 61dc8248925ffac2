/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/drain_rules.h"

#include "decide/autoscaler/class_facts.h"

#include <string.h>

static bool is(const char *text, const char *wanted)
{
    return text && strcmp(text, wanted) == 0;
}

static const char *annotation(const struct autoscaler_pod *pod, const char *key)
{
    return labels_find(&pod->pod->meta.annotations, key);
}

/* Kinds whose controllers make a new pod for one that is deleted. */
static bool is_replicated(const struct autoscaler_pod *pod)
{
    static const char *const kinds[] = {"ReplicationController", "Job", "ReplicaSet",
                                        "StatefulSet"};
    for (size_t i = 0; pod->controller && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (is(pod->controller->kind, kinds[i]))
            return true;
    return false;
}

static bool has_replication_controller(const struct autoscaler_pod *pod)
{
    return pod->controller && is(pod->controller->kind, "ReplicationController");
}

/* Pods of DaemonSets stay on the node until its end, as do pods that are annotated so; the
 * annotation does not count for a ReplicationController's. */
static bool stays(const struct autoscaler_pod *pod)
{
    return pod->daemon && !has_replication_controller(pod);
}

static enum blocking_reason judge_controller(const struct cluster_autoscaler *autoscaler,
                                             const struct autoscaler_pod *pod)
{
    if (!pod->controller)
        return BLOCKED_NOT;
    if (!is(pod->controller->kind, "DaemonSet") && (!is_replicated(pod) || stays(pod)))
        return BLOCKED_NOT;
    const struct world_item *controller = autoscaler_world_find(
        &autoscaler->world, pod->controller->kind, pod->pod->meta.namespace, pod->controller->name);
    if (!controller)
        return BLOCKED_CONTROLLER_NOT_FOUND;
    return controller->replicas.set && controller->replicas.value < autoscaler->options.min_replicas
               ? BLOCKED_MIN_REPLICAS
               : BLOCKED_NOT;
}

static bool is_finished(const struct pod *pod)
{
    return pod->status.phase == POD_FAILED ||
           (pod->status.phase == POD_SUCCEEDED && pod->spec.restart_policy != RESTART_ALWAYS);
}

/* Is the word one of a list that is separated by commas, without blanks? */
static bool list_names(const char *list, const char *word)
{
    const size_t length = strlen(word);
    while (list && *list) {
        const size_t next = strcspn(list, ",");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next;
        list += *list == ',';
    }
    return false;
}

static bool has_local_storage(const struct autoscaler_pod *pod)
{
    const char *safe =
        annotation(pod, "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes");
    for (uint32_t i = 0; i < pod->pod->spec.volume_count; i++) {
        const struct volume *volume = &pod->pod->spec.volumes[i];
        if ((volume->source == VOLUME_EMPTY_DIR || volume->source == VOLUME_HOST_PATH) &&
            !list_names(safe, volume->name))
            return true;
    }
    return false;
}

static bool has_budget(const struct budget_list *budgets, const struct autoscaler_pod *pod)
{
    for (uint32_t i = 0; budgets && i < budgets->count; i++)
        if (budget_selects(budgets->items[i].budget, pod))
            return true;
    return false;
}

static enum blocking_reason judge_pod(const struct cluster_autoscaler *autoscaler,
                                      const struct autoscaler_pod *pod,
                                      const struct budget_list *budgets)
{
    const struct autoscaler_options *options = &autoscaler->options;
    const char *safe = annotation(pod, "cluster-autoscaler.kubernetes.io/safe-to-evict");
    if (is(safe, "true") || is_finished(pod->pod))
        return BLOCKED_NOT;
    if (!is_replicated(pod))
        return BLOCKED_NOT_REPLICATED;
    if (options->skip_system_pods && is(pod->pod->meta.namespace, "kube-system") &&
        !has_budget(budgets, pod))
        return BLOCKED_SYSTEM_POD;
    if (options->skip_local_storage && has_local_storage(pod))
        return BLOCKED_LOCAL_STORAGE;
    return is(safe, "false") ? BLOCKED_NOT_SAFE : BLOCKED_NOT;
}

/* A budget that allows nothing blocks its first pod. */
static bool judge_budgets(const struct budget_list *budgets, const pod_list *pods,
                          const struct autoscaler_pod **blocking)
{
    for (uint32_t i = 0; i < budgets->count; i++)
        for (uint32_t p = 0; budgets->items[i].allowed < 1 && p < pods->count; p++)
            if (budget_selects(budgets->items[i].budget, pods->items[p])) {
                *blocking = pods->items[p];
                return false;
            }
    return true;
}

/* Without what budgets allow. */
static void find_moving(const struct cluster_autoscaler *autoscaler,
                        const struct simulated_node *node, const struct budget_list *budgets,
                        struct moving_facts *facts)
{
    *facts = (struct moving_facts){.known = true};
    facts->moving = ARENA_ARRAY(autoscaler->loop_arena, uint32_t, node->pod_count + 1);
    for (uint32_t i = 0; i < node->pod_count; i++) {
        const struct autoscaler_pod *pod = node->pods[i];
        if (pod->mirror || autoscaler_pod_is_overdue(pod, autoscaler->now))
            continue;
        facts->blocking = i;
        facts->reason = budgets ? judge_controller(autoscaler, pod) : BLOCKED_NOT;
        if (facts->reason == BLOCKED_NOT && stays(pod))
            continue;
        if (facts->reason == BLOCKED_NOT)
            facts->reason = judge_pod(autoscaler, pod, budgets);
        if (facts->reason != BLOCKED_NOT)
            return;
        facts->moving[facts->count++] = i;
    }
}

bool pods_to_move(const struct cluster_autoscaler *autoscaler, const struct simulated_node *node,
                  const struct budget_list *budgets, pod_list *pods,
                  const struct autoscaler_pod **blocking, enum blocking_reason *reason)
{
    struct moving_facts own = {0};
    struct class_facts *class = class_facts_now(autoscaler, node);
    struct moving_facts *facts = class ? &class->moving[budgets != NULL] : &own;
    if (!facts->known)
        find_moving(autoscaler, node, budgets, facts);
    *pods = (pod_list){0};
    for (uint32_t i = 0; i < facts->count; i++)
        VEC_PUSH(autoscaler->loop_arena, pods, node->pods[facts->moving[i]]);
    *reason = facts->reason;
    if (facts->reason != BLOCKED_NOT) {
        *blocking = node->pods[facts->blocking];
        return false;
    }
    *reason = BLOCKED_BUDGET;
    return !budgets || judge_budgets(budgets, pods, blocking);
}
