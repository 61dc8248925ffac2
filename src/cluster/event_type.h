/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the cluster model handles an event of a Check.
 *
 * Every kind of event has one descriptor, a `const struct event_type` at the end of
 * its file in event/; kinds that share their logic share a file. Its row of
 * object/events.def names it. No other file of the cluster model names a kind: a file
 * that depends on the kind of an event asks its descriptor, which hangs on the event
 * (`population_event.type`, events.h).
 *
 * When an event may come is the same for all of them and is decided in one place
 * (step_events.c): at most `atMost` times in a run, and with `after: settled` not
 * before the cluster has come to rest for the first time. A descriptor only says
 * what happens then.
 *
 * Every member has a default, which is zero, and the default is always the safe one: an
 * event that says nothing of what it leaves alone is taken to change everything, and no
 * reduction is made beside it. To leave a trait out costs states, never a verdict.
 *
 * An event file reads and changes states (state/), asks ask/ (which nodes an event
 * concerns, how much pods use, whether taints are removed when no node answers any more),
 * and hands its steps to expansion_emit. It calls no actor, and no actor calls it.
 */
#ifndef FATHOM_CLUSTER_EVENT_TYPE_H
#define FATHOM_CLUSTER_EVENT_TYPE_H

#include "cluster/ask/usage.h"
#include "cluster/emit.h"
#include "cluster/forward.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "object/check.h"

struct pod_level;
struct support;

/*
 * What an event leaves alone: a reduction that depends on it asks for the trait. An event without
 * a trait is treated with more care, never with less. Each trait is about the event's own steps and
 * about what controllers do only because the event has come.
 */
enum event_trait {
    /* The event changes neither the number of replicas nor the template of a workload, deletes
     * none, and leaves the pods that wait for a node as they are (reductions.c). */
    LEAVES_SETS_ALONE = 1 << 0,
    /* After the event every pod on a node still starts there, and none has to be removed from a
     * node that others may come to (readiness.c). */
    LEAVES_STARTS_ALONE = 1 << 1,
    /* Neither when the event comes nor what follows depends on whether a pod that is bound is
     * ready yet (readiness.c). Events that give a workload fewer replicas (`to`) are handled
     * there. */
    NEEDS_NO_READINESS = 1 << 2,
    /* The event does not depend on how much CPU pods use (readiness.c). */
    NEEDS_NO_USAGE = 1 << 3,
    /* No pod comes to a node whose kubelet rejects it (step_kubelets.c). */
    LEAVES_ADMISSION_ALONE = 1 << 4,
    /* The event deletes no object, so nothing is left to the garbage collector. */
    LEAVES_OBJECTS_ALONE = 1 << 5,
    /* No node becomes NotReady by it. The next three are about events by which nodes do. */
    LEAVES_NODES_READY = 1 << 6,
    /* Each time that it comes, one node becomes NotReady at most. */
    TAKES_ONE_NODE = 1 << 7,
    /* Nodes that have become NotReady by it are sure to return. */
    NODES_RETURN = 1 << 8,
    /* The control plane knows at once that a node is NotReady; otherwise it notices it
     * when it has not heard of the node for a while (clock.c). */
    NOTICED_AT_ONCE = 1 << 9,
    /* Neither the event nor what follows depends on which of a workload's pods have started: what
     * ReplicaSets delete then is looked after by starts.h. */
    LEAVES_PLACES_ALONE = 1 << 10,
    /* How often it has come bounds nothing that is so at one time: before it comes again, what it
     * did and what followed is over, but for what its parameters allow at once (build_events.c). A
     * scale does not have it: pods of many scales may terminate at a time. */
    BOUNDS_ITSELF = 1 << 11,
    /* Neither the event nor what follows depends on pods that terminate (reduce/ends.c). */
    LEAVES_ENDS_ALONE = 1 << 12,
    /* Neither the event nor what follows depends on whether a pod that is not ready waits for a
     * node, and it comes finitely often (reduce/waits.c). */
    LEAVES_WAITS_ALONE = 1 << 13,
};

/* Whose clock the steps of an event's `pattern` go by. */
enum event_pattern {
    EVENT_PATTERN_NONE,
    EVENT_PATTERN_OF_POD,  /* each pod's own, from its start */
    EVENT_PATTERN_OF_LOAD, /* one for the load of the workload: it is a wave (clock.h) */
};

/* A workload whose levels and totals are being put together (build_usage.c). */
struct level_building {
    struct population *population;
    struct workload *workload;
    const struct pod_spec *spec;  /* of its pods */
    int64_t request_milli;        /* CPU that one of them requests */
    VEC(struct pod_level) levels; /* of usage that they may be at */
};

/* A step of an event that is to be told in words (describe.c). */
struct event_telling {
    struct worker *worker;
    const struct state *from;
    const struct state *to;
    const struct check_event *event; /* that came; NULL: the states do not tell */
    uint32_t entry;                  /* of `from`: where it happened; UINT32_MAX: nowhere */
    const char *node;                /* the same in words: "node a" */
    uint32_t amount;                 /* as it was emitted */
};

struct event_type {
    /* ---- what happens ---- */

    /* The action of its steps (actions.def), by which they are known when they are told. Of
     * events without `emit`: not read. */
    enum population_action action;
    /* Emits every step by which the event comes in this state; the caller has checked that it
     * may come. NULL: it is a rule and does not come; it has no atMost, and time does not wait
     * for it. */
    void (*emit)(struct expansion *expansion, const struct population_event *event);
    /* Of a rule: emits what happens because of it, with the fairness of a controller's
     * steps. NULL: nothing happens; the rule only gives values (how much pods use). */
    void (*follow)(struct expansion *expansion, const struct population_event *event);

    /* ---- what is supported ---- */

    /* Reports an `object` that the event cannot have. NULL: an object must be a workload of the
     * manifests. Its group, its node, a node of its zone and the clocks that it needs are always
     * checked. */
    void (*check_object)(const struct support *support, const struct check_event *event);
    /* Reports what else is not modelled. NULL: all is. */
    void (*check)(const struct support *support, const struct check_event *event);

    /* ---- what the model must be built for ---- */

    /* The condition that the event brings a node into; with `untainted`, the one before the node
     * is tainted NoExecute (step_lifecycle.c). NULL: only conditions that every model has: up,
     * cordoned, down, down for a while. */
    enum node_condition (*condition)(const struct population *population,
                                     const struct check_event *event, bool untainted);
    /* The pressure that a node comes under, as a bit of enum kubelet_pressure. NULL: none. */
    uint32_t (*pressure)(const struct check_event *event);
    /* Adds levels of usage that pods of its workload go through from their start on. NULL: if
     * no event does, they begin with what they request. */
    void (*add_first_levels)(struct level_building *building, struct population_event *event);
    /* Adds further levels of usage, or totals of load. NULL: none. */
    void (*add_levels)(struct level_building *building, struct population_event *event);
    /* Default: it has no `pattern`. */
    enum event_pattern pattern;
    /* It counts the nodes that are down for a while (NODE_AWAY), so that those that have failed
     * and are being repaired need a condition of their own (conditions.def). */
    bool counts_nodes_away;
    /* Once it has come, the `object` that it names is gone. */
    bool deletes_object;

    /* ---- what is told of it ---- */

    /* "the user scales"; the workloads whose replicas change follow it in the
     * sentence. Of events with `emit`: needed unless there is `describe`. */
    const char *words;
    /* Tells it in place of `words`. NULL: `words` do. */
    void (*describe)(const struct event_telling *telling, struct text *text);

    bool suspends; /* true if it suspends a CronJob, which is resumed if the event recovers */

    /* ---- what it leaves alone ---- */

    unsigned traits; /* bits of enum event_trait */
    /* Gives further traits that depend on the parameters of the event. NULL: there are none. */
    unsigned (*more_traits)(const struct check_event *event);
};

/* What is true of the effects of an event, whenever it comes. The other traits say, too, what the
 * event does not depend on; one that has a condition may depend on anything. */
enum {
    EVENT_TRAITS_OF_EFFECTS = LEAVES_SETS_ALONE | LEAVES_ADMISSION_ALONE | LEAVES_OBJECTS_ALONE |
                              LEAVES_NODES_READY | TAKES_ONE_NODE | NODES_RETURN | NOTICED_AT_ONCE,
};

/* Has the event one of these traits? */
static inline bool event_has(const struct population_event *event, unsigned traits)
{
    const struct event_type *type = event->type;
    if (event->condition)
        traits &= EVENT_TRAITS_OF_EFFECTS;
    return ((type->traits | (type->more_traits ? type->more_traits(event->event) : 0)) & traits) !=
           0;
}

/* Does an event come only where an expression is true? */
static inline bool events_have_conditions(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].condition)
            return true;
    return false;
}

/* Has each event of the model one of these traits? */
static inline bool events_have(const struct population *population, unsigned traits)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (!event_has(&population->events.items[e], traits))
            return false;
    return true;
}

#endif
