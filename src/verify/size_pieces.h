/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sizes that are not covered by any region yet, as pieces.
 *
 * A piece is a conjunction of slabs (decide/size_region.h). What is left of a piece without a
 * region are pieces again: one for each side of each of the region's slabs.
 */
#ifndef FATHOM_VERIFY_SIZE_PIECES_H
#define FATHOM_VERIFY_SIZE_PIECES_H

#include "base/arena.h"
#include "base/vec.h"
#include "decide/size_region.h"

struct size_piece {
    VEC(struct size_slab) slabs;
    int64_t nodes[SIZE_GROUPS_MOST]; /* the smallest of its sizes, by group */
    int64_t total;                   /* of its nodes */
};

struct size_pieces {
    struct arena *arena;
    uint32_t group_count;
    bool gave_up; /* a piece was met whose smallest size is hard to find: nothing more is claimed */
    VEC(struct size_piece *) items;
};

/* All sizes within these bounds, by group, with a node at least. */
void size_pieces_begin(struct size_pieces *pieces, struct arena *arena,
                       const struct size_slab *bounds, uint32_t group_count);
/* The sizes of the region of an exploration of `explored` are covered. */
void size_pieces_cover(struct size_pieces *pieces, const struct size_region *region,
                       const int32_t *explored);
/* The piece with the smallest size that is not covered, by its nodes; NULL: all are. */
const struct size_piece *size_pieces_first(const struct size_pieces *pieces);

#endif
