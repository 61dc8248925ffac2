/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a crew, shared by its files. */
#ifndef FATHOM_CLUSTER_THREADS_CREW_INTERNAL_H
#define FATHOM_CLUSTER_THREADS_CREW_INTERNAL_H

#include "cluster/forward.h"
#include "cluster/population.h"
#include "cluster/threads/numbering.h"
#include "explore/model.h"

/* One thread's part in a crew: what the checker knows as the thread's worker. */
struct crew_member {
    struct crew *crew;
    struct numbered_worker numbered; /* It has the worker of the population's model. */
    uint32_t *words;                 /* This is room for a state, in the worker's numbers. */
    uint32_t *next;                  /* This is room for a successor, in common numbers. */
    struct crew_member *other;       /* This is the next of the crew's further members. */
};

struct crew {
    struct model model; /* This is the population's model in common numbers. It stands first, so
                           that its callbacks find the crew. */
    struct crew *self;  /* This is the crew, for callbacks, whose model is read only. */
    struct memory *memory;
    struct population_shelf *shelf; /* The population comes from here; NULL: from nowhere. */
    struct population *population;  /* This is the model that all members explore. */
    pthread_t owner;                /* This is the thread of the first member. */
    struct crew_member first;       /* It lives as long as the crew. */
    bool shares; /* True once several threads are at work. Until then the first member's numbers
                    are the common ones. */

    struct numbering numbering;       /* This has the common numbers, and its own lock. */
    pthread_mutex_t mutex;            /* It guards the rest while several threads are at work. */
    struct crew_member *others;       /* These are the members that are not the first. */
    bool found_more;                  /* True once a member is gone, */
    struct population_findings found; /* and this is what such members found out. */
    struct population_findings all;   /* This is room for what all of them found out. */
};

#endif
