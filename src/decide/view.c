/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/view.h"

#include "decide/node_reads.h"
#include "object/policy.h"

#include <string.h>

uint64_t view_total_nodes(const struct view *view)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < view->node_count; i++)
        total += node_count_exact(view->catalog, view->nodes[i]);
    return total;
}

uint32_t view_find_node(const struct view *view, const char *name)
{
    for (uint32_t i = 0; i < view->node_count; i++) {
        const struct node_config *config = view->catalog->configs.items[view->nodes[i].config];
        if (!config->template->anonymous && strcmp(config->template->node->meta.name, name) == 0)
            return i;
    }
    return VIEW_NONE;
}

typedef VEC(struct pod_count) pod_list;

struct sorting {
    struct arena *arena;
    struct catalog *catalog;
    struct map node_numbers; /* name -> number + 1 */
    pod_list *on_node;
    pod_list *nominated;
    pod_list pending;
};

static pod_list *list_of(const struct sorting *sorting, pod_list *lists, const char *node_name)
{
    void *found = node_name ? map_get(&sorting->node_numbers, node_name) : NULL;
    return found ? &lists[(uintptr_t)found - 1] : NULL;
}

static void sort_pod(struct sorting *sorting, const struct pod *pod)
{
    if (pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED)
        return;
    struct pod_count entry = {.count = 1};
    if (pod->spec.node_name) {
        pod_list *list = list_of(sorting, sorting->on_node, pod->spec.node_name);
        if (!list)
            return;
        entry.pod = catalog_add_pod(sorting->catalog, pod);
        VEC_PUSH(sorting->arena, list, entry);
        return;
    }
    entry.pod = catalog_add_pod(sorting->catalog, pod);
    VEC_PUSH(sorting->arena, &sorting->pending, entry);
    pod_list *list = list_of(sorting, sorting->nominated, pod->status.nominated_node_name);
    if (list)
        VEC_PUSH(sorting->arena, list, entry);
}

const struct view_budget *view_collect_budgets(struct arena *arena, const struct catalog *catalog,
                                               uint32_t *count)
{
    *count = catalog->surroundings.budgets.count;
    struct view_budget *budgets = ARENA_ARRAY(arena, struct view_budget, *count + 1);
    for (uint32_t i = 0; i < *count; i++) {
        budgets[i].budget = catalog->surroundings.budgets.items[i];
        budgets[i].status = eviction_budget_of(budgets[i].budget);
    }
    return budgets;
}

struct view view_of_objects(struct arena *arena, struct catalog *catalog,
                            const struct objects *objects)
{
    struct sorting sorting = {.arena = arena, .catalog = catalog};
    map_init(&sorting.node_numbers, arena);
    VEC(uint32_t) templates = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_NODE)
            continue;
        const struct node *node = objects->items[i].as.node;
        VEC_PUSH(arena, &templates, catalog_add_named_node(catalog, node));
        map_put(&sorting.node_numbers, node->meta.name)->value = (void *)(uintptr_t)templates.count;
    }
    sorting.on_node = ARENA_ARRAY(arena, pod_list, templates.count + 1);
    sorting.nominated = ARENA_ARRAY(arena, pod_list, templates.count + 1);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD)
            sort_pod(&sorting, objects->items[i].as.pod);

    struct view_node *nodes = ARENA_ARRAY(arena, struct view_node, templates.count + 1);
    for (uint32_t i = 0; i < templates.count; i++) {
        nodes[i].config = catalog_intern_config(
            catalog, templates.items[i], sorting.on_node[i].items, sorting.on_node[i].count,
            sorting.nominated[i].items, sorting.nominated[i].count);
        nodes[i].count = 1;
    }
    struct view view = {
        .catalog = catalog,
        .nodes = nodes,
        .node_count = templates.count,
        .pending = sorting.pending.items,
        .pending_count = sorting.pending.count,
    };
    view.budgets = view_collect_budgets(arena, catalog, &view.budget_count);
    return view;
}
