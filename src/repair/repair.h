/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: the smallest change of the manifests with which the intents of a Check hold.
 *
 * The edits of edits.def are tried by themselves, then in twos and threes, those first that take
 * nothing away, touch the objects that the counterexamples are about, and move values least. A
 * candidate is rejected by the cheapest test that it fails: what it gives up and what it costs,
 * runs that are known to violate an intent, the setups that they are of, then the whole scope. What
 * passes all of them is a patch, and every smaller part of it has failed.
 *
 * Nothing is ever applied: a patch is text.
 */
#ifndef FATHOM_REPAIR_REPAIR_H
#define FATHOM_REPAIR_REPAIR_H

#include "base/budget.h"
#include "repair/edit.h"
#include "verify/plan.h"
#include "verify/verify.h"

enum { REPAIR_PATCHES_MOST = 3, REPAIR_EDITS_MOST = 3, REPAIR_CAUSES_MOST = 3 };

/* How much more a repair may cost. */
struct repair_budget {
    int32_t nodes;
    int32_t pods;
    double cpu; /* as a share of what all workloads request: 0.25 */
    double memory;
};

struct repair_options {
    /* Finds the fields that a violation goes back to, up to REPAIR_CAUSES_MOST of them; gives how
     * many. NULL: they are not known. */
    uint32_t (*find_causes)(struct arena *arena, const struct repair_options *options,
                            const struct verify_plan *plan, const struct verify_result *result,
                            struct edit_cause *causes);
    struct scope_options scope;
    struct verify_options run; /* with the features of the Check, and its limits */
    const char *name_space;
    unsigned allowed; /* of enum protections */
    struct repair_budget budget;
    uint32_t patches_most;
    uint64_t tries_most; /* sets of edits that are tried at most, for each number of edits */
};

/* What the objects ask for in all; nodes are those of the largest setup, and of the smallest, and
 * pods those of the smallest, too. */
struct repair_cost {
    int64_t nodes;
    int64_t nodes_least;
    int64_t nodes_left; /* of the smallest setup, one of each group at least: those whose taints
                           no pod tolerates but those of DaemonSets */
    int64_t nodes_cpu_milli; /* what they have in all */
    int64_t nodes_memory_mebi;
    int64_t pods;
    int64_t pods_least;
    int64_t cpu_milli;
    int64_t memory_bytes;
};

/* How many more pods and nodes, of the largest setup or of the smallest; larger nodes count as so
 * many more of the size that they had, and nodes that are left to others as bought. */
int64_t repair_more_pods(const struct repair_cost *before, const struct repair_cost *after);
int64_t repair_more_nodes(const struct repair_cost *before, const struct repair_cost *after);

/* What is to be changed in a file. */
struct repair_file {
    const char *name;
    const char *diff; /* unified; NULL: it cannot be shown at its lines */
    uint32_t line;    /* the lines from this one on, from 1, ... */
    uint32_t lines;   /* ... so many, ... */
    const char *text; /* ... become these; NULL as the diff */
};

/* What is to be changed in an object. */
struct repair_object {
    const char *name;    /* Kind/namespace/name */
    const char *patch;   /* a strategic merge patch, JSON; NULL: it is none of the API's objects */
    const char *create;  /* the object, if it is new; NULL */
    const char *kubectl; /* the command that would do it; NULL: there is none */
    bool in_event;       /* it is changed in the manifests of an event, too */
};

struct repair_patch {
    const struct edit **edits;
    uint32_t edit_count;
    unsigned losses; /* of enum protections */
    struct repair_cost cost;
    struct string_list words; /* a sentence for each edit */
    const char *summary;      /* all of them */
    VEC(struct repair_file) files;
    VEC(struct repair_object) objects;
    const char *too_much; /* what it costs beyond the budget; NULL: nothing */
    const char *silenced; /* what controllers never do any more; NULL: nothing */
    uint64_t setups;      /* in which the intents hold with it */
};

enum repair_end {
    REPAIR_FOUND,
    REPAIR_NEEDLESS,  /* every intent holds */
    REPAIR_UNDECIDED, /* nothing is violated, but not all is decided */
    REPAIR_NONE,      /* no patch was found among all that were tried */
    REPAIR_LIMIT,     /* a limit or the user ended the search */
};

struct repair {
    const struct verify_plan *plan;
    struct verify_report before;
    enum repair_end end;
    enum explore_reason ended_by;
    VEC(struct repair_patch) patches;
    VEC(struct repair_patch) weakening; /* that are refused for what they give up or cost */
    struct repair_cost cost;            /* as it is */
    uint32_t intents_kept; /* usual intents that nobody asked for, and that held before */
    uint64_t edits;
    uint64_t tried;
    uint64_t by_part;    /* rejected because the workload of a violation alone still violates it */
    uint64_t by_replay;  /* by a known run */
    uint64_t by_vacuity; /* because fewer pods become ready, or a controller stands still */
    uint64_t by_setup;   /* by the setup of one */
    uint64_t verified;   /* whole scopes */
    uint64_t undecided;  /* given up because of a limit */
    bool all_tried;      /* of up to REPAIR_EDITS_MOST edits */
    double seconds;
};

/* The plan outlives the repair. */
void repair_run(struct arena *arena, struct memory *memory, const struct verify_plan *plan,
                const struct repair_options *options, struct repair *repair);
void repair_release(struct repair *repair);

/* ---- for the files of this folder ---- */

/* The documents that may be changed, of the Check and of its events. */
void repair_case_read(struct arena *arena, const struct verify_plan *plan,
                      const struct repair_options *options, const struct verify_report *before,
                      struct edit_case *of);

/* Marks the workloads that a violation is about: the one that it is violated by, or else those of
 * the steps that it names and of its loop, or else those of all its steps. */
void repair_mark_workloads(const struct verify_result *result, const struct scope *scope,
                           bool *marked);
/* Is the object such a workload, or does it guard or scale one? What is none of these (policies,
 * groups of nodes) may always matter. */
bool repair_is_near(const struct scope *scope, const bool *marked, const struct object *object);

/* The Check with some edits. */
struct repair_world {
    struct arena arena;
    struct input_unit unit;
    struct verify_plan plan;
    const struct document **documents; /* by document of the case; NULL: it is deleted */
    VEC(struct document) added;
};

/* False: they do not fit together, or the API server would refuse the result. */
bool repair_world_make(struct memory *memory, const struct edit_case *of,
                       const struct verify_plan *plan, const struct repair_options *options,
                       const struct edit *const *edits, uint32_t count, struct repair_world *world,
                       const char **why);
void repair_world_release(struct repair_world *world);

struct repair_cost repair_cost_of(const struct scope *scope);
/* What the edits give up, by their rows and by comparing objects. */
unsigned repair_losses(const struct verify_plan *before, const struct repair_world *world,
                       const struct edit *const *edits, uint32_t count);
/* Does it change fields that the API server lets nobody change? The object has to be deleted and
 * created again. */
bool repair_recreates(const struct edit_case *of, const struct repair_world *world);
/* Why the cost is too much, in words; NULL: it is not. */
const char *repair_too_much(struct arena *arena, const struct repair_cost *before,
                            const struct repair_cost *after, const struct repair_budget *budget);
/* Is there less to verify than before: smaller sizes, fewer workloads? */
bool repair_narrows(const struct scope *before, const struct scope *after);

/* How many pods are ready in a quiet run (liveliness.c). */
struct repair_ready {
    uint32_t *most;  /* by workload: at a time */
    uint32_t *first; /* when nothing moves for the first time; UINT32_MAX: it never came to that */
};

struct repair_ready repair_ready_pods(struct arena *arena, struct memory *memory,
                                      const struct scope *scope, const struct setup *setup,
                                      const struct check_intent *intents, uint32_t intent_count,
                                      const struct population_options *options,
                                      const struct budget *budget);
/* The setup with the most nodes of those with the replicas of the manifests; NULL: there is none.
 */
const struct setup *repair_roomy_setup(struct arena *arena, const struct scope *scope);

/* What controllers do (deeds_kept.c): an action, to which workload, in which direction. */
struct repair_deed {
    uint32_t action;
    const char *workload; /* Kind/namespace/name; NULL: none, or several */
    unsigned change;      /* of enum deed_change; 0: none */
};

struct repair_deeds {
    struct repair_deed *items;
    uint32_t count;
    uint32_t capacity;
    uint64_t applied; /* bit i: intent i applied somewhere there (intent_class.applies) */
    uint64_t came;    /* bit e: event e of the Check came there */
};

/* Those that the violations of the report are made of. */
void repair_deeds_blame(struct arena *arena, const struct scope *scope,
                        const struct verify_report *report, struct repair_deeds *blamed);
/* Where to look for deeds, and for which. */
struct repair_deeds_query {
    const struct verify_plan *plan;
    const struct scope *single; /* with one setup */
    const struct repair_options *options;
    const struct repair_deeds *blamed; /* steps that are not taken, and no mishaps either; NULL: all
                                          are taken */
    const struct repair_deeds *wanted; /* it ends when these are found; NULL: all are looked for */
    uint32_t states_most;
    const struct budget *budget; /* of time */
};

/* Adds what is done, comes and applies there. False: a limit came first, or there is no such model.
 */
bool repair_deeds_find(struct arena *arena, struct memory *memory,
                       const struct repair_deeds_query *query, struct repair_deeds *found);
/* What is wanted and not found, in words; NULL: nothing. */
const char *repair_deeds_missing(struct arena *arena, const struct repair_deeds *wanted,
                                 const struct repair_deeds *found);

/* The texts of a patch: words, diffs, strategic merge patches. */
void repair_describe(struct arena *arena, const struct edit_case *of,
                     const struct repair_world *world, struct repair_patch *patch);

/* A run that violates an intent, to see whether it still does (known_runs.c). */
struct known_run;
struct known_runs {
    struct known_run *items;
    uint32_t count;
    uint32_t capacity;
};

void known_runs_add(struct arena *arena, const struct scope *scope,
                    const struct verify_report *report, struct known_runs *runs);
/* A setup without a run. */
void known_runs_add_setup(struct arena *arena, const struct scope *scope, const struct setup *setup,
                          struct known_runs *runs);
/* Is there one in which this workload (NULL: it is unknown which one) violates the intent? */
bool known_runs_are_of(const struct known_runs *runs, uint32_t intent, const char *workload);
/* The intent that it violates, of the plan. */
uint32_t known_run_intent(const struct known_runs *runs, uint32_t number);
/* Are both of the same setup? */
bool known_runs_same_setup(const struct known_runs *one, uint32_t number,
                           const struct known_runs *other, uint32_t other_number);
/* Is there one that still violates its intent? */
bool known_runs_replay(struct memory *memory, const struct known_runs *runs,
                       const struct verify_plan *plan, const struct verify_options *run);
/* Bit i: run i of the first `count` still violates its intent. */
uint64_t known_runs_standing(struct memory *memory, const struct known_runs *runs, uint32_t count,
                             const struct verify_plan *plan, const struct verify_options *run);
/* The scope with just the setup of the run; false: it has none of that size. */
bool known_run_scope(struct arena *arena, const struct known_runs *runs, uint32_t number,
                     const struct scope *scope, struct scope *single);

#endif
