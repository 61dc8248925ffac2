/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The images that nodes pull while a cluster runs (options.images_pulled).
 *
 * Images that the same kinds of pods use come to a node together: they are one set. Which sets a
 * node has got is a part of its kind (struct node_kind, `pulled`): the kinds of a node without any
 * of them, and with every choice of them, stand one after the other (image_choices).
 */
#ifndef FATHOM_CLUSTER_STATE_IMAGES_H
#define FATHOM_CLUSTER_STATE_IMAGES_H

#include "cluster/forward.h"
#include "object/node.h"

#include <stdbool.h>
#include <stdint.h>

enum { IMAGE_SETS_MOST = 8 };

struct image_set {
    struct container_image *images;
    uint32_t image_count;
};

/* The config of a node that has these sets, too (bits). */
uint32_t config_with_images(struct worker *worker, uint32_t config, uint32_t sets);

#endif
