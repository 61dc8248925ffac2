/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a repair gives up, and what it costs.
 *
 * The rows of edits.def say what each edit takes away. Objects are compared, too, so that no row
 * can lower a number that somebody relies on without it being noticed.
 */
#include "object/policy.h"
#include "object/taint.h"
#include "repair/repair.h"

#include <string.h>

/* ---- what is given up ---- */

/* The least number of pods that somebody wants of it. */
static int64_t wanted(const struct objects *objects, const struct object *object)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(objects->items[i].as.horizontal_pod_autoscaler, object))
            return objects->items[i].as.horizontal_pod_autoscaler->min_replicas;
    return workload_replicas(object);
}

static const struct object *find_same(const struct objects *objects, const struct object *object)
{
    return objects_find(objects, object->kind, object->meta->namespace, object->meta->name);
}

/* Of all containers, in thousandths. */
static int64_t request(const struct pod_spec *spec, const char *name)
{
    int64_t milli = 0;
    for (uint32_t i = 0; i < spec->container_count; i++) {
        const struct quantity *one =
            resource_list_find(&spec->containers[i].resources.requests, name);
        milli += one ? quantity_milli_value(*one) : 0;
    }
    return milli;
}

static bool stays_for_ever(const struct pod_spec *spec, const char *key)
{
    const struct taint taint = {.key = key, .value = "", .effect = TAINT_NO_EXECUTE};
    const struct toleration *found =
        tolerations_find(spec->tolerations, spec->toleration_count, &taint);
    return found && !found->toleration_seconds.set;
}

/* Are the pods replaced if their node is lost? */
static bool fails_over(const struct pod_spec *spec)
{
    return !stays_for_ever(spec, "node.kubernetes.io/unreachable") &&
           !stays_for_ever(spec, "node.kubernetes.io/not-ready");
}

static unsigned losses_of_pods(const struct pod_spec *before, const struct pod_spec *after)
{
    unsigned losses = 0;
    if (request(after, "cpu") < request(before, "cpu") ||
        request(after, "memory") < request(before, "memory"))
        losses |= PROTECTION_REQUESTS;
    if (after->priority.value < before->priority.value)
        losses |= PROTECTION_PRIORITY;
    if (fails_over(before) && !fails_over(after))
        losses |= PROTECTION_FAILOVER;
    return losses;
}

static unsigned losses_of_autoscaler(const struct horizontal_pod_autoscaler *before,
                                     const struct horizontal_pod_autoscaler *after)
{
    const bool less =
        after->max_replicas - after->min_replicas < before->max_replicas - before->min_replicas &&
        (after->max_replicas < before->max_replicas);
    return less || after->min_replicas < before->min_replicas ? PROTECTION_RANGE : 0;
}

/* How many pods the budget keeps available once all that are wanted are there. */
static int64_t guarded_pods(const struct objects *objects, const struct object *object)
{
    const struct pod_disruption_budget *budget = object->as.pod_disruption_budget;
    int64_t pods = 0;
    for (uint32_t i = 0; i < objects->count; i++)
        if (edit_budget_guards(object, &objects->items[i]))
            pods += objects->items[i].kind == OBJECT_DAEMON_SET
                        ? 1
                        : wanted(objects, &objects->items[i]);
    int64_t kept = pods; /* without a rule nothing may be disrupted */
    if (budget->min_available.set)
        kept = int_or_percent_of(budget->min_available, pods, true);
    else if (budget->max_unavailable.set)
        kept = pods - int_or_percent_of(budget->max_unavailable, pods, true);
    return kept < pods ? kept : pods;
}

/* A budget that guards no pod any more is as good as removed. */
static unsigned losses_of_budget(const struct objects *all_before, const struct object *before,
                                 const struct objects *all_after, const struct object *after)
{
    return guarded_pods(all_before, before) > 0 && guarded_pods(all_after, after) <= 0
               ? PROTECTION_OBJECT
               : 0;
}

static unsigned losses_of(const struct objects *all_before, const struct object *before,
                          const struct objects *all_after, const struct object *after)
{
    const struct pod_template *template = workload_template(before);
    unsigned losses = 0;
    if (template) {
        losses = losses_of_pods(&template->spec, &workload_template(after)->spec);
        if (before->kind != OBJECT_DAEMON_SET &&
            wanted(all_after, after) < wanted(all_before, before))
            losses |= PROTECTION_REPLICAS;
    }
    if (before->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
        losses |= losses_of_autoscaler(before->as.horizontal_pod_autoscaler,
                                       after->as.horizontal_pod_autoscaler);
    if (before->kind == OBJECT_POD_DISRUPTION_BUDGET)
        losses |= losses_of_budget(all_before, before, all_after, after);
    return losses;
}

unsigned repair_losses(const struct verify_plan *before, const struct repair_world *world,
                       const struct edit *const *edits, uint32_t count)
{
    const struct objects *objects = &before->unit->objects;
    unsigned losses = 0;
    for (uint32_t i = 0; i < count; i++)
        losses |= edits[i]->row->loss;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_OTHER || !object->meta->name)
            continue;
        const struct object *after = find_same(&world->unit.objects, object);
        losses |=
            after ? losses_of(objects, object, &world->unit.objects, after) : PROTECTION_OBJECT;
    }
    return losses;
}

/* ---- immutable fields ---- */

/* Those that some edit touches. */
static const char *const job_fixed[] = {"spec.template", "spec.podFailurePolicy",
                                        "spec.backoffLimitPerIndex", NULL};
static const char *const claim_fixed[] = {"spec.accessModes", NULL};
static const char *const set_fixed[] = {"spec.podManagementPolicy", "spec.serviceName",
                                        "spec.volumeClaimTemplates", "spec.selector", NULL};

static const char *const *fixed_fields(enum object_kind kind)
{
    switch (kind) {
    case OBJECT_JOB: return job_fixed;
    case OBJECT_STATEFUL_SET: return set_fixed;
    case OBJECT_PERSISTENT_VOLUME_CLAIM: return claim_fixed;
    default: return NULL;
    }
}

static bool is_changed(struct arena *arena, const struct document *before,
                       const struct document *after, const char *path)
{
    const struct value *old = tree_find_text(arena, &before->root, path);
    const struct value *new = tree_find_text(arena, &after->root, path);
    return old && new ? !tree_same(old, new) : old != new;
}

bool repair_recreates(const struct edit_case *of, const struct repair_world *world)
{
    for (uint32_t i = 0; i < of->documents.count; i++) {
        const struct edit_document *document = &of->documents.items[i];
        const char *const *field = fixed_fields(document->object->kind);
        for (; field && *field && world->documents[i]; field++)
            if (world->documents[i] != document->source &&
                is_changed(of->arena, document->source, world->documents[i], *field))
                return true;
    }
    return false;
}

/* ---- costs ---- */

static int64_t larger(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

static int64_t allocatable(const struct node *node, const char *name)
{
    const struct quantity *amount = resource_list_find(&node->status.allocatable, name);
    return amount ? quantity_milli_value(*amount) : 0;
}

static bool keeps_off(const struct taint *taint, const struct pod_spec *spec)
{
    return taint->effect != TAINT_PREFER_NO_SCHEDULE &&
           !tolerations_find(spec->tolerations, spec->toleration_count, taint);
}

/* Do taints keep all pods off the group's nodes, but those of DaemonSets? */
static bool is_left_to_others(const struct scope *scope, const struct setup_group *group)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct pod_template *template = workload_template(scope->workloads[w].object);
        bool off = !template || scope->workloads[w].object->kind == OBJECT_DAEMON_SET;
        for (uint32_t t = 0; t < group->node->spec.taint_count && !off; t++)
            off = keeps_off(&group->node->spec.taints[t], &template->spec);
        if (!off)
            return false;
    }
    return true;
}

struct repair_cost repair_cost_of(const struct scope *scope)
{
    enum { MEBI_MILLI = 1000 * (1 << 20) };
    struct repair_cost cost = {0};
    for (uint32_t g = 0; g < scope->group_count; g++) {
        cost.nodes += scope->groups[g].most;
        cost.nodes_least += scope->groups[g].least;
        if (is_left_to_others(scope, &scope->groups[g]))
            cost.nodes_left += larger(scope->groups[g].least, 1);
        cost.nodes_cpu_milli += scope->groups[g].most * allocatable(scope->groups[g].node, "cpu");
        cost.nodes_memory_mebi +=
            scope->groups[g].most * (allocatable(scope->groups[g].node, "memory") / MEBI_MILLI);
    }
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const struct pod_template *template = workload_template(object);
        const int64_t pods = object->kind == OBJECT_DAEMON_SET ? 1 : wanted(scope->objects, object);
        if (!template)
            continue;
        cost.pods += pods;
        cost.pods_least += scope->workloads[w].least;
        cost.cpu_milli += pods * request(&template->spec, "cpu");
        cost.memory_bytes += pods * (request(&template->spec, "memory") / 1000);
    }
    return cost;
}

/* How many nodes of the size that they had would have as much more. */
static int64_t nodes_worth(int64_t nodes, int64_t before, int64_t after)
{
    return before > 0 && after > before ? ((after - before) * nodes + before - 1) / before : 0;
}

int64_t repair_more_nodes(const struct repair_cost *before, const struct repair_cost *after)
{
    const int64_t nodes =
        larger(after->nodes_least - before->nodes_least, after->nodes - before->nodes);
    const int64_t left = larger(after->nodes_left - before->nodes_left, 0);
    const int64_t cpu = nodes_worth(before->nodes, before->nodes_cpu_milli, after->nodes_cpu_milli);
    const int64_t memory =
        nodes_worth(before->nodes, before->nodes_memory_mebi, after->nodes_memory_mebi);
    return larger(nodes + left, larger(cpu, memory));
}

int64_t repair_more_pods(const struct repair_cost *before, const struct repair_cost *after)
{
    return larger(after->pods_least - before->pods_least, after->pods - before->pods);
}

const char *repair_too_much(struct arena *arena, const struct repair_cost *before,
                            const struct repair_cost *after, const struct repair_budget *budget)
{
    const int64_t pods = repair_more_pods(before, after);
    const int64_t nodes = repair_more_nodes(before, after);
    if (nodes > budget->nodes)
        return arena_printf(arena, "it needs %lld more node%s (--budget nodes=+%lld)",
                            (long long)nodes, nodes == 1 ? "" : "s", (long long)nodes);
    if (pods > budget->pods)
        return arena_printf(arena, "it needs %lld more pod%s (--budget pods=+%lld)",
                            (long long)pods, pods == 1 ? "" : "s", (long long)pods);
    /* What more pods of the same size request is paid for by the budget of pods. */
    const double cpu_per_pod = after->pods ? (double)after->cpu_milli / (double)after->pods : 0;
    const double memory_per_pod =
        after->pods ? (double)after->memory_bytes / (double)after->pods : 0;
    const double cpu_most =
        before->pods ? (double)before->cpu_milli / (double)before->pods * (1 + budget->cpu) : 0;
    const double memory_most =
        before->pods ? (double)before->memory_bytes / (double)before->pods * (1 + budget->memory)
                     : 0;
    if (pods <= 0 && cpu_per_pod > cpu_most && after->cpu_milli > before->cpu_milli && cpu_most > 0)
        return "it reserves more CPU than --budget cpu allows";
    if (pods <= 0 && memory_per_pod > memory_most && after->memory_bytes > before->memory_bytes &&
        memory_most > 0)
        return "it reserves more memory than --budget memory allows";
    return NULL;
}

/* ---- what is verified ---- */

static const struct setup_workload *find_workload(const struct scope *scope, const char *name)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (strcmp(scope->workloads[w].name, name) == 0)
            return &scope->workloads[w];
    return NULL;
}

bool repair_narrows(const struct scope *before, const struct scope *after)
{
    for (uint32_t w = 0; w < before->workload_count; w++) {
        const struct setup_workload *old = &before->workloads[w];
        const struct setup_workload *new = find_workload(after, old->name);
        if (!new || new->most < old->most)
            return true;
    }
    return after->group_count < before->group_count;
}
