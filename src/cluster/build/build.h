/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of building a population: each needs what those before it have put
 * there (population_build.c has the order).
 */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_H
#define FATHOM_CLUSTER_BUILD_BUILD_H

#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"

struct population_state;

/* ---- population_build.c ---- */
/* Makes it the model of another setup, which differs in how many nodes of its groups and
 * how many replicas there are, and in nothing else. False: more than that would change,
 * and nothing has been. */
bool population_resize(struct population *population, const struct setup *setup,
                       struct problems *problems);

/* ---- build_events.c ---- */
/* Whatever the check names; how wide states have to be follows from it. */
void add_events_and_intents(struct population *population, const struct check_intent *intents,
                            uint32_t intent_count);
/* What the apply events do to the workload, which has been added last. */
void add_effects(struct population *population, uint32_t number);

/* ---- build_workloads.c ---- */
/* The workload of the scope with its usage and its first revision. */
void add_workload(struct population *population, uint32_t number);
/* May some number of replicas pass half a word? */
bool replicas_are_wide(const struct population *population);
/* As many replicas, and as much to autoscale, as the setup says. */
void workload_resize(const struct population *population, struct workload *workload,
                     uint32_t number);

/* ---- build_usage.c ---- */
/* The levels of usage of the workload's pods, and the totals of its load. */
void add_levels(struct population *population, uint32_t number, const struct pod_spec *spec);

/* ---- build_revisions.c ---- */
/* One more template of the workload; gives its first revision. */
uint32_t population_add_revision(struct population *population, uint32_t workload,
                                 const struct pod_template *template, const char *signature);
/* The classes of the revision's pods. */
void add_classes(struct population *population, uint32_t number);

/* ---- layout.c ---- */
/* Gives every part of a state its words. */
void lay_out(struct population *population);

/* ---- initial.c ---- */
/* The state that runs begin with; adds the nodes that are in it. */
const struct population_state *initial_state(struct population *population);
/* What is in it anyway, in the numbers of another setup. */
void initial_state_resize(struct population *population);
/* The same and its variants, as the model gives them. */
void population_initial(const struct model *model, void *worker, struct step_sink *sink);

/* ---- build_nodes.c ---- */
/* The nodes of the setup, with templates for all that may become of them. */
void population_add_nodes(struct population *population, struct population_state *state);
/* Does some setup have a node with a name of its own in a group whose nodes are alike? */
bool nodes_may_be_mentioned(const struct scope *scope);

/* Of a pod template: pods that start and never become ready. */
#define ANNOTATION_NEVER_READY "fathom.dev/never-ready"

/* Of a Job's template: what becomes of its pods. */
#define ANNOTATION_OUTCOME "fathom.dev/outcome"

/* ---- build_pods.c ---- */
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

/* ---- build_daemon_sets.c ---- */
/* A template for the one node that a pod asks for; the others are told apart. */
void add_target_template(struct population *population, uint32_t template);
void pod_ask_for_target(struct arena *arena, struct pod *pod);
/* The workload's DaemonSet with another template. */
const struct daemon_set *daemon_set_with(struct arena *arena, const struct workload *workload,
                                         const struct pod_template *template);
/* When all templates are known. */
void find_daemon_places(struct population *population);

/* ---- canonical.c ---- */
/* A state of rest that an empty cluster can come to; the empty one if it comes to
 * none in this way. The model is complete but for its initial state. */
/* NULL: a limit was reached on the way. */
const struct population_state *canonical_start(struct population *population,
                                               const struct population_state *empty);

/* ---- fold.c ---- */
uint32_t population_fold(const struct model *model, void *worker, const uint32_t *words,
                         uint32_t length);
/* Gives every kind that is one node apart its node, in every way that differs, as long
 * as more of them are wanted (false: no more). */
bool choose_nodes_apart(struct population *population, const struct population_state *state,
                        bool (*visit)(void *context, struct population_state *state),
                        void *context);

void add_services(struct population *population);

/* All autoscalers of the workloads; the revisions are known. */
void add_autoscalers(struct population *population);

/* Its bounds, as the setup says. */
void autoscaler_resize(const struct population *population, struct autoscaler *autoscaler);

#endif
