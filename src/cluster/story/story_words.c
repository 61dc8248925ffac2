/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of a step: the object that it is about, and a sentence with the
 * names of nodes and pods. */
#include "cluster/story/story_words.h"
#include "cluster/ask/traffic.h"
#include "cluster/ask/usage.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/words.h"
#include "cluster/story/words_special.h"
#include "cluster/story/words_volumes.h"
#include "decide/controller/kubelet.h"

#include <string.h>

static const char *set_name(const struct revision *revision)
{
    const struct object_meta *meta = &revision->pod->meta;
    return meta->owner_count > 0 ? meta->owners[0].name : meta->name;
}

const char *story_node_name(const struct story_telling *telling)
{
    const struct storyteller *teller = telling->teller;
    if (teller->subject_node != UINT32_MAX && teller->touched_nodes <= 1)
        return teller->nodes.items[teller->subject_node].name;
    if (teller->touched_nodes > 1 || telling->entry >= telling->from->node_count)
        return NULL;
    const struct node_config *config = state_config(telling->worker, telling->from, telling->entry);
    return arena_strdup(telling->arena, config->template->node->meta.name);
}

const char *story_object(const struct story_telling *telling)
{
    const struct revision *revision = telling->revision;
    const struct story_step *told = telling->told;
    const enum population_action action = (enum population_action)telling->step->action;
    if (action_has(action, IS_ABOUT_OWNER))
        return arena_printf(telling->arena, "%s/%s/%s", words_owner_kind(revision),
                            revision->owner_meta->namespace, set_name(revision));
    if (!action_has(action, IS_ABOUT_WORKLOAD) && telling->pod && revision)
        return arena_printf(telling->arena, "Pod/%s/%s", revision->owner_meta->namespace,
                            telling->pod);
    if (!action_has(action, IS_ABOUT_WORKLOAD) && told->node)
        return arena_printf(telling->arena, "Node/%s", told->node);
    return told->workload != UINT32_MAX ? telling->population->scope->workloads[told->workload].name
                                        : "";
}

void story_name_set(const struct story_telling *telling)
{
    const struct set_state *from = telling->from->sets;
    const struct set_state *to = telling->to->sets;
    uint32_t changed = UINT32_MAX;
    for (uint32_t r = 0; r < telling->population->revisions.count; r++) {
        if (from[r].replicas == to[r].replicas)
            continue;
        if (changed != UINT32_MAX)
            return;
        changed = r;
    }
    if (changed == UINT32_MAX)
        return;
    const struct revision *revision = &telling->population->revisions.items[changed];
    telling->told->action = from[changed].replicas < 0 ? "create-replicaset" : "scale-replicaset";
    telling->told->object = arena_printf(telling->arena, "ReplicaSet/%s/%s",
                                         revision->owner_meta->namespace, set_name(revision));
}

/* What is said without names, where there is nothing better. */
static const char *plain_detail(const struct story_telling *telling)
{
    struct text text;
    text_init(&text, telling->population->memory);
    words_describe(telling, &text);
    return text_keep(&text, telling->arena);
}

/* "pod web-1-4", "pods web-1-4, web-1-5", "12 pods (web-1-4, web-1-5, ...)" */
static const char *subject_list(const struct storyteller *teller)
{
    enum { NAMED_MOST = 4 };
    const uint32_t count = teller->subjects.count;
    const char *names = "";
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++)
        names = arena_printf(teller->arena, "%s%s%s", names, i > 0 ? ", " : "",
                             teller->pods.items[teller->subjects.items[i]].name);
    if (count > NAMED_MOST)
        return arena_printf(teller->arena, "%u pods (%s, ...)", count, names);
    return arena_printf(teller->arena, "pod%s %s", count == 1 ? "" : "s", names);
}

/* " of revision 2", for pods that have the same name in every revision. */
static const char *of_revision(const struct story_telling *telling)
{
    const struct revision *of = telling->revision;
    const struct workload *workload = &telling->population->workloads.items[of->workload];
    if (of->ordinal < 0 || workload->revision_count == workload->ordinal_count)
        return "";
    return arena_printf(telling->arena, " of revision %u", of->number + 1);
}

/* What a DaemonSet does to its pods, by where they are now. */
static const char *sync_verb(const struct storyteller *teller)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; i < teller->subjects.count; i++) {
        const struct story_value *value =
            &teller->values.items[object_of_pod(teller, teller->subjects.items[i])];
        gone += value->number == POD_NOWHERE ||
                class_info(teller->worker, value->detail)->stage == STAGE_TERMINATING;
    }
    if (gone == 0)
        return "creates";
    return gone == teller->subjects.count ? "deletes" : "creates or deletes";
}

/* " (DiskPressure)": of the node in hand; NULL: that is not known. */
static const char *pressure_words(const struct storyteller *teller)
{
    static const char *const words[PRESSURE_MASKS] = {
        [KUBELET_MEMORY_PRESSURE] = " (MemoryPressure)",
        [KUBELET_DISK_PRESSURE] = " (DiskPressure)",
        [KUBELET_PID_PRESSURE] = " (PIDPressure)",
    };
    if (teller->subject_node == UINT32_MAX)
        return NULL;
    const uint32_t config = teller->nodes.items[teller->subject_node].config;
    return words[value_of_node(teller->worker, config).detail >> 1];
}

/* The row's sentence with the names of the story; NULL: the row has none. */
static const char *fill(const struct story_telling *telling, const char *sentence)
{
    const struct storyteller *teller = telling->teller;
    const struct revision *revision = telling->revision;
    const char *node = telling->told->node;
    struct text text;
    if (!sentence)
        return NULL;
    const struct words_value values[] = {
        {"pod", telling->pod},
        {"pods", subject_list(teller)},
        {"node", node},
        {"from", node && teller->touched_nodes == 1
                     ? arena_printf(telling->arena, " from node %s", node)
                     : NULL},
        {"kind", revision ? words_owner_kind(revision) : NULL},
        {"set", revision ? set_name(revision) : NULL},
        {"of revision", revision ? of_revision(telling) : NULL},
        {"spec.nodeName", revision ? revision->node_name : NULL},
        {"creates or deletes", sync_verb(teller)},
        {"reason", teller->rejection},
        {"pressure", pressure_words(teller)},
        {"policy", words_policy(telling)},
        {"claim", words_claim(telling)},
        {"volume", words_volume(telling)},
    };
    text_init(&text, telling->population->memory);
    words_fill(sentence, values, sizeof(values) / sizeof(*values), &text);
    return text_keep(&text, telling->arena);
}

/* The sentence of the action's row. */
static const char *row_detail(const struct story_telling *telling)
{
    const struct action_words *words = action_words((enum population_action)telling->step->action);
    const char *detail = NULL;
    if (telling->teller->subjects.count > 0 && telling->revision)
        detail = fill(telling, words->of_pods);
    if (!detail && telling->told->node)
        detail = fill(telling, words->of_node);
    return detail ? detail : plain_detail(telling);
}

/* The class of the first pod that the step is about. */
static uint32_t subject_class(const struct storyteller *teller)
{
    return teller->values.items[object_of_pod(teller, teller->subjects.items[0])].detail;
}

/* The usage that a cpuChange gives the pod. */
static const char *cpu_detail(const struct story_telling *telling)
{
    const uint32_t class = subject_class(telling->teller);
    return arena_printf(
        telling->arena, "pod %s on node %s now uses %lldm of CPU (it requests %lldm)", telling->pod,
        telling->told->node, describe_cpu_milli(telling->worker, class),
        (long long)pod_cpu_request(&telling->worker->population->options.features,
                                   &class_revision(telling->worker, class)->pod->spec));
}

/* "the user applies web-v2.yaml: web goes from 2 to 1 replicas" */
static const char *apply_detail(const struct story_telling *telling)
{
    const struct string_list *manifests = &telling->event->manifests;
    const char *names = "";
    for (uint32_t i = 0; i < manifests->count; i++)
        names =
            arena_printf(telling->arena, "%s%s%s", names, i > 0 ? ", " : "", manifests->items[i]);
    return arena_printf(telling->arena, "the user applies %s%s", names, words_replicas(telling));
}

/* Time passed for these pods. */
static const char *usage_detail(const struct story_telling *telling)
{
    const struct storyteller *teller = telling->teller;
    const bool one = teller->subjects.count == 1;
    return arena_printf(telling->arena, "time passes: %s now use%s %lldm of CPU%s",
                        subject_list(teller), one ? "s" : "",
                        describe_cpu_milli(telling->worker, subject_class(teller)),
                        one ? "" : " each");
}

const char *story_detail(const struct story_telling *telling)
{
    const struct storyteller *teller = telling->teller;
    const uint32_t action = telling->step->action;
    if (action == ACT_EVENT_APPLY && telling->told->event && telling->event->manifests.count > 0)
        return apply_detail(telling);
    if (action == ACT_EVENT_APPLY && telling->told->event && telling->event->brings)
        return "the user rolls out the next version of every workload (kubectl rollout restart)";
    if (action == ACT_TIME && teller->subjects.count > 0)
        return usage_detail(telling);
    if (action == ACT_UNSCHEDULABLE && teller->subjects.count > 0 && telling->revision)
        return fill(telling, telling->revision->daemon_set
                                 ? "the scheduler cannot place {pods} on node {node}"
                                 : "the scheduler finds no node for {pods}");
    if (action == ACT_EVENT_CPU && telling->pod && teller->touched_nodes == 1)
        return cpu_detail(telling);
    const char *detail = row_detail(telling);
    if (action != ACT_TERMINATED || !telling->population->endpoints ||
        !endpoint_stopped(telling->worker, telling->from, telling->to, telling->number))
        return detail;
    const bool removed =
        endpoint_was_removed(telling->worker, telling->from, telling->to, telling->number);
    return arena_printf(telling->arena, "%s, while requests are still sent to it%s", detail,
                        removed ? ", because no other pod is ready" : "");
}
