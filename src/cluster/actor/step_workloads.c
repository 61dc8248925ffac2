/* SPDX-License-Identifier: Apache-2.0 */
/* The Deployment and ReplicaSet controllers. Their statuses do not lag: each
 * sees the pods as they are, unless ReplicaSets may go by what they saw last. */
#include "cluster/actor/step_workloads.h"
#include "cluster/actor/removal.h"
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/availability.h"
#include "cluster/ask/known_syncs.h"
#include "cluster/ask/set_views.h"
#include "cluster/ask/webhooks.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/memos.h"
#include "cluster/state/population_model.h"
#include "cluster/state/starts.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/claim.h"
#include "decide/controller/deployment/deployment.h"
#include "decide/controller/replica_set/replica_set_controller.h"

/* The Deployment's rules at a size. */
static struct deployment_facts facts_at(const struct deployment *object, int32_t replicas)
{
    struct deployment sized = *object;
    struct deployment_facts facts = {
        .replicas = replicas,
        .paused = object->paused,
        .recreate = object->strategy == DEPLOYMENT_RECREATE,
        .min_ready_seconds = object->min_ready_seconds,
        .history_limit = INT32_MAX,
        .progress_deadline_seconds = INT32_MAX,
    };
    sized.replicas = replicas;
    deployment_resolve_fenceposts(&sized, &facts.max_surge, &facts.max_unavailable);
    return facts;
}

/* The max-replicas annotation of a set was written at the Deployment's size of then,
 * which is in its desired-replicas annotation: it is that size and the surge of it,
 * which may be a percentage. */
static struct replica_set_facts set_facts(struct worker *worker, const struct state *state,
                                          uint32_t revision, const struct deployment *object)
{
    const struct population *population = worker->population;
    const uint32_t workload = population->revisions.items[revision].workload;
    const struct set_state *set = &state->sets[revision];
    const uint32_t ready = state_ready(worker, state, revision);
    const uint32_t ordinal = revision - population->workloads.items[workload].first_revision;
    return (struct replica_set_facts){
        .name = "",
        .creation_time = ordinal,
        .replicas = set->replicas,
        .status_replicas = (int32_t)state_active(worker, state, revision),
        .ready_replicas = (int32_t)ready,
        .available_replicas =
            (int32_t)(population->clock ? clock_available_pods(worker, state, revision) : ready),
        .min_ready_seconds = object->min_ready_seconds,
        .present_template = state->present[workload] == revision,
        .observed = true,
        /* The present template's set has the highest number, also after a rollback. */
        .revision = state->present[workload] == revision ? population->revisions.count + 1
                                                         : (int64_t)ordinal + 1,
        .desired = {true, set->desired},
        .most = {true, set->desired + facts_at(object, set->desired).max_surge},
    };
}

/* Of the workload's sets but the present one. */
static uint32_t old_pods_terminating(struct worker *worker, const struct state *state,
                                     uint32_t workload)
{
    const struct workload *of = &worker->population->workloads.items[workload];
    uint32_t total = 0;
    for (uint32_t r = of->first_revision; r < of->first_revision + of->revision_count; r++)
        if (r != state->present[workload] && state->sets[r].replicas >= 0)
            total += state_terminating(worker, state, r);
    return total;
}

/* What the Deployment's sync goes by. */
static void see(struct worker *worker, const struct state *state, uint32_t number,
                struct sync_seen *seen)
{
    const struct population *population = worker->population;
    const struct workload *workload = &population->workloads.items[number];
    seen->count = 0;
    sync_see(seen, SYNC_OF_DEPLOYMENT);
    sync_see(seen, number);
    sync_see(seen, state->statuses[number].spec);
    sync_see(seen, (uint32_t)state->replicas[number]);
    sync_see(seen, state->present[number]);
    sync_see(seen, old_pods_terminating(worker, state, number));
    for (uint32_t i = 0; i < workload->revision_count; i++) {
        const uint32_t revision = workload->first_revision + i;
        const struct set_state *set = &state->sets[revision];
        if (set->replicas < 0)
            continue;
        sync_see(seen, revision);
        sync_see(seen, (uint32_t)set->replicas);
        sync_see(seen, (uint32_t)set->desired);
        sync_see(seen, state_active(worker, state, revision));
        sync_see(seen, state_ready(worker, state, revision));
        if (population->clock)
            sync_see(seen, clock_available_pods(worker, state, revision));
    }
}

/* The sets as the sync wants them, as pairs of replicas and desired; how many words,
 * 0 if all are so already. `revisions` are those that have a set, and then the
 * present one. */
static uint32_t decide(struct worker *worker, const struct state *state, uint32_t number,
                       const uint32_t *revisions, uint32_t count, uint32_t *wanted)
{
    const struct deployment *object = state_spec(worker->population, state, number)->as.deployment;
    struct deployment_facts facts = facts_at(object, state->replicas[number]);
    facts.old_pods_unfinished = old_pods_terminating(worker, state, number);
    struct replica_set_facts *sets =
        ARENA_ARRAY(&worker->scratch, struct replica_set_facts, count + 1);
    for (uint32_t i = 0; i < count; i++)
        sets[i] = set_facts(worker, state, revisions[i], object);
    const struct deployment_decision *decision =
        deployment_sync(&worker->scratch, &facts, sets, count, "new");
    bool changed = decision->set_count > count;
    for (uint32_t i = 0; i < decision->set_count; i++) {
        const struct set_state *set = &state->sets[revisions[i]];
        changed = changed || set->replicas != decision->sets[i].replicas ||
                  set->desired != decision->sets[i].desired.value;
        wanted[2 * (size_t)i] = (uint32_t)decision->sets[i].replicas;
        wanted[2 * (size_t)i + 1] = (uint32_t)decision->sets[i].desired.value;
    }
    return changed ? 2 * decision->set_count : 0;
}

/* Leaves out what a silent webhook refuses. A set is made first, with its size. The first request
 * that is refused ends the sync, and no sync writes sets of which some are refused and others are
 * not (build/webhook_requests.c). False: nothing is left. */
static bool leave_out_refused(struct expansion *expansion, uint32_t present, struct state *next)
{
    const struct state *state = expansion->state;
    const bool creates = state->sets[present].replicas < 0 && next->sets[present].replicas >= 0;
    if (expansion->population->webhooks.count == 0)
        return true;
    if (!creates)
        return !expansion_refuses_request(expansion, REQUEST_SET_UPDATE, present);
    if (expansion_refuses_request(expansion, REQUEST_SET_CREATE, present))
        return false;
    if (webhook_refuses(expansion->worker, state, REQUEST_SET_UPDATE, present)) {
        const struct set_state made = next->sets[present];
        for (uint32_t r = 0; r < expansion->population->revisions.count; r++)
            next->sets[r] = state->sets[r];
        next->sets[present] = made;
    }
    return true;
}

static void sync_deployment(struct expansion *expansion, uint32_t number)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const struct workload *workload = &expansion->population->workloads.items[number];
    struct sync_seen seen;
    /* What it knows of pods comes from the statuses that ReplicaSets write. */
    if (sets_are_outdated(expansion->population, state, number))
        return;
    see(worker, state, number, &seen);
    const struct known_sync *known = sync_recall(&worker->known_syncs, &seen);
    if (known && known->answer_count == 0)
        return;
    uint32_t *revisions =
        ARENA_ARRAY(&worker->scratch, uint32_t, 3 * ((size_t)workload->revision_count + 1));
    uint32_t *decided = revisions + workload->revision_count + 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < workload->revision_count; i++)
        if (state->sets[workload->first_revision + i].replicas >= 0)
            revisions[count++] = workload->first_revision + i;
    revisions[count] = state->present[number];
    const uint32_t *wanted = known ? known->answer : decided;
    const uint32_t words =
        known ? known->answer_count : decide(worker, state, number, revisions, count, decided);
    if (!known)
        sync_remember(&worker->arena, &worker->known_syncs, &seen, decided, words);
    if (words == 0)
        return;
    struct state *next = state_copy(worker, state);
    for (uint32_t i = 0; i < words; i += 2)
        next->sets[revisions[i / 2]] =
            (struct set_state){(int32_t)wanted[i], (int32_t)wanted[i + 1]};
    if (leave_out_refused(expansion, state->present[number], next))
        expansion_emit(expansion, next,
                       happening_with(expansion->population, ACT_DEPLOYMENT_SYNC,
                                      state->present[number], UINT32_MAX, 0));
}

static void step_deployments(struct expansion *expansion)
{
    for (uint32_t w = 0; w < expansion->population->workloads.count; w++)
        if (expansion->population->workloads.items[w].deployment &&
            !expansion_ignores(expansion, w) && !expansion_leaves_out(expansion, w) &&
            expansion->state->present[w] != WORKLOAD_ABSENT)
            sync_deployment(expansion, w);
}

/* ---- ReplicaSet ---- */

/* Active pods of the workload, all its revisions, on each node of a config. */
static uint32_t crowd(struct worker *worker, const struct node_config *config, uint32_t workload)
{
    uint32_t total = 0;
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_info(worker, config->pods[p].pod)->stage != STAGE_TERMINATING &&
            class_revision(worker, config->pods[p].pod)->workload == workload)
            total += config->pods[p].count;
    return total;
}

/* A pod that waits, or has not started. Ages are not known here: pods of one rank may go in any
 * order. */
static struct replica_set_pod_class unstarted(const struct pods_at *place)
{
    return (struct replica_set_pod_class){
        .count = place->count,
        .phase = POD_PENDING,
        .ready_age = AGE_NONE,
        .creation_age = AGE_NONE,
    };
}

static struct replica_set_pod_class facts_of(const struct removal *removal,
                                             const struct pods_at *place)
{
    struct worker *worker = removal->expansion->worker;
    struct replica_set_pod_class class = unstarted(place);
    if (place->entry == UINT32_MAX)
        return class;
    const struct node_config *config =
        state_config(worker, removal->expansion->state, place->entry);
    const struct class_info *info = class_info(worker, place->class);
    class.phase = info->stage == STAGE_READY ? POD_RUNNING : POD_PENDING;
    class.assigned = true;
    class.ready = pod_is_ready_on(worker, info, config->id);
    /* In the pool it is not known which pods share a node. */
    if (revision_workload(worker->population, info->revision)->deployment &&
        !worker->population->pools)
        class.node_crowd = crowd(worker, config, removal->happening.workload);
    return class;
}

static void delete_these(struct expansion *expansion, uint32_t revision, uint32_t removed)
{
    struct worker *worker = expansion->worker;
    struct removal removal = {
        .expansion = expansion,
        .happening =
            happening_with(expansion->population, ACT_SET_DELETE, revision, UINT32_MAX, removed),
    };
    /* Pods that have not started are deleted first. If states do not say which pods these are,
     * they are guessed, or the model has to be explored with readiness. */
    const bool guesses = expansion->state->bound && expansion->population->guesses_readiness;
    worker->findings.needs_all |= expansion->state->bound && !guesses;
    worker->findings.guessed |= guesses;
    removal_find_places(&removal, false);
    struct replica_set_pod_class *pods =
        ARENA_ARRAY(&worker->scratch, struct replica_set_pod_class, removal.places.count);
    for (uint32_t i = 0; i < removal.places.count; i++)
        pods[i] = guesses ? unstarted(&removal.places.items[i])
                          : facts_of(&removal, &removal.places.items[i]);
    replica_set_each_removal(&worker->removals, pods, removal.places.count, removed, removal_emit,
                             &removal);
}

struct deletion {
    struct expansion *expansion;
    uint32_t revision;
    uint32_t removed;
};

static void delete_placed(void *context, const struct state *placed)
{
    const struct deletion *deletion = context;
    deletion->expansion->state = placed;
    delete_these(deletion->expansion, deletion->revision, deletion->removed);
}

/* Which pods go depends on which of them have started. Where a state does not say it, all are
 * tried. */
static void delete_pods(struct expansion *expansion, uint32_t revision, uint32_t removed)
{
    enum { PLACES_MOST = 1 << 10 };
    const struct state *state = expansion->state;
    struct deletion deletion = {expansion, revision, removed};
    if (!expansion->population->counts_starts) {
        delete_these(expansion, revision, removed);
        return;
    }
    expansion->worker->findings.needs_all |= !state_each_gathered(
        expansion->worker, state, revision, PLACES_MOST, delete_placed, &deletion);
    expansion->state = state;
}

static void create_pods(struct expansion *expansion, uint32_t revision, uint32_t created)
{
    for (uint32_t amount = expansion_admits(expansion, revision, created); amount > 0;
         amount = expansion_fewer(expansion, revision, amount)) {
        struct state *next = state_copy(expansion->worker, expansion->state);
        const uint32_t node = state_add_pods(expansion->worker, next, revision, amount);
        expansion_emit_created(
            expansion, next,
            happening_with(expansion->population, ACT_SET_CREATE, revision, node, amount),
            revision);
    }
}

/* Pods that are gone, though the ReplicaSet does not know it, may be among those that it deletes,
 * which has no effect. */
static void delete_believed(struct expansion *expansion, uint32_t revision, uint32_t removed)
{
    const uint32_t active = state_active(expansion->worker, expansion->state, revision);
    const uint32_t gone = set_believes(expansion->worker, expansion->state, revision) - active;
    for (uint32_t most = removed < active ? removed : active; most > 0 && most + gone >= removed;
         most--)
        delete_pods(expansion, revision, most);
}

static void see_pods(struct expansion *expansion, uint32_t revision)
{
    const uint32_t active = state_active(expansion->worker, expansion->state, revision);
    if (set_believes(expansion->worker, expansion->state, revision) > active)
        expansion_emit(
            expansion, state_copy(expansion->worker, expansion->state),
            happening_with(expansion->population, ACT_SET_SEE, revision, UINT32_MAX, active));
}

void step_replica_set(struct expansion *expansion, uint32_t revision)
{
    const struct replica_set_pod_class all = {
        .count = set_believes(expansion->worker, expansion->state, revision)};
    const struct replica_set_decision decision = replica_set_sync(&(struct replica_set_facts_in){
        .replicas = expansion->state->sets[revision].replicas,
        .burst = REPLICA_SET_BURST,
        .creations_allowed = -1,
        .pods = &all,
        .pod_class_count = 1,
    });
    if (decision.created > 0)
        create_pods(expansion, revision, (uint32_t)decision.created);
    else if (decision.removed > 0)
        delete_believed(expansion, revision, (uint32_t)decision.removed);
    see_pods(expansion, revision);
}

static void step_replica_sets(struct expansion *expansion)
{
    for (uint32_t r = 0; r < expansion->population->revisions.count; r++)
        if (expansion->state->sets[r].replicas >= 0 && !expansion_leaves_out_pods(expansion, r))
            step_replica_set(expansion, r);
}

/* With the strategy Recreate a Deployment waits until its old pods are gone. */
static bool some_recreate(const struct population *population)
{
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        for (uint32_t i = 0; workload->deployment && i < workload->specs.count; i++)
            if (workload->specs.items[i]->as.deployment->strategy == DEPLOYMENT_RECREATE)
                return true;
    }
    return false;
}

/* Do sets see what has ended later than it does? Quotas do. */
static bool sets_lag(const struct population *population)
{
    return population->options.sets_lag || population->quotas.count > 0;
}

static const enum population_action deployment_actions[] = {ACT_DEPLOYMENT_SYNC, ACT_SETS_REFUSED,
                                                            ACTIONS_END};

const struct actor actor_deployment = {
    .name = "Deployment controller",
    .actions = deployment_actions,
    .prompt = true,
    .step = step_deployments,
    .minds_ends = some_recreate,
    .minds_waits = some_recreate,
    .reads = PART_WORKLOADS | PART_STATUSES | PART_SETS | PART_WAITING | PART_PODS | PART_NODES |
             PART_CLOCKS,
    .writes = PART_SETS,
};

static const enum population_action replica_set_actions[] = {
    ACT_SET_CREATE, ACT_SET_DELETE, ACT_SET_SEE, ACT_CREATE_REFUSED, ACTIONS_END};

const struct actor actor_replica_set = {
    .name = "ReplicaSet controller",
    .actions = replica_set_actions,
    .prompt = true,
    .step = step_replica_sets,
    .minds_ends = sets_lag,
    .minds_waits = sets_lag,
    .reads = PART_SETS | PART_WAITING | PART_PODS | PART_NODES,
    .writes = PART_WAITING | PART_PODS | PART_NOMINATIONS,
};
