/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the cluster model, shared by its files.
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
 *   flags        settled once; begun; some pod was bound since things rested;
 *                places are alike; focus << 4
 *   monitor m    what the intents remember, some words each
 *   clocks       with clocked time only: what is left, and ages (clock.h)
 *   nodes        config << count_bits | count, sorted by what the configs are: the
 *                multiset of node configs. All nodes of the setup fit into a count
 */
#ifndef FATHOM_MODEL_POPULATION_POPULATION_INTERNAL_H
#define FATHOM_MODEL_POPULATION_POPULATION_INTERNAL_H

#include "base/vec.h"
#include "model/controller/hpa.h"
#include "model/population/population.h"
#include "model/scheduler/scheduler.h"
#include "model/view.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"

enum {
    REPLICAS_NARROW = 65534,   /* that fit into half a word */
    REPLICAS_MOST = 0x3ffffff, /* of all words: far from overflowing sums */
    WORDS_MOST = 1024,
};

/* The actions, for people; fairness tells their subjects apart, too. */
enum population_action {
#define ACTION(constant, actor, verb, fair) constant,
#include "model/population/actions.def"
#undef ACTION
    POPULATION_ACTION_COUNT
};

enum pod_stage {
    STAGE_STARTING, /* admitted, not ready yet */
    STAGE_READY,
    STAGE_TERMINATING,
    STAGE_BOUND,   /* on the node, and not yet admitted by its kubelet */
    STAGE_WAITING, /* pending, and meant for this node alone: it holds nothing there */
    STAGE_COUNT
};

/* What can be wrong with a node (conditions.def). */
enum node_condition {
#define CONDITION(constant, word, ready, works, evicts, reached, returns, becomes) constant,
#include "model/population/conditions.def"
#undef CONDITION
    NODE_CONDITION_COUNT
};

struct condition_traits {
    const char *word;
    bool ready;
    bool works;
    bool evicts;
    bool reached;
    bool returns;
    enum node_condition becomes;
};
extern const struct condition_traits condition_traits[NODE_CONDITION_COUNT];

enum { PRESSURE_MASKS = 8 };

struct pod_level {
    int64_t cpu_milli; /* what one pod uses */
};

/* What becomes of the pods of a Job (docs/formats.md). */
enum pod_outcome { OUTCOME_SUCCEEDS, OUTCOME_FAILS, OUTCOME_EITHER };

/* A kind of pods: those made from one template of a workload. Where pods have
 * identities (an ordinal of a StatefulSet), each ordinal is a kind of its own;
 * the kinds of one template stand together, by ordinal. */
struct revision {
    uint32_t workload;
    uint32_t number; /* which template of the workload: 0 is the first */
    int32_t ordinal; /* -1: the pods of this kind are interchangeable */
    const struct pod_template *template;
    const struct object_meta *owner_meta;
    const char *signature; /* of the template */
    struct pod *pod;       /* a pod of this revision that nobody has looked at yet */
    uint32_t pending_class;
    uint32_t scheduler; /* which one: 0 unless there are several (see step_scheduler.c) */
    uint32_t *classes;  /* by stage * level_count + level */
    int32_t priority;
    int64_t request_cpu_milli;
    const char *node_name; /* spec.nodeName: no scheduler is asked */
    bool served;           /* some Service sends requests to its pods (traffic.c) ... */
    bool published;        /* ... as long as they are there */
    bool serves_on;        /* its preStop hook outlasts the removal of endpoints */
    bool never_waits;      /* of bystanders that are on their nodes */
    bool pinned;           /* its node's own pods: a drain leaves them alone */
    bool never_ready;      /* the template says so (docs/formats.md) */
    enum pod_outcome outcome;
    uint32_t set_word;                   /* of a state; 0: it has no set */
    const struct daemon_set *daemon_set; /* with this template; NULL: of no DaemonSet */
    struct daemon_place *daemon_places;  /* by node template */
    /* Where its pods that wait are in a state. */
    uint32_t pending_word;
    uint32_t pending_shift;
    uint32_t pending_mask;
};

/* Does a pod of a DaemonSet belong on nodes of a template, may one stay there? */
struct daemon_place {
    bool should_run;
    bool should_continue;
};

struct workload {
    enum object_kind kind;
    const struct setup_workload *setup;
    int32_t replicas;
    int32_t autoscaler_min;
    int32_t autoscaler_max;
    /* With a pattern of usage level 2k is its step k and 2k + 1 the same for
     * pods that have been there longer than others (step_time.c). */
    struct pod_level *levels;
    uint32_t level_count;
    uint32_t first_level;   /* of a pod that has just become ready */
    uint32_t pattern_steps; /* 0: there is no pattern */
    uint32_t load;          /* which of a state's loads it bears, plus one; 0: none */
    VEC(int64_t) totals;    /* that its load can be, in thousandths */
    uint32_t first_total;   /* that it is at the beginning, plus one; 0: none */
    uint32_t first_revision;
    uint32_t revision_count; /* kinds of pods: templates times ordinals */
    uint32_t ordinal_count;  /* 1 where pods have no ordinals */
    int32_t first_ordinal;
    struct optional_int completions;     /* of a Job */
    const struct deployment *deployment; /* NULL: it is none */
    bool is_set;                         /* a ReplicaSet or ReplicationController of its own */
    /* Its object, and those of `apply` that give it other rules than these. */
    VEC(const struct object *) specs;
    uint32_t status_word;  /* of a state; UINT32_MAX: it has no status there */
    uint32_t victim_bit;   /* in happening.victims */
    uint32_t present;      /* its present revision at the start */
    bool bystander;        /* pods that nobody looks after: see build_observed.c */
    uint32_t budget_owner; /* of a bystander: as disruption.h has them */
};

/* A node of the start, by name, with the pods on it: names and classes. */
struct observed_name {
    const char *name;
    uint32_t number; /* class of a pod on a node, revision of one that waits */
};

struct observed_node {
    const char *name;
    uint32_t group;
    uint32_t config;
    VEC(struct observed_name) pods;
};

struct autoscaler {
    const struct horizontal_pod_autoscaler *object;
    uint32_t workload; /* its target */
    int32_t min_replicas;
    int32_t max_replicas;
    bool *selects; /* by revision: does the target's selector find its pods? */
};

struct service_info {
    const struct service *service;
    bool *selects; /* by revision */
};

/* What a class of pods on a node is to the model. */
struct class_info {
    uint32_t revision;
    enum pod_stage stage;
    uint32_t level;
    uint32_t slot; /* of its cohort (clock.h); 0 without clocks */
};

struct template_info {
    uint32_t group;
    uint32_t node; /* for a named node its number, otherwise 0 */
    enum node_condition condition;
    uint32_t slot;      /* of its cohort (clock.h); 0 without clocks */
    uint32_t target;    /* the same as the only node that a pod may go to */
    uint32_t pressures; /* bits of enum kubelet_pressure */
    bool passes;        /* the pressure is sure to end some day */
    uint32_t zone;      /* of the node lifecycle controller; UINT32_MAX: not counted */
};

struct node_kind {
    uint32_t group;
    bool named;
    uint32_t templates[NODE_CONDITION_COUNT];
    uint32_t timed[NODE_CONDITION_COUNT]; /* the first of those by slot (clock.h) */
    /* Up, and under pressure: by its bits, and whether it passes. 0: never. */
    uint32_t pressed[PRESSURE_MASKS][2];
};

struct apply_effect {
    uint32_t spec;         /* of the workload's `specs` */
    bool gives_replicas;   /* the manifest has the field */
    bool changes_replicas; /* or takes back what was applied before */
    int32_t replicas;
    uint32_t revision; /* the workload's present one afterwards */
    bool differs;      /* from what the manifests gave it in the beginning */
    uint32_t workload;
};

struct population_event {
    const struct check_event *event;
    uint32_t workload;    /* UINT32_MAX: none */
    uint32_t first_level; /* of a CPU change or load: where its levels or totals begin */
    VEC(struct apply_effect) effects;
};

struct intent {
    const struct check_intent *source;
    uint32_t workload; /* UINT32_MAX: all */
    uint32_t monitor;  /* its first monitor word */
};

/* Pods of one revision on each node of a config, or waiting for it. */
struct revision_pods {
    uint32_t revision;
    uint32_t active; /* not terminating */
    uint32_t ready;
    uint32_t terminating;
};

/* What a config means to the model (config_facts.c). */
struct config_facts {
    bool known;
    enum node_condition condition;
    bool kubelet_acts; /* some pod is its kubelet's to look after */
    bool tainted;
    uint32_t pod_count;
    const struct revision_pods *pods; /* each revision that it has pods of */
};

/* What comes of one change of a config. */
struct config_change {
    uint32_t config;
    uint32_t from;
    uint32_t to;
    uint32_t result; /* plus one; 0: the slot is free */
};

/* All that a Deployment's sync goes by, as words. */
enum { SYNC_WORDS_MOST = 28 };
struct deployment_seen {
    uint32_t count; /* 0: nothing; more than SYNC_WORDS_MOST: it does not fit */
    uint32_t words[SYNC_WORDS_MOST];
};

struct population_state;
struct expansion;

struct population {
    struct memory *memory;
    struct arena arena;   /* of the cluster's life */
    struct arena scratch; /* of one expansion */
    const struct scope *scope;
    const struct setup *setup;
    struct population_options options;
    struct problems *problems;

    struct clock *clock; /* NULL: time is asynchronous */

    struct catalog *catalog;
    struct profiles profiles;
    struct scheduler *scheduler;
    VEC(struct class_info) classes;      /* by class number */
    VEC(struct template_info) templates; /* by template number */
    VEC(struct config_facts) facts;      /* by config number, as far as anybody asked */
    struct config_change *changes;       /* open addressing */
    uint32_t change_slots;               /* a power of two */
    uint32_t change_count;
    struct deployment_seen *idle_syncs;        /* a cache: see idle_syncs.c */
    struct known_placements *known_placements; /* likewise: known_placements.c */
    VEC(struct node_kind) node_kinds;
    VEC(struct workload) workloads; /* those of the scope, then bystanders */
    uint32_t managed_count;         /* the former */
    VEC(struct revision) revisions;
    VEC(struct autoscaler) autoscalers;
    VEC(struct service_info) services; /* if an intent is about traffic */
    bool endpoints;                    /* pods that terminate may be endpoints still */
    VEC(struct population_event) events;
    VEC(struct intent) intents;
    uint32_t monitor_count;
    uint32_t load_count;
    uint32_t zone_count;
    bool deletes;             /* objects may be deleted */
    bool doubts;              /* nodes are not tainted at once: see step_lifecycle.c */
    uint32_t scheduler_count; /* those that know nothing of each other */

    struct arena removals; /* working space of the ReplicaSets' ranking */
    bool nominates;        /* some place was kept for a pod */
    bool has_jobs;
    bool remembers_settling; /* some event waits for the first settling */
    bool needs_readiness;    /* somebody can see a pod that is bound but not ready */
    bool has_daemon_sets;
    bool has_pressure;      /* a node may run low */
    bool admission_matters; /* pods may reach nodes that do not admit them */
    bool starts_settled;    /* runs begin once everything rests */
    bool begins;            /* some run does */
    bool overflow;          /* a limit of the state's layout was passed: undecided */
    bool wide;              /* replicas may pass 16 bits */
    bool creates_first;     /* reductions.c */
    bool ready_at_once;
    bool remembers_binding;         /* as long as some pod may not have started yet */
    bool parts;                     /* workloads may be looked at one at a time: apart.c */
    enum population_parting parted; /* and somewhere they were */
    bool needs_all;                 /* a step was met that the reductions are not made for */
    uint32_t count_bits;            /* of a node's word */

    /* Where runs begin with the present state; empty otherwise. */
    uint32_t *observed_revisions; /* by pod of the scope */
    VEC(struct observed_node) observed_nodes;
    VEC(struct observed_name) observed_waiting;

    uint32_t word_of_workloads, word_of_events, word_of_loads, word_of_flags, word_of_monitors,
        word_of_clocks, word_of_nodes;
    const struct population_state *initial;
    struct model model;
    VEC(struct property) properties;
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

struct set_state {
    int32_t replicas; /* -1: there is no such set yet */
    int32_t desired;
};

/* The present revision of a workload that is not there yet. */
enum { WORKLOAD_ABSENT = 0xffff };

enum job_end { JOB_GOES_ON, JOB_IS_COMPLETE, JOB_HAS_FAILED };

/* What the controller of a workload remembers beside its pods. */
struct workload_status {
    uint32_t current;  /* StatefulSet: the template of its current revision, by number */
    uint32_t spec;     /* whose rules hold: of the workload's `specs` */
    int32_t succeeded; /* Job: see step_jobs.c */
    int32_t failed;
    enum job_end over;
};

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

struct clocks {
    uint32_t *sync_left; /* by autoscaler: ticks until its next sync */
    uint32_t *memory;    /* by autoscaler: what it remembers, a number */
    uint32_t *wave_left; /* by wave of load: until its next step */
    uint32_t cycle_left; /* of the descheduler */
    const struct cohort *cohorts;
    uint32_t cohort_count;
    const struct node_cohort *node_cohorts;
    uint32_t node_cohort_count;
};

/* Pods by revision, those that wait not included. */
struct pod_tally {
    bool counted;
    uint32_t *active;
    uint32_t *ready;
};

/* As words: all but Jobs have nothing in the second. */
enum { STATUS_WORDS = 2 };
void status_pack(const struct workload_status *status, uint32_t *words);
void status_unpack(const uint32_t *words, struct workload_status *status);

/* A state, unpacked. */
struct population_state {
    int32_t *replicas; /* by workload */
    uint32_t *present; /* by workload: its present revision, or WORKLOAD_ABSENT */
    struct workload_status *statuses;
    struct set_state *sets; /* by revision */
    uint32_t *pending;      /* by revision */
    uint32_t *event_used;
    uint32_t *loads;
    bool settled_once;
    bool begun;     /* events may come and intents count: not yet while a start settles */
    bool bound;     /* some pod was, since things last rested; if that is remembered */
    bool anywhere;  /* it is all the same which of its best nodes a pod gets (apart.c) */
    uint32_t focus; /* the only workload that acts, plus one; 0: all do */
    uint32_t *monitors;
    struct view_node *nodes;
    uint32_t listed_count; /* the first: those whose object is there; as unpacked */
    uint32_t node_count;
    uint32_t node_capacity;
    struct clocks clocks;    /* all zero without clocks */
    struct pod_tally *tally; /* of a state as it was unpacked; NULL: it may change */
};

/* ---- supports_kinds.c ---- */
/* What is not modelled of the workloads and of what is applied to them. */
void supports_kinds(const struct scope *scope, const struct check_intent *intents,
                    uint32_t intent_count, struct problems *problems);

/* ---- supports_applied.c ---- */
/* Reports what the model cannot follow of what `apply` events bring. */
void supports_applied(const struct scope *scope, struct problems *problems);

/* ---- build_pods.c ---- */
/* Of a pod template: pods that start and never become ready. */
#define ANNOTATION_NEVER_READY "fathom.dev/never-ready"
/* Of a Job's template: what becomes of its pods. */
#define ANNOTATION_OUTCOME "fathom.dev/outcome"

/* Does the template say that its pods never become ready? */
bool template_is_never_ready(const struct pod_template *template);
/* "succeeds", "fails" or "either"; false if the text is none of them. */
bool pod_outcome_parse(const char *text, enum pod_outcome *outcome);
enum pod_outcome template_outcome(const struct pod_template *template);
/* A pod of the workload's template with this number, as its controller makes it. */
struct pod *pod_of_template(struct population *population, uint32_t workload,
                            const struct pod_template *template, uint32_t number, int32_t ordinal);

/* ---- build_volumes.c ---- */
void claims_bind(struct population *population);
void pod_drop_loose_claims(struct population *population, struct pod *pod);
/* The claims that a StatefulSet makes for its pod. */
void pod_add_claims(struct population *population, const struct object *object, struct pod *pod);

/* ---- build_revisions.c ---- */
/* One more template of the workload; gives its first revision. */
uint32_t population_add_revision(struct population *population, uint32_t workload,
                                 const struct pod_template *template, const char *signature);

/* ---- build_usage.c ---- */
int64_t pod_cpu_request(const struct pod_spec *spec);

/* ---- build_nodes.c ---- */
/* Of nodes of this kind when everything begins. */
uint32_t first_template(const struct population *population, const struct node_kind *kind);

/* ---- build_workloads.c ---- */
/* The most replicas that anybody may ask of the workload. */
int32_t population_replicas_most(const struct population *population, uint32_t workload);

/* ---- apart.c ---- */
/* Is there nothing but room on nodes between the workloads? */
bool workloads_may_part(const struct population *population);
/* Can each be looked at by itself from this state on, and why? */
enum population_parting workloads_part(struct population *population,
                                       const struct population_state *state);

/* ---- canonical.c ---- */
/* A state of rest that an empty cluster can come to; the empty one if it comes to
 * none in this way. The model is complete but for its initial state. */
const struct population_state *canonical_start(struct population *population,
                                               const struct population_state *empty);

/* ---- reductions.c ---- */
void reductions_choose(struct population *population);
/* Only the step by which some set makes pods; false: none has to. */
bool create_first(struct expansion *expansion);

/* ---- build_observed.c, observed_revisions.c ---- */
/* The revisions of the sets that are there; gives the present one. */
uint32_t observed_add_revisions(struct population *population, uint32_t workload);
/* Makes the pod of a template look like those that there are of it. */
void observed_dress(struct population *population, uint32_t workload, uint32_t number,
                    int32_t ordinal, struct pod *pod);
/* How many ordinals the StatefulSet's pods need that are there. */
uint32_t observed_ordinals(const struct scope *scope, uint32_t workload);
/* Finds the revision of every pod; adds those of bystanders. */
void observed_add_pods(struct population *population);
bool observed_needs_readiness(const struct population *population);
/* Sets, pods and nodes of the initial state. */
void observed_begin(struct population *population, struct population_state *state);
/* Warns of pods that the model takes to be like others. */
void observed_check(const struct scope *scope, struct problems *problems);

/* ---- build_daemon_sets.c ---- */
/* A template for the one node that a pod asks for; the others are told apart. */
void add_target_template(struct population *population, uint32_t template);
void pod_ask_for_target(struct arena *arena, struct pod *pod);
/* The workload's DaemonSet with another template. */
const struct daemon_set *daemon_set_with(struct arena *arena, const struct workload *workload,
                                         const struct pod_template *template);
/* When all templates are known. */
void find_daemon_places(struct population *population);

/* ---- config_facts.c ---- */
/* Of a config that nobody has asked about yet. */
const struct config_facts *config_facts_find(const struct population *population, uint32_t config);
static inline const struct config_facts *config_facts(const struct population *population,
                                                      uint32_t config)
{
    return config < population->facts.count && population->facts.items[config].known
               ? &population->facts.items[config]
               : config_facts_find(population, config);
}
static inline enum node_condition config_condition(const struct population *population,
                                                   uint32_t config)
{
    return config_facts(population, config)->condition;
}
/* What came of the same change before: one pod of `from` replaced by one of `to`. */
bool config_change_known(const struct population *population, uint32_t config, uint32_t from,
                         uint32_t to, uint32_t *result);
void config_change_remember(struct population *population, uint32_t config, uint32_t from,
                            uint32_t to, uint32_t result);

/* ---- idle_syncs.c ---- */
/* What the Deployment's sync would see now. */
void deployment_see(const struct population *population, const struct population_state *state,
                    uint32_t workload, uint32_t old_pods_unfinished, struct deployment_seen *seen);
/* Is it known that nothing comes of a sync that sees this? */
bool sync_is_idle(const struct population *population, const struct deployment_seen *seen);
void sync_remember_idle(struct population *population, const struct deployment_seen *seen);

/* ---- known_placements.c ---- */
/* Is it known which entries of the view are the best for a pod of this class that
 * is nominated nowhere? `best` has a bit for each of them. */
bool placement_is_known(struct population *population, const struct view *view, uint32_t class,
                        uint32_t *best);
void placement_remember(struct population *population, const struct view *view, uint32_t class,
                        const uint32_t *entries, uint32_t count);

/* ---- population_state.c ---- */
/* All zero, with room for so many entries of nodes. */
struct population_state *state_new(const struct population *population, struct arena *arena,
                                   uint32_t node_capacity);
struct population_state *state_unpack(struct population *population, const uint32_t *words,
                                      uint32_t length);
struct population_state *state_copy(struct population *population,
                                    const struct population_state *state);
/* One that lives as long as the population. */
const struct population_state *state_keep(struct population *population, const uint32_t *words,
                                          uint32_t length);
/* Sorts and merges the nodes; gives the number of words, 0 on overflow. */
uint32_t state_pack(struct population *population, struct population_state *state, uint32_t *words);
/* One node of entry `index` becomes a node of another config. */
void state_move_node(struct population *population, struct population_state *state, uint32_t index,
                     uint32_t config);
/* All pods of a config: those on the node and, behind them in its `pods`, those
 * that wait for this node alone. */
static inline uint32_t config_entry_count(const struct node_config *config)
{
    return config->pod_entry_count + config->waiting_entry_count;
}
/* The config with one pod of `from` (VIEW_NONE: none) replaced by one of `to`
 * (VIEW_NONE: none). */
uint32_t config_replace(struct population *population, uint32_t config, uint32_t from, uint32_t to);
/* The same pods on a node in another condition. */
uint32_t config_with_condition(struct population *population, uint32_t config,
                               enum node_condition condition);
/* The same pods on a node of another template. */
uint32_t config_on(struct population *population, uint32_t config, uint32_t template);
/* The same node as the one that pods waiting for it may go to. */
uint32_t config_as_target(struct population *population, uint32_t config);
uint32_t class_at(const struct population *population, uint32_t revision, enum pod_stage stage,
                  uint32_t level);
/* Of a pod that has just been bound. */
uint32_t class_of_new(const struct population *population, uint32_t revision);
/* The workload shall have so many replicas from now on. */
void state_set_replicas(const struct population *population, struct population_state *state,
                        uint32_t workload, int32_t replicas);
/* Pods of a revision that are not terminating, pending ones included. */
uint32_t state_active(const struct population *population, const struct population_state *state,
                      uint32_t revision);
/* Is a pod of the revision pending that is for one node only? */
bool state_waits_for_nodes(const struct population *population,
                           const struct population_state *state, uint32_t revision);
uint32_t state_ready(const struct population *population, const struct population_state *state,
                     uint32_t revision);

/* ---- nominations.c ---- */
/* How many pending pods of the class have a place kept on each such node. */
uint32_t config_nominations(const struct population *population, uint32_t config, uint32_t class);
/* The config with a place more, or less, kept for a pod of the class. */
uint32_t config_nominate(struct population *population, uint32_t config, uint32_t class, bool add);
/* The config with no place kept for anybody. */
uint32_t config_without_nominations(struct population *population, uint32_t config);
/* So many pods of the revision that waited were deleted, any of them: those that
 * had a place kept give it back. Every state that may come of it; `state` is kept
 * or visited itself. */
void state_each_loss(struct population *population, struct population_state *state,
                     uint32_t revision, uint32_t deleted,
                     void (*visit)(void *context, struct population_state *state), void *context);
/* No more places than waiting pods: all of them may be gone. */
void state_trim_nominations(struct population *population, struct population_state *state);

/* The object whose rules the workload follows now. */
const struct object *state_spec(const struct population *population,
                                const struct population_state *state, uint32_t workload);
/* The same for all pods of a workload. */
uint32_t state_workload_active(const struct population *population,
                               const struct population_state *state, uint32_t workload);
uint32_t state_workload_ready(const struct population *population,
                              const struct population_state *state, uint32_t workload);
/* Pods on a node that does not answer, or is gone, are marked not ready. */
static inline bool pod_is_ready_in(const struct class_info *info, enum node_condition condition)
{
    return info->stage == STAGE_READY && condition_traits[condition].ready;
}
/* Does a pod on a node of this config count as ready? */
static inline bool pod_is_ready_on(const struct population *population,
                                   const struct class_info *info, uint32_t config)
{
    return pod_is_ready_in(info, config_condition(population, config));
}
/* Is the workload as its spec wants? */
bool workload_converged(const struct population *population, const struct population_state *state,
                        uint32_t workload, enum intent_kind intent);
/* The entry of the node of this name; UINT32_MAX: there is none. */
uint32_t state_find_named(const struct population *population, const struct population_state *state,
                          const char *name);
/* So many new pods of the revision: on the node that they name, or waiting. Gives
 * the entry of that node, UINT32_MAX if there is none. */
uint32_t state_add_pods(struct population *population, struct population_state *state,
                        uint32_t revision, uint32_t count);

/* Does a state have a word for a set of this revision's? */
bool revision_has_set(const struct population *population, uint32_t revision);

struct kubelet_reason;

/* ---- expansion ---- */
struct expansion {
    struct population *population;
    const struct population_state *state;
    struct step_sink *sink;
    uint32_t *words; /* room for WORDS_MOST */
    bool moved;      /* a step was emitted that changes the state ... */
    bool lazy;       /* what is emitted now may wait: neither rest nor time waits for it ... */
    bool waits;      /* ... but something such was emitted */
    enum population_parting parts; /* from here on each workload is looked at by itself */
    bool first_only;               /* whoever has found a step need not look for more */
    bool postponed; /* what is emitted now is left out here: only that it could be is told */
};

/* What a step is about, for intents and descriptions. */
struct happening {
    enum population_action action;
    uint32_t workload; /* UINT32_MAX: none */
    uint32_t revision; /* UINT32_MAX: none */
    uint32_t node;     /* index of the entry it happens on; UINT32_MAX: none */
    uint32_t amount;
    uint32_t event;
    uint32_t nominated; /* a pod is tried that has a place kept here: the entry + 1; 0: none */
    uint64_t victims;   /* who loses pods by it: see victims_of */
};

/* Where the pods of a class are: on the nodes of an entry, or (UINT32_MAX) on none. */
struct pods_at {
    uint32_t entry;
    uint32_t class;
};

/* Pods of one revision that their controller deletes. */
struct removal {
    struct expansion *expansion;
    const struct pods_at *places;
    uint32_t place_count;
    const uint32_t *amounts; /* of each place */
    struct happening happening;
    const struct workload_status *status; /* of the workload afterwards; NULL: as before */
};

/* Hands over all steps that take these amounts: ---- removal.c ---- */
void removal_emit(struct removal *removal, const uint32_t *amounts);

/* What of it goes into a step's argument, for those who tell of it. Numbers
 * that do not fit are UINT32_MAX again; amounts end at the largest that does. */
struct step_subject {
    uint32_t revision;
    uint32_t node;
    uint32_t amount;
};
/* How many subjects fairness tells apart: each action has a class of each. */
uint32_t population_fairness_subjects(const struct population *population);

uint32_t step_subject_pack(struct step_subject subject);
struct step_subject step_subject_of(const struct step *step);

/* The bit of the revision's workload: each workload that an intent names has
 * one of its own, the others share one. */
uint64_t victims_of(const struct population *population, uint32_t revision);

/* Is the workload out of focus? */
static inline bool expansion_ignores(const struct expansion *expansion, uint32_t workload)
{
    return expansion->state->focus > 0 && workload != UINT32_MAX &&
           workload + 1 != expansion->state->focus;
}

/* Hands over the step to `next`, with the marks that the intents give it. */
void expansion_emit(struct expansion *expansion, struct population_state *next,
                    const struct happening *happening);
/* Something happens that leaves the state as it is (a pod cannot be placed). */
void expansion_emit_idle(struct expansion *expansion, const struct happening *happening);

void population_expand(const struct model *model, void *worker, const uint32_t *words,
                       uint32_t length, struct step_sink *sink);
uint64_t population_atoms(const struct model *model, void *worker, const uint32_t *words,
                          uint32_t length);
void population_describe_state(const struct model *model, void *worker, const uint32_t *words,
                               uint32_t length, struct text *text);
void population_describe_step(const struct model *model, void *worker, const uint32_t *from,
                              uint32_t from_length, const struct step *step, struct text *text);

/* Says, at rest, which intents do not like this rest; `for_good`: no periodic
 * controller has anything to do either. */
void expansion_emit_settled(struct expansion *expansion, bool for_good);

void step_deployments(struct expansion *expansion);
void step_replica_sets(struct expansion *expansion);
void step_replica_set(struct expansion *expansion, uint32_t revision);
void step_stateful_sets(struct expansion *expansion);
/* "it waits for pod db-1 to become ready"; NULL: it waits for nothing. */
const char *stateful_set_note(struct population *population, const struct population_state *state,
                              uint32_t workload, struct arena *arena);
void step_daemon_sets(struct expansion *expansion);
/* ---- step_jobs.c ---- */
void step_jobs(struct expansion *expansion);
void step_job_deadlines(struct expansion *expansion);
void step_job_pods(struct expansion *expansion);
/* Is a pod of a Job running, so that it may come to its end at any moment? */
bool jobs_run(const struct population *population, const struct population_state *state);
/* Pods of a Job that have come to their end, and are still there as objects; at
 * least 1 if there are any. */
uint32_t jobs_finished(const struct population *population, const struct population_state *state,
                       uint32_t workload);
void jobs_count_lost(const struct population *population, const struct population_state *state,
                     struct population_state *next, enum population_action action);

void step_scheduler(struct expansion *expansion);
/* ---- step_kubelets.c ---- */
void step_kubelets(struct expansion *expansion);
/* The config of a node that a pod of the revision has come to. */
uint32_t config_with_new_pod(struct population *population, uint32_t config, uint32_t revision);
/* Why the kubelet turns a bound pod of the revision away; NULL: it does not. */
const struct kubelet_reason *kubelet_why_rejected(struct population *population, uint32_t config,
                                                  uint32_t revision);
bool admission_matters(const struct population *population);

/* ---- conditions.c ---- */
/* The condition of a node that the event takes. */
/* Of a node that has failed and is sure to come back. */
enum node_condition failed_condition(const struct population *population);
enum node_condition event_condition(const struct population *population,
                                    const struct check_event *event);
/* Can the events bring it about? */
bool condition_is_possible(const struct population *population, enum node_condition condition);

/* ---- step_lifecycle.c ---- */
void step_lifecycle(struct expansion *expansion);
bool doubt_is_possible(const struct population *population);
/* Are there NoExecute taints for nodes that do not answer at all? */
bool lifecycle_evicts(struct population *population, const struct population_state *state);
/* If there are none, those that are there go. */
void lifecycle_forget_taints(struct population *population, struct population_state *state);

/* ---- usage.c ---- */
struct usage {
    const struct population *population;
    int64_t *shares; /* by workload, of its load; -1: it bears none; NULL: none does */
};
struct usage usage_of(struct population *population, const struct population_state *state);
/* What a ready pod of the class uses, on a node in this condition. */
int64_t usage_of_pod(const struct usage *usage, const struct class_info *info,
                     enum node_condition condition);

void step_taints(struct expansion *expansion);
void step_drains(struct expansion *expansion);
void step_panics(struct expansion *expansion);
void step_time(struct expansion *expansion);
/* A decision comes: whoever is there is older than whom it will bring. */
void make_elders(struct population *population, struct population_state *state, uint32_t workload);
void step_descheduler(struct expansion *expansion);
/* All autoscalers of the workloads; the revisions are known. */
void add_autoscalers(struct population *population);
/* What one sync would see; lives in the scratch arena. */
struct hpa_input autoscaler_input(struct population *population,
                                  const struct population_state *state,
                                  const struct autoscaler *autoscaler);
/* What it would do, and what it saw. */
struct hpa_decision autoscaler_decide(struct population *population,
                                      const struct population_state *state,
                                      const struct autoscaler *autoscaler, struct hpa_input *input);
void step_autoscalers(struct expansion *expansion);
void step_events(struct expansion *expansion, bool settled);
/* ---- traffic.c ---- */
/* Levels of pods that terminate, where intents ask about endpoints. */
enum { ENDING_ENDPOINT, ENDING_REMOVED, ENDING_UNSERVED, ENDING_COUNT };
enum { ENDPOINT_SECONDS = 5 }; /* until an endpoint is removed everywhere */
bool service_selects(const struct service *service, const struct object_meta *pod);
void add_services(struct population *population);
/* What a pod of the class, on a node of this config, becomes when it is told to end. */
uint32_t class_ending(const struct population *population, uint32_t config, uint32_t class);
/* Its preStop hook sleeps. */
bool kubelet_must_wait(const struct population *population, const struct class_info *info);
void step_endpoints(struct expansion *expansion);
bool endpoint_stopped(const struct population *population, const struct population_state *state,
                      const struct population_state *next, uint32_t revision);
/* Was it one that proxies had already left, and came back to for want of others? */
bool endpoint_was_removed(const struct population *population, const struct population_state *state,
                          const struct population_state *next, uint32_t revision);
/* Is a request sent to a pod that has stopped, or cannot be reached? */
bool endpoint_dies(const struct population *population, const struct population_state *state,
                   const struct population_state *next, const struct intent *intent,
                   const struct happening *happening);
bool traffic_is_uneven(const struct population *population, const struct population_state *state,
                       const struct intent *intent);

/* ---- step_deletions.c ---- */
void event_deletes(struct expansion *expansion, uint32_t number);
void step_garbage(struct expansion *expansion);
bool name_matches(const char *pattern, const char *name);
/* A budget or autoscaler: is it gone? */
bool object_is_deleted(const struct population *population, const struct population_state *state,
                       const char *kind, const struct object_meta *meta);
/* nodeFailure, zoneOutage, partition */
void event_takes_nodes(struct expansion *expansion, uint32_t number);
/* Controllers that apply their manifests whenever the objects differ. */
void step_reapplies(struct expansion *expansion, bool settled);
void step_rollbacks(struct expansion *expansion);

/* Seconds for which a pod may stay on the node in spite of its NoExecute taints
 * (taint_manager.h); those of the node's silence count if it is `silent`. */
int64_t node_tolerated_seconds(struct arena *scratch, const struct node *node,
                               const struct pod_spec *spec, bool silent);

/* With clocks: nothing but time and the memories of controllers change by it. */
bool action_is_quiet(enum population_action action);

/* Does something happen to this because of the world, whatever it is? */
bool action_is_event(enum population_action action);
/* Does the event concern nodes of this config: its group, or the very node? */
bool event_concerns(const struct population *population, const struct check_event *event,
                    uint32_t config);
/* An amount of CPU, or a percentage of `whole`. */
int64_t level_amount(const struct cpu_level *level, int64_t whole);

/* Is a pod of this revision one of those that the budget is about? */
bool budget_guards(const struct population *population, const struct pod_disruption_budget *budget,
                   uint32_t revision);

/* CPU that the ready pods of a node use, in thousandths. */
int64_t node_cpu_used(const struct usage *usage, const struct node_config *config);

/* The plugin by which the descheduler's step from one state to the other takes
 * pod after pod; false if there is no such eviction. */
bool descheduler_blames(struct population *population, const struct population_state *from,
                        const struct population_state *to, uint32_t number,
                        enum descheduler_plugin *plugin);

/* Would the eviction API let go of a pod of this revision? */
bool eviction_is_allowed(const struct population *population, const struct population_state *state,
                         uint32_t revision, bool ready);

/* Disruptions that the budget allows as things are. */
int32_t budget_allows(const struct population *population, const struct population_state *state,
                      const struct pod_disruption_budget *budget);
/* All budgets as things are, for a view; in the scratch arena. */
const struct view_budget *state_budgets(struct population *population,
                                        const struct population_state *state, uint32_t *count);

/* ---- step_scheduler.c ---- */
/* What a node of the entry says to a pod of a DaemonSet that is for it alone. */
const struct verdict *scheduler_refusal(struct population *population,
                                        const struct population_state *state, uint32_t revision,
                                        uint32_t entry);

void step_orphans(struct expansion *expansion);

/* ---- step_pressure.c ---- */
void step_pressure(struct expansion *expansion);
/* A node that is up comes under the event's pressure. */
void pressure_event(struct expansion *expansion, uint32_t event);
/* What a node that is under these pressures reports and is tainted with. */
void node_press(struct arena *arena, struct node *node, uint32_t pressures);
/* The event's pressure, as a bit of enum kubelet_pressure. */
uint32_t event_pressure(const struct check_event *event);

/* ---- step_daemon_sets.c ---- */
/* How many pods the DaemonSet wants; how many of its nodes are as it wants them. */
uint32_t daemon_set_wanted(const struct population *population,
                           const struct population_state *state, uint32_t workload);
bool daemon_set_converged(const struct population *population, const struct population_state *state,
                          uint32_t workload, bool updated);

/* ---- intents ---- */
/* How many monitor words the intent needs. */
uint32_t intent_monitors(const struct population *population, const struct intent *intent);
/* What they know of the initial state, if that is not an empty cluster. */
void intents_begin(struct population *population, struct population_state *state);
/* The properties of the model; false if an intent is not supported. */
bool intents_compile(struct population *population);
/* Is there nothing that an intent about states at rest has against this workload? */
bool intents_content_with(const struct population *population, const struct population_state *state,
                          uint32_t workload);
uint64_t intents_atoms(struct population *population, const struct population_state *state);
/* Updates the monitors of `next` and gives the marks of the step. */
uint64_t intents_observe(struct population *population, const struct population_state *state,
                         struct population_state *next, const struct happening *happening);

/* ---- misplaced.c ---- */
/* onlyOn, neverOn: does the step bring a pod to where it is not wanted? */
bool pod_is_misplaced(const struct population *population, const struct population_state *state,
                      const struct population_state *next, const struct intent *intent,
                      const struct happening *happening);

#endif
