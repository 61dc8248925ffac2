/* SPDX-License-Identifier: Apache-2.0 */
/* The plain members of the structs in a shard's report: the same table writes and reads them. */
#ifndef FATHOM_REPORT_SHARD_MEMBERS_H
#define FATHOM_REPORT_SHARD_MEMBERS_H

#include "base/json_out.h"
#include "manifest/document.h"

enum shard_struct { SHARD_outcome, SHARD_run, SHARD_parts, SHARD_part, SHARD_coupling };

/* Into the JSON object that is open. */
void shard_members_write(struct json_out *json, enum shard_struct kind, const void *from);
/* From the mapping into a struct that is zeroed; what is wrong becomes a problem. */
void shard_members_read(const struct value *mapping, enum shard_struct kind, void *into,
                        struct problems *problems);

#endif
