/* SPDX-License-Identifier: Apache-2.0 */
/* Which controllers adopt a pod that has none. */
#ifndef FATHOM_SETUP_OBSERVE_ADOPT_H
#define FATHOM_SETUP_OBSERVE_ADOPT_H

#include "object/object.h"

/* Does the pod's name consist of the StatefulSet's name and one of its ordinals? */
bool observe_has_ordinal(const struct object *set, const struct object *pod);

/* Would the controller adopt the pod, which has no controller? A pod that terminates is
 * never adopted. */
bool observe_would_adopt(const struct object *owner, const struct object *pod);

/* In the order of the objects. Which of several comes first is not known. */
struct adopters {
    const struct object *first; /* NULL: none would adopt it */
    const struct object *other; /* another; NULL: there is none */
};

struct adopters observe_adopters(const struct objects *objects, const struct object *pod);

#endif
