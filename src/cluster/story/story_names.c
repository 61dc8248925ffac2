/* SPDX-License-Identifier: Apache-2.0 */
/* What a storyteller keeps of a run: the words of the present state, and the names of pods. */
#include "cluster/story/story_names.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_internal.h"

#include <string.h>

void story_remember(struct storyteller *teller, const uint32_t *words, uint32_t length)
{
    teller->words = arena_copy(teller->arena, words, length * sizeof(*words));
    teller->length = length;
}

static const char *new_pod_name(struct storyteller *teller, uint32_t revision)
{
    const struct pod *pod = teller->population->revisions.items[revision].pod;
    const size_t stem = strcspn(pod->meta.name, "*");
    if (!pod->meta.name[stem]) /* a pod with an identity */
        return arena_strdup(teller->arena, pod->meta.name);
    return arena_printf(teller->arena, "%.*s%u", (int)stem, pod->meta.name,
                        ++teller->created[revision]);
}

uint32_t story_new_pod(struct storyteller *teller, uint32_t revision)
{
    const struct named_pod pod = {new_pod_name(teller, revision), revision};
    VEC_PUSH(teller->arena, &teller->pods, pod);
    VEC_PUSH(teller->arena, &teller->values, ((struct story_value){POD_NOWHERE, 0}));
    return teller->pods.count - 1;
}
