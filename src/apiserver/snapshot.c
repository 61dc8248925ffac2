/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/snapshot.h"

struct snapshot *snapshot_create(struct memory *memory, const struct datum *object)
{
    struct snapshot *snapshot = memory_allocate(memory, sizeof(*snapshot));
    *snapshot = (struct snapshot){.memory = memory};
    atomic_init(&snapshot->references, 1);
    arena_init(&snapshot->arena, memory);
    snapshot->object = datum_copy(&snapshot->arena, object);
    return snapshot;
}

struct snapshot *snapshot_hold(struct snapshot *snapshot)
{
    atomic_fetch_add(&snapshot->references, 1);
    return snapshot;
}

void snapshot_release(struct snapshot *snapshot)
{
    if (!snapshot || atomic_fetch_sub(&snapshot->references, 1) != 1)
        return;
    arena_release(&snapshot->arena);
    memory_release(snapshot->memory, snapshot, sizeof(*snapshot));
}
