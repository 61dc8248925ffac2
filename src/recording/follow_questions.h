/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that the rules of several actors ask. */
#ifndef FATHOM_RECORDING_FOLLOW_QUESTIONS_H
#define FATHOM_RECORDING_FOLLOW_QUESTIONS_H

#include "recording/follow_internal.h"

/* The decision of a decider for one object: the member `decision` of the result
 * for it. NULL if there is none. */
const struct value *follower_decide(struct follower *follower, const struct decider *decider,
                                    const struct glimpse *glimpse, const char *name);

/* How often this actor made the same write to objects of the same kind and
 * owner before this one, without the view showing it. */
uint32_t deeds_unseen(const struct follower *follower, const struct deed *deed,
                      const struct outlook *outlook, const char *action, const char *owner);

/* Is this text in the list? */
bool list_has(const struct value *list, const char *text);

/* The pod is active: neither finished nor being deleted. */
bool pod_is_active(const struct pod *pod);
/* Who controls the object: the name if the kind is right, otherwise NULL. */
const char *controller_name(const struct object_meta *meta, const char *kind);
/* The owner of a pod when it was created; NULL: none. */
const char *owner_of(const struct follower *follower, const char *pod, int64_t rv);

#endif
