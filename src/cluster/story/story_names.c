/* SPDX-License-Identifier: Apache-2.0 */
/* The names of pods that a storyteller has met. */
#include "cluster/story/story_names.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_internal.h"

#include <string.h>

uint32_t story_known_pod(struct storyteller *teller, uint32_t revision, const char *name)
{
    VEC_PUSH(teller->arena, &teller->pods, ((struct named_pod){name, revision}));
    VEC_PUSH(teller->arena, &teller->values, ((struct story_value){POD_NOWHERE, 0}));
    return teller->pods.count - 1;
}

uint32_t story_new_pod(struct storyteller *teller, uint32_t revision)
{
    const char *name = teller->population->revisions.items[revision].pod->meta.name;
    const int stem = (int)strcspn(name, "*");
    if (!name[stem]) /* a pod with an identity */
        return story_known_pod(teller, revision, arena_strdup(teller->arena, name));
    /* Variants of a Job's pods have their names in common. */
    const struct workload *workload = revision_workload(teller->population, revision);
    const uint32_t variant = (revision - workload->first_revision) % workload->ordinal_count;
    return story_known_pod(
        teller, revision,
        arena_printf(teller->arena, "%.*s%u", stem, name, ++teller->created[revision - variant]));
}
