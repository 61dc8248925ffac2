/* SPDX-License-Identifier: Apache-2.0 */
/* The disks of pods. A disk of one ordinal of a StatefulSet alone is left out: the next pod of
 * the ordinal has the name of the one before, so it is made when that one is gone. A disk of
 * only one bystander is left out, too, because no pod replaces a bystander. */
#include "cluster/build/build_disks.h"
#include "base/map.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "object/pod.h"
#include "setup/disks.h"

void add_disks(struct population *population, struct revision *revision,
               const struct pod_spec *spec)
{
    const struct workload *workload = &population->workloads.items[revision->workload];
    const struct object *owner = workload->setup->object;
    const struct objects *objects = population->scope->objects;
    disks_of_pod(&population->arena, objects, owner->meta->namespace, spec, &revision->disks);
    if (revision->ordinal >= 0)
        disks_of_claim_templates(&population->arena, objects, owner, revision->pod->meta.name,
                                 &revision->disks);
}

/* Whose pods use a disk. */
struct disk_user {
    const char *name;
    uint32_t workload;
    int32_t ordinal;
    bool contended; /* true if two of its pods may be there at once */
};

static struct disk_user *user_of(struct population *population, struct map *users, const char *name,
                                 const struct revision *revision)
{
    struct disk_user *user = map_get(users, name);
    if (!user) {
        const struct disk_user first = {
            name, revision->workload, revision->ordinal,
            revision->ordinal < 0 && !population->workloads.items[revision->workload].bystander};
        user = arena_copy(&population->arena, &first, sizeof(first));
        map_put(users, name)->value = user;
    }
    user->contended |= user->workload != revision->workload || user->ordinal != revision->ordinal;
    return user;
}

void choose_disks(struct population *population)
{
    struct map users;
    map_init(&users, &population->arena);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        for (uint32_t d = 0; d < revision->disks.count; d++)
            user_of(population, &users, revision->disks.items[d].name, revision);
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        uint32_t count = 0;
        for (uint32_t d = 0; d < revision->disks.count; d++) {
            const struct disk_user *user = map_get(&users, revision->disks.items[d].name);
            if (user->contended)
                revision->disks.items[count++].name = user->name;
        }
        revision->disks.count = count;
        population->has_disks |= count > 0;
    }
}
