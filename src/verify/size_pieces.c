/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/size_pieces.h"

#include <string.h>

/* The bounds of each group while the smallest size of a piece is looked for. */
struct box {
    int64_t least[SIZE_GROUPS_MOST];
    int64_t most[SIZE_GROUPS_MOST];
};

/* Looks for the smallest size: narrows the box by each slab as long as that changes something, and
 * divides it where that does not decide. */
struct smallest {
    const struct size_piece *piece;
    uint32_t group_count;
    uint32_t effort_left; /* boxes */
    int64_t best[SIZE_GROUPS_MOST];
    int64_t best_total; /* SIZE_UNBOUNDED: none was found yet */
};

enum { EFFORT_MOST = 20000, ROUNDS_MOST = 16 };

static int64_t add(int64_t left, int64_t right)
{
    return left == SIZE_UNBOUNDED || right == SIZE_UNBOUNDED ? SIZE_UNBOUNDED : left + right;
}

static int64_t sum(const int64_t *numbers, uint32_t groups)
{
    int64_t total = 0;
    for (uint32_t g = 0; groups >> g > 0; g++)
        if (groups >> g & 1)
            total = add(total, numbers[g]);
    return total;
}

/* How many nodes groups may have together, as long as the bounds of each are these. */
struct totals {
    int64_t least;
    int64_t most;       /* of those that have a maximum */
    uint32_t unbounded; /* so many have none */
};

static struct totals totals_of(const struct box *box, uint32_t groups)
{
    struct totals totals = {0};
    for (uint32_t g = 0; groups >> g > 0; g++) {
        if (!(groups >> g & 1))
            continue;
        totals.least += box->least[g];
        totals.unbounded += box->most[g] == SIZE_UNBOUNDED;
        totals.most += box->most[g] == SIZE_UNBOUNDED ? 0 : box->most[g];
    }
    return totals;
}

/* Narrows the bounds of the group: together with the others, of which this is known, its nodes are
 * in the slab. */
static bool narrow_group(struct box *box, const struct size_slab *slab, uint32_t g,
                         const struct totals *all)
{
    const bool bounded = box->most[g] != SIZE_UNBOUNDED;
    const int64_t others_least = all->least - box->least[g];
    const int64_t others_most = all->most - (bounded ? box->most[g] : 0);
    const bool others_bounded = all->unbounded == (bounded ? 0U : 1U);
    bool changed = false;
    if (slab->most != SIZE_UNBOUNDED && slab->most - others_least < box->most[g]) {
        box->most[g] = slab->most - others_least;
        changed = true;
    }
    if (others_bounded && slab->least - others_most > box->least[g]) {
        box->least[g] = slab->least - others_most;
        changed = true;
    }
    return changed;
}

/* Narrows the box by the slab. False: it has no size in common with it. */
static bool narrow(struct box *box, const struct size_slab *slab, bool *changed)
{
    const struct totals all = totals_of(box, slab->groups);
    if (all.least > slab->most || (all.unbounded == 0 && all.most < slab->least))
        return false;
    for (uint32_t g = 0; slab->groups >> g > 0; g++) {
        if (!(slab->groups >> g & 1))
            continue;
        *changed |= narrow_group(box, slab, g, &all);
        if (box->least[g] > box->most[g])
            return false;
    }
    return true;
}

/* Is it certain that no size of the box is in both of these slabs, of which the first is about more
 * groups? */
static bool exclude_each_other(const struct box *box, const struct size_slab *of_many,
                               const struct size_slab *of_few)
{
    if (of_few->least > of_few->most)
        return true;
    if (of_few->groups & ~of_many->groups)
        return false;
    const struct totals rest = totals_of(box, of_many->groups & ~of_few->groups);
    const int64_t most = rest.unbounded > 0 ? SIZE_UNBOUNDED : add(of_few->most, rest.most);
    return of_few->least + rest.least > of_many->most || most < of_many->least;
}

static bool has_contradiction(const struct size_piece *piece, const struct box *box,
                              const struct size_slab *better)
{
    for (uint32_t i = 0; i < piece->slabs.count; i++) {
        const struct size_slab *slab = &piece->slabs.items[i];
        if (exclude_each_other(box, better, slab))
            return true;
        for (uint32_t k = 0; k < piece->slabs.count; k++)
            if (k != i && exclude_each_other(box, slab, &piece->slabs.items[k]))
                return true;
    }
    return false;
}

/* Bounds of groups that are in several slabs may come closer to each other one by one: after some
 * rounds, to divide the box is faster. Two slabs that exclude each other are found at once. */
static bool narrow_all(const struct smallest *smallest, struct box *box)
{
    const uint32_t all = (UINT32_C(1) << smallest->group_count) - 1;
    const struct size_slab better = {
        all, 0, smallest->best_total == SIZE_UNBOUNDED ? SIZE_UNBOUNDED : smallest->best_total - 1};
    bool changed = true;
    for (uint32_t round = 0; changed && round < ROUNDS_MOST; round++) {
        changed = false;
        if (!narrow(box, &better, &changed))
            return false;
        for (uint32_t i = 0; i < smallest->piece->slabs.count; i++)
            if (!narrow(box, &smallest->piece->slabs.items[i], &changed))
                return false;
    }
    return !has_contradiction(smallest->piece, box, &better);
}

/* A slab that the smallest size of the box has too few nodes for; NULL: there is none. */
static const struct size_slab *lacking(const struct smallest *smallest, const struct box *box)
{
    for (uint32_t i = 0; i < smallest->piece->slabs.count; i++) {
        const struct size_slab *slab = &smallest->piece->slabs.items[i];
        if (sum(box->least, slab->groups) < slab->least)
            return slab;
    }
    return NULL;
}

static void look(struct smallest *smallest, struct box box)
{
    if (smallest->effort_left == 0)
        return;
    smallest->effort_left--;
    if (!narrow_all(smallest, &box))
        return;
    const struct size_slab *slab = lacking(smallest, &box);
    if (!slab) {
        memcpy(smallest->best, box.least, sizeof(smallest->best));
        smallest->best_total = sum(box.least, (UINT32_C(1) << smallest->group_count) - 1);
        return;
    }
    /* The first group that can have more nodes: few of those that are lacking, or more. Half of
     * what it can have or of what is lacking, whichever is less, so that the division ends soon. */
    const int64_t need = slab->least - sum(box.least, slab->groups);
    uint32_t g = 0;
    while (!(slab->groups >> g & 1) || box.most[g] == box.least[g])
        g++;
    const int64_t width = box.most[g] - box.least[g];
    struct box few = box;
    struct box many = box;
    few.most[g] = box.least[g] + ((need < width ? need : width) - 1) / 2;
    many.least[g] = few.most[g] + 1;
    look(smallest, few);
    look(smallest, many);
}

/* False: the piece has no size. */
static bool find_smallest(struct size_pieces *pieces, struct size_piece *piece)
{
    struct smallest smallest = {.piece = piece,
                                .group_count = pieces->group_count,
                                .effort_left = EFFORT_MOST,
                                .best_total = SIZE_UNBOUNDED};
    struct box box = {0};
    for (uint32_t g = 0; g < pieces->group_count; g++)
        box.most[g] = SIZE_UNBOUNDED;
    look(&smallest, box);
    pieces->gave_up |= smallest.effort_left == 0;
    memcpy(piece->nodes, smallest.best, sizeof(piece->nodes));
    piece->total = smallest.best_total;
    return piece->total != SIZE_UNBOUNDED;
}

static void bound(struct arena *arena, struct size_piece *piece, struct size_slab slab)
{
    for (uint32_t i = 0; i < piece->slabs.count; i++) {
        struct size_slab *known = &piece->slabs.items[i];
        if (known->groups != slab.groups)
            continue;
        known->least = slab.least > known->least ? slab.least : known->least;
        known->most = slab.most < known->most ? slab.most : known->most;
        return;
    }
    VEC_PUSH(arena, &piece->slabs, slab);
}

static struct size_piece *copy_of(struct arena *arena, const struct size_piece *piece)
{
    struct size_piece *copy = ARENA_NEW(arena, struct size_piece);
    for (uint32_t i = 0; i < piece->slabs.count; i++)
        VEC_PUSH(arena, &copy->slabs, piece->slabs.items[i]);
    return copy;
}

void size_pieces_begin(struct size_pieces *pieces, struct arena *arena,
                       const struct size_slab *bounds, uint32_t group_count)
{
    *pieces = (struct size_pieces){.arena = arena, .group_count = group_count};
    struct size_piece *all = ARENA_NEW(arena, struct size_piece);
    for (uint32_t g = 0; g < group_count; g++)
        bound(arena, all, bounds[g]);
    bound(arena, all, (struct size_slab){(UINT32_C(1) << group_count) - 1, 1, SIZE_UNBOUNDED});
    if (find_smallest(pieces, all))
        VEC_PUSH(arena, &pieces->items, all);
}

/* Keeps the sizes of the piece on one side of the slab. */
static void keep(struct size_pieces *pieces, const struct size_piece *inside,
                 struct size_slab outside)
{
    if (outside.least > outside.most)
        return;
    struct size_piece *piece = copy_of(pieces->arena, inside);
    bound(pieces->arena, piece, outside);
    if (find_smallest(pieces, piece))
        VEC_PUSH(pieces->arena, &pieces->items, piece);
}

/* What of the piece is in none of these slabs: outside of the first, or inside of it and outside of
 * the second, and so on. */
static void divide(struct size_pieces *pieces, const struct size_piece *piece,
                   const struct size_slab *slabs, uint32_t count)
{
    struct size_piece *inside = copy_of(pieces->arena, piece);
    for (uint32_t i = 0; i < count; i++) {
        if (slabs[i].least > 0)
            keep(pieces, inside, (struct size_slab){slabs[i].groups, 0, slabs[i].least - 1});
        if (slabs[i].most != SIZE_UNBOUNDED)
            keep(pieces, inside,
                 (struct size_slab){slabs[i].groups, slabs[i].most + 1, SIZE_UNBOUNDED});
        bound(pieces->arena, inside, slabs[i]);
    }
}

/* Is it certain that the piece has no size within all of these slabs? */
static bool is_apart(const struct size_pieces *pieces, const struct size_piece *piece,
                     const struct size_slab *slabs, uint32_t count)
{
    struct size_pieces trying = {.arena = pieces->arena, .group_count = pieces->group_count};
    const struct arena_mark mark = arena_mark(pieces->arena);
    struct size_piece *both = copy_of(pieces->arena, piece);
    for (uint32_t i = 0; i < count; i++)
        bound(pieces->arena, both, slabs[i]);
    const bool apart = !find_smallest(&trying, both) && !trying.gave_up;
    arena_rewind(pieces->arena, mark);
    return apart;
}

void size_pieces_cover(struct size_pieces *pieces, const struct size_region *region,
                       const int32_t *explored)
{
    struct size_slab exact[SIZE_GROUPS_MOST];
    const bool point = region->point || !region->tracked;
    const struct size_slab *slabs = point ? exact : region->slabs;
    const uint32_t slab_count = point ? pieces->group_count : region->slab_count;
    for (uint32_t g = 0; g < pieces->group_count; g++)
        exact[g] = (struct size_slab){UINT32_C(1) << g, explored[g], explored[g]};
    struct size_piece **old = pieces->items.items;
    const uint32_t count = pieces->items.count;
    memset(&pieces->items, 0, sizeof(pieces->items));
    for (uint32_t i = 0; i < count; i++)
        if (is_apart(pieces, old[i], slabs, slab_count))
            VEC_PUSH(pieces->arena, &pieces->items, old[i]);
        else
            divide(pieces, old[i], slabs, slab_count);
}

const struct size_piece *size_pieces_first(const struct size_pieces *pieces)
{
    const struct size_piece *first = NULL;
    for (uint32_t i = 0; i < pieces->items.count; i++)
        if (!first || pieces->items.items[i]->total < first->total)
            first = pieces->items.items[i];
    return first;
}
