/* SPDX-License-Identifier: Apache-2.0 */
/* What a step is told in: the object that it is about, and a sentence with the names of nodes and
 * pods. */
#ifndef FATHOM_CLUSTER_STORY_STORY_WORDS_H
#define FATHOM_CLUSTER_STORY_STORY_WORDS_H

#include <stdint.h>

struct population_state;
struct step;
struct story_step;
struct storyteller;

/* The kind of the controller that owns the pods: "ReplicaSet". */
const char *story_owner_kind(const struct storyteller *teller, uint32_t revision);
/* Of the one node that the step is about; NULL: there is none. */
const char *story_node_name(const struct storyteller *teller, const struct step *step,
                            const struct population_state *from);
/* "Pod/default/web-1", "Node/worker-1": what the step is about. */
const char *story_object(const struct storyteller *teller, const struct step *step,
                         uint32_t revision, const char *pod, const char *node, uint32_t workload);
/* A Deployment that works on one of its sets is told as that set's story. */
void story_name_set(const struct storyteller *teller, const struct population_state *from,
                    const struct population_state *to, struct story_step *told);
/* The sentence about it; `told` has its node and event. */
const char *story_detail(struct storyteller *teller, const struct population_state *from,
                         const struct population_state *to, const struct step *step,
                         uint32_t revision, const char *pod, const struct story_step *told);

#endif
