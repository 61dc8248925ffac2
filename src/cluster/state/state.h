/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States of the model.
 *
 * Layout of a state, in words of 32 bits:
 *
 *   workload w   spec.replicas | which revision is the present one << 16
 *   workload w   what its controller remembers (struct workload_status): only of
 *                StatefulSets and Jobs, and where an apply can change its rules
 *   revision r   its set: replicas + 1 (0: not created) | desired << 16; only of
 *                workloads that keep their pods by ReplicaSets. Where replicas
 *                may pass 16 bits each of these is a word of its own
 *   revision r   pods that wait for a node; of a pod with an ordinal just a bit,
 *                32 to a word
 *   event e      how often it has come
 *   load l       which of its totals a workload bears, plus one; 0: none yet
 *   note n       what autoscalers remember without clocks, and which waiting pods the scheduler
 *                has tried (notes.h)
 *   flags        settled once; begun; a pod was bound since the last rest;
 *                anywhere; early; focus << 5
 *   monitor m    what the intents remember, some words each
 *   clocks       with clocked time only: what is left, and ages (clock.h)
 *   nodes        config << count_bits | count, sorted by what the configs are: the
 *                multiset of node configs. All nodes of the setup fit into a count
 */
#ifndef FATHOM_CLUSTER_STATE_STATE_H
#define FATHOM_CLUSTER_STATE_STATE_H

#include "cluster/forward.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "decide/view.h"

enum {
    REPLICAS_NARROW = 65534,   /* that fit into half a word */
    REPLICAS_MOST = 0x3ffffff, /* of all words: far from overflowing sums */
    WORDS_MOST = 8192,
};

struct set_state {
    int32_t replicas; /* -1: there is no such set yet */
    int32_t desired;
};

/* The present revision of a workload that is not there yet. */
enum { WORKLOAD_ABSENT = 0xffff };

/* A Job that will be complete, or will fail, waits for its pods to end (from 1.31 on). */
enum job_end { JOB_GOES_ON, JOB_IS_COMPLETE, JOB_HAS_FAILED, JOB_WILL_COMPLETE, JOB_WILL_FAIL };

/* What the controller of a workload remembers beside its pods. */
struct workload_status {
    uint32_t current;  /* StatefulSet: the template of its current revision, by number */
    uint32_t spec;     /* which of the workload's `specs` has its rules now */
    int32_t succeeded; /* Job: see step_jobs.c */
    int32_t failed;
    enum job_end over;
    bool doomed; /* Job: a pod failed for which its policy says FailJob */
    bool leaves; /* Job: a pod failed that `failed` does not count, and is there as an object */
};

/* As words: all but Jobs have nothing in the second. */
enum { STATUS_WORDS = 2 };

void status_pack(const struct workload_status *status, uint32_t *words);
void status_unpack(const uint32_t *words, struct workload_status *status);

/* Pods that began in the same instant and came into their stage in the same
 * instant; ages in half ticks (clock.h). */
struct cohort {
    uint32_t revision;
    uint32_t stage;
    uint32_t start;
    uint32_t since;
};

struct node_cohort {
    uint32_t condition;
    uint32_t zone;
    uint32_t age;
};

/* What is known of a CronJob: words of a state. */
struct cron_state {
    uint32_t next;        /* which time of its calendar comes next */
    uint32_t left;        /* ticks until then; more than 0 */
    uint32_t behind;      /* times that have come since the one of its last Job */
    uint32_t kept;        /* finished Jobs that it keeps: complete ones */
    uint32_t kept_failed; /* and failed ones */
    uint32_t suspended;   /* 1 while a user has suspended it */
};

/* What is known of a timed Job, words of a state: 0 when it is not there, or over. */
struct job_clock {
    uint32_t age;  /* ticks since it began, at most its deadline */
    uint32_t wait; /* ticks until it makes pods again: its back-off */
};

struct clocks {
    uint32_t *sync_left; /* by autoscaler: ticks until its next sync */
    uint32_t *memory;    /* by autoscaler: what it remembers, a number */
    uint32_t *wave_left; /* by wave of load: until its next step */
    struct cron_state *crons;
    struct job_clock *jobs; /* by timed job (clock.h) */
    uint32_t cycle_left;    /* of the descheduler */
    uint32_t cooldown_left; /* until the cluster autoscaler may remove nodes again */
    const struct cohort *cohorts;
    uint32_t cohort_count;
    const struct node_cohort *node_cohorts;
    uint32_t node_cohort_count;
};

/* Pods by revision, those that wait not included. */
struct pod_tally {
    bool counted;         /* true once the rest is filled in */
    bool nodes_are_plain; /* true if all nodes are up and without taints */
    struct revision_pods by_revision[];
};

/* A state, unpacked. */
struct state {
    int32_t *replicas; /* by workload */
    uint32_t *present; /* by workload: its present revision, or WORKLOAD_ABSENT */
    struct workload_status *statuses;
    struct set_state *sets; /* by revision */
    uint32_t *pending;      /* by revision */
    uint32_t *event_used;
    uint32_t *loads;
    uint32_t *notes;
    bool settled_once; /* true once the cluster was at rest, if the model remembers it */
    bool begun;     /* true once events may come and intents count: false while a start settles */
    bool bound;     /* true if a pod was bound since the last rest, if the model remembers it */
    bool early;     /* true if no prompt actor has acted since they last had nothing to do, if the
                       model remembers it: periodic actors may come before them (expand.c) */
    bool anywhere;  /* true if a pod may go to any of its best nodes (focus_anywhere.c) */
    uint32_t focus; /* the only workload that acts, plus one; 0: all do */
    uint32_t *monitors;
    struct view_node *nodes;
    uint32_t listed_count; /* so many entries, the first ones, have an object; as unpacked */
    uint32_t node_count;
    uint32_t node_capacity;
    struct clocks clocks;    /* of no meaning without clocks */
    struct pod_tally *tally; /* the counts of a state as unpacked; NULL: the state may change */
};

/* A node config and how many nodes have it, as a word of a state. */
static inline uint32_t node_pack(const struct population *population, struct view_node node)
{
    return node.config << population->count_bits | node.count;
}

static inline struct view_node node_unpack(const struct population *population, uint32_t word)
{
    return (struct view_node){word >> population->count_bits,
                              word & ((1U << population->count_bits) - 1)};
}

/* The config of the nodes of an entry. */
static inline const struct node_config *state_config(const struct worker *worker,
                                                     const struct state *state, uint32_t entry)
{
    return config_at(worker, state->nodes[entry].config);
}

/* The template of the nodes of an entry. */
static inline const struct template_info *state_template(const struct worker *worker,
                                                         const struct state *state, uint32_t entry)
{
    return config_template(worker, state->nodes[entry].config);
}

/* The nodes of a state whose objects are there, as deciders see them; without budgets. */
static inline struct view state_view(const struct worker *worker, const struct state *state)
{
    return (struct view){
        .catalog = worker->catalog, .nodes = state->nodes, .node_count = state->listed_count};
}

/* The pods of a state, by entries of nodes and, in an entry, by classes:
 *
 *     for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);)
 *         total += pods.count * pods.nodes;
 *
 * An entry may get another config meanwhile: its pods are those that it had when the walk came
 * to it. */
struct pod_walk {
    struct worker *worker;
    const struct state *state;
    bool with_waiting; /* true if pods that wait for the node of the entry are included */
    uint32_t place;    /* the next one of the config's pods */
    uint32_t end;      /* so many pods of the config are included */

    uint32_t entry;                   /* The pods are on nodes of this entry, */
    uint32_t nodes;                   /* which has so many nodes, */
    const struct node_config *config; /* of this config. */
    uint32_t class;                   /* The pods are of this class; */
    const struct class_info *info;    /* its meaning; */
    uint32_t count;                   /* so many of them are on each node. */
};

static inline struct pod_walk pods_on_nodes(struct worker *worker, const struct state *state)
{
    return (struct pod_walk){.worker = worker, .state = state, .entry = UINT32_MAX};
}

/* The same with pods that wait for one node alone. */
static inline struct pod_walk pods_of_nodes(struct worker *worker, const struct state *state)
{
    return (struct pod_walk){
        .worker = worker, .state = state, .with_waiting = true, .entry = UINT32_MAX};
}

/* False: there are no more. */
static inline bool pods_next(struct pod_walk *walk)
{
    while (walk->place == walk->end) {
        if (++walk->entry == walk->state->node_count)
            return false;
        walk->nodes = walk->state->nodes[walk->entry].count;
        walk->config = state_config(walk->worker, walk->state, walk->entry);
        walk->place = 0;
        walk->end =
            walk->with_waiting ? config_entry_count(walk->config) : walk->config->pod_entry_count;
    }
    const struct pod_count *pods = &walk->config->pods[walk->place++];
    walk->class = pods->pod;
    walk->count = pods->count;
    walk->info = class_info(walk->worker, pods->pod);
    return true;
}

/* The walk goes on with the next entry of nodes. */
static inline void pods_skip_nodes(struct pod_walk *walk)
{
    walk->place = walk->end;
}

/* All zero, with room for so many entries of nodes. */
struct state *state_new(const struct population *population, struct arena *arena,
                        uint32_t node_capacity);
struct state *state_unpack(struct worker *worker, const uint32_t *words, uint32_t length);
struct state *state_copy(struct worker *worker, const struct state *state);
/* One that lives as long as the worker. */
struct state *state_keep(struct worker *worker, const uint32_t *words, uint32_t length);
/* Sorts and merges the nodes; gives the number of words, 0 on overflow. */
uint32_t state_pack(struct worker *worker, struct state *state, uint32_t *words);
/* Are these the words that the state is packed into? */
bool state_is_packed(struct worker *worker, struct state *state, const uint32_t *words,
                     uint32_t length);

/* Room for the words of any state, with anything in them, until the scratch space is given back. */
uint32_t *words_room(struct worker *worker);

/* A state as it was unpacked, its flags and nodes excepted, and the words that it was unpacked
 * from. */
struct packed_head {
    const struct state *state;
    const uint32_t *words;
};

/* The same of a successor of `from`, which may have other nodes than the state of `head`; what a
 * successor has in common with that one is not packed again. */
uint32_t state_pack_after(struct worker *worker, const struct packed_head *head,
                          const struct state *from, struct state *state, uint32_t *words);
/* One node of entry `index` becomes a node of another config. */
void state_move_node(struct worker *worker, struct state *state, uint32_t index, uint32_t config);
/* Each pod on a node becomes one of the class that `change` gives for it (VIEW_NONE: it stays as it
 * is). So many pods have changed. */
uint32_t state_change_pods(struct worker *worker, struct state *state,
                           uint32_t (*change)(const struct pod_walk *pods, const void *context),
                           const void *context);

#endif
