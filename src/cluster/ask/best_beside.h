/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes may be the best beside others that are not modelled (others.h). */
#ifndef FATHOM_CLUSTER_ASK_BEST_BESIDE_H
#define FATHOM_CLUSTER_ASK_BEST_BESIDE_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

struct decision;
struct view;

/* Gives the entries of the view on which a pod of the class may be placed, whatever the others do:
 * of those that fit, as just decided, all that may be the best. `images_decide` is set to whether
 * images could lead to others of those that fit, if it is only assumed which ones nodes have; NULL:
 * nobody asks. */
uint32_t *best_beside(struct worker *worker, const struct view *view, uint32_t class,
                      const struct decision *decision, uint32_t *count, bool *images_decide);

#endif
