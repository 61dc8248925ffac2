/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods that are resized in place (1.33 on). The spec says what a container shall have, and its
 * status what it has and what its node has promised. It counts with the most of these, and if the
 * resize is infeasible, with the most of the latter two.
 */
#ifndef FATHOM_DECIDE_POD_RESIZE_H
#define FATHOM_DECIDE_POD_RESIZE_H

#include "object/pod.h"

/* The status of the container if it says what the container has; otherwise NULL. */
const struct container_status *resize_status(const struct pod *pod,
                                             const struct container *container);

bool resize_is_infeasible(const struct pod *pod);

/* The requests that a container of the pod counts with. An init container that ends is not
 * resized. */
struct resource_list container_held(struct arena *arena, const struct pod *pod,
                                    const struct container *container);
/* The same of the pod as a whole; NULL: it has none. */
struct resource_requirements *pod_held(struct arena *arena, const struct pod *pod);

#endif
