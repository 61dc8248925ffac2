/* SPDX-License-Identifier: Apache-2.0 */
/* One size of the cluster of a Check, explored, and what was seen. */
#ifndef FATHOM_TEST_SIZES_EXPLORE_SIZE_H
#define FATHOM_TEST_SIZES_EXPLORE_SIZE_H

#include "decide/size_region.h"
#include "twin/compare.h"

enum { NODES_TOLD = 200 }; /* counterexamples are looked for up to this number of nodes */

struct seen {
    bool decided;
    bool untold;     /* because nothing is said of what is not modelled, or cannot be judged */
    bool told;       /* counterexamples are known */
    bool components; /* workloads were verified one by one */
    uint64_t states, transitions, violated, undecided, applied, came;
    uint32_t depth;
    uint64_t lengths; /* of counterexamples, added up */
    struct size_region sizes;
};

/* As the manifest says, or as near to it as the Check allows. */
int32_t size_replicas(const struct setup_workload *workload);

struct exploring {
    uint64_t states; /* at most */
    /* Reads of numbers of nodes are noted. Without, nothing of that is there: no copies of nodes
     * are left out, for instance. */
    bool noted;
    bool whole;        /* all workloads together */
    bool components;   /* workloads one by one, even if there are few */
    bool parts;        /* the same, to say more of other sizes */
    uint64_t left_out; /* bits: intents that are not asked */
};

struct seen explore_setup_of(const struct trial *trial, const struct scope *scope,
                             const struct setup *setup, struct exploring how_to);

/* So many nodes, by group, and replicas as the manifests say. */
struct seen explore_at(const struct trial *trial, const int32_t *nodes, struct exploring how_to);

#endif
