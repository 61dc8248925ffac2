/* SPDX-License-Identifier: Apache-2.0 */
/* Images that nodes pull while a cluster runs: states do not have them. */
#ifndef FATHOM_CLUSTER_ASK_IMAGES_H
#define FATHOM_CLUSTER_ASK_IMAGES_H

#include <stdbool.h>

struct decision;

/* Could ImageLocality lead the pod to a node that is not among the best ones, if that node had
 * pulled the images of the pod? */
bool images_could_decide(const struct decision *decision);

#endif
