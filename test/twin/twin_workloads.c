/* SPDX-License-Identifier: Apache-2.0 */
/* Deployments and ReplicaSets, and patterns of usage. */
#include "decide/claim.h"
#include "decide/controller/deployment/deployment.h"
#include "decide/controller/replica_set/replica_set_controller.h"
#include "twin/twin_internal.h"

#include <string.h>

/* ---- Deployment ---- */

static int32_t available_pods(const struct twin *twin, const struct twin_state *state,
                              uint32_t revision)
{
    int32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        count += pod_is_there(&state->pods[p]) && state->pods[p].revision == revision &&
                 twin_is_available(twin, state, p);
    return count;
}

/* What a sync writes of its sets: first it makes the one that is not there, then it scales them.
 * The first answer that is a refusal ends it. */
static bool write_sets(struct twin_run *run, uint32_t present, struct twin_state *next)
{
    const struct twin_state *state = run->state;
    if (state->set_replicas[present] >= 0)
        return !twin_refuses(run, "replicasets", "UPDATE", present);
    if (twin_refuses(run, "replicasets", "CREATE", present))
        return false;
    for (uint32_t r = 0; r < run->twin->revision_count; r++)
        if (r != present && twin_would_refuse(run->twin, state, "replicasets", "UPDATE", present)) {
            next->set_replicas[r] = state->set_replicas[r];
            next->set_desired[r] = state->set_desired[r];
        }
    return true;
}

static void sync_deployment(struct twin_run *run, uint32_t number)
{
    struct twin *twin = run->twin;
    const struct twin_state *state = run->state;
    const struct deployment *object = twin_spec(twin, state, number)->as.deployment;
    struct deployment sized = *object;
    sized.replicas = state->replicas[number];
    struct deployment_facts facts = {
        .replicas = state->replicas[number],
        .paused = object->paused,
        .recreate = object->strategy == DEPLOYMENT_RECREATE,
        .min_ready_seconds = object->min_ready_seconds,
        .history_limit = INT32_MAX,
        .progress_deadline_seconds = INT32_MAX,
    };
    deployment_resolve_fenceposts(&sized, &facts.max_surge, &facts.max_unavailable);
    struct replica_set_facts sets[REVISIONS_MOST + 1] = {0};
    uint32_t revisions[REVISIONS_MOST + 1] = {0};
    uint32_t count = 0;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        if (twin->revisions[r].workload != number || state->set_replicas[r] < 0)
            continue;
        const bool present = state->present[number] == r;
        const int32_t ready = (int32_t)twin_count(twin, state, r, true);
        /* Of the size for which it was written. */
        int32_t most_more;
        int32_t most_less;
        sized.replicas = state->set_desired[r];
        deployment_resolve_fenceposts(&sized, &most_more, &most_less);
        revisions[count] = r;
        sets[count++] = (struct replica_set_facts){
            .name = "",
            .creation_time = r,
            .replicas = state->set_replicas[r],
            .status_replicas = (int32_t)twin_count(twin, state, r, false),
            .ready_replicas = ready,
            .available_replicas = available_pods(twin, state, r),
            .present_template = present,
            .observed = true,
            .revision = present ? 1000 : (int64_t)r + 1,
            .desired = {true, state->set_desired[r]},
            .most = {true, state->set_desired[r] + most_more},
        };
        for (uint32_t p = 0; p < TWIN_PODS_MOST && !present; p++)
            facts.old_pods_unfinished +=
                state->pods[p].stage == POD_TERMINATES && state->pods[p].revision == r;
    }
    const struct deployment_decision *decision =
        deployment_sync(&twin->scratch, &facts, sets, count, "new");
    struct twin_state next = *state;
    revisions[count] = state->present[number];
    for (uint32_t i = 0; i < decision->set_count; i++) {
        next.set_replicas[revisions[i]] = decision->sets[i].replicas;
        next.set_desired[revisions[i]] = (int32_t)decision->sets[i].desired.value;
    }
    if (memcmp(&next, state, sizeof(next)) != 0 && write_sets(run, state->present[number], &next))
        twin_emit(run, &next, TWIN_ACT_DEPLOYMENT_SYNC, about_workload(number), number, 0, FAST);
}

/* ---- ReplicaSet ---- */

static void create_pods(struct twin_run *run, uint32_t revision, uint32_t wanted)
{
    for (uint32_t amount = twin_admit(run, revision, about_set(revision), wanted); amount > 0;
         amount = twin_fewer(run->twin, revision, amount)) {
        struct twin_state next = *run->state;
        for (uint32_t i = 0; i < amount; i++)
            new_pod(run->twin, &next, revision, NOBODY);
        twin_emit(run, &next, TWIN_ACT_SET_CREATE, about_set(revision),
                  run->twin->revisions[revision].workload, 0, FAST);
    }
}

static struct replica_set_pod_class rank_of(const struct twin_run *run, uint32_t place)
{
    const struct twin_state *state = run->state;
    const struct place_of_pod *pod = &state->pods[place];
    const uint32_t workload = workload_of(run->twin, pod);
    const bool related = run->twin->workloads[workload].kind == OBJECT_DEPLOYMENT;
    struct replica_set_pod_class class = {
        .count = 1,
        .phase = pod->stage == POD_IS_READY ? POD_RUNNING : POD_PENDING,
        .assigned = pod->node != NOBODY,
        .ready = twin_pod_ready(state, place),
        .ready_age = AGE_NONE,
        .creation_age = AGE_NONE,
    };
    for (uint32_t p = 0; p < TWIN_PODS_MOST && related; p++)
        class.node_crowd += pod->node != NOBODY && pod_is_active(&state->pods[p]) &&
                            state->pods[p].node == pod->node &&
                            workload_of(run->twin, &state->pods[p]) == workload;
    return class;
}

/* Every choice of `amount` pods in which nobody stays who goes before one that
 * leaves. */
static void delete_pods(struct twin_run *run, uint32_t revision, uint32_t amount)
{
    const struct twin_state *state = run->state;
    uint32_t places[TWIN_PODS_MOST];
    struct replica_set_pod_class ranks[TWIN_PODS_MOST];
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_active(&state->pods[p]) && state->pods[p].revision == revision) {
            ranks[count] = rank_of(run, p);
            places[count++] = p;
        }
    for (uint32_t chosen = 0; chosen < 1U << count; chosen++) {
        bool good = (uint32_t)__builtin_popcount(chosen) == amount;
        for (uint32_t i = 0; i < count && good; i++)
            for (uint32_t j = 0; j < count && good; j++)
                good = !(!(chosen >> i & 1) && (chosen >> j & 1) &&
                         replica_set_compare(&ranks[i], &ranks[j], NULL) < 0);
        if (!good)
            continue;
        struct twin_state next = *state;
        for (uint32_t i = 0; i < count; i++)
            if (chosen >> i & 1)
                end_pod(run->twin, &next, places[i]);
        twin_emit(run, &next, TWIN_ACT_SET_DELETE, about_set(revision),
                  run->twin->revisions[revision].workload, 0, FAST);
    }
}

static void sync_set(struct twin_run *run, uint32_t revision)
{
    const int32_t wanted = run->state->set_replicas[revision];
    const int32_t there = (int32_t)twin_count(run->twin, run->state, revision, false);
    if (wanted > there)
        create_pods(run, revision, (uint32_t)(wanted - there));
    else if (wanted >= 0 && wanted < there)
        delete_pods(run, revision, (uint32_t)(there - wanted));
}

void twin_sync_workloads(struct twin_run *run)
{
    struct twin *twin = run->twin;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].kind == OBJECT_DEPLOYMENT && run->state->present[w] != NOBODY)
            sync_deployment(run, w);
    for (uint32_t r = 0; r < twin->revision_count; r++)
        sync_set(run, r);
}

/* ---- patterns of usage ---- */

/* All pods of the workload at this step of its pattern, elders or not. */
static bool move_on(const struct twin *twin, struct twin_state *next, uint32_t workload,
                    uint32_t level)
{
    bool any = false;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (next->pods[p].stage == POD_IS_READY && next->pods[p].level == level &&
            workload_of(twin, &next->pods[p]) == workload) {
            next->pods[p].level = (uint8_t)(2 * (level / 2 + 1));
            any = true;
        }
    return any;
}

void twin_pass_time(struct twin_run *run)
{
    for (uint32_t w = 0; w < run->twin->workload_count; w++)
        for (uint32_t k = 0; k + 1 < run->twin->workloads[w].pattern_steps; k++) {
            struct twin_state next = *run->state;
            if (move_on(run->twin, &next, w, 2 * k + 1) || move_on(run->twin, &next, w, 2 * k))
                twin_emit(run, &next, TWIN_ACT_TIME, about_workload(w), w, 0, FAST);
        }
}
