/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences about steps: the rows of state/actions.def, with what stands in braces filled
 * in. What of it is not known for a step is left empty.
 *
 *   {workload} {kind} {set}   the workload, and what owns its pods: web, ReplicaSet, web-1
 *   {of revision}             " of revision 2", where pods have one name in every revision
 *   {amount} {s} {verb s} {its}  a number, and what goes with it: 1 pod moves on in its ...
 *   {place}                   the node that it happened on, with its pods
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

#include "cluster/emit.h"
#include "cluster/forward.h"

#include <stdint.h>

struct words_value {
    const char *name;
    const char *text;
};

struct words_values {
    const struct words_value *items;
    uint32_t count;
};

/* Appends the sentence with the values. */
void words_fill(const char *sentence, const struct words_values *values, struct text *text);

/* A step between two states. */
struct described_step {
    struct worker *worker;
    const struct state *from;
    const struct state *to;
    const struct step *step;
    struct step_subject subject;
};

/* The plain sentence about it. */
void words_describe(const struct described_step *described, struct text *text);

#endif
