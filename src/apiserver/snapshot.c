/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/snapshot.h"

#include "base/stream_room.h"

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

size_t snapshot_bytes(const struct snapshot *snapshot)
{
    return sizeof(*snapshot) + arena_bytes(&snapshot->arena);
}

uint32_t snapshots_of_piece(struct snapshot *const *snapshots, uint32_t first, uint32_t count,
                            size_t *bytes)
{
    uint32_t end = first;
    *bytes = 0;
    while (end < count && *bytes < STREAM_PIECE_BYTES)
        *bytes += snapshot_bytes(snapshots[end++]);
    return end;
}

void snapshot_release(struct snapshot *snapshot)
{
    if (!snapshot || atomic_fetch_sub(&snapshot->references, 1) != 1)
        return;
    arena_release(&snapshot->arena);
    memory_release(snapshot->memory, snapshot, sizeof(*snapshot));
}
