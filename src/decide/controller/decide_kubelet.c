/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom decide kubelet`: which pods that wait on their node are admitted.
 *
 * A pod waits while it is bound to a node and has no start time yet; pods that
 * have one, and have not ended, are what it finds there. Those that wait on one
 * node are looked at in the order of their creation, as the kubelet does when
 * it sees them at once, and an admitted one takes its place.
 */
#include "decide/claim.h"
#include "decide/controller/kubelet.h"
#include "decide/decider.h"
#include "decide/scenario.h"

#include <string.h>

struct kubelet_case {
    struct arena *arena;
    struct catalog *catalog;
    const struct objects *objects;
    struct json_out *json;
    struct text *sentences; /* NULL: not wanted */
    uint32_t decided;
};

static bool on_node(const struct object *object, const char *name)
{
    return object->kind == OBJECT_POD && claim_same_text(object->as.pod->spec.node_name, name);
}

static bool ended(const struct pod *pod)
{
    return pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED;
}

static bool waits(const struct pod *pod)
{
    return !ended(pod) && pod->status.start_time == TIME_NONE &&
           pod->meta.deletion_time == TIME_NONE && pod->status.phase != POD_RUNNING;
}

/* The oldest that waits and was created after the last one; equals by name. */
static const struct pod *next_waiting(const struct kubelet_case *a_case, const char *node,
                                      const struct pod *last)
{
    const struct pod *next = NULL;
    for (uint32_t i = 0; i < a_case->objects->count; i++) {
        const struct object *object = &a_case->objects->items[i];
        if (!on_node(object, node) || !waits(object->as.pod))
            continue;
        const struct pod *pod = object->as.pod;
        const struct pod *const others[] = {last, next};
        int orders[2] = {1, -1};
        for (int o = 0; o < 2; o++) {
            if (!others[o])
                continue;
            const int64_t difference = pod->meta.creation_time - others[o]->meta.creation_time;
            orders[o] = difference < 0   ? -1
                        : difference > 0 ? 1
                                         : strcmp(pod->meta.name, others[o]->meta.name);
        }
        if (orders[0] > 0 && orders[1] < 0)
            next = pod;
    }
    return next;
}

static uint32_t pressures_of(const struct node *node)
{
    static const struct {
        const char *type;
        enum kubelet_pressure pressure;
    } all[] = {{"MemoryPressure", KUBELET_MEMORY_PRESSURE},
               {"DiskPressure", KUBELET_DISK_PRESSURE},
               {"PIDPressure", KUBELET_PID_PRESSURE}};
    uint32_t pressures = 0;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct condition *condition = conditions_find(&node->status.conditions, all[i].type);
        if (condition && claim_same_text(condition->status, "True"))
            pressures |= all[i].pressure;
    }
    return pressures;
}

static void write_result(const struct kubelet_case *a_case, const struct kubelet_node *node,
                         const struct pod *pod, const struct kubelet_admission *admission)
{
    struct json_out *json = a_case->json;
    json_object_begin(json, NULL);
    json_string(json, "pod",
                arena_printf(a_case->arena, "%s/%s", pod->meta.namespace, pod->meta.name));
    json_string(json, "node", pod->spec.node_name);
    json_boolean(json, "admitted", admission->admitted);
    if (!admission->admitted) {
        const struct kubelet_reason *first = &admission->reasons.items[0];
        json_string(json, "reason", kubelet_reason_name(a_case->arena, first));
        json_string(json, "message",
                    kubelet_reason_message(a_case->arena, &a_case->catalog->features, first));
    }
    json_array_begin(json, "preempted");
    for (uint32_t p = 0; admission->preempted && p < node->pod_entry_count; p++)
        if (admission->preempted[p] > 0)
            json_string(json, NULL, node->catalog->pods.items[node->pods[p].pod]->pod->meta.name);
    json_array_end(json);
    json_object_end(json);
}

static void write_sentences(const struct kubelet_case *a_case, const struct kubelet_node *node,
                            const struct pod *pod, const struct kubelet_admission *admission)
{
    struct text *sentences = a_case->sentences;
    if (!sentences)
        return;
    text_printf(sentences, "Pod %s/%s on node %s: %s\n", pod->meta.namespace, pod->meta.name,
                pod->spec.node_name, admission->admitted ? "admitted" : "refused, and Failed");
    for (uint32_t i = 0; !admission->admitted && i < admission->reasons.count; i++) {
        const struct kubelet_reason *reason = &admission->reasons.items[i];
        const char *message =
            kubelet_reason_message(a_case->arena, &a_case->catalog->features, reason);
        text_printf(sentences, "  %s: %s\n", kubelet_reason_name(a_case->arena, reason),
                    message + strlen("Pod was rejected: "));
    }
    for (uint32_t p = 0; admission->preempted && p < node->pod_entry_count; p++)
        if (admission->preempted[p] > 0)
            text_printf(sentences, "  kills %s to make room for a critical pod\n",
                        node->catalog->pods.items[node->pods[p].pod]->pod->meta.name);
    if (admission->preemption_tied)
        text_append_string(sentences, "  Others would have done as well; which go is random.\n");
}

/* The pods that hold resources of the node: one entry and one class each. */
struct tenants {
    VEC(struct pod_count) pods;
};

static void remove_preempted(struct tenants *tenants, const struct kubelet_admission *admission)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < tenants->pods.count; p++)
        if (admission->preempted[p] == 0)
            tenants->pods.items[kept++] = tenants->pods.items[p];
    tenants->pods.count = kept;
}

static void decide_node(struct kubelet_case *a_case, const struct node *object)
{
    const uint32_t template = catalog_add_named_node(a_case->catalog, object);
    struct kubelet_node node = {
        .catalog = a_case->catalog,
        .template = a_case->catalog->templates.items[template],
        .pressures = pressures_of(object),
    };
    struct tenants tenants = {0};
    for (uint32_t i = 0; i < a_case->objects->count; i++) {
        const struct object *other = &a_case->objects->items[i];
        if (!on_node(other, object->meta.name) || ended(other->as.pod) || waits(other->as.pod))
            continue;
        const struct pod_count one = {catalog_add_pod(a_case->catalog, other->as.pod), 1};
        VEC_PUSH(a_case->arena, &tenants.pods, one);
    }
    const struct pod *pod = NULL;
    while ((pod = next_waiting(a_case, object->meta.name, pod))) {
        struct kubelet_admission admission;
        const struct pod_count one = {catalog_add_pod(a_case->catalog, pod), 1};
        node.pods = tenants.pods.items;
        node.pod_entry_count = tenants.pods.count;
        kubelet_admit(a_case->arena, &node, a_case->catalog->pods.items[one.pod], &admission);
        write_result(a_case, &node, pod, &admission);
        write_sentences(a_case, &node, pod, &admission);
        if (admission.preempted)
            remove_preempted(&tenants, &admission);
        if (admission.admitted)
            VEC_PUSH(a_case->arena, &tenants.pods, one);
        a_case->decided++;
    }
}

static uint32_t decide(struct arena *arena, const struct objects *objects,
                       const struct features *features, struct json_out *json,
                       struct text *sentences)
{
    struct kubelet_case a_case = {
        .arena = arena,
        .catalog = catalog_create(arena, features),
        .objects = objects,
        .json = json,
        .sentences = sentences,
    };
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_NODE)
            decide_node(&a_case, objects->items[i].as.node);
    json_array_end(json);
    return a_case.decided;
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    if (!scenario_read(arena, value, features, &scenario, problems))
        return false;
    decide(arena, &scenario.objects, &scenario.features, json, NULL);
    return true;
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    if (decide(arena, objects, &choice->features, json, sentences) == 0)
        text_append_string(sentences, "No pod waits for its node's kubelet.\n");
    return true;
}

const struct decider decider_kubelet = {
    .name = "kubelet",
    .summary = "which pods bound to a node its kubelet admits, and why not",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
