/* SPDX-License-Identifier: Apache-2.0 */
/* The ReplicaSet of the present template: found, brought up to date, created.
 * Mirrors getAllReplicaSetsAndSyncRevision in pkg/controller/deployment/sync.go
 * @ v1.26.15. */
#include "decide/controller/deployment/deployment_internal.h"
#include "decide/controller/go_number.h"

#include <assert.h>

/* The oldest set with the present template; there should be one at the most. */
static uint32_t find(const struct deployment_sync *sync)
{
    const struct set_list sets = sync_old_sets(sync, NO_SET, false);
    for (uint32_t i = 0; i < sets.count; i++)
        if (sync->seen[sets.items[i]].present_template)
            return sets.items[i];
    return NO_SET;
}

static int64_t next_revision(const struct deployment_sync *sync, uint32_t new_set)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < sync->seen_count; i++)
        if (i != new_set && sync->seen[i].revision > most)
            most = sync->seen[i].revision;
    return most + 1;
}

static void note(struct deployment_sync *sync, enum deployment_reason reason)
{
    progress_set_condition(&sync->deployment.status,
                           (struct deployment_condition){
                               .type = DEPLOYMENT_PROGRESSING,
                               .status = TRISTATE_TRUE,
                               .reason = reason,
                               .last_update_time = sync->deployment.now,
                               .last_transition_time = sync->deployment.now,
                           });
    sync->decision->status = sync->deployment.status;
}

/* Revision, annotations and minReadySeconds of an existing set. When they have
 * to be written the deployment's own revision waits for the next sync. */
static void bring_up_to_date(struct deployment_sync *sync, uint32_t new_set)
{
    struct replica_set_facts *seen = &sync->seen[new_set];
    struct replica_set_facts *stored = &sync->decision->sets[new_set];
    const int64_t revision = next_revision(sync, new_set);
    const bool stale = seen->revision < revision || seen->annotations_stale ||
                       seen->min_ready_seconds != sync->deployment.min_ready_seconds;
    if (stale) {
        if (stored->revision < revision)
            stored->revision = revision;
        stored->annotations_stale = false;
        stored->min_ready_seconds = sync->deployment.min_ready_seconds;
        const struct deployment_action action = {
            .verb = DEPLOYMENT_ANNOTATE,
            .set = new_set,
            .from = seen->replicas,
            .to = seen->replicas,
        };
        VEC_PUSH(sync->arena, &sync->decision->actions, action);
        return;
    }
    sync->deployment.revision = seen->revision;
    if (progress_has_deadline(sync) &&
        !deployment_condition_find(&sync->deployment.status, DEPLOYMENT_PROGRESSING))
        note(sync, DEPLOYMENT_NEW_SET_FOUND);
}

uint32_t revision_find_new_set(struct deployment_sync *sync)
{
    const uint32_t new_set = find(sync);
    if (new_set != NO_SET)
        bring_up_to_date(sync, new_set);
    sync->decision->new_set = new_set;
    return new_set;
}

static uint32_t create(struct deployment_sync *sync)
{
    assert(sync->decision->set_count == sync->seen_count);
    const uint32_t new_set = sync->seen_count;
    const struct set_list old = sync_old_sets(sync, NO_SET, false);
    struct replica_set_facts set = {
        .name = sync->name_new,
        .creation_time = sync->deployment.now,
        .min_ready_seconds = sync->deployment.min_ready_seconds,
        .present_template = true,
        .revision = next_revision(sync, NO_SET),
        .desired = {true, sync->deployment.replicas},
        .most = {true, go_add_int32(sync->deployment.replicas, sync->deployment.max_surge)},
    };
    sync->seen[new_set] = set;
    sync->seen_count++;
    set.replicas = sync->deployment.recreate ? sync->deployment.replicas
                                             : sync_new_replicas(sync, &old, new_set);
    sync->seen[new_set] = set;
    sync->decision->sets[new_set] = set;
    sync->decision->set_count++;
    const struct deployment_action action = {
        .verb = DEPLOYMENT_CREATE, .set = new_set, .from = 0, .to = set.replicas};
    VEC_PUSH(sync->arena, &sync->decision->actions, action);
    sync->deployment.revision = set.revision;
    if (progress_has_deadline(sync))
        note(sync, DEPLOYMENT_NEW_SET_CREATED);
    sync->decision->new_set = new_set;
    return new_set;
}

uint32_t revision_ensure_new_set(struct deployment_sync *sync)
{
    const uint32_t new_set = revision_find_new_set(sync);
    return new_set != NO_SET ? new_set : create(sync);
}
