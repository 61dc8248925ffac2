/* SPDX-License-Identifier: Apache-2.0 */
/* What images that nodes pull while a cluster runs can change about a placement. */
#ifndef FATHOM_CLUSTER_ASK_IMAGES_H
#define FATHOM_CLUSTER_ASK_IMAGES_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

struct decision;
struct view;

/* Could ImageLocality lead the pod to a node that is not among the best ones, if that node had
 * pulled the images of the pod? Those whose size no node reports may have any size. */
bool images_could_decide(const struct population *population, const struct decision *decision);

/* The entries of the view to which a pod of the revision may go if images whose size nobody knows
 * have any size, in the worker's scratch arena; the best ones are among them. */
uint32_t *images_widen(struct worker *worker, const struct view *view, uint32_t revision,
                       const struct decision *decision, uint32_t *count);

#endif
