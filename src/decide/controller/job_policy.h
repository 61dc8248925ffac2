/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policies of a Job: what a failed pod means (spec.podFailurePolicy) and
 * when some successes are enough (spec.successPolicy).
 *
 * Mirrors pkg/controller/job/{pod_failure_policy,success_policy}.go @ v1.36.4.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_JOB_POLICY_H
#define FATHOM_DECIDE_CONTROLLER_JOB_POLICY_H

#include "decide/controller/job_indexes.h"
#include "decide/features.h"
#include "object/workload.h"

/* The first rule that matches a failed pod. */
enum job_match {
    JOB_MATCH_NONE, /* no rule does: the failure counts */
    JOB_MATCH_COUNT,
    JOB_MATCH_IGNORE,
    JOB_MATCH_FAIL_INDEX,
    JOB_MATCH_FAIL_JOB,
};

/* NONE also without a policy. */
enum job_match job_policy_match(const struct features *features, const struct job *job,
                                const struct pod *pod);

/* Have enough indexes succeeded? False without a policy. */
bool job_success_policy_met(struct arena *arena, const struct features *features,
                            const struct job *job, const struct job_indexes *succeeded);

#endif
