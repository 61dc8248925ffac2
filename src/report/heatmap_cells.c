/* SPDX-License-Identifier: Apache-2.0 */
#include "report/heatmap_cells.h"

#include <string.h>

/* Where groups have no maximum, regions reach beyond what was explored; a map has an end. */
enum {
    NODES_BEYOND = 4,
    NODES_SHOWN_MOST = 48,
    LOOKS_MOST = 4000000, /* at regions; clusters of more groups show the explored sizes alone */
};

struct heatmap_cell *heatmap_cell_at(const struct heatmap *map, int32_t nodes, int32_t pods)
{
    const size_t columns = (size_t)map->nodes_most - (size_t)map->nodes_least + 1;
    return &map->cells[(size_t)(pods - map->pods_least) * columns +
                       (size_t)(nodes - map->nodes_least)];
}

static uint8_t verdict_of(const struct verify_report *found, uint32_t setup, uint32_t intent)
{
    if (setup >= found->setups_explored)
        return CELL_UNDECIDED;
    switch (found->verdicts[(size_t)setup * found->result_count + intent]) {
    case VERDICT_HOLDS: return CELL_HOLDS;
    case VERDICT_VIOLATED: return CELL_VIOLATED;
    default: return CELL_UNDECIDED;
    }
}

static void show(struct heatmap_cell *cell, uint8_t verdict)
{
    cell->verdict = verdict > cell->verdict ? verdict : cell->verdict;
}

static struct heatmap bounds_of(struct arena *arena, const struct verify_report *found)
{
    struct heatmap map = {.nodes_least = INT32_MAX, .pods_least = INT32_MAX};
    for (uint32_t s = 0; s < found->setups.count; s++) {
        const struct setup *setup = &found->setups.items[s];
        map.nodes_least =
            setup->total_nodes < map.nodes_least ? setup->total_nodes : map.nodes_least;
        map.nodes_most = setup->total_nodes > map.nodes_most ? setup->total_nodes : map.nodes_most;
        map.pods_least = setup->total_pods < map.pods_least ? setup->total_pods : map.pods_least;
        map.pods_most = setup->total_pods > map.pods_most ? setup->total_pods : map.pods_most;
    }
    if (found->sizes.open)
        map.nodes_most += NODES_BEYOND;
    if (found->sizes.open && map.nodes_most - map.nodes_least >= NODES_SHOWN_MOST)
        map.nodes_most = map.nodes_least + NODES_SHOWN_MOST - 1;
    map.cells = ARENA_ARRAY(arena, struct heatmap_cell,
                            (size_t)(map.nodes_most - map.nodes_least + 1) *
                                (size_t)(map.pods_most - map.pods_least + 1));
    return map;
}

/* ---- from other sizes ---- */

/* All clusters of so many nodes, one after the other: how many each group has. */
struct split {
    const struct scope *scope;
    int32_t total;
    int32_t nodes[SIZE_GROUPS_MOST];
};

static int32_t most_of(const struct split *split, uint32_t group)
{
    return split->scope->groups[group].open ? split->total : split->scope->groups[group].most;
}

/* The least that the groups from this one on can have, of what is left to them; false: they have
 * no room for it. */
static bool fill_from(struct split *split, uint32_t group, int32_t left)
{
    const uint32_t count = split->scope->group_count;
    for (uint32_t g = group; g < count; g++) {
        split->nodes[g] = split->scope->groups[g].least;
        left -= split->nodes[g];
    }
    for (uint32_t g = count; left > 0 && g-- > group;) {
        const int32_t room = most_of(split, g) - split->nodes[g];
        const int32_t more = room < left ? room : left;
        split->nodes[g] += more > 0 ? more : 0;
        left -= more > 0 ? more : 0;
    }
    return left == 0;
}

/* The next one in the order of the groups; false: that was the last one. */
static bool next_split(struct split *split)
{
    int32_t left = 0;
    for (uint32_t g = split->scope->group_count; g-- > 0;) {
        if (g + 1 < split->scope->group_count && split->nodes[g] < most_of(split, g)) {
            split->nodes[g]++;
            if (fill_from(split, g + 1, left - 1))
                return true;
            split->nodes[g]--;
        }
        left += split->nodes[g];
    }
    return false;
}

static bool same_replicas(const struct scope *scope, const struct setup *one,
                          const struct setup *other)
{
    return memcmp(one->replicas, other->replicas, scope->workload_count * sizeof(*one->replicas)) ==
           0;
}

/* Of these nodes with the replicas of a setup: what some setup that speaks of them says. */
static uint8_t known_of(const struct report *report, uint32_t intent, const int32_t *nodes,
                        const struct setup *like, uint32_t *looks)
{
    const struct verify_report *found = report->found;
    for (uint32_t s = 0; s < found->setups_explored; s++) {
        const struct setup *setup = &found->setups.items[s];
        ++*looks;
        if (same_replicas(report->scope, setup, like) &&
            size_region_has(&found->sizes.regions[s], setup->nodes, nodes,
                            report->scope->group_count))
            return verdict_of(found, s, intent);
    }
    return CELL_NONE;
}

/* Is it the first setup with its replicas? */
static bool is_first(const struct report *report, uint32_t setup)
{
    const struct setup *items = report->found->setups.items;
    for (uint32_t s = 0; s < setup; s++)
        if (same_replicas(report->scope, &items[s], &items[setup]))
            return false;
    return true;
}

/* All clusters of this size with these replicas. Of some of them nothing may be known: then it is
 * not decided, unless the size is known to be violated. */
static void show_size(const struct heatmap *map, const struct report *report, uint32_t intent,
                      const struct setup *like, int32_t total, uint32_t *looks)
{
    struct heatmap_cell *cell = heatmap_cell_at(map, total, like->total_pods);
    struct split split = {.scope = report->scope, .total = total};
    bool any = false;
    bool all = true;
    if (!fill_from(&split, 0, total))
        return;
    do {
        const uint8_t known = known_of(report, intent, split.nodes, like, looks);
        any = any || known != CELL_NONE;
        all = all && known != CELL_NONE;
        show(cell, known);
        all = all && *looks < LOOKS_MOST;
    } while (*looks < LOOKS_MOST && next_split(&split));
    if (any && !all)
        show(cell, CELL_UNDECIDED);
}

static void show_regions(const struct heatmap *map, const struct report *report, uint32_t intent)
{
    const struct setups *setups = &report->found->setups;
    uint32_t looks = 0;
    for (uint32_t s = 0; s < setups->count; s++)
        for (int32_t nodes = is_first(report, s) ? map->nodes_least : INT32_MAX;
             nodes <= map->nodes_most && looks < LOOKS_MOST; nodes++)
            show_size(map, report, intent, &setups->items[s], nodes, &looks);
}

struct heatmap heatmap_of(struct arena *arena, const struct report *report, uint32_t intent)
{
    const struct verify_report *found = report->found;
    struct heatmap map = bounds_of(arena, found);
    for (uint32_t s = 0; s < found->setups.count; s++) {
        const struct setup *setup = &found->setups.items[s];
        if (setup->total_nodes > map.nodes_most)
            continue;
        struct heatmap_cell *cell = heatmap_cell_at(&map, setup->total_nodes, setup->total_pods);
        cell->explored = 1;
        show(cell, verdict_of(found, s, intent));
    }
    if (found->sizes.open && report->scope->group_count <= SIZE_GROUPS_MOST)
        show_regions(&map, report, intent);
    const size_t count = (size_t)(map.nodes_most - map.nodes_least + 1) *
                         (size_t)(map.pods_most - map.pods_least + 1);
    for (size_t i = 0; i < count; i++)
        map.beyond =
            map.beyond || (map.cells[i].verdict != CELL_NONE && map.cells[i].explored == 0);
    return map;
}
