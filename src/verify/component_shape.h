/* SPDX-License-Identifier: Apache-2.0 */
/* What a component of a cluster looks like: two that look alike behave alike. */
#ifndef FATHOM_VERIFY_COMPONENT_SHAPE_H
#define FATHOM_VERIFY_COMPONENT_SHAPE_H

#include "base/arena.h"
#include "setup/part.h"

/* What is left out of the text, beside names. */
enum shape_detail {
    SHAPE_ALL,          /* only what no model reads */
    SHAPE_BUT_IMAGES,   /* and images: where no node has any */
    SHAPE_BUT_REQUESTS, /* and requests and limits of containers */
};

/* Everything that makes a difference to the component, with its own names left out; NULL: nobody
 * can tell. Two components of one scope with equal texts differ in nothing but names and what the
 * detail leaves out. */
const char *component_shape(struct arena *arena, const struct scope *scope,
                            const struct scope_part *part, const struct setup *setup,
                            enum shape_detail detail);

#endif
