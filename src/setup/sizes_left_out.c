/* SPDX-License-Identifier: Apache-2.0 */
/* In words: which sizes of the ranges are not explored, and why. */
#include "setup/sizes.h"

/* By the total of nodes: the choice of so many nodes that is explored least. */
struct gap {
    bool any;
    int32_t dense;
    const int32_t *further;
    uint32_t further_count;
};

struct leaving {
    struct arena *arena;
    const struct setup_workload *workload;
    int32_t sufficient;
    struct gap *gaps; /* by the total of nodes */
    int32_t nodes_most;
    bool by_scale;
    bool by_fit;
    bool autoscaler_limited;
};

static void note_autoscaler(struct leaving *leaving, const struct sizes *sizes)
{
    const int32_t largest =
        sizes->further_count > 0 ? sizes->further[sizes->further_count - 1] : sizes->dense;
    const double asked = leaving->workload->autoscaler_factor * largest;
    leaving->autoscaler_limited |= leaving->workload->autoscaler_follows &&
                                   leaving->workload->autoscaler &&
                                   asked >= (double)sizes->fitting + 1 && asked >= largest + 1.0;
}

static void note_gap(struct leaving *leaving, const struct sizes *sizes, int32_t nodes)
{
    struct gap *gap = &leaving->gaps[nodes];
    if (sizes->dense == leaving->workload->most)
        return;
    leaving->by_scale |= sizes->by_scale;
    leaving->by_fit |= !sizes->by_scale;
    if (gap->any && gap->dense <= sizes->dense)
        return;
    *gap = (struct gap){
        .any = true,
        .dense = sizes->dense,
        .further =
            arena_copy(leaving->arena, sizes->further, sizes->further_count * sizeof(int32_t)),
        .further_count = sizes->further_count,
    };
}

/* "7 to 72, but for 9 and 10, with 1 node" */
static const char *gap_text(const struct leaving *leaving, int32_t nodes)
{
    struct arena *arena = leaving->arena;
    const struct gap *gap = &leaving->gaps[nodes];
    const int32_t first = gap->dense + 1;
    int32_t last = leaving->workload->most;
    uint32_t between = gap->further_count;
    while (between > 0 && gap->further[between - 1] == last) {
        between--;
        last--;
    }
    const char *text = last > first ? arena_printf(arena, "%d to %d", first, last)
                                    : arena_printf(arena, "%d", first);
    for (uint32_t i = 0; i < between; i++)
        text = arena_printf(arena, "%s%s%d", text,
                            i == 0            ? ", but for "
                            : i + 1 < between ? ", "
                                              : " and ",
                            gap->further[i]);
    return arena_printf(arena, "%s%s with %d node%s", text, between > 0 ? "," : "", nodes,
                        nodes == 1 ? "" : "s");
}

/* All of a few; of many the first two and the last. */
static const char *gaps_text(const struct leaving *leaving)
{
    enum { FEW = 3 };
    struct arena *arena = leaving->arena;
    uint32_t count = 0;
    uint32_t told = 0;
    const char *text = "";
    for (int32_t n = 1; n <= leaving->nodes_most; n++)
        count += leaving->gaps[n].any;
    for (int32_t n = 1; n <= leaving->nodes_most; n++) {
        if (!leaving->gaps[n].any)
            continue;
        told++;
        if (count > FEW && told >= FEW && told < count)
            continue;
        const char *joint = told == 1      ? ""
                            : told < count ? ", "
                            : count > FEW  ? ", and so on to "
                                           : " and ";
        text = arena_printf(arena, "%s%s%s", text, joint, gap_text(leaving, n));
    }
    return count > 0 ? text : NULL;
}

static const char *why(const struct leaving *leaving)
{
    const char *scale =
        arena_printf(leaving->arena, "%d %s taken to be enough", leaving->sufficient,
                     leaving->sufficient == 1 ? "pod per node is" : "pods per node are");
    static const char fit[] = "more pods than fit only wait";
    if (!leaving->by_scale)
        return fit;
    return leaving->by_fit ? arena_printf(leaving->arena, "%s, and %s", scale, fit) : scale;
}

struct sentences {
    struct arena *arena;
    VEC(const char *) items;
};

static void tell(struct sentences *told, const struct leaving *leaving)
{
    const struct setup_workload *workload = leaving->workload;
    const char *gaps = gaps_text(leaving);
    if (gaps)
        VEC_PUSH(told->arena, &told->items,
                 arena_printf(told->arena,
                              "sizes: of the %d to %d replicas of %s these are not explored: %s "
                              "(%s); what only they violate is not found (--scale exact explores "
                              "them)",
                              workload->least, workload->most, workload->name, gaps, why(leaving)));
    if (leaving->autoscaler_limited)
        VEC_PUSH(told->arena, &told->items,
                 arena_printf(told->arena,
                              "follow: the autoscaler of %s asks for no more pods than the nodes "
                              "hold; what it does beyond is not found (--scale exact lifts this)",
                              workload->name));
}

static int32_t total_of(const struct scope *scope, const int32_t *nodes)
{
    int32_t total = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        total += nodes[g];
    return total;
}

/* Looks at every choice of nodes. */
static struct leaving leave_out(struct arena *arena, struct sizing *sizing, uint32_t workload,
                                int32_t nodes_most)
{
    const struct scope *scope = sizing->scope;
    int32_t *nodes = ARENA_ARRAY(arena, int32_t, scope->group_count + 1);
    struct leaving leaving = {
        .arena = arena,
        .workload = &scope->workloads[workload],
        .sufficient = scope->pods_per_node_sufficient,
        .gaps = ARENA_ARRAY(arena, struct gap, (uint32_t)nodes_most + 1),
        .nodes_most = nodes_most,
    };
    nodes_choose_first(scope, nodes);
    do {
        const int32_t total = total_of(scope, nodes);
        if (total == 0)
            continue;
        sizing_choose(sizing, nodes);
        note_gap(&leaving, &sizing->workloads[workload].sizes, total);
        note_autoscaler(&leaving, &sizing->workloads[workload].sizes);
    } while (nodes_choose_next(scope, nodes));
    return leaving;
}

struct string_list sizes_left_out(struct arena *arena, const struct scope *scope)
{
    struct sentences told = {.arena = arena};
    struct sizing sizing;
    int32_t nodes_most = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        nodes_most += scope->groups[g].most;
    sizing_init(arena, scope, &sizing);
    for (uint32_t w = 0; !scope->exact && w < scope->workload_count; w++)
        if (scope->workloads[w].marks || scope->workloads[w].autoscaler_follows) {
            const struct leaving leaving = leave_out(arena, &sizing, w, nodes_most);
            tell(&told, &leaving);
        }
    return (struct string_list){told.items.items, told.items.count};
}
