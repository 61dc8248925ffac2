/* SPDX-License-Identifier: Apache-2.0 */
/* Small types of Checks and ServiceObjectives, for hooks. What is wrong is
 * reported and the target left alone. */
#ifndef FATHOM_OBJECT_CHECK_VALUES_H
#define FATHOM_OBJECT_CHECK_VALUES_H

#include "object/check.h"
#include "object/schema.h"

void count_range_decode(struct reading *reading, const struct path *path, const struct value *value,
                        bool may_be_open, struct count_range *target);
void count_range_encode(struct json_out *json, const char *key, struct count_range range);
void object_name_decode(struct reading *reading, const struct path *path, const struct value *value,
                        struct object_name *target);
void object_name_encode(struct arena *scratch, struct json_out *json, const char *key,
                        const struct object_name *name);
/* A number of at least `least`. */
void number_decode(struct reading *reading, const struct path *path, const struct value *value,
                   double least, double *target);

#endif
