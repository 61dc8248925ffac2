/* SPDX-License-Identifier: Apache-2.0 */
/* The room that is left beside others that are not modelled (others.h). */
#ifndef FATHOM_CLUSTER_ASK_ROOM_OF_OTHERS_H
#define FATHOM_CLUSTER_ASK_ROOM_OF_OTHERS_H

#include "cluster/forward.h"
#include "cluster/others.h"

struct beside; /* decide/scheduler/plugin.h */
struct view;

/* Can the others keep a pod of the class from all of these entries of the view, which fit? A node
 * on which they hold more than `most` says for its place in the list counts as one that they keep
 * it from. NULL: they may hold anything as long as the pod fits. */
enum crowding others_crowd(struct worker *worker, const struct view *view, uint32_t class,
                           const uint32_t *entries, uint32_t count, const struct beside *most);

/* Do they need all their pods for that at a moment, those that the view shows left out? They can do
 * it with no pod less of any kind then. Asked of components one by one, where they can. */
bool others_need_all(struct worker *worker, const struct view *view, uint32_t class,
                     const uint32_t *entries, uint32_t count, const struct beside *most);

#endif
