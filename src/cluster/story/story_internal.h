/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the storyteller, shared by its files.
 *
 * Beside the packed state the teller keeps every object of the run with a
 * number of its own: workloads, ReplicaSets, statuses, nodes, pods, in this order. Pods
 * are added as they come and are never taken out, so that a number means the
 * same pod for ever. What each step changed is kept as a list of writes; from
 * it come the causes of later steps (story_causes.c).
 */
#ifndef FATHOM_CLUSTER_STORY_STORY_INTERNAL_H
#define FATHOM_CLUSTER_STORY_STORY_INTERNAL_H

#include "base/vec.h"
#include "cluster/forward.h"
#include "cluster/state/state.h"
#include "cluster/story/story.h"

#include <stdbool.h>
#include <stdint.h>

/* The place of a pod that is on no node: it is gone or not made yet, or it is pending. */
enum { POD_NOWHERE = -2, POD_WAITING = -1 };

enum { CONDITION_BITS = 8 };
_Static_assert(NODE_CONDITION_COUNT <= 1 << CONDITION_BITS, "a condition has so many bits");

/* What an object is like. The number of a workload is also its number as an object.
 *
 *             number              detail
 *   workload  replicas            present revision
 *   set       replicas, -1: none  desired
 *   status    the first word      the second word
 *   node      condition, images   pressures, twice, plus one if they pass
 *             << CONDITION_BITS
 *   pod       node, or as above   class
 */
struct story_value {
    int64_t number;
    uint32_t detail;
};

struct story_write {
    uint32_t object;
    struct story_value before;
    struct story_value after;
    bool matters;  /* false if only bookkeeping of the model changed */
    uint32_t last; /* the step, from 1, that changed the object before; 0: none */
};

struct named_pod {
    const char *name;
    uint32_t revision;
};

struct placed_pod {
    uint32_t pod;
    uint32_t class;
};

struct named_node {
    const char *name;
    uint32_t config;
    uint32_t config_before; /* its config before the step that is told */
    VEC(struct placed_pod) pods;
};

typedef VEC(uint32_t) story_numbers;
typedef VEC(struct story_write) story_writes;

struct storyteller {
    struct arena *arena;
    const struct population *population; /* the model of the run */
    struct worker *worker;               /* The states have its numbers. */
    uint32_t *words;                     /* the present state */
    uint32_t length;
    VEC(struct named_node) nodes;
    VEC(struct named_pod) pods;
    story_numbers *waiting; /* by revision: the pods that wait for a node */
    uint32_t *created;      /* by revision: how many pods have got a name */
    /* By workload; pictures outlive the model, which has the names of pods without an owner. */
    const char **workload_names;
    story_numbers subjects; /* the pods that the step is about */
    uint32_t subject_node;  /* the node that it is about; UINT32_MAX: none */
    uint32_t touched_nodes; /* how many nodes it changes */
    const char *rejection;  /* the kubelet's reason, if the step is a rejection */
    uint64_t effort;        /* how much was spent on finding causes */
    bool without_causes;    /* true if causes are not looked for */

    VEC(struct story_value) values; /* by object: what it is like now */
    story_numbers writers;          /* by object: the last step, from 1, that changed it; 0: none */
    story_writes writes;            /* of all steps */
    story_numbers step_ends;        /* by step: where its writes end */
};

/* A step that is being told. Pods and nodes have names only if a teller tells it. */
struct story_telling {
    struct worker *worker;
    const struct population *population;
    const struct state *from;
    const struct state *to;
    const struct step *step;
    const struct check_event *event; /* the event of the Check that comes; NULL: none */
    uint32_t number;                 /* the revision of the pods that it is about */
    const struct revision *revision; /* the same; NULL: it is about no pods of one revision */
    uint32_t entry;                  /* of `from`: where it happens; may be beyond the last */
    uint32_t amount;                 /* of pods that it is about */
    /* The rest is the teller's. */
    struct storyteller *teller;
    struct arena *arena;     /* What is told lies here. */
    const char *pod;         /* the name of the one pod that it is about; NULL: several */
    struct story_step *told; /* what is told of it so far */
    VEC(const char *) why;   /* sentences that explain it */
};

static inline bool values_equal(struct story_value left, struct story_value right)
{
    return left.number == right.number && left.detail == right.detail;
}

static inline struct story_value value_of_node(struct worker *worker, uint32_t config)
{
    const struct template_info *info = config_template(worker, config);
    const int64_t pulled = worker->population->node_kinds.items[info->node].pulled;
    return (struct story_value){pulled << CONDITION_BITS | info->condition,
                                info->pressures << 1 | info->passes};
}

static inline uint32_t object_of_set(const struct storyteller *teller, uint32_t revision)
{
    return teller->population->workloads.count + revision;
}

/* What the controller of a workload remembers. */
static inline uint32_t object_of_status(const struct storyteller *teller, uint32_t workload)
{
    return object_of_set(teller, teller->population->revisions.count) + workload;
}

static inline uint32_t object_of_node(const struct storyteller *teller, uint32_t node)
{
    return object_of_status(teller, teller->population->workloads.count) + node;
}

static inline uint32_t object_of_pod(const struct storyteller *teller, uint32_t pod)
{
    return object_of_node(teller, teller->nodes.count) + pod;
}

/* What an object is like that is neither a node nor a pod. */
static inline struct story_value value_in_state(const struct storyteller *teller,
                                                const struct state *state, uint32_t object)
{
    const uint32_t first_set = object_of_set(teller, 0);
    const uint32_t first_status = object_of_status(teller, 0);
    if (object < first_set)
        return (struct story_value){state->replicas[object], state->present[object]};
    if (object < first_status) {
        const struct set_state *set = &state->sets[object - first_set];
        return (struct story_value){set->replicas, (uint32_t)set->desired};
    }
    uint32_t words[STATUS_WORDS];
    status_pack(&state->statuses[object - first_status], words);
    return (struct story_value){words[0], words[1]};
}

#endif
