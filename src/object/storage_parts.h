/* SPDX-License-Identifier: Apache-2.0 */
/* What volumes and the claims on them have in common. */
#ifndef FATHOM_OBJECT_STORAGE_PARTS_H
#define FATHOM_OBJECT_STORAGE_PARTS_H

#include "object/schema.h"
#include "object/storage.h"

void access_modes_validate(struct reading *reading, const struct path *path,
                           const struct string_list *modes);
void volume_mode_validate(struct reading *reading, const struct path *path, const char *mode);
/* The amount of storage under `path`, which must be there and above 0. */
void storage_amount_validate(struct reading *reading, const struct path *path,
                             const struct resource_list *list);

#endif
