/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the explanations of findings have in common: sentences are added to the reasons of a finding
 * one by one, some of them taken from the steps of its counterexample.
 *
 * answers_reason.c explains findings by intent; answers_drain.c those of drains, answers_job.c
 * those of Jobs that fail, answers_volume.c those of pods that wait for a volume, and
 * answers_refused.c those of pods that the API server refuses.
 */
#ifndef FATHOM_REPORT_EXPLAINING_H
#define FATHOM_REPORT_EXPLAINING_H

#include "report/answers.h"

struct explaining {
    struct arena *arena;
    const struct report *report;
    const struct verify_result *result;
    struct cause *finding;
    const struct setup_workload *workload;
};

/* Adds a reason. */
__attribute__((format(printf, 2, 3))) void explain_say(const struct explaining *explaining,
                                                       const char *format, ...);
/* The workload's autoscaler in the manifests as they are given: questions may leave it out. NULL:
 * it has none. */
const struct object *explain_autoscaler(const struct explaining *explaining);

/* Says which autoscaled workloads have maxReplicas pods, if it is asked about that. */
void explain_largest(const struct explaining *explaining);

/* The last such step of a pod of this workload, of any action if that is NULL; NULL: there is none.
 */
const struct story_step *explain_last_step(const struct explaining *explaining, const char *actor,
                                           const char *action);
/* How many such steps of pods of this workload the run has. */
uint32_t explain_count_steps(const struct explaining *explaining, const char *actor,
                             const char *action);
/* Says what happened in the step, and why. */
void explain_step(const struct explaining *explaining, const struct story_step *step);
/* What to do about a pod that the scheduler finds no node for; NULL: it depends. */
const char *explain_room(const struct story_step *unschedulable);
/* Says the last steps that are no waiting, or those of the loop. */
void explain_end(const struct explaining *explaining);

/* Why a node with pods of the workload cannot be drained, or does not stay empty
 * (answers_drain.c). */
void explain_drain(const struct explaining *explaining);
void explain_return(const struct explaining *explaining);

/* Why a pod of a workload with so many cannot start where its volume is not (answers_volume.c). */
void explain_attached(const struct explaining *explaining, const struct story_step *detached,
                      int32_t replicas);

/* Why a Job has failed (answers_job.c). False: it is no Job, or it has not. */
bool explain_job(const struct explaining *explaining);

#endif
