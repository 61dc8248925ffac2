/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences about steps: the rows of state/actions.def, with what stands in braces filled
 * in. What of it is not known for a step is left empty.
 *
 *   {workload} {kind} {set}   the workload, and what owns its pods: web, ReplicaSet, web-1
 *   {of revision}             " of revision 2", where pods have one name in every revision
 *   {amount} {s} {verb s} {its}  a number, and what goes with it: 1 pod moves on in its ...
 *   {place}                   the node that it happened on, with its pods
 *   {policy}                  "; it does not count as failed", by the policy of a Job
 *   {replicas}                ": web goes from 2 to 1 replicas"
 *
 * and only where a story is told, in which pods and nodes have names:
 *
 *   {pod} {pods} {node}       names
 *   {from}                    " from node worker-1", if one node is concerned
 *   {reason} {pressure}       of a kubelet's rejection, of a node that runs low
 *   {creates or deletes}      what a DaemonSet does to its pods
 *   {spec.nodeName}           of the pods
 */
#ifndef FATHOM_CLUSTER_STORY_WORDS_H
#define FATHOM_CLUSTER_STORY_WORDS_H

#include "cluster/forward.h"

#include <stdint.h>

struct words_value {
    const char *name;
    const char *text;
};

/* Appends the sentence with the values. */
void words_fill(const char *sentence, const struct words_value *values, uint32_t count,
                struct text *text);

/* A step from the state of these words, to be told without names of pods and nodes; its states
 * are in the scratch arena. */
struct story_telling words_telling(struct worker *worker, const uint32_t *words, uint32_t length,
                                   const struct step *step);
/* The plain sentence about it. */
void words_describe(const struct story_telling *telling, struct text *text);

/* What the policy of a Job makes of the pod that is gone: "; it does not count as failed". */
const char *words_policy(const struct story_telling *telling);

/* The webhook because of which the API server refuses what the step is about; NULL: it is another
 * step, or another reason. */
const struct population_webhook *words_silent(const struct story_telling *telling);

/* The kind of the controller that owns the pods: "ReplicaSet". */
const char *words_owner_kind(const struct revision *revision);

#endif
