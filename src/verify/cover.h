/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification of every size: where groups of nodes have no maximum (setup_group.open), setups are
 * not listed before. Each exploration says for which other sizes its outcome is the same
 * (decide/size_region.h), and the next setup is the smallest one that no region has yet.
 */
#ifndef FATHOM_VERIFY_COVER_H
#define FATHOM_VERIFY_COVER_H

#include "decide/size_region.h"
#include "setup/setup.h"

struct cover;

/* How far sizes are covered, and by which regions. */
struct cover_found {
    bool open;       /* false: no group is without a maximum, and the rest has no meaning */
    bool complete;   /* true if every size is covered */
    int64_t up_to;   /* every size of up to so many nodes is covered */
    bool by_proof;   /* true if `up_to` is the largest size that functions are followed to */
    const char *why; /* what kept regions small; NULL */
    bool asks_parts; /* true if components may say more of other sizes (setup_query) */
    struct size_region *regions; /* by setup of the report */
};

/* NULL: all groups have a maximum. The first setup is appended. */
struct cover *cover_begin(struct arena *arena, const struct scope *scope, struct setups *setups,
                          struct cover_found *found);
/* The last of the setups is explored; appends the next one, if there is one. */
void cover_go_on(struct cover *cover, struct setups *setups, const struct size_region *region,
                 struct cover_found *found);

#endif
