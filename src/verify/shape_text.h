/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of objects without what makes no difference to a component (component_shape.h). */
#ifndef FATHOM_VERIFY_SHAPE_TEXT_H
#define FATHOM_VERIFY_SHAPE_TEXT_H

#include "base/arena.h"
#include "setup/part.h"
#include "verify/component_shape.h"

/* The text, which is JSON, with the names of the part's workloads replaced and without what the
 * detail leaves out; NULL: a name stands where it means something. */
const char *shape_text(struct arena *arena, const char *json, const struct scope_part *part,
                       enum shape_detail detail);
/* Is a name of the part in the text, which is JSON, or one that means something by itself? */
bool shape_names_are_in_the_way(const char *common, const struct scope_part *part);

#endif
