/* SPDX-License-Identifier: Apache-2.0 */
/* The controllers of a Check. */
#ifndef FATHOM_OBJECT_CHECK_CONTROLLERS_H
#define FATHOM_OBJECT_CHECK_CONTROLLERS_H

#include "object/check.h"
#include "object/schema.h"

extern const struct schema check_controllers_schema;
void check_controllers_validate(struct reading *reading, const struct path *path,
                                const struct check *check);

#endif
