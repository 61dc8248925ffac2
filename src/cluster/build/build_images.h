/* SPDX-License-Identifier: Apache-2.0 */
/* Which images nodes may pull, as far as the scheduler asks for them. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_IMAGES_H
#define FATHOM_CLUSTER_BUILD_BUILD_IMAGES_H

#include "cluster/forward.h"

#include <stdint.h>

struct node;

/* Finds the sets of images (state/images.h), and which of them each revision pulls. To be called
 * before nodes are added. */
void choose_images(struct population *population);
/* The sets that the node reports all images of, as bits. */
uint32_t image_sets_reported(const struct population *population, const struct node *node);
/* Adds the images of these sets to those that the node reports. */
void node_add_images(struct population *population, struct node *node, uint32_t sets);

#endif
