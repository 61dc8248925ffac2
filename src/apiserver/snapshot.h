/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One version of a stored object, shared by the store, its history and whoever
 * is writing it to a client; the last to let go frees it. What is inside never
 * changes, so that it is read without a lock.
 */
#ifndef FATHOM_APISERVER_SNAPSHOT_H
#define FATHOM_APISERVER_SNAPSHOT_H

#include "kubeapi/datum.h"

#include <stdatomic.h>

struct snapshot {
    atomic_uint references;
    struct memory *memory;
    struct arena arena;
    const struct datum *object;
};

/* A copy of the object, held once. */
struct snapshot *snapshot_create(struct memory *memory, const struct datum *object);
struct snapshot *snapshot_hold(struct snapshot *snapshot);
size_t snapshot_bytes(const struct snapshot *snapshot);
/* The end of those, from the first on, that make one piece of a stream, and their bytes. */
uint32_t snapshots_of_piece(struct snapshot *const *snapshots, uint32_t first, uint32_t count,
                            size_t *bytes);
void snapshot_release(struct snapshot *snapshot); /* NULL: nothing */

#endif
