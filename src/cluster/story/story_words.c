/* SPDX-License-Identifier: Apache-2.0 */
/* What a step is told in: the object that it is about, and a sentence with the
 * names of nodes and pods. */
#include "cluster/story/story_words.h"
#include "cluster/ask/traffic.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/words.h"
#include "decide/controller/kubelet.h"

#include <string.h>

static const char *set_name(const struct storyteller *teller, uint32_t revision)
{
    const struct object_meta *meta = &teller->population->revisions.items[revision].pod->meta;
    return meta->owner_count > 0 ? meta->owners[0].name : meta->name;
}

/* The kind of the controller that owns the pods: "ReplicaSet". */
const char *story_owner_kind(const struct storyteller *teller, uint32_t revision)
{
    const struct object_meta *meta = &teller->population->revisions.items[revision].pod->meta;
    return meta->owner_count > 0 ? meta->owners[0].kind : "Pod";
}

static const char *namespace_of(const struct storyteller *teller, uint32_t revision)
{
    return teller->population->revisions.items[revision].owner_meta->namespace;
}

const char *story_node_name(const struct storyteller *teller, const struct step *step,
                            const struct population_state *from)
{
    const uint32_t entry = step_subject_of(step).node;
    if (teller->subject_node != UINT32_MAX && teller->touched_nodes <= 1)
        return teller->nodes.items[teller->subject_node].name;
    if (teller->touched_nodes > 1 || entry >= from->node_count)
        return NULL;
    const struct node *node = story_config(teller, from->nodes[entry].config)->template->node;
    return arena_strdup(teller->arena, node->meta.name);
}

const char *story_object(const struct storyteller *teller, const struct step *step,
                         uint32_t revision, const char *pod, const char *node, uint32_t workload)
{
    const bool has_revision = revision < teller->population->revisions.count;
    const enum population_action action = (enum population_action)step->action;
    if (action_has(action, IS_ABOUT_OWNER))
        return arena_printf(teller->arena, "%s/%s/%s", story_owner_kind(teller, revision),
                            namespace_of(teller, revision), set_name(teller, revision));
    if (!action_has(action, IS_ABOUT_WORKLOAD) && pod && has_revision)
        return arena_printf(teller->arena, "Pod/%s/%s", namespace_of(teller, revision), pod);
    if (!action_has(action, IS_ABOUT_WORKLOAD) && node)
        return arena_printf(teller->arena, "Node/%s", node);
    return workload != UINT32_MAX ? teller->population->scope->workloads[workload].name : "";
}

/* A Deployment that works on one of its sets is told as that set's story. */
void story_name_set(const struct storyteller *teller, const struct population_state *from,
                    const struct population_state *to, struct story_step *told)
{
    uint32_t changed = UINT32_MAX;
    for (uint32_t r = 0; r < teller->population->revisions.count; r++) {
        if (from->sets[r].replicas == to->sets[r].replicas)
            continue;
        if (changed != UINT32_MAX)
            return;
        changed = r;
    }
    if (changed == UINT32_MAX)
        return;
    told->action = from->sets[changed].replicas < 0 ? "create-replicaset" : "scale-replicaset";
    told->object = arena_printf(teller->arena, "ReplicaSet/%s/%s", namespace_of(teller, changed),
                                set_name(teller, changed));
}

/* What describe_step says, where there is nothing better. */
static const char *plain_detail(struct storyteller *teller, const struct step *step)
{
    struct text text;
    text_init(&text, teller->population->memory);
    population_describe_step(&teller->population->model, teller->worker, teller->words,
                             teller->length, step, &text);
    const char *copy = arena_strdup(teller->arena, text_content(&text));
    text_release(&text);
    return copy;
}

/* "pod web-1-4", "pods web-1-4, web-1-5", "12 pods (web-1-4, web-1-5, ...)" */
static const char *subject_list(const struct storyteller *teller)
{
    enum { NAMED_MOST = 4 };
    const uint32_t count = teller->subjects.count;
    const char *names = "";
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++)
        names = arena_printf(teller->arena, "%s%s%s", names, i > 0 ? ", " : "",
                             story_pod_name(teller, teller->subjects.items[i]));
    if (count > NAMED_MOST)
        return arena_printf(teller->arena, "%u pods (%s, ...)", count, names);
    return arena_printf(teller->arena, "pod%s %s", count == 1 ? "" : "s", names);
}

/* " of revision 2", for pods that have the same name in every revision. */
static const char *of_revision(const struct storyteller *teller, uint32_t revision)
{
    const struct revision *of = &teller->population->revisions.items[revision];
    const struct workload *workload = &teller->population->workloads.items[of->workload];
    if (of->ordinal < 0 || workload->revision_count == workload->ordinal_count)
        return "";
    return arena_printf(teller->arena, " of revision %u", of->number + 1);
}

/* What a DaemonSet does to its pods, by where they are now. */
static const char *sync_verb(const struct storyteller *teller)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; i < teller->subjects.count; i++) {
        const struct story_value *value =
            &teller->values.items[object_of_pod(teller, teller->subjects.items[i])];
        gone += value->number == POD_NOWHERE ||
                teller->worker->classes.items[value->detail].stage == STAGE_TERMINATING;
    }
    if (gone == 0)
        return "creates";
    return gone == teller->subjects.count ? "deletes" : "creates or deletes";
}

/* " (DiskPressure)": of the node in hand. */
static const char *pressure_words(const struct storyteller *teller)
{
    static const char *const words[PRESSURE_MASKS] = {
        [KUBELET_MEMORY_PRESSURE] = " (MemoryPressure)",
        [KUBELET_DISK_PRESSURE] = " (DiskPressure)",
        [KUBELET_PID_PRESSURE] = " (PIDPressure)",
    };
    if (teller->subject_node == UINT32_MAX)
        return "";
    const uint32_t config = teller->nodes.items[teller->subject_node].config;
    const char *word = words[value_of_node(teller->worker, config).detail >> 1];
    return word ? word : "";
}

/* The row's sentence with the names of the story; NULL: the row has none. */
static const char *fill(struct storyteller *teller, const char *sentence, uint32_t revision,
                        const char *pod, const char *node)
{
    struct arena *arena = teller->arena;
    const bool of_pods = revision < teller->population->revisions.count;
    struct text text;
    if (!sentence)
        return NULL;
    const struct words_value items[] = {
        {"pod", pod},
        {"pods", subject_list(teller)},
        {"node", node},
        {"from",
         node && teller->touched_nodes == 1 ? arena_printf(arena, " from node %s", node) : NULL},
        {"kind", of_pods ? story_owner_kind(teller, revision) : NULL},
        {"set", of_pods ? set_name(teller, revision) : NULL},
        {"of revision", of_pods ? of_revision(teller, revision) : NULL},
        {"spec.nodeName", of_pods ? teller->population->revisions.items[revision].node_name : NULL},
        {"creates or deletes", sync_verb(teller)},
        {"reason", teller->rejection},
        {"pressure", pressure_words(teller)},
    };
    text_init(&text, teller->population->memory);
    words_fill(sentence, &(struct words_values){items, sizeof(items) / sizeof(*items)}, &text);
    const char *filled = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return filled;
}

static const char *detail_of(struct storyteller *teller, const struct step *step, uint32_t revision,
                             const char *pod, const char *node)
{
    const struct action_words *words = action_words((enum population_action)step->action);
    const bool has_revision = revision < teller->population->revisions.count;
    const char *detail = NULL;
    if (teller->subjects.count > 0 && has_revision)
        detail = fill(teller, words->of_pods, revision, pod, node);
    if (!detail && node)
        detail = fill(teller, words->of_node, revision, pod, node);
    return detail ? detail : plain_detail(teller, step);
}

/* The scheduler has no node for a pod, or not the one that the pod is for. */
static const char *unschedulable_detail(const struct storyteller *teller, uint32_t revision,
                                        const char *node)
{
    return teller->population->revisions.items[revision].daemon_set
               ? arena_printf(teller->arena, "the scheduler cannot place %s on node %s",
                              subject_list(teller), node)
               : arena_printf(teller->arena, "the scheduler finds no node for %s",
                              subject_list(teller));
}

/* The usage that a cpuChange gives the pod. */
static const char *cpu_detail(struct storyteller *teller, const char *pod, const char *node)
{
    struct population_worker *worker = teller->worker;
    const struct population *population = teller->population;
    const struct named_node *on = &teller->nodes.items[teller->subject_node];
    for (uint32_t i = 0; i < on->pods.count; i++) {
        if (strcmp(story_pod_name(teller, on->pods.items[i].pod), pod) != 0)
            continue;
        const struct class_info *info = &worker->classes.items[on->pods.items[i].class];
        const struct revision *revision = &population->revisions.items[info->revision];
        return arena_printf(
            teller->arena, "pod %s on node %s now uses %lldm of CPU (it requests %lldm)", pod, node,
            (long long)population->workloads.items[revision->workload]
                .levels[info->level]
                .cpu_milli,
            (long long)revision->request_cpu_milli);
    }
    return arena_printf(teller->arena, "the CPU usage of pod %s changes", pod);
}

/* "the user applies web-v2.yaml: web goes from 2 to 1 replicas" */
static const char *apply_detail(struct storyteller *teller, const struct step *step,
                                const struct check_event *event)
{
    static const char unnamed[] = "the user applies a manifest";
    const char *plain = plain_detail(teller, step);
    const char *names = "";
    for (uint32_t i = 0; i < event->manifests.count; i++)
        names = arena_printf(teller->arena, "%s%s%s", names, i > 0 ? ", " : "",
                             event->manifests.items[i]);
    if (!*names || strncmp(plain, unnamed, strlen(unnamed)) != 0)
        return plain;
    return arena_printf(teller->arena, "the user applies %s%s", names, plain + strlen(unnamed));
}

/* Time passed for these pods. */
static const char *usage_detail(struct storyteller *teller, const struct step *step)
{
    struct population_worker *worker = teller->worker;
    const struct population *population = teller->population;
    if (teller->subjects.count == 0)
        return plain_detail(teller, step);
    const uint32_t object = object_of_pod(teller, teller->subjects.items[0]);
    const struct class_info *info = &worker->classes.items[teller->values.items[object].detail];
    const uint32_t workload = population->revisions.items[info->revision].workload;
    return arena_printf(
        teller->arena, "time passes: %s now use%s %lldm of CPU%s", subject_list(teller),
        teller->subjects.count == 1 ? "s" : "",
        (long long)population->workloads.items[workload].levels[info->level].cpu_milli,
        teller->subjects.count == 1 ? "" : " each");
}

const char *story_detail(struct storyteller *teller, const struct population_state *from,
                         const struct population_state *to, const struct step *step,
                         uint32_t revision, const char *pod, const struct story_step *told)
{
    struct population_worker *worker = teller->worker;
    const struct population *population = teller->population;
    if (step->action == ACT_EVENT_APPLY && told->event)
        return apply_detail(teller, step, told->event);
    if (step->action == ACT_TIME)
        return usage_detail(teller, step);
    if (step->action == ACT_UNSCHEDULABLE && teller->subjects.count > 0 &&
        revision < population->revisions.count)
        return unschedulable_detail(teller, revision, told->node);
    const char *detail = step->action == ACT_EVENT_CPU && pod && teller->touched_nodes == 1
                             ? cpu_detail(teller, pod, told->node)
                             : detail_of(teller, step, revision, pod, told->node);
    if (step->action == ACT_TERMINATED && population->endpoints &&
        endpoint_stopped(worker, from, to, revision))
        return arena_printf(teller->arena, "%s, while requests are still sent to it%s", detail,
                            endpoint_was_removed(worker, from, to, revision)
                                ? ", because no other pod is ready"
                                : "");
    return detail;
}
