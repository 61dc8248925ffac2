/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_TEST_TWIN_TWIN_INTERNAL_H
#define FATHOM_TEST_TWIN_TWIN_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"
#include "decide/autoscaler/autoscaler_options.h"
#include "decide/scheduler/scheduler.h"
#include "decide/view.h"
#include "object/policy.h"
#include "object/workload.h"
#include "twin/twin.h"

/* The actions of the population model, by the same numbers. */
enum twin_action {
#define ACTION(constant, actor, verb, traits, ...) TWIN_##constant,
#include "cluster/state/actions.def"
#undef ACTION
    TWIN_ACTION_COUNT
};

enum twin_stage {
    PLACE_FREE,
    POD_WAITS,
    POD_IS_BOUND, /* its kubelet has not looked at it yet */
    POD_STARTS,
    POD_IS_READY,
    POD_TERMINATES,
    STAGES
};

enum twin_condition {
    UP,
    CORDONED,
    AWAY,     /* in maintenance */
    REPAIRED, /* failed, comes back */
    DOWN,
    UNTAINTED,   /* the same, not tainted NoExecute yet */
    UNNOTICED,   /* the same, and the node lifecycle controller takes it for one that answers */
    PARTITIONED, /* from the control plane alone */
    PARTITIONED_UNTAINTED,
    PARTITIONED_UNNOTICED,
    PARTITIONED_AWHILE,
    CUT, /* from the clients alone */
    CUT_AWHILE,
    GONE, /* its object is deleted */
    GONE_AWHILE,
    LOST, /* clocked: down, and nobody has noticed */
    LOST_AWAY,
    CANDIDATE, /* the cluster autoscaler does not need it, and says so by a soft taint */
    LEAVING,   /* it removes it */
    ORDERED,   /* the provider was asked for it */
    FAILED,    /* and does not create it */
    ABSENT,    /* nobody has asked for it */
    SPARE,     /* clocked: the cluster autoscaler does not need it, which nothing shows */
    CONDITIONS
};

enum {
    LEVELS_MOST = 6,
    REVISIONS_MOST = 6,
    BUDGETS_MOST = 4,
    WORKLOADS_MOST = 5,
    EVENTS_MOST = 6,
    TOTALS_MOST = 4,
    INTENTS_MOST = 24,
    PRESSURES = 8,
    MEMORY_MOST = 8,
    IMAGES_MOST = 16,
    CLAIMS_MOST = 8,
    VOLUMES_MOST = 6,
    LIMITS_MOST = 12,
    SYNCS_UNSET = INT32_MAX,
    PASSES = 8, /* beside the bits of a pressure: it ends some day */
    NOBODY = 255,
    TWIN_INDEXES_MOST = 8,
    ALL = UINT32_MAX
};

struct place_of_pod {
    uint8_t stage;
    uint8_t revision;
    uint8_t level;
    uint8_t node;      /* NOBODY: it waits */
    uint8_t member;    /* its ordinal, or the node that it is for; NOBODY */
    uint8_t nominated; /* the node that is kept for it; NOBODY */
    uint8_t disowned;  /* its own Job deleted it: no failure */
    uint8_t late;      /* it came to a node that was being drained */
    uint8_t chosen; /* the scheduler deletes it to make room, or has deleted it if it terminates */
    uint8_t ends;   /* of one that terminates, how it came to that (twin_jobs.c) */
    uint8_t failures; /* of the index that it has, before it */
    uint8_t turn;     /* TWIN_TAKES_ALL: so many were bound to its node before it */
    uint16_t start;   /* clocked: half ticks since it began on its node ... */
    uint16_t since;   /* ... and since it came into its stage, as far as anybody asks */
};

struct twin_state {
    int32_t replicas[WORKLOADS_MOST];
    uint32_t present[WORKLOADS_MOST]; /* NOBODY: there is no such workload */
    uint32_t spec[WORKLOADS_MOST];    /* whose rules hold: 0 its own, else those of an event */
    uint32_t current[WORKLOADS_MOST]; /* StatefulSet: its current revision */
    int32_t succeeded[WORKLOADS_MOST];
    int32_t failed[WORKLOADS_MOST];
    uint32_t over[WORKLOADS_MOST];   /* Job: 1 complete, 2 failed, 3 and 4: will be */
    uint32_t doomed[WORKLOADS_MOST]; /* Job: its policy says FailJob */
    uint32_t leaves[WORKLOADS_MOST]; /* Job: a pod has failed that is not counted */
    uint8_t indexes[WORKLOADS_MOST][TWIN_INDEXES_MOST];
    uint8_t index_failures[WORKLOADS_MOST][TWIN_INDEXES_MOST];
    uint32_t load[WORKLOADS_MOST];        /* which total it bears, plus one */
    int32_t set_replicas[REVISIONS_MOST]; /* -1: there is none */
    int32_t set_desired[REVISIONS_MOST];
    uint32_t used[EVENTS_MOST];
    uint32_t settled_once;
    uint32_t begun;
    /* Whether a pod of the revision, or this member of a StatefulSet, was tried in vain and waits
     * on: a bit for each member. */
    uint32_t tried[REVISIONS_MOST];
    uint32_t early;                /* no controller has acted since they last had nothing to do */
    uint32_t unseen;               /* what the autoscaler wrote last */
    int32_t recommended;           /* by the autoscaler, at most, and may count still; 0: nothing */
    uint8_t armed[INTENTS_MOST];   /* replicasAtLeast: a bit for each workload */
    uint16_t waited[INTENTS_MOST]; /* expressions with times: ticks, as far as anybody asks */
    int32_t low[WORKLOADS_MOST];   /* noReplicaSwing, plus one */
    int32_t high[WORKLOADS_MOST];
    /* Statuses of budgets as they were written last, less what was evicted since; bits: the
     * disruptions that are allowed, twice, and whether enough pods are healthy. */
    uint8_t written[BUDGETS_MOST];
    uint8_t conditions[8];
    uint8_t pressures[8];
    uint16_t images[8]; /* that nodes have pulled, a bit each */
    /* What claims are bound to (twin_volumes.c); 0: nothing. */
    uint8_t volumes[CLAIMS_MOST];
    /* By scaled group: 1 if the cluster autoscaler may keep it off still, 2 if it does. */
    uint8_t backoffs[8];
    /* Clocked: ticks left, and half ticks since nodes came into their conditions. */
    uint32_t sync_left;
    uint32_t cycle_left;
    uint32_t cooldown_left; /* of the cluster autoscaler's removals */
    uint32_t wave_left;
    uint16_t ages[8];
    struct twin_memory {
        uint32_t started;
        uint32_t counts[3];
        struct {
            int32_t replicas;
            uint32_t syncs; /* ago */
        } lists[3][MEMORY_MOST];
    } memory; /* of the autoscaler */
    struct place_of_pod pods[TWIN_PODS_MOST];
};

/* Ticks, rising. */
struct limits {
    uint32_t items[LIMITS_MOST];
    uint32_t count;
};

struct twin_times {
    uint32_t earliest; /* ticks until a pod is ready */
    uint32_t latest;
    uint32_t min_ready;
    struct limits bound;    /* of ages since it was */
    struct limits starting; /* of ages since the beginning, in each stage */
    struct limits ready;
    struct limits since; /* of a ready pod, since it is */
};

struct twin_clock {
    int64_t tick; /* nanoseconds */
    uint32_t sync_period;
    uint32_t cycle_period; /* 0: there is no descheduler */
    uint32_t after_add;    /* ticks until the cluster autoscaler may remove nodes */
    uint32_t after_delete;
    struct twin_times times[REVISIONS_MOST];
    struct limits nodes[CONDITIONS];
    struct limits patterns[WORKLOADS_MOST];
    uint32_t wave; /* the event; NOBODY: none */
    uint32_t wave_lengths[TOTALS_MOST];
    uint32_t after[INTENTS_MOST]; /* of expressions; 0: none */
    uint32_t within[INTENTS_MOST];
};

struct twin_revision {
    uint32_t workload;
    const char *image;
    const struct pod_template *template;
    struct pod *pod;
    uint32_t node;      /* that it names; NOBODY: none, or one that is not there */
    uint32_t scheduler; /* whose queue its pods are in */
    bool served;        /* a Service sends requests to its pods ... */
    bool published;     /* ... as long as they are there */
    bool serves_on;     /* while it terminates, until that has come about everywhere */
    bool waits;         /* of bystanders: it did in the beginning */
    bool unchecked;     /* ... and that does not ask all that kubelets ask */
    uint32_t pulls;     /* images, a bit each */
};

struct twin_workload {
    const struct setup_workload *setup;
    enum object_kind kind;
    int64_t request;
    /* With a pattern 2k is its step k, and 2k + 1 the same for elders. */
    int64_t levels[LEVELS_MOST];
    uint32_t level_count;
    uint32_t pattern_steps;
    int64_t totals[TOTALS_MOST];
    uint32_t total_count;
    int32_t least; /* of the autoscaler */
    int32_t most;
    int32_t replicas; /* at the start */
    uint32_t first;   /* its present revision then */
    int32_t largest;  /* the most replicas that anybody may want of it */
};

struct twin_node {
    uint32_t group;
    const char *name;
    bool named;       /* by pods that are for it */
    uint32_t reports; /* images that it has from the beginning */
    uint32_t templates[CONDITIONS];
    uint32_t pressed[CONDITIONS][PRESSURES]; /* where a node in the condition runs pods */
};

/* One that nodes pull. */
struct twin_picture {
    const char *name;
    int64_t size;
    bool sized; /* somebody says how large it is */
};

/* A claim that is not bound in the beginning. */
struct twin_claim {
    const struct persistent_volume_claim *claim;
    bool given; /* it is there in the beginning */
    bool waits; /* for the first node of a pod that has it */
    bool made;  /* it may get a volume that is made in some zone */
};

/* How a node looks that has pulled images. */
struct twin_look_of_node {
    uint32_t template; /* without them */
    uint32_t images;
    uint32_t as;
};

struct twin_event {
    const struct check_event *event;
    const struct expression *condition; /* NULL: it comes anywhere */
    uint32_t workload;
    uint32_t first; /* of its levels or totals */
    /* apply: */
    const struct object *object;
    bool gives_replicas;
    bool changes_replicas;
    int32_t replicas;
    uint32_t revision;
    uint32_t spec;
};

enum twin_pace { IDLE, LAZY, FAST };

/* Whoever acts looks at every state; or at those in which controllers may act that act every few
 * seconds; or at those at rest. */
enum twin_look { LOOKS_ALWAYS, LOOKS_NOW_AND_THEN, LOOKS_AT_REST, LOOKS };

/* A fast step, as far as it matters where such steps lead to. */
struct twin_way {
    uint32_t to;
    uint32_t workload; /* ALL: it is about no single one */
};

typedef VEC(struct twin_way) way_list;

/* The steps that lead on: those that take seconds; minutes, too; or those of anybody, before runs
 * begin. */
enum twin_span { TWIN_SECONDS, TWIN_MINUTES, TWIN_ANYBODY, TWIN_SPANS };

/* A state in a graph of fast steps. */
struct twin_met {
    struct twin_state state;
    way_list ways;
    uint32_t order; /* in which they were met, from 1; 0: nobody has looked at it */
    uint32_t least; /* of those that it leads back to */
    bool open;      /* it is not known yet whom it leads back to */
    bool ends;      /* it is one of several that lead to each other and nowhere else */
    struct twin_rests *graph;
    uint32_t moves; /* then: a bit for each workload that their steps are about */
};

struct twin_rests {
    struct map numbers; /* state -> number + 1 */
    VEC(struct twin_met *) met;
    VEC(uint32_t) open;
    uint32_t orders;
    enum twin_span span;
};

/* Of an intent in users' own words; NULL: it has none. */
struct twin_expressions {
    const struct expression *first;
    const struct expression *condition;
    const struct expression *to;
};

struct twin {
    struct memory *memory;
    struct arena arena;
    struct arena scratch;
    const struct scope *scope;
    const struct setup *setup;
    struct features features;
    struct manifest_reader *reader; /* of deciders' answers */
    struct catalog *catalog;
    struct profiles profiles;
    struct scheduler *scheduler;
    uint32_t scheduler_count; /* that are programs of their own */
    struct twin_workload workloads[WORKLOADS_MOST];
    uint32_t workload_count;
    struct twin_revision revisions[REVISIONS_MOST];
    uint32_t revision_count;
    struct twin_node nodes[TWIN_NODES_MOST];
    uint32_t node_count;
    struct twin_event events[EVENTS_MOST];
    uint32_t event_count;
    const struct check_intent *intents;
    uint32_t intent_count;
    struct twin_expressions expressions[INTENTS_MOST];
    const struct property *properties;
    enum twin_manner manner;
    bool remembers;
    bool begins_settled;
    bool endpoints; /* who terminates may be an endpoint still */
    bool by_kind;   /* fairness is to kinds of pods, not to each pod */
    enum twin_interleaving interleaving;
    bool lags;                /* the statuses of budgets are written by steps of their own */
    bool taints_late;         /* that a node is tainted is a step of its own */
    bool admits;              /* that a kubelet admits a pod may be one */
    bool tells;               /* somebody tells pods that it rejects from those that it evicts */
    bool ranks;               /* there are pods of more than one priority */
    bool scaled;              /* somebody beside the autoscaler may change replicas */
    uint32_t scaled_workload; /* that has the autoscaler */
    bool has_periodic;        /* somebody acts every few seconds or minutes */
    bool clocked;
    struct twin_clock clock;
    struct twin_picture images[IMAGES_MOST];
    uint32_t image_count;
    VEC(struct twin_look_of_node) looks_of_nodes;
    struct twin_claim claims[CLAIMS_MOST];
    uint32_t claim_count;
    const struct persistent_volume *volumes[VOLUMES_MOST];
    uint32_t volume_count;
    struct map claiming;                /* classes of pods that wait with a claim */
    struct map surrounded;              /* claims and volumes by what is bound to what */
    const struct twin_state *looked_at; /* in which pods wait */
    bool overflow;
    uint32_t restless; /* workloads that go on, when a rest was looked at last */
    struct twin_rests rests[TWIN_SPANS];
    bool looks;                   /* where runs begin is being looked for */
    VEC(uint32_t) place_of_class; /* by class */
    /* Classes by place, revision, stage, level and member; 0: none yet, else + 1. */
    uint32_t classes[TWIN_PODS_MOST][REVISIONS_MOST][STAGES][LEVELS_MOST][TWIN_PODS_MOST + 1];
    /* The same of those that terminate because somebody else needed the room. */
    uint32_t preempted[TWIN_PODS_MOST][REVISIONS_MOST][LEVELS_MOST][TWIN_PODS_MOST + 1];
    struct twin_state initial;
    struct model model;
};

/* One expansion. */
struct twin_run {
    struct twin *twin;
    const struct twin_state *state;
    struct twin_state rested; /* the same, once it is known to be at rest */
    struct step_sink *sink;
    struct twin_met
        *from;   /* only fast steps are looked for, and go there; NULL: all, to the sink */
    bool moved;  /* something goes on that is a matter of seconds */
    bool waits;  /* or of minutes */
    bool prompt; /* a controller or the scheduler has something to do */
    bool probes; /* nothing is handed out: it is only looked for the former */
    enum twin_look look;
    bool later;        /* whoever acts now does so every few seconds, or later */
    uint32_t restless; /* a bit for each workload that they have something to do about */
    /* What was answered about budgets; NULL: nobody has asked yet. */
    struct view_budget *budgets;
    uint32_t budget_count;
    bool guarded[TWIN_PODS_MOST]; /* the eviction API would not let go of it */
};

enum { STATE_WORDS = sizeof(struct twin_state) / sizeof(uint32_t) };

/* ---- twin_build.c ---- */
bool twin_build(struct twin *twin);
/* The revision of the workload with this template; NOBODY: there are too many. */
uint32_t twin_add_revision(struct twin *twin, uint32_t workload,
                           const struct pod_template *template);
const char *twin_image(const struct pod_template *template);
int64_t twin_request(const struct pod_spec *spec);
int64_t twin_amount(const struct cpu_level *level, int64_t whole);

/* ---- twin_build_nodes.c ---- */
bool twin_add_nodes(struct twin *twin);

/* ---- twin_observed.c ---- */
/* Those that the workload has already; gives the present one. */
uint32_t twin_observed_revisions(struct twin *twin, uint32_t workload);
/* The kinds of pods that nobody looks after; false if they are too many. */
bool twin_add_bystanders(struct twin *twin);
/* The pods that are there; false if they are too many. */
bool twin_observed_pods(struct twin *twin);
/* A pod that nobody looks after. */
bool is_bystander(const struct twin *twin, uint32_t workload);

/* ---- twin_times.c: durations in the manifests, and the tick that divides them ---- */
void twin_read_times(struct twin *twin);
/* How long the pod may stay on such a node, as far as NoExecute taints go. */
int64_t twin_tolerated_seconds(const struct twin *twin, const struct node *node, uint32_t revision,
                               bool silent);

/* ---- twin_clock.c ---- */
/* What is due, and time itself; true if the cluster rests. */
bool twin_clock_steps(struct twin_run *run, bool idle, bool periodic);
/* Ages that nobody asks for are forgotten. */
void twin_forget_ages(const struct twin *twin, struct twin_state *next);
/* Has it been tolerated there for so long? */
bool twin_tolerated_for(struct twin *twin, const struct twin_state *state, uint32_t place,
                        int64_t seconds);
/* Does any age of it matter still? */
bool twin_is_timed(const struct twin *twin, const struct place_of_pod *pod);
/* Does it become ready by its clock, with others of its cohort? */
bool twin_starts_by_clock(const struct twin *twin, const struct place_of_pod *pod);
bool twin_is_available(const struct twin *twin, const struct twin_state *state, uint32_t place);
/* Every way in which the periodic controllers may begin. */
void twin_each_start(const struct twin *twin, struct step_sink *sink);

/* ---- twin.c ---- */
/* Who a step is about, for fairness: 0 nobody, then places, nodes, workloads, sets. */
uint32_t about_pod(uint32_t place);
uint32_t about_node(uint32_t node);
uint32_t about_workload(uint32_t workload);
uint32_t about_set(uint32_t revision);
/* `victims` has a bit for each workload that loses pods. */
void twin_emit(struct twin_run *run, struct twin_state *next, enum twin_action action,
               uint32_t subject, uint32_t workload, uint32_t victims, enum twin_pace pace);

/* All that can happen next. */
void twin_steps(struct twin_run *run);
/* The steps that are a matter of seconds, and some that take longer. */
void twin_fast_steps(struct twin_run *run);

/* ---- twin_rest.c ---- */

/* Notes the step as one out of the state that is looked at. */
void twin_add_way(struct twin_run *run, const struct twin_state *to, uint32_t workload,
                  enum twin_pace pace);
/* Do such steps lead from here to other states, and only to such that lead back? Adds the workloads
 * of these steps. */
bool twin_rests_in_loop(struct twin *twin, const struct twin_state *state, enum twin_span span,
                        uint32_t *moves);

/* ---- twin_state.c ---- */
bool condition_is_ready(enum twin_condition condition);
bool condition_works(enum twin_condition condition);
bool condition_is_reached(enum twin_condition condition);
bool condition_returns(enum twin_condition condition);
bool node_is_listed(const struct twin_state *state, uint32_t node);
uint32_t node_template_of(const struct twin *twin, const struct twin_state *state, uint32_t node);
bool pod_is_there(const struct place_of_pod *pod);
bool pod_is_active(const struct place_of_pod *pod);
bool twin_never_ready(const struct twin *twin, const struct place_of_pod *pod);
/* Its phase is Running, not Pending. */
bool twin_pod_runs(const struct twin *twin, const struct place_of_pod *pod);
/* Ready, and known to be. */
bool twin_pod_ready(const struct twin_state *state, uint32_t place);
uint32_t workload_of(const struct twin *twin, const struct place_of_pod *pod);
enum object_kind kind_of(const struct twin *twin, const struct place_of_pod *pod);
/* Active pods of a revision, or those of them that are ready. */
uint32_t twin_count(const struct twin *twin, const struct twin_state *state, uint32_t revision,
                    bool ready);
const struct object *twin_spec(const struct twin *twin, const struct twin_state *state,
                               uint32_t workload);
uint32_t twin_class(struct twin *twin, uint32_t place, const struct place_of_pod *pod);
/* The nodes that are listed, with what one scheduler has kept there; `numbers` has
 * which they are. */
struct view twin_view(struct twin_run *run, uint32_t scheduler, uint32_t *numbers);
/* Does the pod say itself which node it is for, so that no scheduler is asked? */
bool pod_names_node(const struct twin *twin, const struct place_of_pod *pod);
void new_pod(struct twin *twin, struct twin_state *next, uint32_t revision, uint32_t member);
/* It is told to go: it terminates, or is gone if it is nowhere. */
void end_pod(const struct twin *twin, struct twin_state *next, uint32_t place);
/* It is not there any more, and nobody wanted that. */
void lose_pod(const struct twin *twin, struct twin_state *next, uint32_t place);
void set_condition(struct twin *twin, struct twin_state *next, uint32_t node,
                   enum twin_condition condition);
/* What a ready pod uses of the CPU. */
int64_t twin_usage(const struct twin *twin, const struct twin_state *state, uint32_t place);
bool twin_object_deleted(const struct twin *twin, const struct twin_state *state, const char *kind,
                         const char *name);
/* Is anybody given up while all others are silent, too? */
bool lifecycle_gives_up(struct twin *twin, const struct twin_state *state);
/* Has a node in the condition stopped, and its lease not run out? */
bool condition_is_unnoticed(enum twin_condition condition);
/* May the node be tainted, as far as its zone goes? */
bool lifecycle_may_taint(struct twin *twin, const struct twin_state *state, uint32_t node);

/* ---- twin_pace.c ---- */
/* Is there anybody who acts every few seconds or minutes? */
bool twin_has_periodic(const struct twin *twin);
/* Finds out whether a controller, or the scheduler, has something to do. */
void twin_look_ahead(struct twin_run *run);
/* Notes in the state who is waited for; false: the step is not handed out. */
bool twin_note_pace(struct twin_run *run, struct twin_state *next, enum twin_action action,
                    uint32_t workload, enum twin_pace pace);
/* Do more pods of the workload terminate than it has replicas, so that those who act every few
 * seconds wait? */
bool twin_kubelets_lag(const struct twin_run *run, uint32_t workload);
/* May those act that act every few seconds? */
bool twin_periodic_may_act(const struct twin_run *run, bool rests);

/* ---- twin_workloads.c, twin_kinds.c, twin_nodes.c, ... ---- */
void twin_sync_workloads(struct twin_run *run);
void twin_sync_kinds(struct twin_run *run);
/* ---- twin_jobs.c ---- */
void twin_sync_job(struct twin_run *run, uint32_t number, bool late);
/* Is it a Job with policies? */
bool twin_job_has_rules(const struct twin *twin, uint32_t workload);
/* Does the policy of the Job tell two of its pods apart, and these two? */
bool twin_job_has_variants(struct twin *twin, uint32_t workload);
bool twin_job_pods_are_alike(struct twin *twin, const struct place_of_pod *one,
                             const struct place_of_pod *other);
/* Hands over what becomes of a step: for each exit code that makes a difference, of each pod that a
 * Job with policies loses by it. */
void twin_job_losses(const struct twin_run *run, const struct twin_state *next,
                     enum twin_action action, void (*emit)(void *context, struct twin_state *next),
                     void *context);
/* What folding leaves of it. */
const char *twin_job_pod_text(struct twin *twin, const struct place_of_pod *pod);
void twin_job_text(struct twin *twin, const struct twin_state *state, uint32_t workload,
                   struct text *text);
void twin_job_pods(struct twin_run *run);
/* At rest time passes: a Job may have run for too long. */
void twin_job_deadlines(struct twin_run *run);
void twin_nodes(struct twin_run *run);
/* The pod has come to the node; its kubelet may have to look at it. */
void twin_arrive(struct twin *twin, struct twin_state *next, uint32_t place, uint32_t node);
/* Of the pods that wait for their kubelet, in the order in which they came. */
void twin_count_turns(struct twin_state *next);
/* Do kubelets of this cluster ever turn a pod away? */
bool twin_admission_matters(struct twin *twin);
void twin_schedule(struct twin_run *run);
int32_t twin_priority(const struct twin *twin, uint32_t revision);
/* Pods that do not wait any more have not been tried. */
void twin_forget_tries(const struct twin *twin, struct twin_state *next);
void twin_autoscale(struct twin_run *run);
/* An autoscaler goes by all pods that its target's selector finds. */
bool twin_selects(const struct object *target, const struct labels *labels);
/* One sync by the clock, with memory. */
void twin_sync_autoscaler(struct twin_run *run, uint32_t workload);
/* At rest pods move on in their pattern of usage. */
void twin_pass_time(struct twin_run *run);
/* Loops of the cluster autoscaler, if there is one: what it asks for, and what it removes at rest;
 * drains of what it removes, and nodes that come. */
void twin_scale_up(struct twin_run *run, bool rests);
/* Clocked: true if something has to be done before time passes. */
bool twin_scale_up_now(struct twin_run *run, bool rests);
bool twin_scale_down_now(struct twin_run *run);
/* Its flags. */
bool twin_autoscaler_options(struct twin *twin, struct autoscaler_options *options);
/* Clocked: has the node been in its condition for longer? */
bool twin_node_is_older(const struct twin *twin, const struct twin_state *state, uint32_t node,
                        int64_t than);
void twin_scale_down(struct twin_run *run);
void twin_drain_for_good(struct twin_run *run);
void twin_provide(struct twin_run *run);
/* Is there one that cordons the nodes that it removes? */
bool twin_autoscaler_cordons(struct twin *twin);
/* Nodes that were asked for, by the event. */
void twin_fail_to_provide(struct twin_run *run, uint32_t event);
/* Does every loop find a node that is not needed, or would not be if no pod blocked it? */
bool twin_node_lingers(struct twin *twin, const struct twin_state *state);
/* One cycle, if there is a descheduler. */
void twin_deschedule(struct twin_run *run);
/* Whose pods it would evict if it came now. */
void twin_foresee(struct twin_run *run);
/* Any node of it in a zone that is not disrupted? */
uint32_t twin_zone_of(struct twin *twin, uint32_t node);
/* Has the event come, and is what it did not undone yet? */
bool twin_event_lasts(const struct twin *twin, const struct twin_state *state, uint32_t number);
void twin_events(struct twin_run *run, bool settled);
void twin_rollbacks(struct twin_run *run);
void twin_reapplies(struct twin_run *run, bool settled);
void twin_collect_garbage(struct twin_run *run);

/* ---- twin_traffic.c ---- */

/* The level of a pod that terminates, where somebody asks. */
enum ending { ENDS_UNSERVED, ENDS_AS_ENDPOINT, ENDS_REMOVED };

void twin_add_services(struct twin *twin);
/* Some day nobody sends requests any more to a pod that terminates. */
void twin_remove_endpoints(struct twin_run *run);
/* Its hook holds up the kubelet for as long as that takes. */
bool kubelet_waits(const struct twin *twin, const struct place_of_pod *pod);
enum ending ending_of(const struct twin *twin, const struct twin_state *state, uint32_t place);
/* Do requests go where nobody answers? */
bool twin_endpoint_dies(const struct twin *twin, const struct twin_state *state,
                        const struct twin_state *next, const struct check_intent *intent,
                        enum twin_action action, uint32_t workload);
/* Only Services count of which every workload rests. */
bool twin_traffic_is_uneven(const struct twin *twin, const struct twin_state *state,
                            const struct check_intent *intent, uint32_t restless);

/* ---- twin_disks.c ---- */

/* Is a volume of the pod attached to another node than its own? */
bool twin_waits_for_disk(const struct twin *twin, const struct twin_state *state, uint32_t place);

/* ---- twin_volumes.c ---- */

void twin_find_claims(struct twin *twin);
/* The volumes of a pod as the scheduler reads them. */
void twin_dress_claims(struct twin *twin, struct pod *copy, const struct place_of_pod *pod);
/* The class of a pod that waits with a claim, in the state that is looked at; false: it has none.
 */
bool twin_class_of_claimant(struct twin *twin, uint32_t place, const struct place_of_pod *pod,
                            const struct pod *waits, uint32_t *class);
/* Claims that wait for nobody are bound. */
void twin_bind_claims(struct twin_run *run);
bool twin_claim_is_awaited(const struct twin *twin, const struct twin_state *state,
                           const struct place_of_pod *pod);
/* What the claim of a pod may be bound to when it comes to the node; 0: nothing happens. */
uint32_t twin_volumes_at(const struct twin *twin, const struct twin_state *state,
                         const struct place_of_pod *pod, uint32_t node, uint32_t *claim,
                         uint8_t *choices);
void twin_volumes_text(const struct twin *twin, const struct twin_state *state, struct text *text);

/* ---- twin_quotas.c ---- */

/* Does some quota limit how many pods of the revision there are, or a webhook keep them out? */
bool twin_is_charged(struct twin *twin, uint32_t revision);
/* So many of the pods would be admitted. */
uint32_t twin_admitted(struct twin *twin, const struct twin_state *state, uint32_t revision,
                       uint32_t wanted);
/* The same of the state in hand; if it is none, that is a step, too. */
uint32_t twin_admit(struct twin_run *run, uint32_t revision, uint32_t subject, uint32_t wanted);
/* What a controller may create instead before others come; 0: nothing. */
uint32_t twin_fewer(struct twin *twin, uint32_t revision, uint32_t created);

/* ---- twin_webhooks.c ---- */

/* Does a webhook that is asked about some pods go by pods of the revision? */
bool twin_answers_for_webhook(const struct twin *twin, uint32_t revision);
/* Is some webhook that fails closed asked about pods of the revision? */
bool twin_is_guarded(const struct twin *twin, uint32_t revision);
/* Does one of them not answer? */
bool twin_is_kept_out(const struct twin *twin, const struct twin_state *state, uint32_t revision);
/* Is another request about the revision refused: an eviction or a binding of its pods, or the
 * creation or an update of its ReplicaSet? */
bool twin_would_refuse(const struct twin *twin, const struct twin_state *state,
                       const char *resource, const char *operation, uint32_t revision);
/* Likewise, and emits that it is. */
bool twin_refuses(struct twin_run *run, const char *resource, const char *operation,
                  uint32_t revision);
/* Is it the step by which a request is refused? */
bool twin_is_refusal(enum twin_action action);

/* ---- twin_images.c ---- */

/* Those that count; false if they are too many. */
bool twin_find_images(struct twin *twin);
/* Nodes report what was pulled for their pods. */
void twin_report_images(struct twin_run *run);
/* The node that looks like this, once it has pulled images. */
uint32_t twin_with_images(struct twin *twin, uint32_t template, uint32_t images);
/* May the scheduler choose the entry, if images whose size nobody says have some size? */
bool twin_images_decide(struct twin_run *run, uint32_t revision, const struct decision *decision,
                        const uint32_t *numbers, uint32_t entry);

/* ---- twin_budgets.c ---- */

/* The budgets that are there, with the disruptions that they allow. */
const struct view_budget *twin_budgets(struct twin_run *run, uint32_t *count);
/* Is it one of those that some budget is about? */
bool twin_budget_counts(struct twin *twin, const struct object *pod);
/* Does the eviction API let go of the pod? */
bool twin_may_evict(struct twin_run *run, uint32_t place);
/* It has let go of the pod, which is there still. */
void twin_spend_budget(struct twin *twin, struct twin_state *next, uint32_t place);
/* Where statuses lag: the disruption controller writes what it sees. */
void twin_sync_budgets(struct twin_run *run);

/* ---- twin_intents.c ---- */
/* Is the workload as its spec wants? */
bool twin_converged(const struct twin *twin, const struct twin_state *state, uint32_t workload,
                    bool rollout);
uint64_t twin_marks(struct twin *twin, const struct twin_state *state, struct twin_state *next,
                    enum twin_action action, uint32_t workload, uint32_t victims);
uint64_t twin_atoms(struct twin *twin, const struct twin_state *state);
void twin_begin_intents(struct twin *twin, struct twin_state *next);
/* Does some intent that looks at rests dislike this one, in which some workloads go on? */
bool twin_rest_disliked(struct twin *twin, const struct twin_state *state, uint32_t restless);

/* ---- twin_expressions.c ---- */

void twin_compile_expressions(struct twin *twin);
void twin_compile_condition(struct twin *twin, struct twin_event *event);
/* Does an expression, or a condition of an event, read this field of pods? */
bool twin_reads_pods(const struct twin *twin, const char *field);
/* Does one tell how many pods there are that wait? */
bool twin_counts_pods(const struct twin *twin);
bool twin_expression_atom(struct twin *twin, const struct twin_state *state, uint32_t number);
/* Keeps what the intent remembers of a run that has come to `next`. */
void twin_expression_remember(struct twin *twin, struct twin_state *next, uint32_t number);
/* May the event come in this state, as its condition has it? */
bool twin_event_is_allowed(struct twin *twin, const struct twin_state *state, uint32_t number);
/* Expressions with times: ticks until one of them comes to a limit, and what they have waited. */
uint32_t twin_words_until_due(const struct twin *twin, const struct twin_state *state);
void twin_words_wait(const struct twin *twin, struct twin_state *next, uint32_t ticks);

#endif
