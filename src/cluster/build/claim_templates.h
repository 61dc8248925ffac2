/* SPDX-License-Identifier: Apache-2.0 */
/* The claims that a StatefulSet makes for each of its pods. */
#ifndef FATHOM_CLUSTER_BUILD_CLAIM_TEMPLATES_H
#define FATHOM_CLUSTER_BUILD_CLAIM_TEMPLATES_H

#include "object/storage.h"

struct arena;
struct object;
struct value;

/* The templates, a sequence; NULL: the object is no StatefulSet, or has none. */
const struct value *claim_templates(const struct object *object);
/* What a template asks for: without a name. */
struct persistent_volume_claim claim_of_template(struct arena *arena, const struct value *template);

#endif
