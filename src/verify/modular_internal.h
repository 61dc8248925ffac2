/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of modular verification share (modular.h). */
#ifndef FATHOM_VERIFY_MODULAR_INTERNAL_H
#define FATHOM_VERIFY_MODULAR_INTERNAL_H

#include "base/clock.h"
#include "base/limit.h"
#include "cluster/ask/room_at_start.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "cluster/reduce/couplings.h"
#include "cluster/reduce/requests.h"
#include "setup/part.h"
#include "setup/part_by_node.h"
#include "setup/part_fold.h"
#include "verify/component_shape.h"
#include "verify/explore_nodes.h"
#include "verify/explore_setup.h"
#include "verify/search.h"

/* Each exploration takes at most this part of what is left of the limits. */
enum { SHARE = 4 };

/* Two intents are asked beside those of the Check. */
enum { OWN_INTENTS = 2 };

struct component {
    bool *in; /* by workload of the scope */
    struct scope_part part;
    const struct setup *setup;
    bool by_node;           /* true if it is explored one node at a time */
    struct component *like; /* one before it that behaves alike; NULL: there is none */
    const char *shape;      /* NULL: nobody can tell whom it is like */
    /* One before it that is like it but for what its pods request, as far as models with a pool are
     * concerned; NULL: there is none. */
    struct component *sibling;
    const char *shape_but_requests;
    struct pod_requests requests;
    uint32_t pooled_round; /* the last round in which it and its siblings were asked of the pool */
    uint64_t pooled;       /* what held then, for all of them */
    bool pooled_bounded;   /* as below, by a model with a pool alone */
    bool pooled_loops;
    uint64_t pooled_from; /* and what preempts_from was */
    uint64_t asked;       /* bit i: intent i is about it */
    uint64_t open;        /* bit i: it is not known that intent i holds for it */
    bool bounded;         /* true if the room that it holds was measured */
    bool rests;           /* true if it comes to rest, whatever others do */
    bool loops;           /* true if it may be in a loop that counts as rest */
    bool leaves;          /* true if it leaves every node that is drained */
    struct room_held held;
    uint64_t preempts_from; /* as population_findings has it */
    uint64_t applied;       /* bit i: intent i may apply somewhere (intent_class.applies) */
    uint64_t seen_applied;  /* bit i: it applied in the last exploration */
    unsigned seen_hindered; /* of others there, as population_findings has it */
    uint64_t pooled_applied;
    unsigned pooled_hindered;
    bool told; /* true if the progress says what it came to */
};

struct modular {
    const struct setup_query *query;
    struct memory *memory;
    struct memory *stories;
    struct setup_outcome *outcome;
    struct arena arena;
    int64_t started;
    struct check_intent *intents; /* the query's, and those of our own */
    uint64_t eligible;            /* bit i: intent i can be judged workload by workload */
    uint64_t placeless;           /* bit i: intent i does not ask where pods are */
    uint64_t nodeless;            /* bit i: intent i can be judged node by node for DaemonSets */
    uint64_t safety;              /* bit i: intent i says what must never happen */
    struct component *components;
    uint32_t component_count;
    struct parts *parts; /* what is told of the components, in the same order */
    struct others unknown;
    bool reopened;       /* true if what was shown of components does not count */
    uint32_t round;      /* counts them */
    bool uncounted;      /* true once a model did not count how often an event came */
    uint32_t nodes_back; /* as struct components has it */
    struct room_at_start at_start;
    uint64_t lowest_rank; /* of the priority of all pods (priority_rank) */
    bool priorities_differ;
};

static inline uint64_t settles_bit(const struct modular *modular)
{
    return UINT64_C(1) << modular->query->intent_count;
}

static inline uint64_t leaves_bit(const struct modular *modular)
{
    return UINT64_C(2) << modular->query->intent_count;
}

static inline uint32_t number_of(const struct modular *modular, const struct component *component)
{
    return (uint32_t)(component - modular->components);
}

/* ---- one exploration (modular_explore.c) ---- */

void modular_tell(const struct modular *modular, enum part_news_kind kind, uint32_t number);
void modular_tell_if_decided(struct modular *modular, struct component *component);
void modular_add_to_outcome(struct modular *modular, const struct setup_outcome *added);
struct setup_query modular_query_of(const struct modular *modular, uint64_t asked);
/* Explores the component beside others; gives the intents that were asked and hold. */
uint64_t modular_explore_once(struct modular *modular, struct component *component,
                              const struct others *others, uint64_t asked);
/* Intents that do not ask where pods are, asked of a model that does not say it. */
uint64_t modular_placeless(const struct modular *modular, uint64_t asked);

/* ---- components (modular_components.c) ---- */

void modular_add_intents(struct modular *modular);
/* What is known of one that is like it is known of the component. */
void modular_learn(struct modular *modular, struct component *component);
/* Finds out which workloads are coupled; false: all of them, or nobody can tell. */
bool modular_find_components(struct modular *modular);

/* ---- the room that others hold (modular_room.c) ---- */

struct others modular_others_of(struct modular *modular, uint32_t number, bool leave);
/* The others of the component, where its own pods are not told from theirs. */
struct others modular_pooled_others(struct modular *modular, const struct component *component,
                                    const struct others *others);

/* ---- siblings (modular_siblings.c) ---- */

/* What was seen in the last exploration was seen in one that counts for siblings, too. */
void modular_keep_pooled(struct component *component);
/* What holds because of that is told of the component. */
void modular_tell_pooled(struct modular *modular, struct component *component,
                         const struct others *others, uint64_t holds);
/* What holds of the component with a pool because it holds of all its siblings. */
uint64_t modular_ask_siblings(struct modular *modular, struct component *component, bool leave);
/* Beside unknown others requests make no difference to a model with a pool: what is known of a
 * sibling is known of the component. */
uint64_t modular_learn_from_sibling(struct component *component);

/* ---- what holds (modular_holds.c) ---- */

void modular_find_what_holds(struct modular *modular);

/* ---- what is violated (modular_violated.c) ---- */

/* Takes over what was found in the whole cluster; its stories live as long as the outcome. */
void modular_take_over(struct modular *modular, struct setup_outcome *found);
void modular_find_what_is_violated(struct modular *modular);
/* Some violations need steps of many workloads, so that no exploration gets there. */
void modular_look_for_violations(struct modular *modular, uint64_t open,
                                 const struct search_limits *limits);

#endif
