/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods a kubelet admits. Mirrors pkg/kubelet/lifecycle/predicate.go,
 * Admit of pkg/kubelet/eviction/eviction_manager.go and AdmissionCheck of
 * pkg/scheduler @ v1.26.15. */
#include "decide/controller/kubelet.h"

#include "base/saturating.h"
#include "decide/pod_qos.h"
#include "decide/pod_shape.h"
#include "decide/scheduler/node_match.h"

#include <string.h>

static bool is_static(const struct pod *pod)
{
    const char *source = labels_find(&pod->meta.annotations, "kubernetes.io/config.source");
    return source && strcmp(source, "api") != 0;
}

struct admission {
    struct arena *arena;
    const struct kubelet_node *node;
    const struct pod_class *comes;
    struct kubelet_admission *result;
};

static const struct pod_shape *shape_of(const struct kubelet_node *node, uint32_t entry)
{
    return node->catalog->pods.items[node->pods[entry].pod]->shape;
}

static void refuse(struct admission *admission, enum kubelet_rejection rejection)
{
    const struct kubelet_reason reason = {.rejection = rejection,
                                          .pressures = admission->node->pressures};
    VEC_PUSH(admission->arena, &admission->result->reasons, reason);
}

/* Apart, so that the question itself, which is asked of every state, stays small. */
__attribute__((noinline)) static void refuse_amount(struct admission *admission,
                                                    const char *resource, int64_t requested,
                                                    int64_t used, int64_t capacity)
{
    const struct kubelet_reason reason = {.rejection = KUBELET_OUT_OF,
                                          .resource = resource,
                                          .requested = requested,
                                          .used = used,
                                          .capacity = capacity};
    VEC_PUSH(admission->arena, &admission->result->reasons, reason);
}

/* Adds a reason if the node has not enough of a resource for the pod beside the pods on it. */
static void check_amount(struct admission *admission, const char *resource, int64_t requested,
                         int64_t used, int64_t capacity)
{
    const bool asked = requested != 0 || !admission->node->catalog->features.fit_only_requested;
    if (asked && requested > saturating_subtract(capacity, used))
        refuse_amount(admission, resource, requested, used, capacity);
}

static bool node_has_scalar(const struct kubelet_node *node, uint32_t resource)
{
    for (uint32_t i = 0; i < node->template->allocatable.scalar_count; i++)
        if (node->template->allocatable.scalars[i].resource == resource)
            return true;
    return false;
}

/* Extended resources have a domain that is not Kubernetes' own. A resource that
 * the node does not have may be a resource of the cluster, so it is not
 * checked; earlier versions did check it for init containers. */
static int64_t scalar_request(const struct admission *admission, const struct scalar_amount *scalar)
{
    const char *name = admission->node->catalog->resources.items[scalar->resource];
    const struct pod_spec *spec = &admission->comes->pod->spec;
    int64_t most = 0;
    if (!strchr(name, '/') || strstr(name, "kubernetes.io/") ||
        node_has_scalar(admission->node, scalar->resource))
        return scalar->amount;
    if (!admission->node->catalog->features.unknown_resource_of_init)
        return 0;
    for (uint32_t i = 0; i < spec->init_container_count; i++) {
        const struct quantity *quantity =
            resource_list_find(&spec->init_containers[i].resources.requests, name);
        if (quantity && quantity_value(*quantity) > most)
            most = quantity_value(*quantity);
    }
    return most;
}

static void check_scalars(struct admission *admission)
{
    const struct kubelet_node *node = admission->node;
    const struct amounts *requests = &admission->comes->shape->requests;
    for (uint32_t i = 0; i < requests->scalar_count; i++) {
        const uint32_t resource = requests->scalars[i].resource;
        const int64_t requested = scalar_request(admission, &requests->scalars[i]);
        int64_t used = 0;
        if (requested == 0)
            continue;
        for (uint32_t p = 0; p < node->pod_entry_count; p++)
            used = saturating_add(
                used, saturating_multiply(node->pods[p].count,
                                          amounts_scalar(&shape_of(node, p)->requests, resource)));
        check_amount(admission, node->catalog->resources.items[resource], requested, used,
                     amounts_scalar(&node->template->allocatable, resource));
    }
}

static bool requests_anything(const struct admission *admission)
{
    const struct amounts *requests = &admission->comes->shape->requests;
    if (requests->cpu_milli || requests->memory || requests->ephemeral_storage)
        return true;
    for (uint32_t i = 0; i < requests->scalar_count; i++)
        if (scalar_request(admission, &requests->scalars[i]) > 0)
            return true;
    return false;
}

static void add_all(int64_t *used, int64_t count, int64_t each)
{
    *used = saturating_add(*used, saturating_multiply(count, each));
}

static void check_resources(struct admission *admission)
{
    const struct kubelet_node *node = admission->node;
    const struct amounts *requests = &admission->comes->shape->requests;
    const struct amounts *allocatable = &node->template->allocatable;
    struct amounts used = {0};
    int64_t pods = 0;
    for (uint32_t p = 0; p < node->pod_entry_count; p++) {
        const struct amounts *each = &shape_of(node, p)->requests;
        pods += node->pods[p].count;
        add_all(&used.cpu_milli, node->pods[p].count, each->cpu_milli);
        add_all(&used.memory, node->pods[p].count, each->memory);
        add_all(&used.ephemeral_storage, node->pods[p].count, each->ephemeral_storage);
    }
    check_amount(admission, "pods", 1, pods, node->template->allocatable_pods);
    if (!requests_anything(admission))
        return;
    check_amount(admission, "cpu", requests->cpu_milli, used.cpu_milli, allocatable->cpu_milli);
    check_amount(admission, "memory", requests->memory, used.memory, allocatable->memory);
    check_amount(admission, "ephemeral-storage", requests->ephemeral_storage,
                 used.ephemeral_storage, allocatable->ephemeral_storage);
    check_scalars(admission);
}

static bool same_address(const char *a, const char *b)
{
    static const char any[] = "0.0.0.0";
    a = a && *a ? a : any;
    b = b && *b ? b : any;
    return strcmp(a, b) == 0 || strcmp(a, any) == 0 || strcmp(b, any) == 0;
}

static bool ports_conflict(const struct pod_shape *a, const struct pod_shape *b)
{
    for (uint32_t i = 0; i < a->host_port_count; i++)
        for (uint32_t j = 0; j < b->host_port_count; j++)
            if (a->host_ports[i].host_port == b->host_ports[j].host_port &&
                a->host_ports[i].protocol == b->host_ports[j].protocol &&
                same_address(a->host_ports[i].host_ip, b->host_ports[j].host_ip))
                return true;
    return false;
}

static void check_predicates(struct admission *admission)
{
    const struct kubelet_node *node = admission->node;
    const struct pod *pod = admission->comes->pod;
    check_resources(admission);
    if (!node_match_pod(pod, node->template))
        refuse(admission, KUBELET_NODE_AFFINITY);
    if (pod->spec.node_name && !node->template->anonymous &&
        strcmp(pod->spec.node_name, node->template->node->meta.name) != 0)
        refuse(admission, KUBELET_NODE_NAME);
    for (uint32_t p = 0; p < node->pod_entry_count; p++)
        if (ports_conflict(admission->comes->shape, shape_of(node, p))) {
            refuse(admission, KUBELET_NODE_PORTS);
            break;
        }
    for (uint32_t t = 0; !is_static(pod) && t < node->template->node->spec.taint_count; t++) {
        const struct taint *taint = &node->template->node->spec.taints[t];
        if (taint->effect == TAINT_NO_EXECUTE &&
            !tolerations_find(pod->spec.tolerations, pod->spec.toleration_count, taint)) {
            refuse(admission, KUBELET_TAINT_TOLERATION);
            break;
        }
    }
}

/* Under memory pressure alone only BestEffort pods are refused, and not those
 * that tolerate the taint. */
static bool bears_pressure(const struct kubelet_node *node, const struct pod *pod)
{
    static const struct taint taint = {"node.kubernetes.io/memory-pressure", "", TAINT_NO_SCHEDULE,
                                       TIME_NONE};
    if (node->pressures == 0 || kubelet_pod_is_critical(pod))
        return true;
    if (node->pressures != KUBELET_MEMORY_PRESSURE)
        return false;
    return pod_qos_of(&node->catalog->features, &pod->spec) != POD_BEST_EFFORT ||
           tolerations_find(pod->spec.tolerations, pod->spec.toleration_count, &taint);
}

/* A critical pod is not refused for lack of resources if preemption makes room; all
 * other reasons apply. */
static void make_room(struct admission *admission)
{
    struct kubelet_admission *result = admission->result;
    VEC(struct kubelet_reason) others = {0};
    for (uint32_t i = 0; i < result->reasons.count; i++)
        if (result->reasons.items[i].rejection != KUBELET_OUT_OF)
            VEC_PUSH(admission->arena, &others, result->reasons.items[i]);
    if (others.count > 0) {
        result->reasons.items = others.items;
        result->reasons.count = others.count;
        return;
    }
    result->admitted = kubelet_preempt(admission->arena, admission->node, admission->comes, result);
    if (!result->admitted) {
        result->reasons.count = 0;
        refuse(admission, KUBELET_CANNOT_PREEMPT);
    }
}

void kubelet_admit(struct arena *arena, const struct kubelet_node *node,
                   const struct pod_class *comes, struct kubelet_admission *result)
{
    *result = (struct kubelet_admission){0};
    struct admission admission = {arena, node, comes, result};
    if (!bears_pressure(node, comes->pod)) {
        refuse(&admission, KUBELET_UNDER_PRESSURE);
        return;
    }
    check_predicates(&admission);
    result->admitted = result->reasons.count == 0;
    if (!result->admitted && kubelet_pod_is_critical(comes->pod))
        make_room(&admission);
}

static const struct {
    const char *name;
    const char *description;
} predicates[] = {
    [KUBELET_NODE_AFFINITY] = {"NodeAffinity", "node(s) didn't match Pod's node affinity/selector"},
    [KUBELET_NODE_NAME] = {"NodeName", "node(s) didn't match the requested node name"},
    [KUBELET_NODE_PORTS] = {"NodePorts",
                            "node(s) didn't have free ports for the requested pod ports"},
    [KUBELET_TAINT_TOLERATION] = {"TaintToleration",
                                  "node(s) had taints that the pod didn't tolerate"},
    [KUBELET_UNDER_PRESSURE] = {"Evicted", NULL},
    [KUBELET_CANNOT_PREEMPT] = {"UnexpectedAdmissionError", NULL},
};

const char *kubelet_reason_name(struct arena *arena, const struct kubelet_reason *reason)
{
    if (reason->rejection == KUBELET_OUT_OF)
        return arena_printf(arena, "OutOf%s", reason->resource);
    return predicates[reason->rejection].name;
}

static const char *pressure_message(struct arena *arena, uint32_t pressures)
{
    const char *const memory = pressures & KUBELET_MEMORY_PRESSURE ? " MemoryPressure" : "";
    const char *const disk = pressures & KUBELET_DISK_PRESSURE ? " DiskPressure" : "";
    const char *const pid = pressures & KUBELET_PID_PRESSURE ? " PIDPressure" : "";
    const char *list = arena_printf(arena, "%s%s%s", disk, memory, pid);
    return arena_printf(arena, "Pod was rejected: The node had condition: [%s]. ",
                        *list ? list + 1 : list);
}

const char *kubelet_reason_message(struct arena *arena, const struct features *features,
                                   const struct kubelet_reason *reason)
{
    switch (reason->rejection) {
    case KUBELET_OUT_OF:
        return arena_printf(arena,
                            "Pod was rejected: Node didn't have enough resource: %s, requested: "
                            "%lld, used: %lld, capacity: %lld",
                            reason->resource, (long long)reason->requested, (long long)reason->used,
                            (long long)reason->capacity);
    case KUBELET_UNDER_PRESSURE: return pressure_message(arena, reason->pressures);
    case KUBELET_CANNOT_PREEMPT:
        return "Pod was rejected: Unexpected error while attempting to recover from admission "
               "failure: preemption: error finding a set of pods to preempt: no set of running "
               "pods found to reclaim resources";
    case KUBELET_NODE_AFFINITY:
    case KUBELET_NODE_NAME:
    case KUBELET_NODE_PORTS:
    case KUBELET_TAINT_TOLERATION: break;
    }
    const char *name = predicates[reason->rejection].name;
    if (!features->rejection_tells_reason)
        return arena_printf(arena, "Pod was rejected: Predicate %s failed", name);
    return arena_printf(arena, "Pod was rejected: Predicate %s failed: %s", name,
                        predicates[reason->rejection].description);
}
