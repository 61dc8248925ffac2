/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/cover.h"

#include "decide/node_reads.h"
#include "verify/size_pieces.h"

#include <string.h>

enum {
    SETUPS_MOST = 4096,    /* that are explored */
    SINGLE_SIZES_MOST = 8, /* one after the other, beyond where regions may be expected */
    NARROW_SIZES_MOST = 40,
    NARROW_SIZES_ASK = 3, /* before components are asked */
    NODES_MORE = 3,       /* than pods, in each group: for nodes that are drained or down */
};

/* The sizes of one choice of replicas. */
struct cover_choice {
    const struct setup *like; /* with these replicas */
    struct size_pieces pieces;
};

struct cover {
    struct arena *arena;
    const struct scope *scope;
    struct cover_choice *choices;
    uint32_t choice_count;
    uint32_t chosen;       /* whose setup is the last one */
    uint32_t single_sizes; /* explored one after the other */
    uint32_t narrow_sizes; /* the same, where a group was kept to one number */
    int64_t expected_nodes;
};

static bool is_open(const struct scope *scope)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (scope->groups[g].open)
            return scope->group_count <= SIZE_GROUPS_MOST;
    return false;
}

/* All choices of replicas, each with the nodes that are chosen first. */
static void list_choices(struct cover *cover)
{
    const struct scope *scope = cover->scope;
    struct scope one = *scope;
    struct setups choices;
    one.exact = true;
    one.groups = arena_copy(cover->arena, scope->groups, scope->group_count * sizeof(*one.groups));
    for (uint32_t g = 0; g < scope->group_count; g++)
        one.groups[g].least = one.groups[g].most = 1;
    scope_enumerate(cover->arena, &one, &choices);
    cover->choice_count = choices.count;
    cover->choices = ARENA_ARRAY(cover->arena, struct cover_choice, choices.count + 1);
    for (uint32_t i = 0; i < choices.count; i++)
        cover->choices[i].like = &choices.items[i];
}

static void begin_pieces(struct cover *cover)
{
    const struct scope *scope = cover->scope;
    struct size_slab bounds[SIZE_GROUPS_MOST];
    for (uint32_t g = 0; g < scope->group_count; g++)
        bounds[g] =
            (struct size_slab){UINT32_C(1) << g, scope->groups[g].least,
                               scope->groups[g].open ? SIZE_UNBOUNDED : scope->groups[g].most};
    for (uint32_t i = 0; i < cover->choice_count; i++)
        size_pieces_begin(&cover->choices[i].pieces, cover->arena, bounds, scope->group_count);
}

/* The smallest size that is not covered; NULL: there is none. By nodes, then by pods. */
static const struct size_piece *first_piece(const struct cover *cover, uint32_t *choice)
{
    const struct size_piece *first = NULL;
    for (uint32_t i = 0; i < cover->choice_count; i++) {
        const struct size_piece *piece = size_pieces_first(&cover->choices[i].pieces);
        if (!piece || (first && piece->total >= first->total))
            continue;
        first = piece;
        *choice = i;
    }
    return first;
}

/* So many nodes are enough that there are some in each group on which nothing ever happens, if the
 * pods are each on a node of their own, and so are those that they replace, while these end. */
static int64_t expected_nodes(const struct cover *cover)
{
    const struct scope *scope = cover->scope;
    int64_t pods = scope->nodes_sufficient - NODES_MORE;
    for (uint32_t i = 0; i < cover->choice_count; i++) {
        int64_t most = 0;
        for (uint32_t w = 0; w < scope->workload_count; w++) {
            const struct setup *like = cover->choices[i].like;
            most += like->autoscaler_max[w] > like->replicas[w] ? like->autoscaler_max[w]
                                                                : like->replicas[w];
        }
        pods = 2 * most > pods ? 2 * most : pods;
    }
    return (pods + NODES_MORE) * scope->group_count;
}

static bool has_given_up(const struct cover *cover)
{
    for (uint32_t i = 0; i < cover->choice_count; i++)
        if (cover->choices[i].pieces.gave_up)
            return true;
    return false;
}

/* Is it not worth it, or not possible, to go on with this size? */
static bool stops_at(const struct cover *cover, const struct setups *setups, int64_t total)
{
    return total > SIZE_FOLLOWED_MOST || setups->count == SETUPS_MOST ||
           (total > cover->expected_nodes &&
            (cover->single_sizes >= SINGLE_SIZES_MOST || cover->narrow_sizes >= NARROW_SIZES_MOST));
}

static void append(struct cover *cover, struct setups *setups, const struct size_piece *piece)
{
    const uint32_t count = cover->scope->group_count;
    int32_t *nodes = ARENA_ARRAY(cover->arena, int32_t, count + 1);
    struct setup *setup = &setups->items[setups->count];
    *setup = *cover->choices[cover->chosen].like;
    for (uint32_t g = 0; g < count; g++)
        nodes[g] = (int32_t)piece->nodes[g];
    setup->ordinal = setups->count++;
    setup->nodes = nodes;
    setup->total_nodes = (int32_t)piece->total;
}

static void choose_next(struct cover *cover, struct setups *setups, struct cover_found *found)
{
    /* Nothing is known of the sizes that were not found: what was covered before is all. */
    if (has_given_up(cover))
        return;
    const struct size_piece *piece = first_piece(cover, &cover->chosen);
    found->complete = !piece;
    found->up_to = piece ? piece->total - 1 : SIZE_UNBOUNDED;
    found->by_proof = piece && piece->total > SIZE_FOLLOWED_MOST;
    if (piece && !stops_at(cover, setups, piece->total))
        append(cover, setups, piece);
}

struct cover *cover_begin(struct arena *arena, const struct scope *scope, struct setups *setups,
                          struct cover_found *found)
{
    *found = (struct cover_found){.open = is_open(scope)};
    if (!found->open)
        return NULL;
    struct cover *cover = ARENA_NEW(arena, struct cover);
    *cover = (struct cover){.arena = arena, .scope = scope};
    *setups = (struct setups){.items = ARENA_ARRAY(arena, struct setup, SETUPS_MOST),
                              .capacity = SETUPS_MOST};
    found->regions = ARENA_ARRAY(arena, struct size_region, SETUPS_MOST);
    list_choices(cover);
    begin_pieces(cover);
    cover->expected_nodes = expected_nodes(cover);
    choose_next(cover, setups, found);
    return cover;
}

/* Does the region keep a group without a maximum to this number of nodes? */
static bool is_narrow(const struct cover *cover, const struct size_region *region,
                      const struct setup *setup)
{
    bool narrow = !region->tracked || region->point;
    for (uint32_t g = 0; g < cover->scope->group_count && !narrow; g++)
        narrow = cover->scope->groups[g].open &&
                 size_region_bounds(region, UINT32_C(1) << g).most == setup->nodes[g];
    return narrow;
}

/* Are components asked after so many narrow regions? If they say no more, it is long until they are
 * asked again. */
static bool asks_parts(uint32_t narrow_sizes)
{
    uint32_t times = NARROW_SIZES_ASK;
    while (times < narrow_sizes)
        times *= 2;
    return times == narrow_sizes;
}

/* Is the region this number of nodes alone? */
static bool is_single(const struct size_region *region, const struct setup *setup, uint32_t count)
{
    for (uint32_t g = 0; g < count && region->tracked && !region->point; g++) {
        const struct size_slab bounds = size_region_bounds(region, UINT32_C(1) << g);
        if (bounds.least < setup->nodes[g] || bounds.most > setup->nodes[g])
            return false;
    }
    return true;
}

void cover_go_on(struct cover *cover, struct setups *setups, const struct size_region *region,
                 struct cover_found *found)
{
    const struct setup *setup = &setups->items[setups->count - 1];
    const bool single = is_single(region, setup, cover->scope->group_count);
    cover->single_sizes = single ? cover->single_sizes + 1 : 0;
    const bool narrow = is_narrow(cover, region, setup);
    cover->narrow_sizes = narrow ? cover->narrow_sizes + 1 : 0;
    found->asks_parts = asks_parts(cover->narrow_sizes);
    found->regions[setups->count - 1] = *region;
    if (narrow && region->why)
        found->why = region->why;
    size_pieces_cover(&cover->choices[cover->chosen].pieces, region, setup->nodes);
    choose_next(cover, setups, found);
}
