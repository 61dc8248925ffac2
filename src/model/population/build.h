/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of building a population, in the order in which they are called:
 * each needs what those before it have put there (population_build.c).
 */
#ifndef FATHOM_MODEL_POPULATION_BUILD_H
#define FATHOM_MODEL_POPULATION_BUILD_H

#include "model/population/population_internal.h"

/* ---- build_events.c ---- */
/* Whatever the check names; how wide states have to be follows from it. */
void add_events_and_intents(struct population *population, const struct check_intent *intents,
                            uint32_t intent_count);

/* ---- build_workloads.c ---- */
/* The workload of the scope with its usage and its first revision. */
void add_workload(struct population *population, uint32_t number);

/* ---- build_usage.c ---- */
/* The levels of usage of the workload's pods, and the totals of its load. */
void add_levels(struct population *population, uint32_t number, const struct pod_spec *spec);

/* ---- build_events.c ---- */
/* What the apply events do to the workload, which has been added last. */
void add_effects(struct population *population, uint32_t number);

/* ---- build_revisions.c ---- */
/* The classes of the revision's pods. */
void add_classes(struct population *population, uint32_t number);

/* ---- layout.c ---- */
/* Gives every part of a state its words. */
void lay_out(struct population *population);

/* ---- readiness.c ---- */
/* Can anybody see whether a pod that is bound is ready? */
bool readiness_matters(const struct population *population);

/* ---- initial.c ---- */
/* The state that runs begin with; adds the nodes that are in it. */
const struct population_state *initial_state(struct population *population);
/* The same and its variants, as the model gives them. */
void population_initial(const struct model *model, void *worker, struct step_sink *sink);

/* ---- build_nodes.c ---- */
/* The nodes of the setup, with templates for all that may become of them. */
void population_add_nodes(struct population *population, struct population_state *state);

/* ---- actions.c ---- */
/* "Scheduler bind", by action. */
extern const char *const population_action_names[POPULATION_ACTION_COUNT];

#endif
