/* SPDX-License-Identifier: Apache-2.0 */
/* All setups of a scope, smallest first. */
#include "setup/setup.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static int64_t fits(int64_t amount, int64_t request, int64_t most)
{
    return request > 0 && amount / request < most ? amount / request : most;
}

/* The request of the containers together; init containers and overhead do not
 * change an upper bound by much and are left to the scheduler. */
int64_t setup_node_capacity(const struct node *node, const struct pod_spec *spec)
{
    int64_t most = INT32_MAX;
    for (uint32_t r = 0; r < node->status.allocatable.count; r++) {
        const struct resource *resource = &node->status.allocatable.items[r];
        if (strcmp(resource->name, "pods") == 0) {
            most = fits(quantity_value(resource->quantity), 1, most);
            continue;
        }
        int64_t request = 0;
        for (uint32_t c = 0; c < spec->container_count; c++) {
            const struct quantity *part =
                resource_list_find(&spec->containers[c].resources.requests, resource->name);
            request += part ? quantity_milli_value(*part) : 0;
        }
        most = fits(quantity_milli_value(resource->quantity), request, most);
    }
    return most;
}

struct enumeration {
    struct arena *arena;
    const struct scope *scope;
    struct setups *setups; /* NULL: they are only counted */
    int32_t *nodes;
    int32_t *replicas;
    uint32_t tried; /* choices, as far as they are counted */
    uint32_t found;
    int64_t nodes_most; /* of all choices */
};

/* More than this nobody waits for, and more nodes no cluster has. */
enum { CHOICES_MOST = 1000000, NODES_MOST = 100000 };

static bool too_many(const struct enumeration *all)
{
    return !all->setups && (all->tried > CHOICES_MOST || all->nodes_most > NODES_MOST);
}

/* What the nodes of this choice can hold of one workload, were it alone. */
static int64_t capacity(const struct enumeration *all, uint32_t workload)
{
    int64_t sum = 0;
    for (uint32_t g = 0; g < all->scope->group_count; g++)
        sum +=
            all->nodes[g] *
            setup_node_capacity(all->scope->groups[g].node,
                                &workload_template(all->scope->workloads[workload].object)->spec);
    return sum;
}

static int64_t sum(const int32_t *numbers, uint32_t count)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += numbers[i];
    return total;
}

static int32_t lesser(int64_t a, int64_t b)
{
    return (int32_t)(a < b ? a : b);
}

static void add(struct enumeration *all)
{
    const struct scope *scope = all->scope;
    const uint32_t count = scope->workload_count;
    int32_t *least = ARENA_ARRAY(all->arena, int32_t, count + 1);
    int32_t *most = ARENA_ARRAY(all->arena, int32_t, count + 1);
    for (uint32_t w = 0; w < count; w++) {
        const struct setup_workload *workload = &scope->workloads[w];
        if (!workload->autoscaler)
            continue;
        least[w] = workload->autoscaler->min_replicas;
        most[w] = workload->autoscaler->max_replicas;
        if (workload->autoscaler_follows) {
            const int64_t limit = capacity(all, w);
            least[w] = lesser(all->replicas[w], limit);
            most[w] =
                lesser((int64_t)(workload->autoscaler_factor * (double)all->replicas[w]), limit);
            most[w] = most[w] < least[w] ? least[w] : most[w];
        }
    }
    const struct setup setup = {
        .ordinal = all->setups->count,
        .nodes = arena_copy(all->arena, all->nodes, scope->group_count * sizeof(int32_t)),
        .replicas = arena_copy(all->arena, all->replicas, count * sizeof(int32_t)),
        .autoscaler_min = least,
        .autoscaler_max = most,
        .total_nodes = (int32_t)sum(all->nodes, scope->group_count),
        .total_pods = (int32_t)sum(all->replicas, count),
    };
    VEC_PUSH(all->arena, all->setups, setup);
}

static void choose_replicas(struct enumeration *all, uint32_t workload)
{
    const struct scope *scope = all->scope;
    if (workload == scope->workload_count) {
        if (all->setups)
            add(all);
        all->found++;
        return;
    }
    const struct setup_workload *range = &scope->workloads[workload];
    int64_t most = range->most;
    if (range->least < range->most) {
        /* Beyond these nothing new can happen: see setup.h. */
        const int64_t sufficient =
            (int64_t)scope->pods_per_node_sufficient * sum(all->nodes, scope->group_count);
        if (!scope->exact)
            most = lesser(most, sufficient);
        most = lesser(most, capacity(all, workload));
    }
    for (int64_t replicas = range->least; replicas <= most && !too_many(all); replicas++) {
        all->tried++;
        all->replicas[workload] = (int32_t)replicas;
        choose_replicas(all, workload + 1);
    }
}

static void choose_nodes(struct enumeration *all, uint32_t group)
{
    if (group == all->scope->group_count) {
        const int64_t total = sum(all->nodes, group);
        all->nodes_most = total > all->nodes_most ? total : all->nodes_most;
        if (total > 0)
            choose_replicas(all, 0);
        return;
    }
    const struct setup_group *range = &all->scope->groups[group];
    for (int64_t count = range->least; count <= range->most && !too_many(all); count++) {
        all->tried++;
        all->nodes[group] = (int32_t)count;
        choose_nodes(all, group + 1);
    }
}

static int by_scale(const void *left, const void *right)
{
    const struct setup *a = left;
    const struct setup *b = right;
    if (a->total_nodes != b->total_nodes)
        return a->total_nodes < b->total_nodes ? -1 : 1;
    if (a->total_pods != b->total_pods)
        return a->total_pods < b->total_pods ? -1 : 1;
    return a->ordinal < b->ordinal ? -1 : 1;
}

bool scope_check_sizes(struct arena *arena, const struct scope *scope, const char *file,
                       struct problems *problems)
{
    struct enumeration all = {
        .arena = arena,
        .scope = scope,
        .nodes = ARENA_ARRAY(arena, int32_t, scope->group_count + 1),
        .replicas = ARENA_ARRAY(arena, int32_t, scope->workload_count + 1),
    };
    const struct place place = {.file = file};
    choose_nodes(&all, 0);
    if (all.nodes_most > NODES_MOST)
        problem_error(problems, place, NULL,
                      "expected at most %d nodes, found more; nothing is verified", NODES_MOST);
    else if (all.tried > CHOICES_MOST)
        problem_error(problems, place, NULL,
                      "expected ranges of nodes and replicas that give up to a million sizes of "
                      "the cluster, found more; nothing is verified");
    else if (all.nodes_most == 0)
        problem_error(problems, place, NULL,
                      "no node group may have a node: there is nothing to verify");
    else if (all.found == 0)
        problem_error(problems, place, NULL,
                      "there is no size of the cluster to verify: the fewest replicas of a range "
                      "are more than the nodes hold, or than the sufficient scale of %d pods per "
                      "node (spec.scale)",
                      scope->pods_per_node_sufficient);
    else
        return true;
    return false;
}

void scope_enumerate(struct arena *arena, const struct scope *scope, struct setups *setups)
{
    *setups = (struct setups){0};
    struct enumeration all = {
        .arena = arena,
        .scope = scope,
        .setups = setups,
        .nodes = ARENA_ARRAY(arena, int32_t, scope->group_count + 1),
        .replicas = ARENA_ARRAY(arena, int32_t, scope->workload_count + 1),
    };
    choose_nodes(&all, 0);
    if (setups->count > 0)
        qsort(setups->items, setups->count, sizeof(*setups->items), by_scale);
}
