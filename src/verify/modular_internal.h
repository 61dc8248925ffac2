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
    uint32_t *gathered; /* as others.h has it; NULL: nobody has asked, or nobody knows */
    uint32_t gathered_count;
    bool gathered_by_images;
    bool gathered_is_known; /* true if it was asked */
    uint32_t pooled_round;  /* the last round in which it and its siblings were asked of the pool */
    uint64_t pooled;        /* what held then, for all of them */
    bool pooled_bounded;    /* as below, by a model with a pool alone */
    bool pooled_loops;
    uint64_t pooled_from; /* and what preempts_from was */
    uint64_t asked;       /* bit i: intent i is about it */
    uint64_t open;        /* bit i: it is not known that intent i holds for it */
    bool bounded;         /* true if the room that it holds was measured */
    bool rests;           /* true if it comes to rest, whatever others do */
    bool loops;           /* true if it may be in a loop that counts as rest */
    bool leaves;          /* true if it leaves every node that is drained */
    struct room_held held;
    /* If it is known, so many of its pods can be on one node that is up, by kind of `held`;
     * UINT32_MAX: nobody knows. */
    uint32_t on_node[ROOM_KINDS];
    bool on_node_is_known;
    bool on_node_by_images; /* true if that rests on what is assumed of images */
    uint64_t preempts_from; /* as population_findings has it */
    struct component_ranks ranks;
    uint64_t applied;       /* bit i: intent i may apply somewhere (intent_class.applies) */
    uint64_t seen_applied;  /* bit i: it applied in the last exploration */
    unsigned seen_hindered; /* of others there, as population_findings has it */
    uint64_t pooled_applied;
    unsigned pooled_hindered;
    bool seen_differ; /* true if siblings did not behave alike in the last exploration, or it ended
                         early */
    bool
        pooled_alike; /* true if in the last round each of its siblings behaved like all together */
    bool told;        /* true if the progress says what it came to */
};

/* Which models of components are asked beside others of whom something is known. */
enum models_asked { ASK_ALL, ASK_POOLS, ASK_NODES };

struct modular {
    const struct setup_query *query;
    struct memory *memory;
    struct memory *stories;
    struct setup_outcome *outcome;
    struct arena arena;
    int64_t started;
    struct check_intent *intents; /* the query's, and those of our own */
    uint32_t *workload_of_intent; /* of the query's; UINT32_MAX: of none */
    uint64_t eligible;            /* bit i: intent i can be judged workload by workload */
    uint64_t placeless;           /* bit i: intent i does not ask where pods are */
    uint64_t named;               /* bit i: intent i may ask for names of workloads or pods */
    uint64_t nodeless;            /* bit i: intent i can be judged node by node for DaemonSets */
    uint64_t safety;              /* bit i: intent i says what must never happen */
    struct component *components;
    uint32_t component_count;
    struct parts *parts; /* what is told of the components, in the same order */
    struct others unknown;
    bool reopened;  /* true if what was shown of components does not count */
    uint32_t round; /* counts them */
    enum models_asked models;
    bool searched;       /* true once runs have looked for violations */
    bool uncounted;      /* true once a model did not count how often an event came */
    uint32_t nodes_back; /* as struct components has it */
    struct room_at_start at_start;
    uint64_t lowest_rank; /* of the priority of all pods (priority_rank) */
    bool priorities_differ;
    bool preempts_apart;  /* as struct components has it */
    uint64_t states_most; /* of the next exploration beside others; 0: what its share is */
    bool ranks_cut;       /* true once it was not found out exactly who may find no node */
    bool ranks_exactly;   /* true if it is to be found out, however long it takes */
    bool knows_ranks;     /* true while it is known already */
    /* Bit q: workloads that are charged to the ResourceQuota with this number are coupled. */
    uint64_t tied_quotas;
    uint64_t shown; /* bit i: intent i holds for all workloads, coupled or not by these */
    const struct fill_order *order; /* of all pods of the cluster; NULL: nothing is known of it */
    bool order_is_known;            /* true if it was asked */
    /* With options.every_size: for which sizes what was shown of components is true. */
    struct size_region sizes;
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

/* Intents of which it is not known whether they hold, and that are not violated. */
uint64_t modular_open(const struct modular *modular);

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

/* ---- pods of a revision on one node (modular_gathering.c) ---- */

/* Is it of use to know how many pods can be on one node, if this is open? It takes a while to find
 * out. */
bool modular_asks_gathered(const struct modular *modular, uint64_t open);
/* How many pods of a revision can be on one node beside these others, to which the component's own
 * pods belong. */
void modular_add_gathered(struct modular *modular, struct component *component,
                          struct others *pooled);
/* Allows as much as any of the components that are asked together does. False: they differ. */
bool modular_join_gathered(struct modular *modular, struct others *pooled,
                           const struct others *siblings, uint32_t count);

/* ---- pods of others on one node (modular_on_node.c) ---- */

/* How many pods of each component can be on one node, if something is open for lack of room, and
 * runs start from a dump. True if these are fewer than were counted. Asked after the second round.
 */
bool modular_find_on_node(struct modular *modular);

/* ---- siblings (modular_siblings.c) ---- */

/* What was seen in the last exploration was seen in one that counts for siblings, too. */
void modular_keep_pooled(struct component *component);
/* What was asked and what holds because of that is told of the component. */
void modular_tell_pooled(struct modular *modular, struct component *component,
                         const struct others *others, uint64_t asked, uint64_t holds);
/* What holds of the component with a pool because it holds of all its siblings. */
uint64_t modular_ask_siblings(struct modular *modular, struct component *component, bool leave);
/* Was the component asked of the pool with its siblings in this round, and does it behave there as
 * all of them together? Then there is nothing more to know of the pool, but for whom its pods may
 * preempt. */
bool modular_is_like_siblings(const struct modular *modular, const struct component *component);
/* Beside unknown others requests make no difference to a model with a pool: what is known of a
 * sibling is known of the component. */
uint64_t modular_learn_from_sibling(struct component *component);

/* ---- preemption (modular_preemption.c) ---- */

/* Forgets what was found out of the components. */
void modular_forget(struct modular *modular);
/* What the components are asked is asked again, of other models. */
void modular_ask_again(struct modular *modular);
/* Can pods preempt that were not known to, after the rounds? Then the others of all components may
 * do so from now on, and the rounds have to be repeated. */
bool modular_lets_preempt(struct modular *modular);
/* Pods of this priority, and of lower ones, are known to preempt, or have nobody to preempt. */
static inline uint64_t modular_known_rank(const struct modular *modular)
{
    return modular->unknown.preempted_from > modular->lowest_rank ? modular->unknown.preempted_from
                                                                  : modular->lowest_rank;
}
/* May pods of the component preempt each other? The room that is kept for them meanwhile is not in
 * its model. */
bool modular_preempts_itself(const struct component *component);
/* May its pods be preempted, or preempt? Those that terminate then, and room that is kept for those
 * that preempt, were not measured: it may fill all nodes that it has pods on, for a while. */
bool modular_fills_its_places(const struct modular *modular, const struct component *component);
/* Do pods of the component that find no room preempt those of the other one? */
bool modular_outranks(const struct modular *modular, const struct component *component,
                      const struct component *other);

/* ---- quotas that components share (modular_quotas.c) ---- */

/* Finds the shared quotas that may keep pods out for ever, when the rest and the charges of all
 * components are known (others.scarce_quotas). */
void modular_find_scarce_quotas(struct modular *modular);

/* ---- modular_widen.c ---- */

/* Where all workloads were explored together, and that says something of one number of nodes only:
 * what holds for components may hold for more of them. */
void modular_widen_sizes(const struct setup_query *query, struct memory *memory,
                         struct memory *stories, struct setup_outcome *outcome);

/* ---- other numbers of nodes (modular_sizes.c) ---- */

/* Begins to note for which sizes what is shown is true, once the components are known. */
void modular_begin_sizes(struct modular *modular);
/* An exploration of the component beside these others told something. */
void modular_note_sizes(struct modular *modular, const struct component *component,
                        const struct others *others, const struct setup_outcome *told);
/* The whole was explored, for what components left open. */
void modular_note_sizes_of_rest(struct modular *modular, const struct setup_outcome *rest);
/* The sizes for which the outcome is known. */
struct size_region modular_known_sizes(const struct modular *modular);

/* ---- what holds (modular_holds.c) ---- */

void modular_find_what_holds(struct modular *modular);
/* What is open then is asked once more, of models that count how often events come. */
void modular_find_by_counting(struct modular *modular);

/* ---- what is violated (modular_violated.c) ---- */

/* Takes over what was found in the whole cluster; its stories live as long as the outcome. */
void modular_take_over(struct modular *modular, struct setup_outcome *found);
void modular_find_what_is_violated(struct modular *modular);
/* Some violations need steps of many workloads, so that no exploration gets there. */
void modular_look_for_violations(struct modular *modular, uint64_t open,
                                 const struct search_limits *limits);
/* A few runs, before models are explored that may have many states. What they find need not be
 * asked any more. */
void modular_look_for_violations_first(struct modular *modular);

#endif
