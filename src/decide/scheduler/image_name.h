/* SPDX-License-Identifier: Apache-2.0 */
/* The name that ImageLocality looks for among the images of a node. */
#ifndef FATHOM_DECIDE_SCHEDULER_IMAGE_NAME_H
#define FATHOM_DECIDE_SCHEDULER_IMAGE_NAME_H

struct arena;

/* A name without a tag is that of the latest; NULL is a container without an image. */
const char *image_name_normalised(struct arena *arena, const char *name);

#endif
