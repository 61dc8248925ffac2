/* SPDX-License-Identifier: Apache-2.0 */
/* All setups of a scope, smallest first. */
#include "setup/sizes.h"

#include <stdlib.h>

struct enumeration {
    struct arena *arena;
    const struct scope *scope;
    struct sizing sizing;
    struct setups *setups; /* NULL: they are only counted */
    int32_t *nodes;
    int32_t *replicas;
    uint32_t found;
};

/* Limits on the number of setups, which would take too long, and of nodes, which no cluster has. */
enum { SETUPS_MOST = 1000000 };

static bool too_many(const struct enumeration *all)
{
    return !all->setups && all->found > SETUPS_MOST;
}

static int64_t sum(const int32_t *numbers, uint32_t count)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += numbers[i];
    return total;
}

static void add(struct enumeration *all)
{
    const struct scope *scope = all->scope;
    const uint32_t count = scope->workload_count;
    int32_t *least = ARENA_ARRAY(all->arena, int32_t, count + 1);
    int32_t *most = ARENA_ARRAY(all->arena, int32_t, count + 1);
    for (uint32_t w = 0; w < count; w++) {
        const struct autoscaler_bounds bounds = sizing_bounds(&all->sizing, w, all->replicas[w]);
        least[w] = bounds.least;
        most[w] = bounds.most;
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
    if (workload == all->scope->workload_count) {
        if (all->setups)
            add(all);
        all->found++;
        return;
    }
    const struct sizes *sizes = &all->sizing.workloads[workload].sizes;
    for (int64_t replicas = sizes->least; replicas <= sizes->dense && !too_many(all); replicas++) {
        all->replicas[workload] = (int32_t)replicas;
        choose_replicas(all, workload + 1);
    }
    for (uint32_t i = 0; i < sizes->further_count && !too_many(all); i++) {
        all->replicas[workload] = sizes->further[i];
        choose_replicas(all, workload + 1);
    }
}

/* Setups that never have any node are left out. */
static void choose(struct enumeration *all)
{
    const struct setup setup = {.nodes = all->nodes};
    int32_t *most = ARENA_ARRAY(all->arena, int32_t, all->scope->group_count + 1);
    sizing_init(all->arena, all->scope, &all->sizing);
    nodes_choose_first(all->scope, all->nodes);
    do {
        for (uint32_t g = 0; g < all->scope->group_count; g++)
            most[g] = setup_nodes_most(all->scope, &setup, g);
        if (sum(most, all->scope->group_count) == 0)
            continue;
        sizing_choose(&all->sizing, most);
        choose_replicas(all, 0);
    } while (!too_many(all) && nodes_choose_next(all->scope, all->nodes));
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
    choose(&all);
    if (too_many(&all))
        problem_error(problems, place, NULL,
                      "expected ranges of nodes and replicas that give up to a million sizes of "
                      "the cluster, found more; nothing is verified");
    else if (all.found == 0)
        problem_error(problems, place, NULL,
                      "no node group may have a node: there is nothing to verify");
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
    choose(&all);
    if (setups->count > 0)
        qsort(setups->items, setups->count, sizeof(*setups->items), by_scale);
}
