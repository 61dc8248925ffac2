/* SPDX-License-Identifier: Apache-2.0 */
/* What ImageLocality could give a node at most. */
#ifndef FATHOM_DECIDE_SCHEDULER_PLUGIN_IMAGE_LOCALITY_H
#define FATHOM_DECIDE_SCHEDULER_PLUGIN_IMAGE_LOCALITY_H

#include <stdint.h>

struct node;
struct part;

/* The score of a node that has all images of the pod, as all others do, without its weight. An
 * image whose size no node reports may have any size. `part` is ImageLocality's of the pod's plan,
 * once a decision was made. */
int64_t image_locality_most(const struct part *part);

/* The score of a node whose images count `more` bytes than their sizes say, without its weight. */
int64_t image_locality_with(const struct part *part, const struct node *node, int64_t more);
/* The fewest such bytes with which no score is higher. */
int64_t image_locality_lacks(const struct part *part, const struct node *node);

#endif
