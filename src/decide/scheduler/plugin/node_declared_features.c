/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Some fields of a pod need a kubelet, or a container runtime, that supports them: from 1.36 on the
 * node must have declared so.
 *
 * Mirrors also k8s.io/component-helpers/nodedeclaredfeatures/features @ v1.36.4. Features there
 * that are for updates of pods do not matter to scheduling.
 */
#include "decide/scheduler/plan.h"

#include <string.h>

static bool any_restarts_all(const struct container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (containers[i].restarts_all)
            return true;
    return false;
}

static bool restarts_all(const struct pod_spec *spec)
{
    return any_restarts_all(spec->containers, spec->container_count) ||
           any_restarts_all(spec->init_containers, spec->init_container_count);
}

static bool maps_users_on_host_network(const struct pod_spec *spec)
{
    return spec->host_network && spec->host_users == TRISTATE_FALSE;
}

static const struct {
    const char *name; /* as nodes declare it */
    bool (*needed_by)(const struct pod_spec *spec);
} declared[] = {
    {"RestartAllContainersOnContainerExits", restarts_all},
    {"UserNamespacesHostNetworkSupport", maps_users_on_host_network},
};
enum { DECLARED_COUNT = sizeof(declared) / sizeof(declared[0]) };

static bool needs_any(const struct pod_spec *spec)
{
    bool needs = false;
    for (uint32_t i = 0; i < DECLARED_COUNT; i++)
        needs |= declared[i].needed_by(spec);
    return needs;
}

static void prepare(struct plan *plan, struct part *part)
{
    const bool needs = needs_any(&plan->shape->pod->spec);
    part->filters = needs && plan->catalog->features.node_declared_features;
    part->facts = plan_reserve_facts(plan, 1);
}

static bool declares(const struct node *node, const char *feature)
{
    const struct string_list *features = &node->status.declared_features;
    for (uint32_t i = 0; i < features->count; i++)
        if (strcmp(features->items[i], feature) == 0)
            return true;
    return false;
}

/* The fact: does the node lack a feature that the pod needs? */
static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    for (uint32_t i = 0; part->filters && i < DECLARED_COUNT; i++)
        facts[0] |= declared[i].needed_by(&plan->shape->pod->spec) &&
                    !declares(template->node, declared[i].name);
}

static struct verdict filter(const struct trial *trial)
{
    if (!trial->now->facts[trial->part->facts])
        return verdict_feasible();
    return verdict_no(VERDICT_UNRESOLVABLE, "node(s) didn't match Pod's required features");
}

static void read_incoming(struct reads *reads, const struct pod_spec *spec)
{
    reads->declared_features |= needs_any(spec);
}

static const struct plugin_reads reads = {.of_incoming = read_incoming,
                                          .only_room = only_room_ever};

const struct plugin plugin_node_declared_features = {
    .name = "NodeDeclaredFeatures",
    .mirrors = "pkg/scheduler/framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go "
               "@ v1.36.4",
    .events = EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .reads = &reads,
    .prepare = prepare,
    .examine = examine,
    .filter = filter,
};
